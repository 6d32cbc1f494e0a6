import type { BooksDb } from '../database/databases.ts'
/**
 * Counts the sales that rest on certificates, for the batch that records or voids them. `change` is 1 for
 * each recorded sale, and -1 for a voided one. A certificate with sales cannot be deleted by itself.
 */
export function countUses(
  books: BooksDb,
  account_id: string,
  exemption_ids: readonly string[],
  change: 1 | -1,
): D1PreparedStatement[] {
  if (exemption_ids.length === 0) return []
  const counts = new Map<string, number>()
  for (const id of exemption_ids) counts.set(id, (counts.get(id) ?? 0) + change)
  return [
    books
      .prepare(
        `UPDATE exemptions SET sales = max(0, sales + used.change)
         FROM (SELECT value ->> 0 AS id, value ->> 1 AS change FROM json_each(?2)) used
         WHERE exemptions.account_id = ?1 AND exemptions.id = used.id`,
      )
      .bind(account_id, JSON.stringify([...counts])),
  ]
}
