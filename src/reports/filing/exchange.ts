import { multiplyAndDivideBig } from '../../tax/arithmetic/rounding.ts'
import { minorDigits } from '../../tax/book/money-in-words.ts'
import { refuseInexact, SUMMED } from '../../transactions/sums.ts'
import type { FilingRow } from './figures.ts'

/**
 * Units of a currency for one unit of the return's currency, in millionths, as central banks publish them: by
 * `USD` for the return's own period, by `2026-Q2:USD` for one corrected period.
 */
export type ExchangeRates = ReadonlyMap<string, number>

/** A rate that a return used. `period` is the one whose sales it converts. */
export type UsedRate = { currency: string; period: string; rate_millionths: number; source: string }

export type Converted = { rows: FilingRow[]; unconverted: FilingRow[]; used: UsedRate[] }

/** Finds the rate of a currency for the sales of a period; null: there is none. */
export type RateFinder = (
  currency: string,
  period: string,
  corrects: boolean,
) => Omit<UsedRate, 'currency' | 'period'> | null

/**
 * The rates of a request. The rate of the return's own period is not a rate for an earlier period, because
 * the law fixes the rate to the period of the sale (Directive 2006/112/EC, art. 366, 369h, 369x).
 */
export function ratesOfRequest(rates: ExchangeRates): RateFinder {
  return (currency, period, corrects) => {
    const rate = rates.get(`${period}:${currency}`) ?? (corrects ? undefined : rates.get(currency))
    return rate === undefined ? null : { rate_millionths: rate, source: 'request' }
  }
}

/** Converts rows to the return's currency. Rows without an exchange rate are returned apart, unchanged. */
export function convertRows(rows: readonly FilingRow[], currency: string, find: RateFinder): Converted {
  const converted: Converted = { rows: [], unconverted: [], used: [] }
  const found = new Map<string, UsedRate | null>()
  for (const row of rows) {
    if (row.currency === currency) {
      converted.rows.push(row)
      continue
    }
    const period = row.corrects ?? row.period.name
    const key = `${period}:${row.currency}`
    if (!found.has(key)) {
      const rate = find(row.currency, period, row.corrects !== null)
      const used = rate === null ? null : { currency: row.currency, period, ...rate }
      found.set(key, used)
      if (used !== null) converted.used.push(used)
    }
    const used = found.get(key) ?? null
    if (used === null) converted.unconverted.push(row)
    else converted.rows.push(convertRow(row, currency, used.rate_millionths))
  }
  return converted
}

function convertRow(row: FilingRow, currency: string, rate_millionths: number): FilingRow {
  const numerator = 1_000_000n * 10n ** BigInt(minorDigits(currency))
  const denominator = BigInt(rate_millionths) * 10n ** BigInt(minorDigits(row.currency))
  const after = { ...row, currency }
  for (const name of SUMMED)
    after[name] = refuseInexact(multiplyAndDivideBig(BigInt(row[name]), numerator, denominator))
  return after
}
