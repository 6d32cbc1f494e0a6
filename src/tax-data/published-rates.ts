/** The series of exchange rates that an authority publishes and returns use. */
export const RATE_SERIES = {
  /** Units of a currency for one euro, by the day of publication. */
  ecb: 'European Central Bank, euro foreign exchange reference rates',
  /** Units of a currency for one pound, by the first day of the month. */
  hmrc: 'HM Revenue & Customs, monthly exchange rates',
} as const

export type RateSeriesId = keyof typeof RATE_SERIES

/**
 * The rates of one day of a series: units of each currency for one unit of the base currency, in millionths.
 */
export type PublishedRates = { day: string; rates: Readonly<Record<string, number>> }

/** A rate of a series: the day for which it was published, and millionths by currency. */
export type RatesFound = PublishedRates & { asked: string }
