import { firstDayOf, lastDayOf } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import { refuseInexact } from '../../sales/transactions/sums/sums.ts'
import { refuseReversed } from '../rows/dates.ts'
import type { TaxVarianceAnswer, TaxVarianceQuery } from './schemas.ts'
import { DIFFERING_MAX, readVariances, type VarianceRow, type VarianceSums } from './tax-variance-store.ts'

/**
 * The tax that was charged against the tax that is expected, of the sales where the two differ, by month and
 * place. Refunds are not deducted. Throws invalid_request if too many sales differ.
 */
export async function reportTaxVariance(
  context: Context,
  query: TaxVarianceQuery,
): Promise<Answer<typeof TaxVarianceAnswer>> {
  refuseReversed(query)
  const { from_date, to_date, jurisdiction_id = null, limit = 50, offset = 0 } = query
  const { read, rows, groups, totals } = await readVariances(context, query, limit, offset)
  if (read > DIFFERING_MAX)
    throw fieldError(
      'invalid_request',
      'from_date',
      `more than ${DIFFERING_MAX.toLocaleString('en')} sales differ in these days: ask for fewer days`,
    )
  return {
    from_date,
    to_date,
    jurisdiction_id,
    rows: rows.map((row) => ({
      ...keysOfRow(row),
      ...presentVariance(row),
      transactions_url: urlOf(row, query),
    })),
    totals: totals.map((total) => ({ currency: total.currency, ...presentVariance(total) })),
    ...pageOf(groups, limit, offset),
  }
}

function keysOfRow({ month, jurisdiction_id, currency }: VarianceRow) {
  return { month, jurisdiction_id, currency }
}

/** Throws amount_out_of_range. */
function presentVariance({ transactions, charged_tax, variance }: VarianceSums) {
  return {
    transactions,
    charged_tax: refuseInexact(charged_tax),
    expected_tax: refuseInexact(charged_tax - variance),
    variance: refuseInexact(variance),
  }
}

/** The list of the sales of a row. */
function urlOf({ month, jurisdiction_id, currency }: VarianceRow, query: TaxVarianceQuery): string {
  const [first, last] = [firstDayOf(month), lastDayOf(month)]
  const asked = new URLSearchParams({
    variance: 'true',
    jurisdiction_id,
    currency,
    from_date: first < query.from_date ? query.from_date : first,
    to_date: last > query.to_date ? query.to_date : last,
  })
  return `/v1/transactions?${asked.toString()}`
}
