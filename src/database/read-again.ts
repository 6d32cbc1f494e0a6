import { ApiError } from '../errors.ts'

/** Of writes that meet, one gets through each time: so many may stand before us. */
const ATTEMPTS_MAX = 100

/**
 * Runs a read and its guarded write anew as long as another request writes between the two, so that what both
 * change is kept. The write says so with concurrent_change, which is also what is thrown in the end.
 */
export async function readAgainOnChange<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt()
    } catch (thrown) {
      const changed = thrown instanceof ApiError && thrown.reason === 'concurrent_change'
      if (!changed || attempts === ATTEMPTS_MAX) throw thrown
    }
  }
}

/**
 * The updated_at of a change: now, but always later than the one that was read, so that it tells every
 * version from every other.
 */
export function changedAt(now: Date, before: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(before) + 1)).toISOString()
}
