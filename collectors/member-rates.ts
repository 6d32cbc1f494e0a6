import Papa from 'papaparse'
import {
  ParseError,
  type Publication,
  type RateFinding,
  type SourceDocument,
  type SourceRequest,
} from './collector.ts'
import { linksOf } from './html.ts'

/**
 * Member states of the Streamlined Sales Tax Agreement, by their FIPS codes, without Utah and Nevada. Their
 * files have only the state's part, but our rate includes the local part that is the same everywhere.
 */
const MEMBERS = new Map([
  ['05', 'AR'],
  ['13', 'GA'],
  ['18', 'IN'],
  ['19', 'IA'],
  ['20', 'KS'],
  ['21', 'KY'],
  ['26', 'MI'],
  ['27', 'MN'],
  ['31', 'NE'],
  ['34', 'NJ'],
  ['37', 'NC'],
  ['38', 'ND'],
  ['39', 'OH'],
  ['40', 'OK'],
  ['44', 'RI'],
  ['46', 'SD'],
  ['47', 'TN'],
  ['50', 'VT'],
  ['53', 'WA'],
  ['54', 'WV'],
  ['55', 'WI'],
  ['56', 'WY'],
])
const STATES = new Set(MEMBERS.values())

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const STATE_LEVEL = '45'
const CSV_TYPES = 'text/csv, text/plain, application/octet-stream, application/vnd.ms-excel'

/**
 * The rate files of the member states: a directory, and the newest file of each state, if it is not a zip.
 */
export const memberRates: Publication = {
  source: 'Streamlined Sales Tax Governing Board, rate files of the member states',
  source_url: 'https://www.streamlinedsalestax.org/ratesandboundry/Rates/',
  url: 'https://www.streamlinedsalestax.org/ratesandboundry/Rates/',
  variable: 'SOURCE_US_TAX_FILES',
  request: (url) => ({ url, accept: 'text/html' }),
  // The file of a state without local rates has one line.
  follow: (directory, url, day) =>
    newestFiles(directory, day).map((name): SourceRequest => ({
      url: new URL(name, url).href,
      accept: CSV_TYPES,
      bytes_min: 30,
    })),
  separate: true,
  read: ([, ...files], day) => files.flatMap((file) => readFile(file, day)),
}

/** A file may announce a rate for the next two years. A later day is probably mistyped. */
const YEARS_AHEAD_MAX = 2

/** The names of the newest files. `MNR2026Q2FEB18.csv`: state, `R` for rates, quarter, day of its making. */
function newestFiles(directory: SourceDocument, day: string): string[] {
  const quarter = `${day.slice(0, 4)}Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
  const newest = new Map<string, { name: string; order: string }>()
  for (const link of linksOf(directory.text)) {
    const name = link.split('/').at(-1) ?? ''
    const match = /^([A-Z]{2})R(\d{4})Q([1-4])([A-Z]{3})(\d{1,2})\.(csv|zip)$/i.exec(name)
    const [state, year, number] = [match?.[1]?.toUpperCase() ?? '', match?.[2] ?? '', match?.[3] ?? '']
    const month = MONTHS.indexOf(match?.[4]?.toUpperCase() ?? '') + 1
    if (!STATES.has(state) || month === 0 || `${year}Q${number}` > quarter) continue
    // A file made in November for the first quarter is older than one made in January.
    const made = month > Number(number) * 3 ? month : month + 12
    const order = `${year}Q${number} ${String(made).padStart(2, '0')} ${(match?.[5] ?? '').padStart(2, '0')}`
    if (order > (newest.get(state)?.order ?? '')) newest.set(state, { name, order })
  }
  if (newest.size === 0)
    throw new ParseError(directory.url, 'looked for links to rate files such as MNR2026Q2FEB18.csv')
  return [...newest.values()].flatMap(({ name }) => (/\.csv$/i.test(name) ? [name] : []))
}

/** The rates of the state itself, today's and announced ones. Rows of counties and cities are ignored. */
function readFile({ url, text }: SourceDocument, day: string): RateFinding[] {
  const rows = Papa.parse<string[]>(text.replace(/^\uFEFF/, '').trim(), {
    header: false,
    skipEmptyLines: 'greedy',
  }).data
  const own = rows.filter((row) => row[1]?.trim() === STATE_LEVEL && (compact(row[8]) ?? '') >= day)
  const findings = own.map((row) => readRow(url, row))
  const named = `US-${/([A-Z]{2})R\d{4}Q[1-4][^/]*$/i.exec(url)?.[1]?.toUpperCase() ?? ''}`
  const other = findings.find(({ jurisdiction_id }) => jurisdiction_id !== named)
  if (other !== undefined) throw new ParseError(url, `contains the row of ${other.jurisdiction_id}`)
  const latest = `${Number(day.slice(0, 4)) + YEARS_AHEAD_MAX}${day.slice(4)}`
  const mistyped = findings.find(({ effective_from }) => (effective_from ?? '') > latest)
  if (mistyped !== undefined)
    throw new ParseError(url, `announces a rate for ${mistyped.effective_from}, more than two years ahead`)
  const today = findings.filter(({ effective_from }) => (effective_from ?? '') <= day)
  if (today.length !== 1 || new Set(findings.map(({ jurisdiction_id }) => jurisdiction_id)).size !== 1)
    throw new ParseError(url, `looked for one row of the state that is in force and found ${today.length}`)
  return findings
}

function readRow(url: string, row: readonly string[]): RateFinding {
  const state = MEMBERS.get(row[0]?.trim() ?? '')
  const rate = /^0?\.\d{1,6}$/.test(row[3]?.trim() ?? '') ? Math.round(Number(row[3]) * 1_000_000) : null
  const effective_from = compact(row[7])
  if (row.length !== 9 || state === undefined || rate === null || effective_from === null)
    throw new ParseError(url, `does not understand the row ${JSON.stringify(row.join(','))}`)
  return {
    kind: 'rates',
    jurisdiction_id: `US-${state}`,
    tax_type: 'SALES_TAX',
    category: 'standard',
    rate_millionths: rate,
    effective_from,
    evidence: row.join(','),
  }
}

/** `2011-01-01` for `20110101`; null if the text is not a day. */
function compact(text: string | undefined): string | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text?.trim() ?? '')
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}`
}
