import type { ControlDb } from '../../platform/database/databases.ts'
import { firstDayOf, readPeriod } from '../../platform/kit/calendar.ts'
import { MILLION, multiplyAndDivideBig } from '../../engine/arithmetic/rounding.ts'
import { minorDigits } from '../../engine/book/minor-digits.ts'
import { type EqualAmounts, equalAmounts, RATE_SERIES } from '../../tax-data/records/published-rates.ts'
import { type NearestDay, readRatesOfDays } from '../../tax-data/records/published-rates-store.ts'
import { refuseInexact, SUMMED } from '../../sales/transactions/sums/sums.ts'
import type { FilingRow } from '../rows/figures.ts'
import type { ExchangeRule } from './form.ts'

/**
 * Units of a currency for one unit of the return's currency, in millionths, as central banks publish them: by
 * `USD` for the return's own period, by `2026-Q2:USD` for one corrected period, one month or one day.
 */
type ExchangeRates = ReadonlyMap<string, number>

/**
 * A rate that a return used. `period` is the period, the month or the day whose sales it converts. `rate_day`
 * is the day for which the rate was published, or the first day of its month; null: the request gave it.
 */
export type UsedRate = {
  currency: string
  period: string
  amounts: EqualAmounts
  source: string
  rate_day: string | null
}

type Converted = { rows: FilingRow[]; unconverted: FilingRow[]; used: UsedRate[] }

/** The rate of a row; null: there is none. The same rows get the same rate. */
export type RateFinder = (row: FilingRow) => UsedRate | null

/**
 * The longest pause of the European Central Bank is five days. The Canada Revenue Agency and the Australian
 * Taxation Office take the last rate before a day without one (GST/HST Memorandum 3-6, paragraph 9).
 */
const NEAREST: Record<ExchangeRule['at'], NearestDay> = {
  period_end: { direction: 'later', days: 7 },
  month: { direction: 'later', days: 0 },
  day: { direction: 'earlier', days: 7 },
}

/**
 * The rates of a request: `named` for one period, month or day, `own` for all sales of the return. The second
 * is not a rate for an earlier period, because the law fixes the rate to the period of the sale (Directive
 * 2006/112/EC, art. 366, 369h, 369u).
 */
export function ratesOfRequest(
  rates: ExchangeRates,
  rule: ExchangeRule | null,
): { named: RateFinder; own: RateFinder } {
  const read = (name: string) => {
    const rate = rates.get(name)
    return rate === undefined ? null : { sold: rate, filed: MILLION }
  }
  return {
    named: finderOf(read, rule),
    own: ({ currency, corrects, period }) =>
      corrects === null ? foundRate(currency, period.name, read(currency)) : null,
  }
}

/**
 * A rate that a filed return used: `2026-08-03:USD`, and equal amounts. Earlier releases kept the first one.
 */
export type KeptRate = [name: string, sold: number, filed?: number]

/** The rates of a filed return, as it keeps them. */
export function ratesOfFiled(kept: readonly KeptRate[], rule: ExchangeRule | null): RateFinder {
  const rates = new Map(kept.map(([name, sold, filed = MILLION]) => [name, { sold, filed }]))
  return finderOf((name) => rates.get(name) ?? null, rule)
}

/** A filed return with the rates that it used. */
export type RatesOfReturn = { period: string; from_date: string; to_date: string; rates: readonly KeptRate[] }

/**
 * The rates with which the sales of rows were filed: by their own names, or the one rate that a request gave
 * for the whole return of their days. Of several returns the first one decides.
 */
export function ratesOfEarlier(filed: readonly RatesOfReturn[], rule: ExchangeRule | null): RateFinder {
  const finders = filed.map((each) => ({ ...each, find: ratesOfFiled(each.rates, rule) }))
  return (row) => {
    const day = row.sold_on ?? firstDayOf(row.sold_in)
    for (const { period, from_date, to_date, find } of finders) {
      const within = from_date <= day && day <= to_date
      const found = find(row) ?? (within ? find({ ...row, corrects: period }) : null)
      // The name by which this return finds the rate again.
      if (found !== null) return { ...found, period: rule === null ? row.sold_in : ratePeriodOf(rule, row) }
    }
    return null
  }
}

/**
 * The rate of a row: that of the request for its period, month or day, else that with which its sale was
 * filed, else that of the request for the whole return, else the published one. A supply and what is given
 * back of it have one rate (Directive 2006/112/EC, art. 366, 369h).
 */
export function firstRate(
  { named, own }: { named: RateFinder; own: RateFinder },
  filed: RateFinder,
  published: RateFinder,
): RateFinder {
  return (row) => {
    const kept = filed(row)
    const asked = named(row) ?? (kept === null ? own(row) : null)
    if (asked !== null) return asked
    const today = published(row)
    if (kept === null) return today
    const same = today !== null && areEqual(kept.amounts, today.amounts)
    return same ? today : { ...kept, source: 'filed_return' }
  }
}

