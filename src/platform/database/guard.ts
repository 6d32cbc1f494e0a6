import { type AnyDb, type Condition, unchecked } from './databases.ts'
import { ApiError, fieldError, REASONS, type Reason } from '../errors.ts'

/**
 * An update that must change exactly one row; otherwise the whole batch is rolled back and commit() throws
 * the reason. The second statement fails on purpose: an invalid JSON path is the only error whose message
 * SQLite lets us choose.
 */
export function guarded(db: AnyDb, update: D1PreparedStatement, reason: Reason): D1PreparedStatement[] {
  return [
    update,
    unchecked(db)
      .prepare(`SELECT json_extract('{}', CASE changes() WHEN 1 THEN '$' ELSE ? END)`)
      .bind(`guard ${reason}`),
  ]
}

/**
 * A statement that fails its batch with a reason unless an SQL condition is true at that place of the batch.
 */
export function required<Db extends AnyDb, Text extends string>(
  db: Db,
  condition: Condition<Db, Text>,
  values: readonly (string | number | null)[],
  reason: Reason,
): D1PreparedStatement {
  return unchecked(db)
    .prepare(`SELECT json_extract('{}', iif(${condition}, '$', 'guard ${reason}'))`)
    .bind(...values)
}

/**
 * The error that commit() throws for a failed batch: one that the caller can correct, or the failure itself.
 */
export function guardFailure(thrown: unknown): unknown {
  const message = thrown instanceof Error ? thrown.message : ''
  const word = /guard (\w+)/.exec(message)?.[1]
  if (word === 'external_id_taken') return externalIdTaken('transactions')
  if (word !== undefined && isReason(word)) return new ApiError(word)
  const taken = /UNIQUE constraint failed: (\w+)\.account_id, \1\.external_id/.exec(message)
  if (taken !== null) return externalIdTaken(taken[1] ?? '')
  // Two returns that were filed at once: one of them has to look at the books again.
  if (/UNIQUE constraint failed: returns\./.test(message)) return new ApiError('concurrent_change')
  // Two people who decided about one fact at once: the second one has to look again.
  if (/UNIQUE constraint failed: (facts|data_versions)\./.test(message))
    return new ApiError('concurrent_change')
  // The totals of an account only contain sums that a double can represent exactly.
  if (/CHECK constraint failed: abs\(|integer overflow/.test(message))
    return new ApiError('amount_out_of_range', {
      message: 'The totals of this account would become too large to store exactly',
    })
  return thrown
}

const READ_BY_EXTERNAL_ID: ReadonlySet<string> = new Set(['transactions', 'customers', 'accounts'])

/** That a row of a table already has an external id, and where to read it. */
export function externalIdTaken(table: string): ApiError {
  const there = READ_BY_EXTERNAL_ID.has(table) ? `: read it at GET /v1/${table}/external/{external_id}` : ''
  const detail = `is already used by another resource of this account${there}`
  return fieldError('external_id_taken', 'external_id', detail)
}

function isReason(word: string): word is Reason {
  return Object.hasOwn(REASONS, word)
}
