import * as z from 'zod'
import { daysAfter } from '../src/platform/kit/calendar.ts'
import type { PublishedRates } from '../src/tax-data/records/published-rates.ts'
import { ParseError, type SourceDocument } from './collector.ts'
import { type RateSeries, readRate, type SeriesPublication } from './series.ts'

/** Over Christmas the Bank publishes no rates for up to five days. */
const PAUSE_DAYS = 8

const valet: SeriesPublication = {
  source: 'Bank of Canada, Valet API: daily exchange rates',
  source_url: 'https://www.bankofcanada.ca/rates/exchange/daily-exchange-rates/',
  // The group has no earlier rates.
  url: 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json?start_date=2017-01-03',
  variable: 'SOURCE_BOC_RATES',
  requests: (url) => [{ url, accept: 'application/json', optional: false }],
  read: readObservations,
}

/** Canadian dollars for one unit of a currency. The Bank publishes them on its working days, at 16:30. */
export const boc: RateSeries = {
  region: 'FX-BOC',
  series: 'boc',
  part: 'daily exchange rates',
  alternatives: [valet],
  newest_from: (day) => daysAfter(day, -PAUSE_DAYS),
  newest_to: (day) => day,
  expected: {
    USD: [900_000, 1_800_000],
    EUR: [1_100_000, 2_200_000],
    GBP: [1_300_000, 2_600_000],
    CHF: [900_000, 2_400_000],
    JPY: [5_000, 18_000],
    AUD: [650_000, 1_300_000],
    NZD: [550_000, 1_200_000],
    CNY: [130_000, 300_000],
    INR: [9_000, 30_000],
    MXN: [35_000, 120_000],
  },
  whole: true,
  move_max: 0.2,
}

const Observed = z.object({ v: z.union([z.string(), z.number()]).optional() })
const Answer = z.object({
  observations: z.array(z.intersection(z.object({ d: z.iso.date() }), z.record(z.string(), z.unknown()))),
})

/**
 * An observation for each day, and in it a value for each series. `FXUSDCAD` is Canadian dollars for one US
 * dollar. A series without a value has no rate on that day.
 */
function readObservations({ url, text }: SourceDocument): PublishedRates[] {
  const read = Answer.safeParse(parse(url, text))
  if (!read.success) throw new ParseError(url, 'looked for observations, each with a day')
  return read.data.observations
    .map((observation) => ({ day: observation.d, rates: ratesOf(url, observation.d, observation) }))
    .filter(({ rates }) => Object.keys(rates).length > 0)
}

function ratesOf(url: string, day: string, observation: Record<string, unknown>): Record<string, number> {
  const rates: Record<string, number> = {}
  for (const [name, observed] of Object.entries(observation)) {
    if (name === 'd') continue
    const currency = /^FX([A-Z]{3})CAD$/.exec(name)?.[1]
    const value = Observed.safeParse(observed)
    if (currency === undefined || !value.success)
      throw new ParseError(url, `does not understand the series ${name.slice(0, 20)} on ${day}`)
    if (value.data.v !== undefined && value.data.v !== '')
      rates[currency] = readRate(url, currency, day, String(value.data.v))
  }
  return rates
}

function parse(url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ParseError(url, 'is not JSON')
  }
}
