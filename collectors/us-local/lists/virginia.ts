import { STATE_FIPS } from '../../../src/engine/regimes/us-local/state-fips.ts'
import { ParseError } from '../../collector.ts'
import { quarterOf } from '../compact-day.ts'
import type { Entry } from '../entries.ts'
import { understood } from '../odd-records.ts'
import { fraction, percentInMillionths } from './figures.ts'
import type { ListDocument, ListEntries, ListReading, StateList } from './list.ts'

/** Counties and independent cities with their FIPS codes and their whole rate. */
export const virginia: StateList = {
  state: 'VA',
  source: 'Virginia Department of Taxation, sales tax rates by locality',
  source_url: 'https://www.tax.virginia.gov/retail-sales-and-use-tax',
  variable: 'SOURCE_US_LOCAL_VA',
  request: () => ({
    url: 'https://www.tax.virginia.gov/sites/default/files/inline-files/sales-tax-rates.xlsx',
    accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/octet-stream',
  }),
  format: 'workbook',
  read: readVirginia,
  rows_min: 133,
}

function readVirginia({ url, text }: ListDocument, { day, state_rate }: ListReading): ListEntries {
  const rows = text.split('\n').map((line) => line.split('\t').map((cell) => cell.trim()))
  const heads = rows.map(columnsOf)
  const at = heads.findIndex((head) => head !== null)
  const head = heads[at]
  if (head === null || head === undefined)
    throw new ParseError(url, 'looked for the columns FIPS, Locality and Total')
  const read = (row: readonly string[]) => readRow(row, head, { day, state_rate })
  const given = rows.slice(at + 1).filter((row) => /^\d/.test(row[head.fips] ?? ''))
  const { made, odd } = understood(given, url, read, (row) => row.join(','))
  return { entries: made, odd, records: given.length }
}

type Columns = { fips: number; name: number; total: number }

/** `FIPS`, `Locality`, `Total`; or the longer `County or City Code (FIPS)` and `Total General Sales Tax`. */
function columnsOf(row: readonly string[]): Columns | null {
  const column = (...patterns: RegExp[]) =>
    patterns.map((pattern) => row.findIndex((cell) => pattern.test(cell))).find((at) => at >= 0) ?? -1
  const fips = column(/county.*fips|locality.*fips/i, /^fips/i)
  const name = column(/locality name/i, /^locality/i, /^(?:county|city)(?!.*fips)/i)
  const total = column(/total general/i, /total|combined/i)
  return fips < 0 || name < 0 || total < 0 ? null : { fips, name, total }
}

function readRow(
  row: readonly string[],
  { fips, name, total }: Columns,
  { day, state_rate }: ListReading,
): Entry[] | null {
  const code = (row[fips] ?? '').replace(/^51(?=\d{3}$)/, '')
  const whole = rateOf(row[total] ?? '')
  if (!/^\d{1,3}$/.test(code) || whole === null || whole < state_rate) return null
  return [
    {
      type: 'county',
      name: row[name] ?? '',
      county: null,
      county_fips: `${STATE_FIPS['VA']}${code.padStart(3, '0')}`,
      code: code.padStart(3, '0'),
      rates: [{ rate_millionths: whole - state_rate, from: quarterOf(day), to: null }],
    },
  ]
}

/** A workbook has 6 % as 0.06, or as a text with its sign. */
function rateOf(text: string): number | null {
  return text.includes('%') ? percentInMillionths(text) : fraction(text)
}
