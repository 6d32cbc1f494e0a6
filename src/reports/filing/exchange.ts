import { multiplyAndDivideBig } from '../../tax/arithmetic/rounding.ts'
import { minorDigits } from '../../tax/book/money-in-words.ts'
import { refuseInexact, SUMMED } from '../../transactions/sums.ts'
import type { FilingRow } from './figures.ts'

/**
 * Units of a currency for one unit of the return's currency, in millionths: `USD:1.0812` for a return in EUR,
 * as central banks publish them.
 */
export type ExchangeRates = ReadonlyMap<string, number>

export type Converted = { rows: FilingRow[]; unconverted: FilingRow[] }

/** Converts rows to the return's currency. Rows without an exchange rate are returned apart, unchanged. */
export function convertRows(rows: readonly FilingRow[], currency: string, rates: ExchangeRates): Converted {
  const converted: Converted = { rows: [], unconverted: [] }
  for (const row of rows) {
    const rate = row.currency === currency ? null : rates.get(row.currency)
    if (rate === null) converted.rows.push(row)
    else if (rate === undefined) converted.unconverted.push(row)
    else converted.rows.push(convertRow(row, currency, rate))
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
