import { GROUPED } from '../transactions/sums.ts'
import type { Context } from '../context.ts'
import { type FilingRow, sumOf, TAX } from '../reports/filing/figures.ts'
import { isDeclared } from '../reports/filing/form.ts'
import { formOf } from '../reports/filing/forms.ts'
import { at } from '../tax/invariant.ts'
import { readSums } from '../transactions/sums-store.ts'
import type { DueReturn } from './due-returns.ts'
import { jurisdictionOfReturn } from './filed.ts'

type TaxOfCurrency = { currency: string; tax_amount: number }

/**
 * Reads the totals of the periods of due returns, each period once. Returns a function that gives the tax
 * of a return so far: of its sales less its refunds, by currency, in minor units.
 */
export async function readTaxSoFar(
  context: Context,
  due: readonly DueReturn[],
): Promise<(due: DueReturn) => TaxOfCurrency[]> {
  const periods = new Map(due.map((each) => [spanOf(each), each]))
  const spans = [...periods.values()]
  const sums = await Promise.all(spans.map((each) => readRows(context, each)))
  const rowsOf = new Map(spans.map((each, index) => [spanOf(each), at(sums, index)]))
  return (each) => taxOf(context, each, rowsOf.get(spanOf(each)) ?? [])
}

function spanOf({ from_date, to_date }: DueReturn): string {
  return `${from_date} ${to_date}`
}

async function readRows(
  context: Context,
  { from_date, to_date, period }: DueReturn,
): Promise<readonly FilingRow[]> {
  const rows = await readSums<FilingRow>(context, from_date, to_date, {
    columns: GROUPED,
    counted: 'transactions',
  })
  const days = { name: period, kind: 'months', from: from_date, to: to_date } as const
  return rows.map((row) => ({
    ...row,
    period: days,
    corrects: null,
    sold_currency: row.currency,
    sold_on: null,
  }))
}

function taxOf({ principal }: Context, due: DueReturn, rows: readonly FilingRow[]): TaxOfCurrency[] {
  const type = due.place.return_type
  if (type === null) return []
  const form = formOf(type)
  const jurisdiction_id = jurisdictionOfReturn(due)
  const seller = {
    country: principal.seller?.country ?? null,
    registrations: principal.registrations.map(({ id }) => id),
  }
  const sums = new Map<string, number>()
  for (const row of rows) {
    if (!isDeclared(form, row, seller, jurisdiction_id)) continue
    const tax = sumOf([row], form.tax ?? TAX)
    sums.set(row.currency, (sums.get(row.currency) ?? 0) + tax)
  }
  return [...sums].map(([currency, tax_amount]) => ({ currency, tax_amount }))
}
