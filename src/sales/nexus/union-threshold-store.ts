import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import { PRODUCT_TYPE_IDS } from '../../engine/book/product-types.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { countsInUnion } from './counted-sales.ts'

/** An account with what the last comparison found: 1 is over the threshold. */
type SellerOver = { id: string; over_eu_threshold: number }

/** Where its seller is established. */
export type SellerIn = SellerOver & { country: string }

/** An account, and the shard of its books. */
type SellerInShard = SellerIn & { shard: number }

/** The distance sales of an account in a year and a currency, minor units. */
export type YearOfSales = { account_id: string; year: string; currency: string; net_amount: number }

const COUNTED = PRODUCT_TYPE_IDS.filter(countsInUnion)

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
        `SELECT id, over_eu_threshold, country, shard FROM accounts
         WHERE id > ? AND country IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
      )
      .bind(after, JSON.stringify(countries), limit)
      .all(),
  )
}

/**
 * What counts of the sales since the start of a year, by the totals of the books: see isDistanceSale. A
 * member state has one code here, but for Monaco, which is in France.
 */
export async function readDistanceSales(
  books: BooksDb,
  accounts: readonly SellerIn[],
  from_year: number,
): Promise<YearOfSales[]> {
  return rowsOf<YearOfSales>(
    await books
      .prepare(
        `SELECT account_id, substr(period, 1, 4) AS year, currency, sum(net_amount) AS net_amount
         FROM json_each(?1) seller CROSS JOIN tax_totals
           ON account_id = seller.value ->> 'id' AND span = 'month' AND period >= ?2
         WHERE scheme = 'below_eu_threshold' OR (scheme = 'oss_union'
           AND product_type IN (SELECT value FROM json_each(?3))
           AND replace(substr(place_of_supply, 1, 2), 'MC', 'FR') <> seller.value ->> 'country')
         GROUP BY account_id, year, currency`,
      )
      .bind(JSON.stringify(accounts), `${from_year}-01`, JSON.stringify(COUNTED))
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
