import type { CollectedId } from '../src/platform/regions.ts'
import type { PublishedRates, RateSeriesId } from '../src/tax-data/records/published-rates.ts'
import {
  type Publication,
  ParseError,
  type Range,
  type SourceDocument,
  type SourceRequest,
} from './collector.ts'

/** A document of a series. An optional one may be missing: it is not published yet. */
export type SeriesRequest = SourceRequest & { optional: boolean }

/** Where the rates of a series are published, and how they are read. */
export type SeriesPublication = Pick<Publication, 'source' | 'source_url' | 'url' | 'variable'> & {
  /** The documents of a day. `stored` are the days that are on file, without those that lack a held rate. */
  requests: (url: string, day: string, stored: ReadonlySet<string>) => SeriesRequest[]
  /** Reads one document. Throws ParseError. */
  read: (document: SourceDocument) => PublishedRates[]
}

/**
 * A series of exchange rates. New days are added, and published days hardly ever change, so it is judged by
 * rules of its own (`judge-series.ts`).
 */
export type RateSeries = {
  region: CollectedId
  series: RateSeriesId
  part: string
  alternatives: readonly [SeriesPublication, ...SeriesPublication[]]
  /** The first day that the newest rates may have. Older rates mean that the document is an old copy. */
  newest_from: (day: string) => string
  /** The last day that the newest rates may have. */
  newest_to: (day: string) => string
  /** The currencies that the newest rates must contain, with their least and largest value in millionths. */
  expected: Readonly<Record<string, Range>>
  /** Whether one document has all days of its time, so that none of those on file may be missing. */
  whole?: boolean
  /** The share by which a value may move from one day to the next without a second reading. */
  move_max: number
}

/** `1.0812` in millionths; null if the text is not such a number, or is zero. */
function rateInMillionths(text: string): number | null {
  const found = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text.trim())
  if (found === null) return null
  const millionths = Number(found[1]) * 1_000_000 + Number((found[2] ?? '').padEnd(6, '0'))
  return millionths > 0 ? millionths : null
}

/** Reads the rate of a currency. Throws ParseError. */
export function readRate(url: string, currency: string, day: string, text: string): number {
  const rate = rateInMillionths(text)
  if (!/^[A-Z]{3}$/.test(currency) || rate === null)
    throw new ParseError(url, `does not understand the rate ${JSON.stringify(text)} of ${currency} on ${day}`)
  return rate
}
