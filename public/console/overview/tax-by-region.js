import { formatDay } from '../format.js'
import { jurisdictions } from '../parts/names.js'

/**
 * @import { z } from 'zod'
 * @import { LawRegion } from '../../../src/http/tax-enums.ts'
 * @import { SummaryAnswer } from '../../../src/reports/schemas.ts'
 * @import { Series } from '../parts/chart.js'
 * @typedef {z.output<typeof LawRegion>} Region
 * @typedef {z.output<typeof SummaryAnswer>['rows'][number]} Row
 */

/** How many regions have a colour of their own. The others share the last one. */
const COLOURS = 6

/** @type {Readonly<Record<Region, string>>} */
const REGIONS = {
  EU: 'European Union',
  UK: 'United Kingdom',
  US: 'United States',
  CA: 'Canada',
  AU: 'Australia',
  NZ: 'New Zealand',
}

/**
 * The months up to that of a day: 2025-12, 2026-01, …
 * @param {string} today
 */
export function lastTwelveMonths(today) {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(year, month - 12 + index, 1)).toISOString().slice(0, 7),
  )
}

/**
 * Nov 26
 * @param {string} month
 */
export function monthWords(month) {
  const [, name = '', year = ''] = formatDay(`${month}-01`).split(' ')
  return `${name.slice(0, 3)} ${year.slice(2)}`
}

/**
 * The net tax of each region by month, the largest first; of each place, if there is one region only.
 * @param {Row[]} rows of one currency
 * @param {string[]} months
 * @returns {Promise<Series[]>}
 */
export async function seriesOfRegions(rows, months) {
  const places = new Map((await jurisdictions()).map((place) => [place.value, place]))
  const regionOf = (/** @type {Row} */ { jurisdiction_id = '' }) => {
    const place = places.get(jurisdiction_id)
    return place === undefined ? jurisdiction_id : REGIONS[place.region]
  }
  const by_region = Map.groupBy(
    rows.filter(({ net_tax }) => net_tax !== 0),
    regionOf,
  )
  const groups =
    by_region.size > 1
      ? by_region
      : Map.groupBy(rows, ({ jurisdiction_id = '' }) => places.get(jurisdiction_id)?.name ?? jurisdiction_id)
  const series = [...groups].map(([name, own]) => ({
    name,
    values: months.map((month) =>
      own.filter((row) => row.month === month).reduce((sum, { net_tax }) => sum + net_tax, 0),
    ),
  }))
  const size = (/** @type {Series} */ { values }) => values.reduce((sum, value) => sum + Math.abs(value), 0)
  const sorted = series.filter((each) => size(each) > 0).toSorted((one, other) => size(other) - size(one))
  if (sorted.length <= COLOURS) return sorted
  const rest = sorted.slice(COLOURS - 1)
  const others = {
    name: 'Others',
    values: months.map((_, index) => rest.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
  }
  return [...sorted.slice(0, COLOURS - 1), others]
}
