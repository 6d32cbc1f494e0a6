import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import { rowsOf } from '../../platform/database/results.ts'

/** An account with what the last comparison found: 1 is over the threshold. */
export type SellerOver = { id: string; over_eu_threshold: number }

/** An account, and the shard of its books. */
type SellerInShard = SellerOver & { shard: number }

/** The distance sales of an account in a year and a currency, minor units. */
export type YearOfSales = { account_id: string; year: string; currency: string; net_amount: number }

/** A page of the accounts whose seller is established in one of these countries, by id. */
export async function readAccountsIn(
  db: ControlDb,
  countries: readonly string[],
  after: string,
  limit: number,
): Promise<SellerInShard[]> {
  return rowsOf<SellerInShard>(
    await db
      .prepare(
        `SELECT id, over_eu_threshold, shard FROM accounts
         WHERE id > ? AND country IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
      )
      .bind(after, JSON.stringify(countries), limit)
      .all(),
  )
}

/** Sales to consumers in other member states since the start of a year, by the totals of the books. */
export async function readDistanceSales(
  books: BooksDb,
  account_ids: readonly string[],
  from_year: number,
): Promise<YearOfSales[]> {
  return rowsOf<YearOfSales>(
    await books
      .prepare(
        `SELECT account_id, substr(period, 1, 4) AS year, currency, sum(net_amount) AS net_amount
         FROM tax_totals
         WHERE account_id IN (SELECT value FROM json_each(?1)) AND span = 'month' AND period >= ?2
           AND scheme IN ('oss_union', 'below_eu_threshold')
         GROUP BY account_id, year, currency`,
      )
      .bind(JSON.stringify(account_ids), `${from_year}-01`)
      .all(),
  )
}

/** Keeps the results of a comparison with the accounts. */
export async function writeOverThreshold(db: ControlDb, results: readonly SellerOver[]): Promise<void> {
  await db
    .prepare(
      `UPDATE accounts SET over_eu_threshold = found.over
       FROM (
         SELECT value ->> 'id' AS account_id, value ->> 'over_eu_threshold' AS over FROM json_each(?1)
       ) AS found
       WHERE accounts.id = found.account_id`,
    )
    .bind(JSON.stringify(results))
    .run()
}
