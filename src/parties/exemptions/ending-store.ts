import type { Context } from '../../platform/context.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { END } from './list-store.ts'
import { FREEING, OF_CUSTOMERS } from './freeing.ts'

/** How many certificates of a status and a span of days are looked at. */
const SCANNED_MAX = 2_000

const FOUND_MAX = 100

/** Not ended by hand. */
const BY_ITSELF = `(ended_on IS NULL OR ended_on >= coalesce(valid_to, '9999-12-31'))`

/** Certificates whose last day is in a span, read from its start (ASC) or from its end (DESC). */
type EndingSpan = {
  status: 'verified' | 'expired'
  from: string
  to: string
  order: 'ASC' | 'DESC'
}

/**
 * The ids of certificates that ended or end by their last day in a span, and that no other certificate of the
 * customer for the same place follows: valid the day after, or begun by today. At most 100 of each span, of
 * the first 2,000.
 */
export async function idsThatNoneFollows(
  { books, principal }: Context,
  spans: readonly EndingSpan[],
  today: string,
): Promise<string[][]> {
  const found = await books.batch(
    spans.map(({ status, from, to, order }) =>
      books
        .prepare(
          `SELECT id FROM
             (SELECT id, customer_id, jurisdiction_id, date(valid_to, '+1 day') AS next
              FROM exemptions INDEXED BY exemptions_by_end
              WHERE account_id = ?1 AND status = ?2 AND ${END} BETWEEN ?3 AND ?4
                AND valid_from <= ?5 AND ${BY_ITSELF}
              ORDER BY ${END} ${order} LIMIT ${SCANNED_MAX}) ending
           WHERE NOT EXISTS
             (SELECT 1 FROM ${OF_CUSTOMERS}
              WHERE account_id = ?1 AND customer_id = ending.customer_id AND ${FREEING} AND ${BY_ITSELF}
                AND valid_from <= max(ending.next, ?5) AND ${END} >= ending.next
                AND (jurisdiction_id = ending.jurisdiction_id
                  OR instr(ending.jurisdiction_id, jurisdiction_id || '-') = 1))
           LIMIT ${FOUND_MAX}`,
        )
        .bind(principal.account_id, status, from, to, today),
    ),
  )
  return found.map((rows) => rowsOf<{ id: string }>(rows).map(({ id }) => id))
}
