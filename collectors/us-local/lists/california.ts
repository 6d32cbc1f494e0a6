import Papa from 'papaparse'
import type { LocalRate } from '../../../src/engine/regimes/us-local/local-book.ts'
import { ParseError } from '../../collector.ts'
import { quarterOf } from '../compact-day.ts'
import type { Entry } from '../entries.ts'
import { understood } from '../odd-records.ts'
import { dayOfText, fraction } from './figures.ts'
import type { ListDocument, ListEntries, ListReading, StateList } from './list.ts'

const ITEM = 'https://gis.data.ca.gov/api/download/v1/items/01883a79765a4afba132ba54da408d8b'

/** Areas with their whole rate, of which the state's is 7.25 %. Its table and its map have other headers. */
export const california: StateList = {
  state: 'CA',
  source: 'California Department of Tax and Fee Administration',
  source_url: 'https://www.cdtfa.ca.gov/taxes-and-fees/rates.aspx',
  variable: 'SOURCE_US_LOCAL_CA',
  request: () => ({
    url: `${ITEM}/csv?layers=1`,
    // While the file is made, the answer is JSON.
    accept: 'text/csv, text/plain, application/octet-stream',
    timeout_ms: 60_000,
  }),
  format: 'text',
  read: readAreas,
  rows_min: 500,
}

const HEADS = [
  { name: 'city_name_proper', county: 'county_name', rate: 'rate', area: 'juris_name', from: 'start_date' },
  { name: 'location', county: 'county', rate: 'rate', area: 'type', from: 'none' },
] as const

type Area = { type: Entry['type']; name: string; county: string; rate: LocalRate }

function readAreas({ url, text }: ListDocument, reading: ListReading): ListEntries {
  const rows = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' }).data
  const at = rows.findIndex((row) => columnsOf(row) !== undefined)
  const names = (rows[at] ?? []).map((each) => each.trim().toLowerCase())
  const head = columnsOf(rows[at] ?? [])
  if (head === undefined) throw new ParseError(url, 'looked for the columns Location, Rate and County')
  const cells = rows.slice(at + 1).map((row) => {
    return (column: keyof typeof head) => row[names.indexOf(head[column])]?.trim() ?? ''
  })
  const read = (cell: Cell) => readArea(cell, reading)
  const { made, odd } = understood(cells, url, read, (cell) => `${cell('name')},${cell('rate')}`)
  const grouped = Map.groupBy(consolidated(made), ({ type, name, county }) => `${type} ${name} ${county}`)
  const entries = [...grouped.values()].flatMap(([first, ...others]): Entry[] => {
    if (first === undefined) return []
    const { type, name, county } = first
    const rates = oneAfterAnother([first, ...others].map(({ rate }) => rate))
    return [{ type, name, county, code: null, rates }]
  })
  return { entries, odd, records: cells.length }
}

type Cell = (column: 'name' | 'county' | 'rate' | 'area' | 'from') => string

function readArea(cell: Cell, { day, state_rate }: ListReading): Area[] | null {
  const total = fraction(cell('rate'))
  const [name, county, area] = [cell('name'), cell('county'), cell('area')]
  // A county whose areas differ has no rate, only a remark in its place.
  if (total === null) return /\d/.test(cell('rate')) ? null : []
  if (total < state_rate || name + area === '' || county === '') return null
  const type = isCounty(name, county, area) ? 'county' : 'city'
  const from = dayOfText(cell('from')) ?? quarterOf(day)
  const rate = { rate_millionths: total - state_rate, from, to: null }
  return [{ type, name: type === 'county' ? `${county} County` : name, county, rate }]
}

/** San Francisco is a city and a county at once: the map has it as a city only, the table as both. */
function consolidated(areas: readonly Area[]): Area[] {
  const counties = new Set(areas.flatMap(({ type, county }) => (type === 'county' ? [county] : [])))
  const also = areas.flatMap((area): Area[] => {
    const own = area.type === 'city' && area.name === area.county && CITY_COUNTIES.has(area.county)
    return own && !counties.has(area.county)
      ? [{ ...area, type: 'county', name: `${area.county} County` }]
      : []
  })
  return [...areas, ...also]
}

const CITY_COUNTIES: ReadonlySet<string> = new Set(['San Francisco'])

function columnsOf(row: readonly string[]): (typeof HEADS)[number] | undefined {
  const names = new Set(row.map((each) => each.trim().toLowerCase()))
  return HEADS.find((head) => names.has(head.name) && names.has(head.county) && names.has(head.rate))
}

/** The area outside of the cities: `Alameda County`, `Yuba County Unincorporated Area`. */
function isCounty(name: string, county: string, area: string): boolean {
  const shown = `${name} ${area}`.toLowerCase()
  return (
    shown.includes('unincorporated') || name === '' || name.toLowerCase() === `${county} county`.toLowerCase()
  )
}

/** A rate that is published before its day, after the one in force. */
function oneAfterAnother(rates: readonly LocalRate[]): LocalRate[] {
  const sorted = rates.toSorted((a, b) => (a.from ?? '').localeCompare(b.from ?? ''))
  return sorted.map((rate, index) => {
    const next = sorted[index + 1]?.from ?? null
    return next === null
      ? rate
      : { ...rate, to: new Date(Date.parse(next) - 86_400_000).toISOString().slice(0, 10) }
  })
}
