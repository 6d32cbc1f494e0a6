import type * as z from 'zod'
import type { Context } from '../../context.ts'
import type { Answer } from '../../http/answers.ts'
import { scopesOf } from '../report-lines.ts'
import { refuseInexact } from '../../transactions/sums.ts'
import type { FilingAnswer, FilingTotals, UnconvertedSales } from './answers.ts'
import type { FilingType } from '../schemas.ts'
import { type ComputedReturn, correctionKey, supplyKey } from './compute-return.ts'
import { compensationsOf } from './vendor-compensation.ts'
import { presentRates } from './present-rates.ts'
import type { FilingSeller } from './form.ts'
import { notesOnTaxes, taxedRows, taxesOfReturn } from './return-taxes.ts'
import type { FilingBox, FilingCorrection, FilingSupply } from './figure-answers.ts'
import {
  type FilingRow,
  type FilledBox,
  type FilledCorrection,
  type Filled,
  sumOf,
  TAX,
  TAXABLE,
} from './figures.ts'

export type PresentedReturn = Answer<typeof FilingAnswer>

/** The taxes of a computed return by jurisdiction. */
export function readTaxes(context: Context, computed: ComputedReturn): ReturnType<typeof taxesOfReturn> {
  return taxesOfReturn(context, computed.form, scopesOf(taxedRows(computed), computed.declared_by))
}

/** A computed return as the API shows it. */
export function presentReturn(
  type: z.output<typeof FilingType>,
  computed: ComputedReturn,
  filing: { return_id: string } | null,
  taxes: Awaited<ReturnType<typeof taxesOfReturn>>,
): PresentedReturn {
  const { period, jurisdiction_id, filled, period_ended, rows, unconverted, used } = computed
  const urlOf = (figure: string) =>
    filing === null
      ? linesUrl(type, computed, figure)
      : `/v1/returns/${filing.return_id}/rows?${new URLSearchParams({ figure }).toString()}`
  const correctionOf = (each: FilledCorrection): FilingCorrection => {
    const { rows: _, ...shown } = each
    return { ...shown, transactions_url: urlOf(correctionKey(each)) }
  }
  const supplies = filled.supplies.map((supply) => {
    const { rows: _, ...shown } = supply
    return { ...shown, transactions_url: urlOf(supplyKey(supply)) }
  })
  const corrections = computed.corrections.map(correctionOf)
  return {
    type,
    period: period.name,
    jurisdiction_id,
    from_date: period.from,
    to_date: period.to,
    currency: computed.currency,
    seller: presentSeller(computed.seller),
    period_ended,
    nil_return: period_ended && rows.length === 0 && unconverted.length === 0,
    boxes: filled.boxes.map((box) => presentBox(box, urlOf)),
    supplies,
    jurisdiction_taxes: taxes?.map(({ key, ...tax }) => ({ ...tax, transactions_url: urlOf(key) })) ?? null,
    corrections,
    expired_corrections: computed.expired.map(correctionOf),
    totals: filled.totals === null ? totalsOfSupplies(supplies, corrections) : totalsOfBoxes(filled.totals),
    ...presentRates(used, computed.form),
    unconverted: presentUnconverted(unconverted),
    vendor_compensation:
      computed.form.type === 'us_state' ? compensationsOf([...supplies, ...corrections], period) : [],
    inputs: { boxes: Object.fromEntries(computed.boxes) },
    time_zone: computed.time_zone,
    overlaps_filed: [...computed.overlaps_filed],
    notes: [...filled.notes, ...notesOnTaxes(taxes), ...notesOnFiled(computed), ...notesOnZone(computed)],
    filed: null,
  }
}

function notesOnZone({ lacks_time_zone }: ComputedReturn): string[] {
  return lacks_time_zone
    ? ['Days are days in UTC: set time_zone by PUT /v1/account before the first return is filed']
    : []
}

