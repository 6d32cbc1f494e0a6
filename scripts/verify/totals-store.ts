import type { BooksDb } from '../../src/platform/database/databases.ts'
import { everywhere, type SealedOf } from '../../src/sales/sealed/read-sealed.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'
import { rowsOf } from '../../src/platform/database/results.ts'
import { SHOWN_STATUS } from '../../src/sales/transactions/sums/status-store.ts'
import { COUNT_KEY, KEY } from '../../src/sales/transactions/sums/totals-keys.ts'
import { REFUNDED_SUMS, SOLD_SUMS, SPANS } from '../../src/sales/transactions/sums/totals-store.ts'

export const MEASURES = [...SOLD_SUMS, ...REFUNDED_SUMS]

/** A row of the totals or counts, by its columns. */
export type TotalsRow = Record<string, string | number>

/** The months in the transactions, in the refunds, in what is sealed, in the totals or in the counts. */
export async function monthsOfAccount(books: D1Database, account_id: string): Promise<string[]> {
  const { results } = await books
    .prepare(
      `WITH RECURSIVE sealed (first) AS (
         SELECT min(date(from_date, '-1 day', 'start of month')) FROM chest_blocks WHERE account_id = ?1
         UNION ALL SELECT date(first, '+1 month') FROM sealed WHERE date(first, '+1 month') <=
           (SELECT max(date(to_date, '+1 day')) FROM chest_blocks WHERE account_id = ?1))
       SELECT substr(first, 1, 7) AS month FROM sealed WHERE first IS NOT NULL
       UNION SELECT substr(day, 1, 7) FROM transactions WHERE account_id = ?1
       UNION SELECT substr(day, 1, 7) FROM refunds WHERE account_id = ?1
       UNION SELECT substr(period, 1, 7) FROM tax_totals WHERE account_id = ?1
       UNION SELECT substr(period, 1, 7) FROM transaction_counts WHERE account_id = ?1 ORDER BY 1`,
    )
    .bind(account_id)
    .all<{ month: string }>()
  return results.map((row) => row.month)
}

/** The rows of a month and of its days, found by the primary key. */
const OF_MONTH = "span IN ('day', 'month') AND period BETWEEN ?2 AND ?2 || '~'"
const GROUPS = KEY.map((_, index) => index + 1).join(', ')

const KEPT = `SELECT ${KEY.join(', ')}, ${MEASURES.join(', ')}
  FROM tax_totals WHERE account_id = ?1 AND ${OF_MONTH}` as const

/** Days are at most one day from the day in UTC, so an index on timestamps finds them. */
const NEAR = (column: string) =>
  `${column} >= date(?2 || '-01', '-2 days') AND ${column} < coalesce(date(?2 || '-01', '+34 days'), '~')`

const SOLD = `SELECT sale.day AS day, substr(coalesce(credited_day, sale.day), 1, 7) AS sold_in,
    jurisdiction_id, exported_to, exemption, place_of_supply, scheme, currency, product_type,
    coalesce(part.value ->> 'tax_rate', line.tax_rate) AS tax_rate,
    coalesce(part.value ->> 'reason', taxability_reason, '') AS reason,
    position = 0 AND coalesce(part.key, 0) = 0 AS transactions,
    iif(coalesce(part.key, 0) = 0, opens_product, 0) AS product_transactions,
    coalesce(part.value ->> 'net_amount', net_amount) AS net_amount,
    coalesce(part.value ->> 'taxable_amount', taxable_amount) AS taxable_amount,
    iif(coalesce(part.key, 0) = 0, uncollected_amount, 0) AS uncollected_amount,
    coalesce(part.value ->> 'tax_amount', line.tax_amount) AS tax_amount,
    iif(coalesce(part.key, 0) = 0, provincial_tax_amount, 0) AS provincial_tax_amount, 0 AS refunds,
    0 AS product_refunds, 0 AS refunded_net_amount, 0 AS refunded_taxable_amount, 0 AS refunded_tax_amount,
    0 AS refunded_provincial_tax_amount
  FROM transactions sale JOIN transaction_lines line ON line.transaction_id = sale.id
    LEFT JOIN json_each(line.portions) part
  WHERE sale.account_id = ?1 AND of_other_seller = 0 AND sale.status IN ('completed', 'refunded')
    AND substr(sale.day, 1, 7) = ?2 AND ${NEAR('transaction_date')}` as const

