import type { Context } from '../../platform/context.ts'
import { at } from '../../engine/ground/invariant.ts'
import { dayAfter, monthsAfter } from '../../platform/kit/calendar.ts'
import { rangesOfPeriod, type TotalsRange } from '../transactions/sums/totals-ranges.ts'
import { refuseInexact } from '../transactions/sums/sums.ts'
import { takeTurns } from '../../platform/kit/take-turns.ts'
import { orTooLarge, type TotalsOf } from '../transactions/sums/sums-store.ts'
import type { SoldRow } from './counted-sales.ts'
import type { Window } from './measurement-period.ts'

const COLUMNS = [
  'jurisdiction_id',
  'exported_to',
  'currency',
  'product_type',
  'reason',
  'exemption',
  'scheme',
  'place_of_supply',
] as const

/** Sales of a group, with what was charged on them. */
export type SoldSums = SoldRow & { tax_amount: number }

const ADDED = [
  'transactions',
  'net_amount',
  'taxable_amount',
  'uncollected_amount',
  'tax_amount',
] as const satisfies (keyof SoldSums)[]

const SOLD_IN_PIECES = `SELECT ${COLUMNS.join(', ')}, piece.key AS piece,
    ${ADDED.map((name) => `sum(${name}) AS ${name}`).join(', ')}
  FROM json_each(?2) piece CROSS JOIN tax_totals ON account_id = ?1 AND span = piece.value ->> 'span'
    AND period >= piece.value ->> 'from' AND period < piece.value ->> 'before'
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9` as const

/**
 * The account's sales in each of some windows, grouped by the fields that thresholds depend on. A group that
 * has only refunds of older sales is left out. The windows overlap, so one statement reads the totals between
 * their edges, each once, and they are added up here. Throws amount_out_of_range if a sum is too large to be
 * exact.
 */
export async function readSold(
  { books, principal }: TotalsOf,
  windows: readonly Window[],
): Promise<SoldSums[][]> {
  const ranges = windows.map(({ from, to }) => rangesOfPeriod(from, to))
  const pieces = piecesOf(ranges.flat())
  const { results } = await orTooLarge(
    books
      .prepare(SOLD_IN_PIECES)
      .bind(principal.account_id, JSON.stringify(pieces))
      .all<SoldSums & { piece: number }>(),
  )
  await takeTurns()
  const groups = [...Map.groupBy(results, (row) => COLUMNS.map((name) => row[name]).join(' ')).values()]
  return ranges.map((of_window) => {
    const counts = pieces.map((piece) => of_window.some((range) => beginsIn(range, piece)))
    return groups
      .flatMap((rows) => addedUp(rows.filter(({ piece }) => at(counts, piece))))
      .filter((row) => row.transactions !== 0 || row.net_amount !== 0)
  })
}

/** Days or months from `from` to before `before`. */
type Piece = { span: TotalsRange['span']; from: string; before: string }

/** The pieces between the edges of some ranges. A range has a piece whole if it has its begin. */
function piecesOf(ranges: readonly TotalsRange[]): Piece[] {
  return (['month', 'day'] as const).flatMap((span) => {
    const own = ranges.filter((range) => range.span === span)
    const after = (period: string) => (span === 'day' ? dayAfter(period) : monthsAfter(period, 1))
    const edges = [...new Set(own.flatMap(({ from, to }) => [from, after(to)]))].toSorted()
    return edges
      .slice(1)
      .map((before, index): Piece => ({ span, from: at(edges, index), before }))
      .filter((piece) => own.some((range) => beginsIn(range, piece)))
  })
}

function beginsIn({ span, from, to }: TotalsRange, piece: Piece): boolean {
  return piece.span === span && from <= piece.from && piece.from <= to
}

function addedUp(rows: readonly SoldSums[]): SoldSums[] {
  const [first] = rows
  if (first === undefined) return []
  const sum = { ...first }
  for (const row of rows.slice(1)) for (const name of ADDED) sum[name] += row[name]
  for (const name of ADDED) refuseInexact(sum[name])
  return [sum]
}

export type SoldInPeriod = SoldRow & { period: string }

/** Days of presence may come and go, so the ranges are one value: D1 binds at most 100. */
const SOLD_BY_PERIOD = `SELECT period, ${COLUMNS.join(', ')}, sum(transactions) AS transactions,
    sum(net_amount) AS net_amount, sum(taxable_amount) AS taxable_amount,
    sum(uncollected_amount) AS uncollected_amount
  FROM json_each(?2) AS place CROSS JOIN json_each(?3) AS days
    CROSS JOIN tax_totals INDEXED BY tax_totals_of_jurisdiction
    ON account_id = ?1 AND jurisdiction_id = place.value AND span = days.value ->> 'span'
      AND period BETWEEN days.value ->> 'from' AND days.value ->> 'to'
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1` as const

/**
 * Like readSold, by period and for some jurisdictions. All requests together take one round trip. A whole
 * month is one period.
 */
export async function readSoldByPeriod(
  { books, principal }: Context,
  requests: readonly { ranges: readonly TotalsRange[]; jurisdiction_ids: readonly string[] }[],
): Promise<SoldInPeriod[][]> {
  if (requests.length === 0) return []
  const statements = requests.map(({ ranges, jurisdiction_ids }) =>
    books
      .prepare(SOLD_BY_PERIOD)
      .bind(principal.account_id, JSON.stringify(jurisdiction_ids), JSON.stringify(ranges)),
  )
  const results = await orTooLarge(books.batch<SoldInPeriod>(statements))
  return results.map((result) => result.results)
}