/** The figures are those of the books, and a filed return of the same days may say something else. */
function notesOnFiled({ overlaps_filed }: ComputedReturn): string[] {
  if (overlaps_filed.length === 0) return []
  const names = overlaps_filed.map(({ period, jurisdiction_id }) =>
    jurisdiction_id === null ? period : `${period} of ${jurisdiction_id}`,
  )
  const more = names.length - NAMED_MAX
  const named = `${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [
    `Some of these days are filed already: ${named}. ` +
      'The figures are those of the books of today, not those that were filed',
  ]
}

const NAMED_MAX = 12

function presentSeller({ country, name = '', vat_id = null, numbers = [] }: FilingSeller) {
  return { name, country, vat_id, registrations: [...numbers] }
}

/** The address that lists the lines of a figure. */
function linesUrl(
  type: string,
  { period, jurisdiction_id, fx_rates }: ComputedReturn,
  figure: string,
): string {
  const query = new URLSearchParams({ type, period: period.name, figure })
  if (jurisdiction_id !== null) query.set('jurisdiction_id', jurisdiction_id)
  const rates = [...fx_rates].map(([name, millionths]) => `${name}:${decimalOfMillionths(millionths)}`)
  if (rates.length > 0) query.set('fx_rates', rates.join(','))
  return `/v1/reports/lines?${query.toString()}`
}

/** `1.0812` for 1,081,200 millionths. */
function decimalOfMillionths(millionths: number): string {
  const digits = String(millionths).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

function presentBox(
  { box, name, amount, note, rows, unit }: FilledBox,
  urlOf: (figure: string) => string,
): FilingBox {
  return {
    box,
    name,
    amount,
    note,
    form_amount: amount === null || unit === 1 ? null : Math.trunc(amount / unit) + 0,
    transactions_url: rows === null ? null : urlOf(box),
  }
}

function totalsOfBoxes(totals: NonNullable<Filled['totals']>): z.output<typeof FilingTotals> {
  return { ...totals, corrections_tax_amount: totals.tax_due - totals.tax_amount }
}

function sumOfTax(rows: readonly { tax_amount: number }[]): number {
  return rows.reduce((total, row) => refuseInexact(total + row.tax_amount), 0)
}

/** Null if there are several currencies, because their sum has no meaning. */
function totalsOfSupplies(
  supplies: readonly FilingSupply[],
  corrections: readonly FilingCorrection[],
): z.output<typeof FilingTotals> | null {
  const currencies = new Set([...supplies, ...corrections].map((each) => each.currency))
  if (currencies.size > 1) return null
  return {
    taxable_amount: supplies.reduce((total, row) => refuseInexact(total + row.taxable_amount), 0),
    tax_amount: sumOfTax(supplies),
    corrections_tax_amount: sumOfTax(corrections),
    tax_due: taxDue([...supplies, ...corrections]),
  }
}

/** The tax due, state by state. A negative balance of one state does not reduce the tax of another. */
function taxDue(rows: readonly (FilingSupply | FilingCorrection)[]): number {
  const balances = new Map<string, number>()
  for (const { jurisdiction_id, tax_amount } of rows)
    balances.set(jurisdiction_id, (balances.get(jurisdiction_id) ?? 0) + tax_amount)
  return [...balances.values()].reduce((sum, balance) => sum + Math.max(balance, 0), 0)
}

function presentUnconverted(rows: readonly FilingRow[]): z.output<typeof UnconvertedSales>[] {
  const groups = Map.groupBy(rows, (row) =>
    row.corrects === null ? row.currency : `${row.corrects}:${row.currency}`,
  )
  return [...groups].map(([name, group]) => ({
    currency: name.slice(-3),
    taxable_amount: sumOf(group, TAXABLE),
    tax_amount: sumOf(group, TAX),
    message:
      `Not in the return, because no rate is published for it: give fx_rates=${name}:…, ` +
      `the units of ${name.slice(-3)} for one unit of the return's currency`,
  }))
}
