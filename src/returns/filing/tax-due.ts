import type { RateBook } from '../../engine/book/rate-book.ts'
import { correctedBy, currencyOf, type FilledReturn, fillForm } from './compute-return.ts'
import { type FilingPeriod, type FilingRow, sumOf } from '../rows/figures.ts'
import { type FilingSeller, type Form, taxMeasureOf } from '../forms/form.ts'
import { totalsOf } from './present-return.ts'
import { rateTypeOf, standardRateOf } from '../rows/rate-types.ts'

/** An amount in minor units. */
export type TaxOfCurrency = { currency: string; tax_amount: number }

/**
 * What is due by a return, as its totals say it, and the tax of the sales that have no exchange rate in their
 * own currency. Empty: the return counts nothing. Throws amount_out_of_range.
 */
export function taxDueOf(filled_return: FilledReturn) {
  const { form, jurisdiction_id, filled, corrections, rows, unconverted, currency } = filled_return
  const { totals, state_totals } = totalsOf(filled, corrections)
  const due: TaxOfCurrency[] =
    rows.length === 0
      ? []
      : totals !== null && currency !== null
        ? [{ currency, tax_amount: totals.tax_due }]
        : state_totals.map((state) => ({ currency: state.currency, tax_amount: state.tax_due }))
  const measure = taxMeasureOf(form, jurisdiction_id)
  const without_rate = unconverted.map((row) => ({
    currency: row.currency,
    tax_amount: sumOf([row], measure),
  }))
  const groups = Map.groupBy([...due, ...without_rate], (each) => each.currency)
  return [...groups].map(([name, group]) => ({
    currency: name,
    tax_amount: group.reduce((sum, { tax_amount }) => sum + tax_amount, 0),
  }))
}

/** The rows of a period that a return declares, and by what it is filled in. */
type Countable = {
  period: FilingPeriod
  rows: readonly FilingRow[]
  jurisdiction_id: string | null
  seller: FilingSeller
  book: RateBook
}

/**
 * The same of rows without late entries and without filed days, from the totals alone. Null: some need an
 * exchange rate, which only the whole return reads.
 */
export function taxDueOfRows(form: Form, of: Countable): TaxOfCurrency[] | null {
  const { period, rows, jurisdiction_id, seller, book } = of
  const currency = currencyOf(form, jurisdiction_id, book)
  if (currency !== null && rows.some((row) => row.currency !== currency)) return null
  return taxDueOf(
    fillForm(form, {
      period,
      jurisdiction_id,
      currency,
      seller,
      rateOf: () => null,
      counted: rows.map((row) => ({ ...row, corrects: correctedBy(form, row, period) })),
      boxes: new Map(),
      rates: {
        rateTypeOf: (row) => rateTypeOf(book, row.place_of_supply, row.tax_rate, [period.from, period.to]),
        standardRateOf: (place) => standardRateOf(book, place, period.from),
      },
    }),
  )
}
