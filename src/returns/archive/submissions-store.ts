import { allColumnsOf } from '../../platform/database/column-list.ts'
import type { Context } from '../../platform/context.ts'
import { guarded } from '../../platform/database/guard.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import type { return_submissions } from '../../platform/database/tables/returns.ts'

/** What became of a kept return at the tax office. Amounts in minor units, days as `YYYY-MM-DD`. */
export type SubmissionRow = Omit<typeof return_submissions.$inferSelect, 'account_id'>

const COLUMNS = allColumnsOf<SubmissionRow>()(
  `return_id, state, number, day, paid_at, payment, interest, note, reviewed_at, reviewed_by, updated_at,
  reviewed_person`,
)

/** The submissions of some returns by the id of the return. A return without one is not in the map. */
export async function readSubmissions(
  { books, principal }: Context,
  return_ids: readonly string[],
): Promise<ReadonlyMap<string, SubmissionRow>> {
  if (return_ids.length === 0) return new Map()
  const { results } = await books
    .prepare(
      `SELECT ${COLUMNS} FROM return_submissions
       WHERE account_id = ?1 AND return_id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(principal.account_id, JSON.stringify(return_ids))
    .all<SubmissionRow>()
  return new Map(results.map((row) => [row.return_id, row]))
}

/** The statements that keep the first submission of a return. */
export function insertSubmission({ books, principal }: Context, row: SubmissionRow): D1PreparedStatement[] {
  return insertRows(books, 'return_submissions', [{ account_id: principal.account_id, ...row }])
}

/** Replaces a submission. Fails with concurrent_change if it is no longer as it was read. */
export function replaceSubmission(
  context: Context,
  before: SubmissionRow | null,
  after: SubmissionRow,
): D1PreparedStatement[] {
  const { books, principal } = context
  const write = books
    .prepare(
      `INSERT INTO return_submissions (account_id, return_id, state, number, day, paid_at, payment, interest,
         note, reviewed_at, reviewed_by, updated_at, reviewed_person)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, CAST(?7 AS INTEGER), CAST(?8 AS INTEGER), ?9, ?10, ?11, ?12, ?14)
       ON CONFLICT (return_id) DO UPDATE SET state = excluded.state, number = excluded.number,
         day = excluded.day, paid_at = excluded.paid_at, payment = excluded.payment,
         interest = excluded.interest, note = excluded.note, reviewed_at = excluded.reviewed_at,
         reviewed_by = excluded.reviewed_by, updated_at = excluded.updated_at,
         reviewed_person = excluded.reviewed_person
       WHERE account_id = ?1 AND updated_at = ?13`,
    )
    .bind(
      principal.account_id,
      after.return_id,
      after.state,
      after.number,
      after.day,
      after.paid_at,
      after.payment,
      after.interest,
      after.note,
      after.reviewed_at,
      after.reviewed_by,
      after.updated_at,
      before?.updated_at ?? '',
      after.reviewed_person,
    )
  return guarded(books, write, 'concurrent_change')
}
