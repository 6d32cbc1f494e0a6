import Papa from 'papaparse'
import type { LocalRate } from '../../../src/engine/regimes/us-local/local-book.ts'
import { ParseError } from '../../collector.ts'
import type { Entry } from '../entries.ts'
import { understood } from '../odd-records.ts'
import { periodsOf } from '../rate-file.ts'
import { dayOfText, percentInMillionths } from './figures.ts'
import type { ListDocument, ListEntries, ListReading, StateList } from './list.ts'

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

function readArizona({ url, text }: ListDocument, { state_rate }: ListReading): ListEntries {
  const [head = [], ...rows] = Papa.parse<string[]>(text.replace(/^\uFEFF/, '').trim()).data
  if (HEAD.some((name, index) => head[index]?.trim() !== name))
    throw new ParseError(url, `looked for the columns ${HEAD.join(', ')}`)
  const retail = rows.filter((row) => row[2]?.trim() === RETAIL && row[5]?.trim() === 'Percent')
  const read = (row: readonly string[]) => readRow(row, state_rate)
  const { made, odd } = understood(retail, url, read, (row) => row.join(','))
  const entries = [...Map.groupBy(made, ({ code }) => code).values()].flatMap(
    ([first, ...others]): Entry[] => {
      if (first === undefined) return []
      const { type, name, code } = first
      return [
        { type, name, county: null, code, rates: periodsOf([first, ...others].map(({ rate }) => rate)) },
      ]
    },
  )
  return { entries, odd, records: retail.length }
}

type Region = { type: 'county' | 'city'; code: string; name: string; rate: LocalRate }

/**
 * Two letters are a city, also one with the name of a county (`MP`, Maricopa). Three letters are a county;
 * or a tribal or stadium region with the whole rate of its county, which is no tax of its own.
 */
function readRow(row: readonly string[], state_rate: number): Region[] | null {
  const [code = '', name = ''] = row.map((cell) => cell.trim())
  const [rate, from, to] = [
    percentInMillionths(row[4] ?? ''),
    dayOfText(row[6] ?? ''),
    dayOfText(row[7] ?? ''),
  ]
  if (!/^[A-Z]{2,3}$/.test(code) || rate === null || from === null || to === null) return null
  const whole = code.length === 3
  if (whole && !COUNTIES.has(name)) return []
  if (whole && rate < state_rate) return null
  return [
    {
      type: whole ? 'county' : 'city',
      code,
      name,
      rate: {
        rate_millionths: whole ? rate - state_rate : rate,
        from,
        to: to >= '2078-01-01' ? null : to,
      },
    },
  ]
}

const COUNTIES: ReadonlySet<string> = new Set(
  (
    'APACHE,COCHISE,COCONINO,GILA,GRAHAM,GREENLEE,LA PAZ,MARICOPA,MOHAVE,NAVAJO,PIMA,PINAL,SANTA CRUZ,' +
    'YAVAPAI,YUMA'
  ).split(','),
)
