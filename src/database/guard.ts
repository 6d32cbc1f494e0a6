import { ApiError, fieldError, REASONS, type Reason } from '../errors.ts'

/**
 * An update that must change exactly one row, or the whole batch is rolled back and commit() throws the
 * reason. The statement behind it fails on purpose: an invalid JSON path is the one error whose message
 * SQLite lets us write.
 */
export function guarded(db: D1Database, update: D1PreparedStatement, reason: Reason): D1PreparedStatement[] {
  return [
    update,
    db
      .prepare(`SELECT json_extract('{}', CASE changes() WHEN 1 THEN '$' ELSE ? END)`)
      .bind(`guard ${reason}`),
  ]
}

/** What commit() throws for a failed batch: what the caller can mend, or the failure itself. */
export function guardFailure(thrown: unknown): unknown {
  const message = thrown instanceof Error ? thrown.message : ''
  const word = /guard (\w+)/.exec(message)?.[1]
  if (word !== undefined && isReason(word)) return new ApiError(word)
  if (/UNIQUE constraint failed: (\w+)\.account_id, \1\.external_id/.test(message))
    return fieldError('external_id_taken', 'external_id', 'is taken by another one of this account')
  // The totals of an account hold no sum that a double could not tell apart from its neighbour.
  if (/CHECK constraint failed: abs\(|integer overflow/.test(message))
    return new ApiError('amount_out_of_range', {
      message: 'The sums of this account would grow larger than can be counted',
    })
  return thrown
}

function isReason(word: string): word is Reason {
  return Object.hasOwn(REASONS, word)
}
