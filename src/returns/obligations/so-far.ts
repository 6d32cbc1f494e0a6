import { GROUPED } from '../../sales/transactions/sums.ts'
import type { Context } from '../../platform/context.ts'
import { computeReturn } from '../filing/compute-return.ts'
import type { FilingPeriod, FilingRow } from '../filing/figures.ts'
import { type FilingSeller, isDeclared } from '../filing/form.ts'
import { formOf } from '../filing/forms.ts'
import { type TaxOfCurrency, taxDueOf, taxDueOfRows } from '../filing/tax-due.ts'
import { at } from '../../engine/ground/invariant.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { readSumsOfPeriods } from '../../sales/transactions/sums-store.ts'
import type { DueReturn } from './due-returns.ts'
import { isFirstOpen } from '../kept/undeclared.ts'
import { jurisdictionOfReturn } from './filed.ts'
import { type DeclaredTax, readDeclaredTax } from './store.ts'

/**
 * Returns a function that gives what is due by a return so far, by currency, in minor units: the figure that
 * the return itself has. The totals of all periods are read in one trip. Only a return with late entries of
 * others, partly filed days or other currencies is computed as a whole.
 */
export async function readTaxSoFar(
  context: Context,
  due: readonly DueReturn[],
): Promise<(due: DueReturn) => TaxOfCurrency[]> {
  if (due.length === 0) return () => []
  const since = due.reduce((first, { from_date }) => (from_date < first ? from_date : first), '9999-12-31')
  const periods = [...new Map(due.map((each) => [spanOf(each), each])).values()]
  const [declared, sums, book] = await Promise.all([
    readDeclaredTax(context, since),
    readRows(context, periods.map(periodOf)),
    bookFor(context),
  ])
  const rowsOf = new Map(periods.map((each, index) => [spanOf(each), at(sums, index)]))
  const taxes = await Promise.all(
    due.map(async (each): Promise<TaxOfCurrency[]> => {
      const type = each.place.return_type
      if (type === null || each.document !== 'return') return []
      const filed = taxOfFiled(each, declared)
      if (filed !== null) return filed
      const form = formOf(type)
      const jurisdiction_id = jurisdictionOfReturn(each)
      const seller = sellerOfPeriod(context, each)
      const rows = (rowsOf.get(spanOf(each)) ?? []).filter((row) =>
        isDeclared(form, row, seller, jurisdiction_id),
      )
      const of = { period: periodOf(each), rows, jurisdiction_id, seller, book }
      const simple = isTouched(each, declared) ? null : taxDueOfRows(form, of)
      return simple ?? taxDueOf(await computeReturn(context, { type, period: each.period, ...named(each) }))
    }),
  )
  const taxOf = new Map(due.map((each, index) => [each, at(taxes, index)]))
  return (each) => taxOf.get(each) ?? []
}

function named(due: DueReturn): { jurisdiction_id?: string } {
  const jurisdiction_id = jurisdictionOfReturn(due)
  return jurisdiction_id === null ? {} : { jurisdiction_id }
}

function spanOf({ from_date, to_date }: DueReturn): string {
  return `${from_date} ${to_date}`
}

function periodOf({ from_date, to_date, period }: DueReturn): FilingPeriod {
  return { name: period, kind: 'months', from: from_date, to: to_date }
}

function isOfForm(due: DueReturn, { type, jurisdiction_id }: DeclaredTax): boolean {
  return type === due.place.return_type && jurisdiction_id === (jurisdictionOfReturn(due) ?? '')
}

/** What the filed return of exactly these days declares; null: none, or it has several currencies. */
function taxOfFiled(due: DueReturn, declared: readonly DeclaredTax[]): TaxOfCurrency[] | null {
  const filed = declared.find(
    (each) => isOfForm(due, each) && each.from_date === due.from_date && each.to_date === due.to_date,
  )
  if (filed === undefined || filed.currency === null || filed.tax_due === null) return null
  return [{ currency: filed.currency, tax_amount: filed.tax_due }]
}

/** Whether filed returns take something from a return, or leave something to it. */
function isTouched(due: DueReturn, declared: readonly DeclaredTax[]): boolean {
  const own = declared.filter((each) => isOfForm(due, each))
  const period = { from: due.from_date }
  return own.some(
    (each) =>
      (each.from_date <= due.to_date && each.to_date >= due.from_date) ||
      (each.late === 1 && isFirstOpen(period, each, own)),
  )
}

function sellerOfPeriod({ principal }: Context, { from_date, to_date }: DueReturn): FilingSeller {
  const valid = principal.registrations.filter(
    ({ valid_from, valid_to }) => valid_from <= to_date && (valid_to === null || from_date <= valid_to),
  )
  return { country: principal.seller?.country ?? null, registrations: valid.map(({ id }) => id) }
}

async function readRows(
  context: Context,
  periods: readonly FilingPeriod[],
): Promise<(readonly FilingRow[])[]> {
  const found = await readSumsOfPeriods<FilingRow>(context, periods, {
    columns: GROUPED,
    counted: 'transactions',
  })
  return found.map((rows, index) =>
    rows.map((row) => ({
      ...row,
      period: at(periods, index),
      corrects: null,
      sold_currency: row.currency,
      sold_on: null,
    })),
  )
}
