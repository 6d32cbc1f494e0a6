import { ApiError } from '../api-error.ts'
import { TaxConnectionError } from '../connection-error.ts'

/**
 * Whether the service is away, as opposed to a refusal of what was asked. An error without a code is of a
 * proxy before the service.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof TaxConnectionError) return true
  return (
    error instanceof ApiError && (error.status === 429 || error.status >= 500 || error.error_code === null)
  )
}

/** Calls the merchant's callback. A fault of the callback must not change what happens to the sale. */
export function tell<News>(callback: (news: News) => unknown, news: News): void {
  try {
    Promise.resolve(callback(news)).catch(() => {})
  } catch {
    // As above.
  }
}
