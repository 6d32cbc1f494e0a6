import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Papa from 'papaparse'
import { readRate } from '../../collectors/series.ts'
import {
  type PublishedRates,
  RATE_SERIES,
  type RateSeriesId,
} from '../../src/tax-data/records/published-rates.ts'
import { keysOf } from '../../src/platform/kit/keys-of.ts'
import { PROJECT } from '../wrangler.ts'

/** The file of a series: a column for each currency, a row for each day. */
export function fileOfSeries(series: RateSeriesId): string {
  return join(PROJECT, 'data/published-rates', `${series}.csv`)
}

/** The published exchange rates that a release ships, of each series that has a file. */
export function readShippedRates(): { series: RateSeriesId; days: PublishedRates[] }[] {
  return keysOf(RATE_SERIES)
    .filter((series) => existsSync(fileOfSeries(series)))
    .map((series) => ({ series, days: daysOf(readFileSync(fileOfSeries(series), 'utf8')) }))
}

/** The days of a file. An empty cell is no rate. Throws ParseError for a cell that is no rate. */
export function daysOf(text: string): PublishedRates[] {
  const { data } = Papa.parse<Record<string, string>>(text.trim(), { header: true })
  return data.map(({ day = '', ...cells }) => ({
    day,
    rates: Object.fromEntries(
      Object.entries(cells)
        .filter(([, rate]) => rate !== '')
        .map(([currency, rate]) => [currency, readRate('data/published-rates', currency, day, rate)]),
    ),
  }))
}

/** The text of a file with these days. Currencies stand in the order in which they first appear. */
export function textOfDays(days: readonly PublishedRates[]): string {
  const currencies = [...new Set(days.flatMap(({ rates }) => Object.keys(rates)))]
  const rows = days.map(({ day, rates }) => [day, ...currencies.map((name) => textOfRate(rates[name]))])
  return `${[['day', ...currencies], ...rows].map((cells) => cells.join(',')).join('\n')}\n`
}

function textOfRate(millionths: number | undefined): string {
  return millionths === undefined ? '' : String(millionths / 1_000_000)
}

/** The days from `oldest` on, in their order. What a collector has read replaces what was shipped. */
export function mergedDays(
  shipped: readonly PublishedRates[],
  collected: readonly PublishedRates[],
  oldest: string,
): PublishedRates[] {
  const days = new Map([...shipped, ...collected].map((each) => [each.day, each]))
  return [...days.values()]
    .filter(({ day }) => day >= oldest)
    .toSorted((one, other) => one.day.localeCompare(other.day))
}
