import { ApiError } from '../errors.ts'
import { RELEASE } from '../release.ts'

/**
 * Logs a failure outside of a request as one JSON line. `about` contains ids, never content. Of an ApiError
 * only the reason is logged: its message may have what somebody typed.
 */
export function logFault(about: Readonly<Record<string, unknown>>, thrown: unknown): void {
  console.error(JSON.stringify({ level: 'error', ...about, error: nameOf(thrown), release: RELEASE }))
}

function nameOf(thrown: unknown): string {
  if (thrown instanceof ApiError) return thrown.reason
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown'
}
