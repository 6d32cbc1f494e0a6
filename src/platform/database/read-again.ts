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
 * Changes a row of which omitted fields stay: reads it, and writes it with `write`, which must fail with
 * concurrent_change unless the row still has the `updated_at` that was read. Two changes at once each keep
 * their own fields; of one field, the later change counts. `updated_at` is that of the changed row.
 */
export function changeRow<Row extends { updated_at: string }, T>(
  { now }: { now: Date },
  read: () => Promise<Row>,
  write: (before: Row, updated_at: string) => Promise<T>,
): Promise<T> {
  return readAgainOnChange(async () => {
    const before = await read()
    return write(before, changedAt(now, before.updated_at))
  })
}

/**
 * The updated_at of a change: now, but always later than the value that was read, so each version has its
 * own.
 */
export function changedAt(now: Date, before: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(before) + 1)).toISOString()
}
