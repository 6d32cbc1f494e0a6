import { daysAfter } from '../../platform/kit/calendar.ts'
import { MONEY } from '../../sales/transactions/give-back/refund-split.ts'
import { GROUPED } from '../../sales/transactions/sums/sums.ts'
import type { SealedOf } from '../../sales/sealed/read-sealed.ts'
import { sealed, sealedReturns } from '../../sales/sealed/with-sealed.ts'
import type { TotalsOf } from '../../sales/transactions/sums/sums-store.ts'
import { countedBy, groupKeyOf, type LineEntry } from '../rows/line-entry.ts'
import { dayNear, pagesOfLines } from '../rows/report-lines-store.ts'
import {
  REFUNDED_PART,
  REFUNDED_PARTS,
  SOLD_IN,
  SOLD_PART,
  SOLD_PARTS,
} from '../../sales/transactions/sums/line-parts-store.ts'

/** Lines of some days, added up by the groups of a return: net of refunds, in minor units. */
export type LineSums = Record<Exclude<(typeof GROUPED)[number], 'tax_rate'>, string> & {
  tax_rate: number
} & Record<(typeof MONEY)[number] | 'lines' | 'transactions' | 'refunds', number>

/** Days whose lines one statement reads. Both are included. */
type DayRange = { from: string; to: string }

const SOLD = `SELECT format('%s/%03d/%d', sale.id, line.position, coalesce(part.key, 0)) AS id,
    ${SOLD_IN} AS sold_in, sale.exported_to,
    ${GROUPED.filter((name) => name in SOLD_PART)
      .map((name) => `${SOLD_PART[name as keyof typeof SOLD_PART]} AS ${name}`)
      .join(', ')},
    ${MONEY.map((name) => `${SOLD_PART[name]} AS ${name}`).join(', ')},
    ${SOLD_PART.transactions} AS transactions, 0 AS refunds
  FROM ${SOLD_PARTS}
  WHERE sale.account_id = ?1 AND sale.day BETWEEN ?2 AND ?3
    AND sale.transaction_date >= ?5 AND sale.transaction_date < ?6
    AND sale.status IN ('completed', 'refunded')` as const

const REFUNDED = `SELECT format('%s/%03d', refund.id, part.key) AS id,
    ${SOLD_IN} AS sold_in, sale.exported_to,
    ${GROUPED.filter((name) => name in SOLD_PART)
      .map((name) => `${REFUNDED_PART[name as keyof typeof REFUNDED_PART]} AS ${name}`)
      .join(', ')},
    ${MONEY.map((name) => `-(${REFUNDED_PART[`refunded_${name}`]}) AS ${name}`).join(', ')},
    0 AS transactions, ${REFUNDED_PART.refunds} AS refunds
  FROM ${REFUNDED_PARTS}
  WHERE refund.account_id = ?1 AND refund.day BETWEEN ?2 AND ?3
    AND refund.refunded_at >= ?5 AND refund.refunded_at < ?6` as const

const GROUPS = GROUPED.join(', ')

/** The lines of some days that none of these returns declares. One look into an index for each line. */
export async function readLinesIn(
  source: TotalsOf,
  range: DayRange,
  not_in: readonly string[],
): Promise<LineSums[]> {
  const { env, books, principal } = source
  if (env?.CHESTS === undefined) return readOfBooks(source, range, not_in)
  const { besideSealed } = await sealedReturns.load()
  return besideSealed({ env, books, principal }, { ...range, not_in }, async (found) =>
    found.length === 0
      ? readWithChests({ env, books, principal }, range, not_in)
      : addUpLines(source, range, not_in),
  )
}

/** Lines of sealed returns are in no table, so no statement can leave them out. */
async function addUpLines(source: TotalsOf, range: DayRange, not_in: readonly string[]): Promise<LineSums[]> {
  const sums = new Map<string, LineSums>()
  for await (const lines of pagesOfLines(source, { ...range, keys: null, not_in }))
    for (const line of lines) addLine(sums, line)
  return [...sums.values()]
}

function addLine(sums: Map<string, LineSums>, line: LineEntry): void {
  const key = groupKeyOf(line)
  const counted = countedBy(line)
  const added = {
    ...line,
    lines: 1,
    transactions: line.entry === 'sale' ? counted : 0,
    refunds: line.entry === 'sale' ? 0 : counted,
  }
  const sum = sums.get(key)
  if (sum === undefined) sums.set(key, added)
  else for (const name of [...MONEY, 'lines', 'transactions', 'refunds'] as const) sum[name] += added[name]
}

async function readWithChests(
  { env, books, principal }: SealedOf,
  range: DayRange,
  not_in: readonly string[],
): Promise<LineSums[]> {
  const { everywhere } = await sealed.load()
  const dates = { from: dayNear(range.from, -1), before: dayNear(range.to, 2) }
  const found = await everywhere({ env, books, principal }, dates, async (read) =>
    readOfBooks({ books: read, principal }, range, not_in),
  )
  return found.flat()
}

async function readOfBooks(
  { books, principal }: TotalsOf,
  { from, to }: DayRange,
  not_in: readonly string[],
): Promise<LineSums[]> {
  const sums = [...MONEY, 'transactions', 'refunds'].map((name) => `sum(${name}) AS ${name}`)
  const { results } = await books
    .prepare(
      `SELECT ${GROUPS}, count(*) AS lines, ${sums.join(', ')} FROM (${SOLD} UNION ALL ${REFUNDED}) entry
       WHERE NOT EXISTS (SELECT 1 FROM filed_rows row WHERE row.account_id = ?1
         AND row.return_id IN (SELECT value FROM json_each(?4)) AND row.entry_id = entry.id)
       GROUP BY ${GROUPS}`,
    )
    .bind(principal.account_id, from, to, JSON.stringify(not_in), dayNear(from, -1), dayNear(to, 2))
    .all<LineSums>()
  return results
}

/** Sales whose lines one statement reads. A statement of D1 has 30 seconds, and this takes about one. */
const SALES_MAX = 25_000

/** Divides days into ranges with a bounded number of sales. A day is never divided. */
export async function rangesOfSales(
  { books, principal }: TotalsOf,
  { from, to }: DayRange,
): Promise<DayRange[]> {
  const { results } = await books
    .prepare(
      `SELECT period AS day, sum(transactions) AS sales FROM transaction_counts
       WHERE account_id = ? AND span = 'day' AND period BETWEEN ? AND ? GROUP BY period ORDER BY period`,
    )
    .bind(principal.account_id, from, to)
    .all<{ day: string; sales: number }>()
  const ranges: DayRange[] = []
  let [first, sum] = [from, 0]
  for (const { day, sales } of results) {
    if (sum > 0 && sum + sales > SALES_MAX) {
      ranges.push({ from: first, to: daysAfter(day, -1) })
      first = day
      sum = 0
    }
    sum += sales
  }
  return [...ranges, { from: first, to }]
}
