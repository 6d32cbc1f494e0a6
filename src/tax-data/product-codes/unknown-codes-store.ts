import type { Context } from '../../platform/context.ts'
import { openHome } from '../../platform/database/home.ts'
import type { unknown_codes } from '../../platform/database/tables/product-codes.ts'

type UnknownCode = Omit<typeof unknown_codes.$inferSelect, 'account_id'>

const CODES_MAX = 200
const KEPT_MS = 90 * 24 * 3_600_000

/** The codes without a product type that the account sent in the last 90 days, the latest first. */
export async function readUnknownCodes({ books, principal, now }: Context): Promise<UnknownCode[]> {
  const { results } = await books
    .prepare(
      `SELECT code, lines, first_seen, last_seen FROM unknown_codes
       WHERE account_id = ? AND last_seen >= ? ORDER BY last_seen DESC, code LIMIT ?`,
    )
    .bind(principal.account_id, oldest(now), CODES_MAX)
    .all<UnknownCode>()
  return results
}

/**
 * Adds lines by code to what is counted of an account, and forgets codes that were not sent for 90 days. An
 * account has at most 200 codes. Does nothing if its books are not open in this database.
 */
export async function addUnknownCodes(
  { books, principal, now }: Context,
  lines: ReadonlyMap<string, number>,
): Promise<void> {
  const at = now.toISOString()
  const { account_id } = principal
  const added = JSON.stringify([...lines].map(([code, count]) => ({ code, lines: count })))
  await books.batch([
    books
      .prepare(`DELETE FROM unknown_codes WHERE account_id = ?1 AND last_seen < ?2 AND ${openHome('?1')}`)
      .bind(account_id, oldest(now)),
    books
      .prepare(
        `INSERT INTO unknown_codes (account_id, code, lines, first_seen, last_seen)
         SELECT ?1, added.value ->> 'code', added.value ->> 'lines', ?3, ?3 FROM json_each(?2) added
         WHERE ${openHome('?1')} AND (
           EXISTS (SELECT 1 FROM unknown_codes
             WHERE account_id = ?1 AND code = added.value ->> 'code')
           OR (SELECT count(*) FROM unknown_codes WHERE account_id = ?1) + added.key < ${CODES_MAX})
         ON CONFLICT DO UPDATE SET lines = lines + excluded.lines, last_seen = excluded.last_seen`,
      )
      .bind(account_id, added, at),
  ])
}

function oldest(now: Date): string {
  return new Date(now.getTime() - KEPT_MS).toISOString()
}
