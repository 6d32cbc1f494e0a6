import type { BooksDb } from '../../platform/database/databases.ts'
/**
 * Marks the filed returns whose days get a new entry, so that the next open return looks for it. Put it in
 * the batch of the entry. A return that is being frozen is marked too, because it may lack the entry.
 */
export function markLateEntries(
  books: BooksDb,
  account_id: string,
  days: readonly string[],
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE returns SET late = 1
       WHERE account_id = ?1 AND late = 0 AND status <> 'reopened'
         AND EXISTS (SELECT 1 FROM json_each(?2) WHERE value BETWEEN from_date AND to_date)`,
    )
    .bind(account_id, JSON.stringify([...new Set(days)]))
}
