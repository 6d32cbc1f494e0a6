import { type Collector, ParseError, type Publication, type RateFinding, type SourceDocument } from './collector.ts'
import { asOf, daysBetween } from './dates.ts'
import { fta } from './fta.ts'
import { percentage } from './figures.ts'
import { columnNamed, tablesOf, textLines, withoutFootnotes } from './html.ts'
import { memberRates } from './member-rates.ts'
import { STATE_IDS, stateNamed, UNTAXED } from './states.ts'

/** The table of July is followed by that of January; a page that was left behind says nothing of today. */
const DAYS_OLD_MAX = 425

/** In Alaska only municipalities levy the tax. */
const WITHOUT_RATE: ReadonlySet<string> = new Set([...UNTAXED, 'US-AK'])

/** The commonwealth is no state, and stands in neither table. */
const IN_TABLES = STATE_IDS.filter((id) => id !== 'US-PR')

/** Rates with three digits behind the point, which the table prints with two: 6.88 for 6.875. */
const FINER = new Map([
  ['US-MN', 68_750],
  ['US-MO', 42_250],
  ['US-NJ', 66_250],
  ['US-NM', 48_750],
])

const foundation: Publication = {
  source: 'Tax Foundation, State and Local Sales Tax Rates',
  source_url: 'https://taxfoundation.org/data/all/state/',
  url: 'https://taxfoundation.org/data/all/state/{edition}/',
  variable: 'SOURCE_US_TAX_RATES',
  request: (url, day) => ({ url: url.replace('{edition}', editionOf(day)), accept: 'text/html' }),
  read: readFoundation,
}

const administrators: Publication = { ...fta, read: (documents, day) => ratesOf(documents[0], day, 'Tax Rate', bareRate) }

/**
 * General sales tax rates of the states, with the parts that are the same in all of a state (California, Utah, Virginia), as the tables have them.
 * The files of the states of the Streamlined Sales Tax Agreement stand beside: they are official, a quarter old at most, and name days.
 */
export const usTax: Collector = {
  region: 'US-TAX',
  facts_region: 'US',
  parts: [
    {
      name: 'State sales tax rates',
      alternatives: [foundation, administrators],
      beside: memberRates,
      expected: IN_TABLES.map((id) => `${id} SALES_TAX standard`),
      bounds: { rate: [0, 100_000], move: 15_000 },
    },
  ],
}

/** The table of January stands from February on, that of July from August: in between the pages are made. */
function editionOf(day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  if (month === 1) return `${year - 1}-sales-tax-rates-midyear`
  return month < 8 ? `${year}-sales-tax-rates` : `${year}-sales-tax-rates-midyear`
}

function readFoundation([document]: readonly SourceDocument[], day: string): RateFinding[] {
  return ratesOf(document, day, 'State Tax Rate', (text, id) => (text === 'none' ? 0 : unrounded(text, id)))
}

/** A rate with two digits that is no multiple of 0.05 was rounded: it is believed only where the rate behind it is known. */
function unrounded(text: string, id: string): number | null {
  const rate = percentage(text)
  if (rate === null || /\.\d{3,}/.test(text) || rate % 500 === 0) return rate
  const finer = FINER.get(id)
  return finer !== undefined && Math.abs(finer - rate) <= 50 ? finer : null
}

/** `6.875`, `none`: the administrators' table has no signs behind its figures. */
function bareRate(text: string): number | null {
  return text === 'none' ? 0 : percentage(`${text}%`)
}

type RateReader = (text: string, id: string) => number | null

function ratesOf(document: SourceDocument | undefined, day: string, heading: string, rateOf: RateReader): RateFinding[] {
  const url = document?.url ?? ''
  const page = document?.text ?? ''
  const tables = tablesOf(page).filter((each) => columnNamed(each, 'State') >= 0 && rateColumn(each, heading) >= 0)
  const [table, another] = tables
  if (table === undefined || another !== undefined)
    throw new ParseError(url, `looked for the one table with the columns State and ${heading}`)
  const as_of = asOf([table.heading, ...textLines(page)])
  if (as_of === null || as_of > day || daysBetween(as_of, day) > DAYS_OLD_MAX)
    throw new ParseError(url, `looked for "as of" and a day of the last 14 months and found ${as_of ?? 'none'}`)
  const [state, rate] = [columnNamed(table, 'State'), rateColumn(table, heading)]
  const seen = new Set<string>()
  return table.rows.map((row) => {
    const evidence = row.join(' | ').slice(0, 1_000)
    const id = stateNamed(withoutFootnotes(row[state] ?? ''))
    if (id === null || seen.has(id) || row.length !== table.headers.length)
      throw new ParseError(url, `does not expect the row ${JSON.stringify(evidence.slice(0, 120))}`)
    seen.add(id)
    const rate_millionths = rateOf(withoutFootnotes(row[rate] ?? ''), id)
    // That a state gives its sales tax up, or begins one, has not happened since 1969: it is for a person.
    if (rate_millionths === null || (rate_millionths === 0) !== WITHOUT_RATE.has(id))
      throw new ParseError(url, `looked for the rate of ${id} and found ${JSON.stringify(row[rate] ?? '')}`)
    return {
      kind: 'rates',
      jurisdiction_id: id,
      tax_type: 'SALES_TAX',
      category: 'standard',
      rate_millionths,
      effective_from: null,
      as_of,
      evidence,
    }
  })
}

/** `State Tax Rate (a)`, `Tax Rate (percentage)`. */
function rateColumn({ headers }: { headers: readonly string[] }, heading: string): number {
  const found = headers.flatMap((header, index) =>
    withoutFootnotes(header.replace(/\(percentage\)/i, '')).toLowerCase() === heading.toLowerCase() ? [index] : [],
  )
  return found.length === 1 ? (found[0] ?? -1) : -1
}