const REFUNDED = `SELECT refund.day, substr(coalesce(credited_day, sale.day), 1, 7), jurisdiction_id,
    exported_to, coalesce(value ->> 'exemption', ''), value ->> 'place_of_supply', value ->> 'scheme',
    currency, value ->> 'product_type', value ->> 'tax_rate', value ->> 'reason', 0, 0, 0, 0, 0, 0, 0,
    part.key = 0, value ->> 'opens_product', value ->> 'net_amount', value ->> 'taxable_amount',
    value ->> 'tax_amount', value ->> 'provincial_tax_amount'
  FROM refunds refund
    JOIN transactions sale ON sale.id = refund.transaction_id, json_each(refund.parts) part
  WHERE refund.account_id = ?1 AND of_other_seller = 0 AND substr(refund.day, 1, 7) = ?2
    AND ${NEAR('refunded_at')}` as const

const RECOMPUTED = `WITH parts AS (${SOLD} UNION ALL ${REFUNDED})
  SELECT span, substr(day, 1, length) AS period, ${KEY.slice(2).join(', ')},
    ${MEASURES.map((name) => `sum(${name}) AS ${name}`).join(', ')}
  FROM parts, ${SPANS} GROUP BY ${GROUPS}` as const

const KEPT_COUNTS = `SELECT ${COUNT_KEY.join(', ')}, transactions FROM transaction_counts
  WHERE account_id = ?1 AND transactions <> 0 AND ${OF_MONTH}` as const

const RECOMPUTED_COUNTS = `SELECT span, substr(day, 1, length) AS period, jurisdiction_id,
    ${SHOWN_STATUS} AS status, count(*) AS transactions
  FROM transactions, ${SPANS}
  WHERE account_id = ?1 AND substr(day, 1, 7) = ?2 AND ${NEAR('transaction_date')}
  GROUP BY 1, 2, 3, 4` as const

type Month = {
  kept: TotalsRow[]
  recomputed: TotalsRow[]
  keptCounts: TotalsRow[]
  recomputedCounts: TotalsRow[]
}

/** The totals and counts of a month (`YYYY-MM`), as they are stored and as recomputed from transactions. */
export async function readMonth(books: BooksDb, account_id: string, month: string): Promise<Month> {
  const [kept, recomputed, keptCounts, recomputedCounts] = await books.batch<TotalsRow>([
    books.prepare(KEPT).bind(account_id, month),
    books.prepare(RECOMPUTED).bind(account_id, month),
    books.prepare(KEPT_COUNTS).bind(account_id, month),
    books.prepare(RECOMPUTED_COUNTS).bind(account_id, month),
  ])
  return {
    kept: rowsOf(kept),
    recomputed: rowsOf(recomputed),
    keptCounts: rowsOf(keptCounts),
    recomputedCounts: rowsOf(recomputedCounts),
  }
}

/** The same, recomputed from the sales in the books and from the sealed ones. */
export async function readMonthEverywhere(source: SealedOf, month: string): Promise<Month> {
  const { account_id } = source.principal
  const [year = 0, number = 0] = month.split('-').map(Number)
  const near = (day: Date) => day.toISOString().slice(0, 10)
  const range = {
    from: near(new Date(Date.UTC(year, number - 1, -1))),
    before: near(new Date(Date.UTC(year, number, 4))),
  }
  const [live, ...sealed] = await everywhere(source, range, async (books) =>
    readMonth(books, account_id, month),
  )
  const found = invariant(live, 'the books are read')
  return {
    ...found,
    recomputed: addedUp(
      [found, ...sealed].flatMap(({ recomputed }) => recomputed),
      MEASURES,
    ),
    recomputedCounts: addedUp(
      [found, ...sealed].flatMap(({ recomputedCounts }) => recomputedCounts),
      ['transactions'],
    ),
  }
}

/** Rows with the same key as one. */
function addedUp(rows: readonly TotalsRow[], measures: readonly string[]): TotalsRow[] {
  const sums = new Map<string, TotalsRow>()
  for (const row of rows) {
    const key = JSON.stringify(Object.entries(row).filter(([name]) => !measures.includes(name)))
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { ...row })
    else for (const name of measures) sum[name] = Number(sum[name]) + Number(row[name])
  }
  return [...sums.values()]
}
