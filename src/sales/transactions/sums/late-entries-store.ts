import type { BooksDb } from '../../../platform/database/databases.ts'

/** A sale or a refund by its id, with its day. */
type LateEntry = { id: string; day: string }

/** The sale of an entry, which may be a refund. `entry` is a row of json_each. */
const SALE_OF_ENTRY = `coalesce(
  (SELECT transaction_id FROM refunds WHERE id = entry.value ->> '$.id'), entry.value ->> '$.id')`

/** No return declares the sale of another seller. */
const IS_OWN = `NOT EXISTS (
  SELECT 1 FROM transactions WHERE id = ${SALE_OF_ENTRY} AND of_other_seller = 1)`

/**
 * What an entry of some days that comes into the books or leaves them changes about returns. Filed ones are
 * marked, so that the next open return looks for it; a return that is being frozen too, because it may lack
 * the entry. Marks on obligations that it concerns count no more. Put it in the batch of the entry, after its
 * lines, and before it is deleted.
 */
export function markLateEntries(
  books: BooksDb,
  account_id: string,
  entries: readonly LateEntry[],
): D1PreparedStatement[] {
  const named = JSON.stringify(entries.map(({ id, day }) => ({ id, day })))
  return [
    books
      .prepare(
        `UPDATE returns SET late = 1
         WHERE account_id = ?1 AND late = 0 AND status <> 'reopened'
           AND EXISTS (SELECT 1 FROM json_each(?2) AS entry
             WHERE entry.value ->> '$.day' BETWEEN from_date AND to_date AND ${IS_OWN})`,
      )
      .bind(account_id, named),
    endMarks(books, account_id, entries, named),
  ]
}

/**
 * A place below a country, and a scheme of the European Union, have returns of their own sales alone.
 * National returns list supplies elsewhere too, so any sale concerns them.
 */
function endMarks(
  books: BooksDb,
  account_id: string,
  entries: readonly LateEntry[],
  named: string,
): D1PreparedStatement {
  const first = entries.reduce((day, each) => (each.day < day ? each.day : day), '9999-12-31')
  return books
    .prepare(
      `UPDATE obligation_marks SET late = 1
       WHERE account_id = ?1 AND to_date >= ?2 AND late = 0 AND EXISTS (
         SELECT 1 FROM json_each(?3) AS entry
         WHERE entry.value ->> '$.day' BETWEEN from_date AND obligation_marks.to_date AND ${IS_OWN}
           AND EXISTS (
           SELECT 1 FROM transaction_lines AS line
           WHERE line.transaction_id = ${SALE_OF_ENTRY}
             AND CASE
               WHEN document = 'ec_sales_list'
                 THEN line.portions IS NOT NULL
                   OR line.taxability_reason IN ('intra_community_supply', 'reverse_charge')
               WHEN place IN ('oss_union', 'oss_non_union', 'ioss') THEN line.scheme = place
               WHEN place LIKE '__-%'
                 THEN line.place_of_supply = place OR line.place_of_supply LIKE place || '-%'
               ELSE TRUE END))`,
    )
    .bind(account_id, first, named)
}
