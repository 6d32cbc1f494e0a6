import type * as z from 'zod'
import type { Context } from '../context.ts'
import { fieldError } from '../errors.ts'
import { auBas } from './filing/au-bas.ts'
import { caGst34 } from './filing/ca-gst34.ts'
import { convertRows } from './filing/exchange.ts'
import {
  type Correction,
  type FilingPeriod,
  type FilingRow,
  type Return,
  ROW_COLUMNS,
  type Supplies,
  suppliesOf,
} from './filing/figures.ts'
import { ossReturn } from './filing/oss.ts'
import { ukVat100 } from './filing/uk-vat100.ts'
import { usState } from './filing/us-state.ts'
import { readPeriod } from '../calendar.ts'
import type { FilingQuery, FilingTotals, UnconvertedSales } from './schemas.ts'
import { readSums, refuseInexact } from './sums-store.ts'

type Type = FilingQuery['type']

/** The currency of each return and the periods that it is made for. A null currency: each as it is. */
const FORMS: Readonly<Record<Type, { currency: string | null; periods: readonly FilingPeriod['kind'][] }>> = {
  oss_union: { currency: 'EUR', periods: ['quarter'] },
  oss_non_union: { currency: 'EUR', periods: ['quarter'] },
  ioss: { currency: 'EUR', periods: ['month'] },
  uk_vat100: { currency: 'GBP', periods: ['month', 'quarter', 'year'] },
  us_state: { currency: 'USD', periods: ['month', 'quarter', 'year'] },
  ca_gst34: { currency: 'CAD', periods: ['month', 'quarter', 'year'] },
  au_bas: { currency: 'AUD', periods: ['month', 'quarter', 'year'] },
  generic: { currency: null, periods: ['month', 'quarter', 'year'] },
}

/**
 * A return in its official layout, made of the totals. Throws invalid_request for a period that the return is
 * not made for.
 */
export async function fileReturn(context: Context, query: FilingQuery) {
  const { type, fx_rates } = query
  const form = FORMS[type]
  const period = periodOf(query.period, form.periods)
  const all = await readSums<FilingRow>(context, period.from, period.to, {
    columns: ROW_COLUMNS,
    counted: 'transactions',
  })
  const relevant = all.filter((row) => concerns(type, row))
  const { rows, unconverted } =
    form.currency === null
      ? { rows: relevant, unconverted: [] }
      : convertRows(relevant, form.currency, fx_rates ?? new Map())
  const filed = returnOf(context, type, rows, period)
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

function periodOf(text: string, kinds: readonly FilingPeriod['kind'][]): FilingPeriod {
  const period = readPeriod(text)
  if (period === null)
    throw fieldError('invalid_request', 'period', 'must be a year 2026, a quarter 2026-Q3 or a month 2026-09')
  if (!kinds.includes(period.kind))
    throw fieldError('invalid_request', 'period', `must be a ${kinds.join(' or a ')} for this return`)
  return { name: text, ...period }
}

/** Whether a return looks at a row at all; what it does not look at need not be converted. */
function concerns(type: Type, row: FilingRow): boolean {
  switch (type) {
    case 'oss_union':
    case 'oss_non_union':
    case 'ioss':
      return row.scheme === type
    case 'us_state':
      return row.place_of_supply.startsWith('US')
    case 'ca_gst34':
      return row.place_of_supply.startsWith('CA')
    case 'au_bas':
      return row.place_of_supply === 'AU'
    case 'uk_vat100':
      return (
        !row.scheme.includes('oss') &&
        (['GB', 'XI', 'IM'].includes(row.place_of_supply) || row.tax_amount === 0)
      )
    case 'generic':
      return true
  }
}

function returnOf(context: Context, type: Type, rows: readonly FilingRow[], period: FilingPeriod): Return {
  switch (type) {
    case 'oss_union':
    case 'oss_non_union':
    case 'ioss':
      return ossReturn(type, rows, period)
    case 'uk_vat100':
      return ukVat100(rows, period, context.principal.seller?.country ?? null)
    case 'us_state':
      return usState(rows, period)
    case 'ca_gst34':
      return caGst34(rows, period)
    case 'au_bas':
      return auBas(rows, period)
    case 'generic':
      return { boxes: [], supplies: suppliesOf(rows, period, ['place', 'rate']), corrections: [], notes: [] }
  }
}

/** Sums over all currencies make no sense, so the generic report has none. */
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

/** What is owed state by state: a state that owes us leaves the others as they are. */
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
    message: `Not in the return: give its rate as fx_rates=${currency}:…, units of ${currency} for one unit of the return's currency`,
  }))
}
