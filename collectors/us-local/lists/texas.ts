import { ParseError } from '../../collector.ts'
import { quarterOf } from '../compact-day.ts'
import type { Entry } from '../entries.ts'
import { fraction } from './figures.ts'
import type { ListDocument, ListReading, StateList } from './list.ts'

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
export type TexasControl = { row: string; from: string; state_rate: number; count: number }

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

function readTexas(document: ListDocument, { day, state_rate }: ListReading): Entry[] {
  const { url } = document
  const { control, lines } = readControl(document, day)
  const { from, count: stated } = control
  if (control.state_rate !== state_rate)
    throw new ParseError(url, `has another rate of the state than we have: ${JSON.stringify(control.row)}`)
  const rows = lines.map((line) => line.split('\t').map((cell) => cell.trim()))
  const data = rows.filter((row) => !/^[qm]$/i.test(row[0] ?? ''))
  const wrong = data.find((row) => row.length < COLUMNS)
  // The control row counts the rows of the file; it may include itself.
  if (wrong !== undefined || Math.abs(stated - lines.length) > 1)
    throw new ParseError(url, `has ${lines.length} rows of ${stated}, or a row without ${COLUMNS} cells`)
  return entriesOf(data, from, url)
}

function entriesOf(rows: readonly string[][], from: string, url: string): Entry[] {
  const entries = new Map<string, Entry>()
  const add = (entry: Omit<Entry, 'rates' | 'county'>, rate: string) => {
    const millionths = fraction(rate)
    if (millionths === null)
      throw new ParseError(url, `found the rate ${JSON.stringify(rate)} of ${entry.name}`)
    const key = `${entry.type} ${entry.name}`
    const before = entries.get(key)
    const districts =
      before?.districts === undefined
        ? entry.districts
        : before.districts.filter((each) => entry.districts?.includes(each) === true)
    const rates = [{ rate_millionths: millionths, from, to: null }]
    entries.set(key, { ...entry, county: null, rates, ...(districts && { districts }) })
  }
  for (const row of rows) {
    const [city = '', code = '', rate = '', county = '', county_code = '', county_rate = ''] = row
    const named = [row.slice(6, 9), row.slice(9, 12)].filter(([, id = 'n/a']) => id !== 'n/a')
    for (const [name = '', id = '', of = ''] of named) add({ type: 'district', name, code: id }, of)
    if (county_code !== 'n/a') add({ type: 'county', name: county, code: county_code }, county_rate)
    // A row without a code is a place outside of cities, and one with a slash an area of two of them.
    if (code === 'n/a' || city.includes('/')) continue
    add({ type: 'city', name: city, code, districts: named.map(([name = '']) => name) }, rate)
  }
  return [...entries.values()]
}
