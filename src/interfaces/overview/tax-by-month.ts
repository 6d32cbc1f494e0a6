import { firstDayOf, lastDayOf, monthsAfter } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { summariseSales } from '../../returns/reports/summary.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { nameOfRegion } from '../../engine/regimes/list.ts'
import type { OverviewTax, TaxOfMonth } from './schemas.ts'

/** A report by place and month takes at most so many months at once. */
const MONTHS_AT_ONCE = 12

type PlacedTax = { month: string; currency: string; net_tax: number; jurisdiction_id: string }

/**
 * The net tax of the last months by law, in minor units; by place if all of it is of one law. It is that of
 * the summary report. Throws amount_out_of_range.
 */
export async function taxByMonth(
  context: Context,
  book: RateBook,
  today: string,
  count: number,
): Promise<Answer<typeof OverviewTax>> {
  const last = today.slice(0, 7)
  const months = Array.from({ length: count }, (_, index) => monthsAfter(last, index - count + 1))
  const spans = []
  for (let start = 0; start < count; start += MONTHS_AT_ONCE)
    spans.push(months.slice(start, start + MONTHS_AT_ONCE))
  const summaries = await Promise.all(
    spans.map((span) =>
      summariseSales(context, {
        from_date: firstDayOf(span[0] ?? last),
        to_date: span.at(-1) === last ? today : lastDayOf(span.at(-1) ?? last),
        group_by: 'jurisdiction_and_month',
      }),
    ),
  )
  const rows = summaries.flatMap((summary) =>
    summary.rows.flatMap(({ month, jurisdiction_id, currency, net_tax }) =>
      month === undefined || jurisdiction_id === undefined || net_tax === 0
        ? []
        : [{ month, jurisdiction_id, currency, net_tax }],
    ),
  )
  return { months, rows: grouped(book, rows) }
}

function grouped(book: RateBook, rows: readonly PlacedTax[]): Answer<typeof TaxOfMonth>[] {
  const nameOfPlace = ({ jurisdiction_id }: PlacedTax) =>
    book.jurisdictions.get(jurisdiction_id)?.name ?? jurisdiction_id
  const nameOfLaw = (row: PlacedTax) => {
    const region = book.jurisdictions.get(row.jurisdiction_id)?.region
    return region === undefined ? nameOfPlace(row) : nameOfRegion(region)
  }
  const groupOf = new Set(rows.map(nameOfLaw)).size > 1 ? nameOfLaw : nameOfPlace
  const sums = new Map<string, Answer<typeof TaxOfMonth>>()
  for (const row of rows) {
    const { month, currency, net_tax } = row
    const group = groupOf(row)
    const key = JSON.stringify([month, currency, group])
    sums.set(key, { month, group, currency, net_tax: net_tax + (sums.get(key)?.net_tax ?? 0) })
  }
  return [...sums.values()]
}
