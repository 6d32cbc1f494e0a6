import Papa from 'papaparse'
import type { LocalRate } from '../../../src/engine/regimes/us-local/local-book.ts'
import { ParseError } from '../../collector.ts'
import type { Entry } from '../entries.ts'
import { understood } from '../odd-records.ts'
import { periodsOf } from '../rate-file.ts'
import { dayOfText, percentInMillionths } from './figures.ts'
import type { ListDocument, ListEntries, StateList } from './list.ts'

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

function readAlabama({ url, text }: ListDocument): ListEntries {
  const [head = [], ...rows] = Papa.parse<string[]>(text.replace(/^\uFEFF/, '').trim()).data
  if (head[0]?.trim() !== 'Locality Code' || head.length !== COLUMNS)
    throw new ParseError(url, 'looked for 13 columns that begin with Locality Code')
  const general = rows.filter((row) => row[3]?.trim() === 'ST' && row[4]?.trim() === 'GENER')
  const { made, odd } = understood(general, url, readRow, (row) => row.join(','))
  const places = [...Map.groupBy(made, ({ code, name }) => `${code}\n${name}`).values()]
  const entries = places.flatMap(([first, ...others]): Entry[] => {
    if (first === undefined || first.code.startsWith(COUNTY_CODES)) return []
    const rates = periodsOf([first, ...others].map(({ rate }) => rate))
    return [{ type: 'city', name: first.name, county: null, code: first.code, rates }]
  })
  return { entries: [...countiesOf(made), ...entries], odd, records: general.length }
}

type Row = { code: string; name: string; county_number: string; rate: LocalRate }

/** Codes of counties and of parts of them begin with this digit, and those of cities with 9. */
const COUNTY_CODES = '7'

function readRow(row: readonly string[]): Row[] | null {
  const [code = '', name = '', number = '', , , , active = '', inactive = '', text = ''] = row
  const [rate_millionths, from] = [percentInMillionths(text), dayOfText(active)]
  const to = inactive.trim() === '' ? null : dayOfText(inactive)
  if (row.length !== COLUMNS || rate_millionths === null || from === null || name.trim() === '') return null
  if (inactive.trim() !== '' && to === null) return null
  const rate = { rate_millionths, from, to }
  return [{ code: code.trim(), name: name.trim(), county_number: number.trim(), rate }]
}

/**
 * A county is the row of the land outside of its cities: `AUTAUGA COUNTY`, else `CHAMBERS COUNTY UNINCORP
 * AREAS`, else `PIKE COUNTY EXC CL TROY`. Other rows of it are for some cities or police jurisdictions only.
 */
function countiesOf(rows: readonly Row[]): Entry[] {
  const parts = rows.filter(({ code }) => code.startsWith(COUNTY_CODES))
  return [...Map.groupBy(parts, ({ county_number }) => county_number).values()].flatMap((own): Entry[] => {
    const found = OUTSIDE.map((pattern) => own.filter(({ name }) => pattern.test(name))).find(
      (some) => some.length > 0,
    )
    const [first] = found ?? []
    const [, name] = /^(.+?) CO(?:UNTY)?\b/.exec(first?.name ?? '') ?? []
    if (found === undefined || first === undefined || name === undefined) return []
    const rates = periodsOf(found.filter(({ code }) => code === first.code).map(({ rate }) => rate))
    return [{ type: 'county', name: `${name} COUNTY`, county: null, code: first.code, rates }]
  })
}

const OUTSIDE = [/ COUNTY$/, /\bUNINC/, /\bEXC\b/] as const
