import Papa from 'papaparse'
import type { LocalRate } from '../../../src/tax/regimes/us-local/local-book.ts'
import { ParseError } from '../../collector.ts'
import type { Entry } from '../entries.ts'
import { periodsOf } from '../rate-file.ts'
import { dayOfText, percentInMillionths } from './figures.ts'
import type { ListDocument, StateList } from './list.ts'

const COLUMNS = 13

/** All taxes of cities and counties with their periods. Here the general rate of the sales tax counts. */
export const alabama: StateList = {
  state: 'AL',
  source: 'Alabama Department of Revenue, taxrates_current.csv',
  source_url: 'https://www.revenue.alabama.gov/sales-use/local-cities-and-counties-tax-rates-text-file/',
  variable: 'SOURCE_US_LOCAL_AL',
  request: () => ({
    url: 'https://www.revenue.alabama.gov/wp-content/uploads/taxrates_current.csv',
    accept: 'text/csv, text/plain, application/octet-stream',
  }),
  format: 'text',
  read: readAlabama,
  rows_min: 400,
}

function readAlabama({ url, text }: ListDocument): Entry[] {
  const [head = [], ...rows] = Papa.parse<string[]>(text.replace(/^\uFEFF/, '').trim()).data
  if (head[0]?.trim() !== 'Locality Code' || head.length !== COLUMNS)
    throw new ParseError(url, 'looked for 13 columns that begin with Locality Code')
  const general = rows.filter((row) => {
    if (row.length !== COLUMNS)
      throw new ParseError(url, `does not understand the row ${JSON.stringify(row.join(',').slice(0, 120))}`)
    return row[3]?.trim() === 'ST' && row[4]?.trim() === 'GENER'
  })
  const grouped = Map.groupBy(general, ([code = '', name = '']) => `${code.trim()}\n${name.trim()}`)
  return [...grouped].map(([key, own]) => {
    const [code = '', name = ''] = key.split('\n')
    return {
      type: name.endsWith(' COUNTY') ? 'county' : 'city',
      name,
      county: null,
      code,
      rates: periodsOf(own.map((row) => rateOf(row, url))),
    }
  })
}

function rateOf(row: readonly string[], url: string): LocalRate {
  const [, name, , , , , active = '', inactive = '', text = ''] = row
  const [rate_millionths, from] = [percentInMillionths(text), dayOfText(active)]
  const to = inactive.trim() === '' ? null : dayOfText(inactive)
  if (rate_millionths === null || from === null || (inactive.trim() !== '' && to === null))
    throw new ParseError(url, `does not understand the rate of ${name}: ${JSON.stringify(row.join(','))}`)
  return { rate_millionths, from, to }
}
