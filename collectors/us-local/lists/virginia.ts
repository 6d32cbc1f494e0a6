import { STATE_FIPS } from '../../../src/tax/regimes/us-local/state-fips.ts'
import { ParseError } from '../../collector.ts'
import { quarterOf } from '../compact-day.ts'
import type { Entry } from '../entries.ts'
import { fraction, percentInMillionths } from './figures.ts'
import type { ListDocument, ListReading, StateList } from './list.ts'

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

function readVirginia({ url, text }: ListDocument, { day, state_rate }: ListReading): Entry[] {
  const rows = text.split('\n').map((line) => line.split('\t').map((cell) => cell.trim()))
  const at = rows.findIndex((row) => row.some((cell) => /^fips/i.test(cell)))
  const names = (rows[at] ?? []).map((each) => each.toLowerCase())
  const column = (pattern: RegExp) => names.findIndex((name) => pattern.test(name))
  const [fips, name, total] = [column(/^fips/), column(/locality|county|city/), column(/total|combined/)]
  if (at < 0 || fips < 0 || name < 0 || total < 0)
    throw new ParseError(url, 'looked for the columns FIPS, Locality and Total')
  return rows.slice(at + 1).flatMap((row): Entry[] => {
    const code = (row[fips] ?? '').replace(/^51(?=\d{3}$)/, '')
    if (!/^\d{1,3}$/.test(code)) return []
    const whole = rateOf(row[total] ?? '')
    if (whole === null || whole < state_rate)
      throw new ParseError(url, `does not understand the row ${JSON.stringify(row.join(','))}`)
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
  })
}

/** A workbook has 6 % as 0.06, or as a text with its sign. */
function rateOf(text: string): number | null {
  return text.includes('%') ? percentInMillionths(text) : fraction(text)
}
