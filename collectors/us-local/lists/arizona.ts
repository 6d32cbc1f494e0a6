import Papa from 'papaparse'
import { ParseError } from '../../collector.ts'
import type { Entry } from '../entries.ts'
import { periodsOf } from '../rate-file.ts'
import { dayOfText, percentInMillionths } from './figures.ts'
import type { ListDocument, ListReading, StateList } from './list.ts'

/** Retail sales; other trades have rates of their own. */
const RETAIL = '017'

/** The transaction privilege tax by region and trade. Rows of counties contain the part of the state. */
export const arizona: StateList = {
  state: 'AZ',
  source: 'Arizona Department of Revenue, TPT rate table',
  source_url: 'https://azdor.gov/business/transaction-privilege-tax/tax-rate-table',
  variable: 'SOURCE_US_LOCAL_AZ',
  request: (day) => ({ url: tableOf(day), accept: 'text/csv, text/plain, application/octet-stream' }),
  format: 'text',
  read: readArizona,
  rows_min: 80,
}

/** The table of a month is made on its first day: `TPT_RATETABLE_ALL_10012026.csv`. */
function tableOf(day: string): string {
  const [year = '', month = ''] = day.split('-')
  return `https://azdor.gov/sites/default/files/document/TPT_RATETABLE_ALL_${month}01${year}.csv`
}

const HEAD = ['RegionCode', 'RegionName', 'BusinessCode', 'BusinessCodesName', 'TaxRate', 'TaxRateType']

function readArizona({ url, text }: ListDocument, { state_rate }: ListReading): Entry[] {
  const [head = [], ...rows] = Papa.parse<string[]>(text.replace(/^\uFEFF/, '').trim()).data
  if (HEAD.some((name, index) => head[index]?.trim() !== name))
    throw new ParseError(url, `looked for the columns ${HEAD.join(', ')}`)
  const retail = rows.filter((row) => row[2]?.trim() === RETAIL && row[5]?.trim() === 'Percent')
  const grouped = Map.groupBy(retail, ([code = '', name = '']) => `${code.trim()}\n${name.trim()}`)
  return [...grouped].flatMap(([key, own]): Entry[] => {
    const [code = '', name = ''] = key.split('\n')
    const county = COUNTIES.has(name)
    const rates = own.map((row) => {
      const [rate, from, to] = [
        percentInMillionths(row[4] ?? ''),
        dayOfText(row[6] ?? ''),
        dayOfText(row[7] ?? ''),
      ]
      if (rate === null || from === null || to === null || (county && rate < state_rate))
        throw new ParseError(url, `does not understand the row ${JSON.stringify(row.join(','))}`)
      return {
        rate_millionths: county ? rate - state_rate : rate,
        from,
        to: to >= '2078-01-01' ? null : to,
      }
    })
    return [{ type: county ? 'county' : 'city', name, county: null, code, rates: periodsOf(rates) }]
  })
}

const COUNTIES: ReadonlySet<string> = new Set(
  (
    'APACHE,COCHISE,COCONINO,GILA,GRAHAM,GREENLEE,LA PAZ,MARICOPA,MOHAVE,NAVAJO,PIMA,PINAL,SANTA CRUZ,' +
    'YAVAPAI,YUMA'
  ).split(','),
)
