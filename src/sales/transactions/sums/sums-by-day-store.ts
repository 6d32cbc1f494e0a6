import type { Context } from '../../../platform/context.ts'
import { ApiError } from '../../../platform/errors.ts'
import { GROUPED, refuseInexact, SUMMED, type Sums } from './sums.ts'
import { orTooLarge } from './sums-store.ts'
import { REFUNDED_PART, REFUNDED_PARTS, SOLD_IN, SOLD_PART, SOLD_PARTS } from './line-parts-store.ts'

/** A row takes about 1 kB of memory, and an isolate has 128 MB. */
const ROWS_MAX = 20_000

const COUNTED = ['transactions', 'refunds', ...SUMMED] as const

/** Sums of one day of sale. `sold_on` is that day, also for refunds and for credit notes. */
export type DaySums = Sums & Record<(typeof GROUPED)[number], string | number> & { sold_on: string }

type Name = 'sold_on' | (typeof GROUPED)[number] | (typeof COUNTED)[number]

/** The columns of a source, in SQL. The sums that it does not have are 0. */
const selectedColumns = (source: Partial<Record<Name, string>>) =>
  ['sold_on' as const, ...GROUPED, ...COUNTED].map((name) => `${source[name] ?? '0'} AS ${name}`).join(', ')

const SOLD = [
  'transactions',
  'net_amount',
  'taxable_amount',
  'uncollected_amount',
  'tax_amount',
  'provincial_tax_amount',
] as const

const timesSign = (expression: string) => `credited.sign * (${expression})`

/** The sales of a day, from its totals. They contain the credit notes of the day. */
const TOTALS = `SELECT ${selectedColumns({
  sold_on: 'period',
  ...Object.fromEntries([...GROUPED, ...SOLD].map((name) => [name, name])),
})}
  FROM tax_totals
  WHERE account_id = ?1 AND span = 'day' AND period BETWEEN ?2 AND ?3 AND currency <> ?4` as const

/** Moves each credit note from its own day to the day that it credits: once less there, once more here. */
const CREDIT_NOTES = `SELECT ${selectedColumns({
  ...SOLD_PART,
  sold_on: 'iif(credited.sign = 1, sale.credited_day, sale.day)',
  sold_in: SOLD_IN,
  exported_to: 'sale.exported_to',
  ...Object.fromEntries(SOLD.map((name) => [name, timesSign(SOLD_PART[name])])),
})}
  FROM ${SOLD_PARTS}, (SELECT 1 AS sign UNION ALL SELECT -1) credited
  WHERE sale.account_id = ?1 AND sale.credited_day IS NOT NULL AND sale.day BETWEEN ?2 AND ?3
    AND sale.status IN ('completed', 'refunded') AND sale.currency <> ?4` as const

/** What refunds gave back, at the day of their sale. A local day is at most one day from the day in UTC. */
const REFUNDS = `SELECT ${selectedColumns({
  ...REFUNDED_PART,
  sold_on: 'coalesce(sale.credited_day, sale.day)',
  sold_in: SOLD_IN,
  exported_to: 'sale.exported_to',
})}
  FROM ${REFUNDED_PARTS}
  WHERE refund.account_id = ?1 AND refund.day BETWEEN ?2 AND ?3 AND sale.currency <> ?4
    AND refund.refunded_at >= date(?2, '-2 days') AND refund.refunded_at < date(?3, '+3 days')` as const

const GROUPS = ['sold_on', ...GROUPED].join(', ')

/**
 * Sums of some days in other currencies than one, by the day of sale: sales from the totals of their day,
 * refunds and credit notes one by one. One statement reads them, so that they fit together. Throws
 * return_too_large if there are too many, and amount_out_of_range if a sum is too large to be exact.
 */
export async function readSumsByDay<Row extends DaySums>(
  { books, principal }: Context,
  { from, to, except }: { from: string; to: string; except: string },
): Promise<Row[]> {
  const sums = COUNTED.map((name) => `sum(${name}) AS ${name}`)
  const statement = books
    .prepare(
      `SELECT ${GROUPS}, ${sums.join(', ')} FROM (${TOTALS} UNION ALL ${CREDIT_NOTES} UNION ALL ${REFUNDS})
       GROUP BY ${GROUPS} ORDER BY ${GROUPS} LIMIT ${ROWS_MAX + 1}`,
    )
    .bind(principal.account_id, from, to, except)
  const { results } = await orTooLarge(statement.all<Row>())
  if (results.length > ROWS_MAX)
    throw new ApiError('return_too_large', {
      message: 'The sales in other currencies are too many to convert day by day: ask for a shorter period',
    })
  for (const row of results) for (const name of SUMMED) refuseInexact(row[name])
  return results.filter((row) => COUNTED.some((name) => row[name] !== 0))
}