function areEqual(one: EqualAmounts, other: EqualAmounts): boolean {
  return BigInt(one.sold) * BigInt(other.filed) === BigInt(other.sold) * BigInt(one.filed)
}

/** The rates that a return used, to be kept with it. */
export function keptRates(used: readonly UsedRate[]): KeptRate[] {
  return used.map(({ period, currency, amounts }) => [`${period}:${currency}`, amounts.sold, amounts.filed])
}

function finderOf(read: (name: string) => EqualAmounts | null, rule: ExchangeRule | null): RateFinder {
  return (row) => {
    const { currency, corrects } = row
    const own = corrects ?? row.period.name
    const months = rule === null || rule.at === 'day' ? [row.sold_in] : []
    for (const period of [ratePeriodOf(rule, row), ...months, own]) {
      const rate = foundRate(currency, period, read(`${period}:${currency}`))
      if (rate !== null) return rate
    }
    return null
  }
}

function foundRate(currency: string, period: string, amounts: EqualAmounts | null): UsedRate | null {
  return amounts === null ? null : { currency, period, amounts, source: 'request', rate_day: null }
}

/** The period, the month or the day that has one rate. */
function ratePeriodOf(rule: ExchangeRule | null, row: FilingRow): string {
  if (rule?.at === 'day') return row.sold_on ?? row.sold_in
  return rule?.at === 'month' ? row.sold_in : (row.corrects ?? row.period.name)
}

/**
 * The published rates for the rows of a form, as its law names them. `currency` is that of the form. Exchange
 * rates are shared by all accounts, so they come from the control database.
 */
export async function readPublishedFinder(
  db: ControlDb,
  rule: ExchangeRule | null,
  currency: string | null,
  rows: readonly FilingRow[],
): Promise<RateFinder> {
  if (rule === null || currency === null) return () => null
  const foreign = rows.filter((row) => row.currency !== currency)
  const days = [...new Set(foreign.flatMap((row) => dayOfRate(rule, row) ?? []))]
  const found = await readRatesOfDays(db, rule.series, days, NEAREST[rule.at])
  const published = new Map(found.map((each) => [each.asked, each]))
  return (row) => {
    const rates = published.get(dayOfRate(rule, row) ?? '')
    if (rates === undefined) return null
    const amounts = equalAmounts(rule.series, rates.rates, row.currency, currency)
    if (amounts === null) return null
    return {
      currency: row.currency,
      period: ratePeriodOf(rule, row),
      amounts,
      source: RATE_SERIES[rule.series].source,
      rate_day: rates.day,
    }
  }
}

/** The day whose rate converts a row. Null if the row or the corrected period has no such day. */
function dayOfRate({ at }: ExchangeRule, row: FilingRow): string | null {
  if (at === 'day') return row.sold_on
  if (at === 'month') return firstDayOf(row.sold_in)
  if (row.corrects === null || row.corrects === row.period.name) return row.period.to
  return readPeriod(row.corrects)?.to ?? null
}

/**
 * Converts rows to the return's currency. Each sum of a row is rounded by itself, half away from zero. Rows
 * without an exchange rate are returned apart, unchanged.
 */
export function convertRows(rows: readonly FilingRow[], currency: string, find: RateFinder): Converted {
  const converted: Converted = { rows: [], unconverted: [], used: [] }
  const used = new Map<string, UsedRate>()
  const units = minorUnits()
  for (const row of rows) {
    const rate = row.currency === currency ? null : find(row)
    if (row.currency === currency) converted.rows.push(row)
    else if (rate === null) converted.unconverted.push(row)
    else {
      used.set(`${rate.period}:${rate.currency}`, rate)
      converted.rows.push(convertRow(row, currency, rate.amounts, units))
    }
  }
  const byPeriod = [...used].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, rate]) => rate)
  return { ...converted, used: byPeriod }
}

function convertRow(
  row: FilingRow,
  currency: string,
  { sold, filed }: EqualAmounts,
  units: (currency: string) => bigint,
): FilingRow {
  const numerator = BigInt(filed) * units(currency)
  const denominator = BigInt(sold) * units(row.currency)
  const after = { ...row, currency }
  for (const name of SUMMED)
    after[name] = refuseInexact(multiplyAndDivideBig(BigInt(row[name]), numerator, denominator))
  return after
}

/** Minor units in one unit of a currency. The platform takes 20 µs to say it, so each is asked once. */
function minorUnits(): (currency: string) => bigint {
  const known = new Map<string, bigint>()
  return (currency) => {
    const units = known.get(currency) ?? 10n ** BigInt(minorDigits(currency))
    known.set(currency, units)
    return units
  }
}
