import Papa from 'papaparse'
import * as z from 'zod'
import { daysAfter } from '../src/platform/kit/calendar.ts'
import { readXml } from '../src/platform/read-xml.ts'
import type { PublishedRates } from '../src/tax-data/records/published-rates.ts'
import { ParseError, type SourceDocument } from './collector.ts'
import { type RateSeries, readRate, type SeriesPublication } from './series.ts'

/** No return needs older rates: the first one-stop shop began on this day. */
const FIRST_DAY = '2015-01-01'
/** The longest pause of the Bank is four days, at Easter. */
const PAUSE_DAYS = 8
const SOURCE_URL =
  'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html'

const history: SeriesPublication = {
  source: 'European Central Bank, history of the euro reference rates',
  source_url: SOURCE_URL,
  url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
  variable: 'SOURCE_ECB_HISTORY',
  requests: (url) => [
    {
      url,
      accept: 'application/zip, application/x-zip-compressed, application/octet-stream',
      archived: 'eurofxref-hist.csv',
      optional: false,
    },
  ],
  read: readHistory,
}

const recent: SeriesPublication = {
  source: 'European Central Bank, euro reference rates of the last 90 days',
  source_url: SOURCE_URL,
  url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml',
  variable: 'SOURCE_ECB_RECENT',
  requests: (url) => [{ url, accept: 'text/xml, application/xml', optional: false }],
  read: readRecent,
}

/** Euro foreign exchange reference rates. The Bank publishes them on its working days, at 16:00. */
export const ecb: RateSeries = {
  region: 'FX-ECB',
  series: 'ecb',
  part: 'euro reference rates',
  alternatives: [history, recent],
  newest_from: (day) => daysAfter(day, -PAUSE_DAYS),
  newest_to: (day) => day,
  expected: {
    USD: [600_000, 1_800_000],
    GBP: [550_000, 1_200_000],
    CHF: [600_000, 1_700_000],
    JPY: [80_000_000, 260_000_000],
    SEK: [7_000_000, 16_000_000],
    DKK: [7_200_000, 7_700_000],
    PLN: [3_000_000, 6_500_000],
    CZK: [18_000_000, 35_000_000],
    HUF: [230_000_000, 600_000_000],
    RON: [3_500_000, 8_000_000],
    AUD: [1_100_000, 2_400_000],
    CAD: [1_100_000, 2_300_000],
    NZD: [1_200_000, 2_700_000],
  },
  move_max: 0.2,
  whole: true,
}

/** The file has a column for each currency and a row for each day. `N/A` is no rate. */
function readHistory({ url, text }: SourceDocument): PublishedRates[] {
  const { data } = Papa.parse<string[]>(text.trim(), { delimiter: ',' })
  const [header = [], ...rows] = data
  const names = header.map((name) => name.trim())
  if (names[0] !== 'Date' || !names.includes('USD'))
    throw new ParseError(url, 'looked for a table with the columns Date and USD')
  return rows
    .map((cells) => ({ day: dayOfText(url, cells[0] ?? ''), cells }))
    .filter(({ day }) => day >= FIRST_DAY)
    .map(({ day, cells }) => {
      if (cells.length !== names.length)
        throw new ParseError(url, `the row of ${day} has ${cells.length} cells, of ${names.length}`)
      const named = cells.map((cell, index) => [names[index] ?? '', cell.trim()] as const).slice(1)
      const given = named.filter(([name, cell]) => name !== '' && cell !== 'N/A' && cell !== '')
      return {
        day,
        rates: Object.fromEntries(given.map(([name, cell]) => [name, readRate(url, name, day, cell)])),
      }
    })
}

const Day = z.object({
  time: z.string(),
  Cube: z.array(z.object({ currency: z.string(), rate: z.string() })).min(1),
})
const Envelope = z.object({
  Envelope: z.object({ Cube: z.tuple([z.object({ Cube: z.array(Day).min(1) })]) }),
})
const CUBES = { lists: new Set(['Cube']), attributes: '' }

/** The same rates in XML: a `Cube` for each day, and in it one for each currency. */
function readRecent({ url, text }: SourceDocument): PublishedRates[] {
  const read = Envelope.safeParse(readXml(text, CUBES))
  if (!read.success) throw new ParseError(url, 'looked for a Cube for each day, with a currency and a rate')
  return read.data.Envelope.Cube[0].Cube.map(({ time, Cube }) => {
    const day = dayOfText(url, time)
    return {
      day,
      rates: Object.fromEntries(
        Cube.map(({ currency, rate }) => [currency, readRate(url, currency, day, rate)]),
      ),
    }
  })
}

function dayOfText(url: string, text: string): string {
  const day = text.trim()
  if (!z.iso.date().safeParse(day).success)
    throw new ParseError(url, `does not understand the day ${JSON.stringify(text.slice(0, 20))}`)
  return day
}
