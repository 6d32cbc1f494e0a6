import { ApiError } from '../errors.ts'

/**
 * If several writes race, one succeeds in each round, so this is how many competitors a write can survive.
 */
const ATTEMPTS_MAX = 100

/**
 * Repeats a read and its guarded write while another request writes between the two, so that both changes are
 * kept. The write reports this with concurrent_change, which is also thrown after the last attempt.
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
 * The updated_at of a change: now, but always later than the value that was read, so each version has its
 * own.
 */
export function changedAt(now: Date, before: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(before) + 1)).toISOString()
}
