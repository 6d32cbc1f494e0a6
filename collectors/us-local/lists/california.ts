import Papa from 'papaparse'
import type { LocalRate } from '../../../src/tax/regimes/us-local/local-book.ts'
import { ParseError } from '../../collector.ts'
import { quarterOf } from '../compact-day.ts'
import type { Entry } from '../entries.ts'
import { dayOfText, fraction } from './figures.ts'
import type { ListDocument, ListReading, StateList } from './list.ts'

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

function readAreas({ url, text }: ListDocument, { day, state_rate }: ListReading): Entry[] {
  const rows = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' }).data
  const at = rows.findIndex((row) => columnsOf(row) !== undefined)
  const names = (rows[at] ?? []).map((each) => each.trim().toLowerCase())
  const head = columnsOf(rows[at] ?? [])
  if (head === undefined) throw new ParseError(url, 'looked for the columns Location, Rate and County')
  const cell = (row: readonly string[], name: string) => row[names.indexOf(name)]?.trim() ?? ''
  const areas = rows.slice(at + 1).flatMap((row): Area[] => {
    const total = fraction(cell(row, head.rate))
    // A county whose areas differ has no rate, only a remark.
    if (total === null) return []
    const [name, county, area] = [cell(row, head.name), cell(row, head.county), cell(row, head.area)]
    if (total < state_rate || name + area === '' || county === '')
      throw new ParseError(url, `does not understand the row ${JSON.stringify(row.slice(0, 6).join(','))}`)
    const type = isCounty(name, county, area) ? 'county' : 'city'
    const from = head.from === 'none' ? quarterOf(day) : (dayOfText(cell(row, head.from)) ?? quarterOf(day))
    const rate = { rate_millionths: total - state_rate, from, to: null }
    return [{ type, name: type === 'county' ? `${county} County` : name, county, rate }]
  })
  const grouped = Map.groupBy(areas, ({ type, name, county }) => `${type} ${name} ${county}`)
  return [...grouped.values()].flatMap(([first, ...others]): Entry[] =>
    first === undefined
      ? []
      : [
          {
            type: first.type,
            name: first.name,
            county: first.county,
            code: null,
            rates: oneAfterAnother([first, ...others].map(({ rate }) => rate)),
          },
        ],
  )
}

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
