import { ApiError, REASONS, type Reason } from '../errors.ts'

/**
 * An update that must change exactly one row, or the whole batch is rolled back and commit() throws the reason.
 * The statement behind it fails on purpose: an invalid JSON path is the one error whose message SQLite lets us write.
 */
export function guarded(db: D1Database, update: D1PreparedStatement, reason: Reason): D1PreparedStatement[] {
  return [update, db.prepare(`SELECT json_extract('{}', CASE changes() WHEN 1 THEN '$' ELSE ? END)`).bind(`guard ${reason}`)]
}

/** What commit() throws for a failed batch: the reason of the guard that failed, or the failure itself. */
export function guardFailure(thrown: unknown): unknown {
  const word = thrown instanceof Error ? /guard (\w+)/.exec(thrown.message)?.[1] : undefined
  return word !== undefined && isReason(word) ? new ApiError(word) : thrown
}

function isReason(word: string): word is Reason {
  return Object.hasOwn(REASONS, word)
}
