import { MILLION } from '../../engine/arithmetic/rounding.ts'

/** How a series quotes: units of a currency for one unit of the base currency, or the other way round. */
type Quotes = 'currency_per_base' | 'base_per_currency'

/** The series of exchange rates that an authority publishes and returns use. */
export const RATE_SERIES = {
  /** A rate for each day of publication. */
  ecb: {
    source: 'European Central Bank, euro foreign exchange reference rates',
    base: 'EUR',
    quotes: 'currency_per_base',
  },
  /** A rate for each month, stored under its first day. */
  hmrc: { source: 'HM Revenue & Customs, monthly exchange rates', base: 'GBP', quotes: 'currency_per_base' },
  /** A rate for each day of publication. */
  boc: { source: 'Bank of Canada, daily exchange rates', base: 'CAD', quotes: 'base_per_currency' },
} as const satisfies Record<string, { source: string; base: string; quotes: Quotes }>

export type RateSeriesId = keyof typeof RATE_SERIES

/** The rates of one day of a series, in millionths by currency, as the series quotes them. */
export type PublishedRates = { day: string; rates: Readonly<Record<string, number>> }

/** Rates of a series for a day that was asked for. `day` is the day for which they were published. */
export type RatesFound = PublishedRates & { asked: string }

/** Two amounts of equal value in two currencies, in millionths of their units. */
export type EqualAmounts = { sold: number; filed: number }

/**
 * Equal amounts of two currencies by the rates of a day, exact also if neither is the base currency. Null if
 * the series has no rate for one of them.
 */
export function equalAmounts(
  series: RateSeriesId,
  rates: Readonly<Record<string, number>>,
  sold: string,
  filed: string,
): EqualAmounts | null {
  const { base, quotes } = RATE_SERIES[series]
  const quoteOf = (currency: string) => (currency === base ? MILLION : rates[currency])
  const [of_sold, of_filed] = [quoteOf(sold), quoteOf(filed)]
  if (of_sold === undefined || of_filed === undefined) return null
  return quotes === 'currency_per_base'
    ? { sold: of_sold, filed: of_filed }
    : { sold: of_filed, filed: of_sold }
}
