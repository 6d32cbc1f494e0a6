import { multiplyAndDivideBig } from '../arithmetic/rounding.ts'
import type { RateBook } from './rate-book.ts'

/** Converts minor units between currencies at the data's indicative rates; null if a rate is unknown. */
export function convertIndicatively(book: RateBook, amount: number, from: string, to: string): number | null {
  const source = book.exchange_rates.get(from)
  const target = book.exchange_rates.get(to)
  if (source === undefined || target === undefined) return null
  const numerator = BigInt(target.per_euro_millionths) * 10n ** BigInt(target.exponent)
  const denominator = BigInt(source.per_euro_millionths) * 10n ** BigInt(source.exponent)
  return multiplyAndDivideBig(BigInt(amount), numerator, denominator)
}
