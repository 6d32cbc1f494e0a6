import { placeOfCode } from '../../platform/http/place-name.ts'
import type * as z from 'zod'
import { moneyInWords } from '../../engine/book/money-in-words.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { scopesOf } from '../rows/line-scopes.ts'
import { refuseInexact } from '../../sales/transactions/sums/sums.ts'
import type { FilingAnswer, FilingStateTotals, FilingTotals, UnconvertedSales } from '../forms/answers.ts'
import type { FilingType } from '../forms/queries.ts'
import { amendmentKey, type ComputedReturn, correctionKey, supplyKey } from './compute-return.ts'
import { compensationsOf } from './vendor-compensation.ts'
import { notesOnLate } from './notes-on-late.ts'
import { presentRates } from './present-rates.ts'
import { type FilingSeller, taxMeasureOf } from '../forms/form.ts'
import { notesOnTaxes, taxedRows, taxesOfReturn } from './return-taxes.ts'
import { stateTotals } from './state-totals.ts'
import type { FilingAmendment, FilingBox, FilingCorrection } from '../rows/figure-answers.ts'
import {
  type FilingRow,
  type FilledBox,
  type FilledCorrection,
  type Filled,
  type Measure,
  NET,
  sumOf,
  TAXABLE,
} from '../rows/figures.ts'

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
  const { period, jurisdiction_id, filled, period_ended, rows, cancelling, unconverted, used } = computed
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
    nil_return: period_ended && rows.length === cancelling.length && unconverted.length === 0,
    boxes: filled.boxes.map((box) => presentBox(box, urlOf)),
    supplies,
    jurisdiction_taxes: taxes?.map(({ key, ...tax }) => ({ ...tax, transactions_url: urlOf(key) })) ?? null,
    corrections,
    amendments: presentAmendments(computed, filing === null ? urlOf : () => null),
    expired_corrections: computed.expired.map(correctionOf),
    ...totalsOf(filled, corrections),
    ...presentRates(used, computed.form),
    unconverted: presentUnconverted(unconverted, taxMeasureOf(computed.form, jurisdiction_id)),
    vendor_compensation:
      computed.form.type === 'us_state' ? compensationsOf([...supplies, ...corrections], period) : [],
    inputs: { boxes: Object.fromEntries(computed.boxes) },
    time_zone: computed.time_zone,
    overlaps_filed: [...computed.overlaps_filed],
    notes: [
      ...filled.notes,
      ...notesOnLate(computed),
      ...notesOnTaxes(taxes),
      ...notesOnFiled(computed),
      ...notesOnZone(computed),
      ...notesToType(type, computed),
    ],
    filed: null,
  }
}

/** Late entries with which filed returns are amended, and the notice that the office needs. */
export function presentAmendments(
  { amendments, late_rule }: Pick<ComputedReturn, 'amendments' | 'late_rule'>,
  urlOf: (figure: string) => string | null,
): FilingAmendment[] {
  const { notice, source, source_url } = late_rule
  return amendments.map((each) => {
    const { rows: _, ...shown } = each
    return { ...shown, transactions_url: urlOf(amendmentKey(each)), notice, source, source_url }
  })
}

/** The German portal imports supplies alone. */
function notesToType(type: string, { seller, corrections, currency }: ComputedReturn): string[] {
  if (type !== 'oss_union' || seller.country !== 'DE' || corrections.length === 0) return []
  const named = corrections.map(
    ({ jurisdiction_id, period, tax_amount }) =>
      `${placeOfCode(jurisdiction_id)} ${period} ${moneyInWords(tax_amount, currency ?? 'EUR')}`,
  )
  const more = named.length - NAMED_MAX
  return [
    'The file for the German portal has only the supplies. Type the corrections into the portal: ' +
      `${named.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more (see corrections)` : ''}`,
  ]
}

function notesOnZone({ lacks_time_zone }: ComputedReturn): string[] {
  return lacks_time_zone
    ? ['Days are days in UTC: set the time zone of the account before the first return is filed']
    : []
}

/** The figures are those of the books, and a filed return of the same days may say something else. */
function notesOnFiled({ overlaps_filed }: ComputedReturn): string[] {
  if (overlaps_filed.length === 0) return []
  const names = overlaps_filed.map(({ period, jurisdiction_id }) =>
    jurisdiction_id === null ? period : `${period} of ${placeOfCode(jurisdiction_id)}`,
  )
  const more = names.length - NAMED_MAX
  const named = `${names.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [
    `Some of these days are filed already: ${named}. ` +
      'The figures are from the books of today, not from the filed return',
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

/** Whole units of the form: what is over is cut off, or half a unit is rounded up. */
function inUnits(amount: number, unit: number, nearest: boolean): number {
  const over = nearest ? unit / 2 : 0
  return Math.sign(amount) * Math.floor((Math.abs(amount) + over) / unit) + 0
}

function presentBox(
  { box, name, amount, note, rows, unit, nearest = false }: FilledBox,
  urlOf: (figure: string) => string,
): FilingBox {
  return {
    box,
    name,
    amount,
    note,
    form_amount: amount === null || unit === 1 ? null : inUnits(amount, unit, nearest),
    transactions_url: rows === null ? null : urlOf(box),
  }
}

type Totals = Pick<z.output<typeof FilingAnswer>, 'totals' | 'state_totals'>

/** The sums of a return, and those of its states if it is a form of supplies. Throws amount_out_of_range. */
export function totalsOf(
  { totals, supplies }: Pick<Filled, 'totals' | 'supplies'>,
  corrections: Parameters<typeof stateTotals>[1],
): Totals {
  if (totals !== null)
    return {
      totals: { ...totals, corrections_tax_amount: totals.tax_due - totals.tax_amount },
      state_totals: [],
    }
  const states = stateTotals(supplies, corrections)
  return { totals: totalsOfStates(states), state_totals: states }
}

/** Null if there are several currencies, because their sum has no meaning. */
function totalsOfStates(states: readonly FilingStateTotals[]): z.output<typeof FilingTotals> | null {
  if (new Set(states.map(({ currency }) => currency)).size > 1) return null
  const sum = (name: keyof z.output<typeof FilingTotals>) =>
    states.reduce((total, state) => refuseInexact(total + state[name]), 0)
  return {
    taxable_amount: sum('taxable_amount'),
    tax_amount: sum('tax_amount'),
    corrections_tax_amount: sum('corrections_tax_amount'),
    tax_due: sum('tax_due'),
  }
}

function presentUnconverted(rows: readonly FilingRow[], tax: Measure): z.output<typeof UnconvertedSales>[] {
  const groups = Map.groupBy(rows, (row) =>
    row.corrects === null ? row.currency : `${row.corrects}:${row.currency}`,
  )
  return [...groups].map(([name, group]) => ({
    currency: name.slice(-3),
    net_amount: sumOf(group, NET),
    taxable_amount: sumOf(group, TAXABLE),
    tax_amount: sumOf(group, tax),
    message:
      `Not in the return, because no rate is published for it: give fx_rates=${name}:…, ` +
      `the units of ${name.slice(-3)} for one unit of the return's currency`,
  }))
}
