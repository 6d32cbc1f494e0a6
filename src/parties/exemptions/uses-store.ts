import type { BooksDb } from '../../platform/database/databases.ts'
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
        // A join would begin with all exemptions of the account.
        `UPDATE exemptions INDEXED BY exemptions_of_account SET sales = max(0, sales +
           (SELECT value ->> 1 FROM json_each(?2) WHERE value ->> 0 = exemptions.id))
         WHERE account_id = ?1 AND id IN (SELECT value ->> 0 FROM json_each(?2))`,
      )
      .bind(account_id, JSON.stringify([...counts])),
  ]
}
