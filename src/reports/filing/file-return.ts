import type * as z from 'zod'
import type { Context } from '../../context.ts'
import { fieldError } from '../../errors.ts'
import { type Converted, convertRows, type ExchangeRates } from './exchange.ts'
import {
  type Correction,
  type FilingPeriod,
  type FilingRow,
  type Return,
  ROW_COLUMNS,
  type Supplies,
} from './figures.ts'
import type { Form } from './form.ts'
import { formOf } from './forms.ts'
import { readPeriod } from '../../calendar.ts'
import type { FilingQuery, FilingTotals, UnconvertedSales } from '../schemas.ts'
import { refuseInexact } from '../../transactions/sums.ts'
import { readSums } from '../../transactions/sums-store.ts'

/**
 * A return in its official layout, computed from the totals. Throws invalid_request if the form does not have
 * such a period.
 */
export async function fileReturn(context: Context, query: FilingQuery) {
  const { type, fx_rates = new Map<string, number>() } = query
  const form = formOf(type)
  const period = periodOf(query.period, form.periods)
  const all = await readSums<FilingRow>(context, period.from, period.to, {
    columns: ROW_COLUMNS,
    counted: 'transactions',
  })
  const relevant = all.filter(form.concerns)
  const { rows, unconverted } = inCurrencyOf(form, relevant, fx_rates)
  const filed = form.fill(rows, period, { country: context.principal.seller?.country ?? null })
  return {
    type,
    period: period.name,
    from_date: period.from,
    to_date: period.to,
    currency: form.currency,
    nil_return: relevant.length === 0,
    ...filed,
    totals: totalsOf(filed),
    unconverted: presentUnconverted(unconverted),
  }
}

function inCurrencyOf({ currency }: Form, rows: FilingRow[], rates: ExchangeRates): Converted {
  return currency === null ? { rows, unconverted: [] } : convertRows(rows, currency, rates)
}

function periodOf(text: string, kinds: readonly FilingPeriod['kind'][]): FilingPeriod {
  const period = readPeriod(text)
  if (period === null)
    throw fieldError('invalid_request', 'period', 'must be a year 2026, a quarter 2026-Q3 or a month 2026-09')
  if (!kinds.includes(period.kind))
    throw fieldError('invalid_request', 'period', `must be a ${kinds.join(' or a ')} for this return`)
  return { name: text, ...period }
}

/** Null if there are several currencies, because their sum has no meaning. */
function totalsOf({ supplies, corrections }: Return): z.output<typeof FilingTotals> | null {
  const currencies = new Set([...supplies, ...corrections].map((each) => each.currency))
  if (currencies.size > 1) return null
  const sum = (rows: readonly (Supplies | Correction)[], name: 'taxable_amount' | 'tax_amount') =>
    rows.reduce((total, row) => refuseInexact(total + row[name]), 0)
  return {
    taxable_amount: sum(supplies, 'taxable_amount'),
    tax_amount: sum(supplies, 'tax_amount'),
    corrections_tax_amount: sum(corrections, 'tax_amount'),
    tax_due: dueOf([...supplies, ...corrections]),
  }
}

/** The tax due, state by state. A negative balance of one state does not reduce the tax of another. */
function dueOf(rows: readonly (Supplies | Correction)[]): number {
  const balances = new Map<string, number>()
  for (const { jurisdiction_id, tax_amount } of rows)
    balances.set(jurisdiction_id, (balances.get(jurisdiction_id) ?? 0) + tax_amount)
  return [...balances.values()].reduce((sum, balance) => sum + Math.max(balance, 0), 0)
}

function presentUnconverted(rows: readonly FilingRow[]): z.output<typeof UnconvertedSales>[] {
  return [...Map.groupBy(rows, (row) => row.currency)].map(([currency, group]) => ({
    currency,
    taxable_amount: group.reduce(
      (sum, row) => refuseInexact(sum + row.taxable_amount - row.refunded_taxable_amount),
      0,
    ),
    tax_amount: group.reduce((sum, row) => refuseInexact(sum + row.tax_amount - row.refunded_tax_amount), 0),
    message:
      `Not in the return: give fx_rates=${currency}:…, ` +
      `the units of ${currency} for one unit of the return's currency`,
  }))
}
