import { GROUPED } from '../../sales/transactions/sums/sums.ts'
import type { Context } from '../../platform/context.ts'
import { computeReturn } from '../filing/compute-return.ts'
import type { FilingPeriod, FilingRow } from '../rows/figures.ts'
import { type FilingSeller, isDeclared } from '../forms/form.ts'
import { formOf } from '../forms/forms.ts'
import { type TaxOfCurrency, taxDueOf, taxDueOfRows } from '../filing/tax-due.ts'
import { at, invariant } from '../../engine/ground/invariant.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { readSumsOfPeriods } from '../../sales/transactions/sums/sums-store.ts'
import type { DueReturn } from '../due/due-returns.ts'
import { isFirstOpen } from '../archive/undeclared.ts'
import { jurisdictionOfReturn } from '../due/filed.ts'
import { type DeclaredTax, readDeclaredTax } from '../due/store.ts'

/** The most returns that one answer computes as a whole: each takes some statements, and D1 allows 1,000. */
const WHOLE_MAX = 100

/**
 * Returns a function that gives what is due by a return so far, by currency, in minor units: the figure that
 * the return itself has. The totals of all periods are read in one trip. Only a return with late entries of
 * others, partly filed days or other currencies is computed as a whole, and of these only the first 100; null
 * for the others.
 */
export async function readTaxSoFar(
  context: Context,
  due: readonly DueReturn[],
): Promise<(due: DueReturn) => TaxOfCurrency[] | null> {
  const returns = due.filter(({ document }) => document === 'return')
  if (returns.length === 0) return () => []
  const since = returns.reduce(
    (first, { from_date }) => (from_date < first ? from_date : first),
    '9999-12-31',
  )
  const periods = [...new Map(returns.map((each) => [spanOf(each), each])).values()]
  const [declared, sums, book] = await Promise.all([
    readDeclaredTax(context, since),
    readRows(context, periods.map(periodOf)),
    bookFor(context),
  ])
  const rowsOf = new Map(periods.map((each, index) => [spanOf(each), at(sums, index)]))
  const found = returns.map((each) => [each, simpleTax(context, each, { declared, rowsOf, book })] as const)
  const whole = found.flatMap(([each, tax]) => (tax === null ? [each] : [])).slice(0, WHOLE_MAX)
  const computed = await Promise.all(whole.map((each) => wholeTax(context, each)))
  const taxes = new Map<DueReturn, TaxOfCurrency[] | null>([
    ...found,
    ...whole.map((each, index) => [each, at(computed, index)] as const),
  ])
  return (each) => taxes.get(each) ?? (taxes.has(each) ? null : [])
}

type Read = {
  declared: readonly DeclaredTax[]
  rowsOf: ReadonlyMap<string, readonly FilingRow[]>
  book: RateBook
}

/** The tax by a filed return or by the totals alone; null: the return has to be computed as a whole. */
function simpleTax(
  context: Context,
  due: DueReturn,
  { declared, rowsOf, book }: Read,
): TaxOfCurrency[] | null {
  const type = due.place.return_type
  if (type === null) return []
  const filed = taxOfFiled(due, declared)
  if (filed !== null) return filed
  if (isTouched(due, declared)) return null
  const form = formOf(type)
  const jurisdiction_id = jurisdictionOfReturn(due)
  const seller = sellerOfPeriod(context, due)
  const rows = (rowsOf.get(spanOf(due)) ?? []).filter((row) => isDeclared(form, row, seller, jurisdiction_id))
  return taxDueOfRows(form, { period: periodOf(due), rows, jurisdiction_id, seller, book })
}

async function wholeTax(context: Context, due: DueReturn): Promise<TaxOfCurrency[]> {
  const type = invariant(due.place.return_type, 'a return that is computed has a form')
  return taxDueOf(await computeReturn(context, { type, period: due.period, ...named(due) }))
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
