import { ParseError } from '../../collector.ts'
import { quarterOf } from '../compact-day.ts'
import type { Entry } from '../entries.ts'
import { understood } from '../odd-records.ts'
import { fraction } from './figures.ts'
import type { ListDocument, ListEntries, ListReading, StateList } from './list.ts'

/** The file has a new version each quarter. */
export const TEXAS_FILE = 'https://comptroller.texas.gov/data/edi/sales-tax/taxrates.txt'

/**
 * Cities, counties and districts of Texas, with tabs between the cells. The first row has the quarter
 * (`20263`), the rate of the state and the number of rows.
 */
export const texas: StateList = {
  state: 'TX',
  source: 'Texas Comptroller of Public Accounts, taxrates.txt',
  source_url: 'https://comptroller.texas.gov/taxes/sales/',
  variable: 'SOURCE_US_LOCAL_TX',
  request: () => ({
    url: TEXAS_FILE,
    accept: 'text/plain, application/octet-stream',
  }),
  format: 'text',
  read: readTexas,
  rows_min: 1_200,
}

const COLUMNS = 12

/** The first row of the file: the first day of its quarter, the rate of the state, and the number of rows. */
type TexasControl = { row: string; from: string; state_rate: number; count: number }

/** Reads the first row, and splits the others. Throws ParseError if the quarter has not begun. */
export function readControl(
  { url, text }: ListDocument,
  day: string,
): { control: TexasControl; lines: string[] } {
  const [row = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const [, period = '', , , own = '', , count = ''] = row.split('\t').map((cell) => cell.trim())
  const [, year, number] = /^(\d{4})([1-4])$/.exec(period) ?? []
  const state_rate = fraction(own)
  if (year === undefined || state_rate === null || !/^\d+$/.test(count))
    throw new ParseError(
      url,
      `looked for the quarter and the rate of the state, found ${JSON.stringify(row)}`,
    )
  const from = `${year}-${String(Number(number) * 3 - 2).padStart(2, '0')}-01`
  if (from > quarterOf(day)) throw new ParseError(url, `is for a quarter that has not begun, ${period}`)
  return { control: { row, from, state_rate, count: Number(count) }, lines }
}

function readTexas(document: ListDocument, { day, state_rate }: ListReading): ListEntries {
  const { url } = document
  const { control, lines } = readControl(document, day)
  const { from, count: stated } = control
  if (control.state_rate !== state_rate)
    throw new ParseError(url, `has another rate of the state than we have: ${JSON.stringify(control.row)}`)
  // The control row counts the rows of the file; it may include itself.
  if (Math.abs(stated - lines.length) > 1) throw new ParseError(url, `has ${lines.length} rows of ${stated}`)
  const rows = lines.map((line) => line.split('\t').map((cell) => cell.trim()))
  const data = rows.filter((row) => !isDueDate(row))
  const { made, odd } = understood(data, url, readRow, (row) => row.join(','))
  return { entries: entriesOf(made, from), odd, records: data.length }
}

/** `q` or `m` for quarterly or monthly, in the first cell or behind the period: `20264 q 01/20/2027`. */
function isDueDate([first = '', second = '']: readonly string[]): boolean {
  return /^[qm]$/i.test(first) || (/^\d{5,6}$/.test(first) && /^[qm]$/i.test(second))
}

type Tax = Pick<Entry, 'type' | 'name'> & { code: string; rate: number; districts?: string[] }

/** The taxes of a row: those of up to two districts, of a county and of a city. */
function readRow(row: readonly string[]): Tax[][] | null {
  if (row.length < COLUMNS) return null
  const [city = '', code = '', rate = '', county = '', county_code = '', county_rate = ''] = row
  const named = [row.slice(6, 9), row.slice(9, 12)].filter(([, id = 'n/a']) => id !== 'n/a')
  const given = [
    ...named.map(([name = '', id = '', of = '']) => ({ type: 'district' as const, name, code: id, of })),
    ...(county_code === 'n/a'
      ? []
      : [{ type: 'county' as const, name: county, code: county_code, of: county_rate }]),
    // A row without a code is a place outside of cities, and one with a slash an area of two of them.
    ...(code === 'n/a' || city.includes('/')
      ? []
      : [{ type: 'city' as const, name: city, code, of: rate, districts: named.map(([name = '']) => name) }]),
  ]
  const taxes = given.flatMap(({ of, ...tax }): Tax[] => {
    const millionths = fraction(of)
    return millionths === null || tax.name === '' ? [] : [{ ...tax, rate: millionths }]
  })
  return taxes.length < given.length ? null : [taxes]
}

/** A city in several rows has the districts that all of them name. */
function entriesOf(rows: readonly (readonly Tax[])[], from: string): Entry[] {
  const entries = new Map<string, Entry>()
  for (const { rate, ...tax } of rows.flat()) {
    const key = `${tax.type} ${tax.name}`
    const before = entries.get(key)?.districts
    const districts =
      before === undefined ? tax.districts : before.filter((each) => tax.districts?.includes(each))
    const rates = [{ rate_millionths: rate, from, to: null }]
    entries.set(key, { ...tax, county: null, rates, ...(districts && { districts }) })
  }
  return [...entries.values()]
}
