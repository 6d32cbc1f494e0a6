import { firstDayOf, readPeriod } from '../../calendar.ts'
import { multiplyAndDivideBig } from '../../tax/arithmetic/rounding.ts'
import { minorDigits } from '../../tax/book/money-in-words.ts'
import { RATE_SERIES } from '../../tax-data/published-rates.ts'
import { readRatesOfDays } from '../../tax-data/published-rates-store.ts'
import { refuseInexact, SUMMED } from '../../transactions/sums.ts'
import type { FilingRow } from './figures.ts'
import type { ExchangeRule } from './form.ts'

/**
 * Units of a currency for one unit of the return's currency, in millionths, as central banks publish them: by
 * `USD` for the return's own period, by `2026-Q2:USD` for one corrected period or one month.
 */
export type ExchangeRates = ReadonlyMap<string, number>

/**
 * A rate that a return used. `period` is the period or the month whose sales it converts. `rate_day` is the
 * day for which the rate was published, or the first day of its month; null: the request gave it.
 */
export type UsedRate = {
  currency: string
  period: string
  rate_millionths: number
  source: string
  rate_day: string | null
}

export type Converted = { rows: FilingRow[]; unconverted: FilingRow[]; used: UsedRate[] }

/** The rate of a row; null: there is none. The same rows get the same rate. */
export type RateFinder = (row: FilingRow) => UsedRate | null

/** The longest pause of the European Central Bank is five days. */
const LATER_DAYS = 7

/**
 * The rates of a request. The rate of the return's own period is not a rate for an earlier period, because
 * the law fixes the rate to the period of the sale (Directive 2006/112/EC, art. 366, 369h, 369u).
 */
export function ratesOfRequest(rates: ExchangeRates, rule: ExchangeRule | null): RateFinder {
  return (row) => {
    const { currency, corrects } = row
    const period = corrects ?? row.period.name
    const named = ratePeriodOf(rule, row)
    const rate =
      rates.get(`${named}:${currency}`) ??
      rates.get(`${period}:${currency}`) ??
      (corrects === null ? rates.get(currency) : undefined)
    if (rate === undefined) return null
    return { currency, period: named, rate_millionths: rate, source: 'request', rate_day: null }
  }
}

/** The period or month that has one rate. */
export function ratePeriodOf(rule: ExchangeRule | null, row: FilingRow): string {
  return rule?.at === 'month' ? row.sold_in : (row.corrects ?? row.period.name)
}

/**
 * The published rates for the rows of a form, as its law names them. `currency` is that of the form. Exchange
 * rates are shared by all accounts, so they come from the control database.
 */
export async function readPublishedFinder(
  db: D1Database,
  rule: ExchangeRule | null,
  currency: string | null,
  rows: readonly FilingRow[],
): Promise<RateFinder> {
  if (rule === null || currency === null) return () => null
  const foreign = rows.filter((row) => row.currency !== currency)
  const days = [...new Set(foreign.flatMap((row) => dayOfRate(rule, row) ?? []))]
  const found = await readRatesOfDays(db, rule.series, days, rule.at === 'month' ? 0 : LATER_DAYS)
  const published = new Map(found.map((each) => [each.asked, each]))
  return (row) => {
    const rates = published.get(dayOfRate(rule, row) ?? '')
    const rate = rates?.rates[row.currency]
    if (rates === undefined || rate === undefined) return null
    return {
      currency: row.currency,
      period: ratePeriodOf(rule, row),
      rate_millionths: rate,
      source: RATE_SERIES[rule.series],
      rate_day: rates.day,
    }
  }
}

/** The day whose rate converts a row. Null if the name of the corrected period has no last day. */
function dayOfRate({ at }: ExchangeRule, row: FilingRow): string | null {
  if (at === 'month') return firstDayOf(row.sold_in)
  if (row.corrects === null || row.corrects === row.period.name) return row.period.to
  return readPeriod(row.corrects)?.to ?? null
}

/** Converts rows to the return's currency. Rows without an exchange rate are returned apart, unchanged. */
export function convertRows(rows: readonly FilingRow[], currency: string, find: RateFinder): Converted {
  const converted: Converted = { rows: [], unconverted: [], used: [] }
  const used = new Map<string, UsedRate>()
  for (const row of rows) {
    const rate = row.currency === currency ? null : find(row)
    if (row.currency === currency) converted.rows.push(row)
    else if (rate === null) converted.unconverted.push(row)
    else {
      used.set(`${rate.period}:${rate.currency}`, rate)
      converted.rows.push(convertRow(row, currency, rate.rate_millionths))
    }
  }
  const byPeriod = [...used].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, rate]) => rate)
  return { ...converted, used: byPeriod }
}

function convertRow(row: FilingRow, currency: string, rate_millionths: number): FilingRow {
  const numerator = 1_000_000n * 10n ** BigInt(minorDigits(currency))
  const denominator = BigInt(rate_millionths) * 10n ** BigInt(minorDigits(row.currency))
  const after = { ...row, currency }
  for (const name of SUMMED)
    after[name] = refuseInexact(multiplyAndDivideBig(BigInt(row[name]), numerator, denominator))
  return after
}
