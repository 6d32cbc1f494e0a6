import {
  type Collector,
  ParseError,
  type Publication,
  type RateFinding,
  type SourceDocument,
} from './collector.ts'
import { fta } from './fta.ts'
import { percentage } from './figures.ts'
import { withoutFootnotes } from './html.ts'
import { memberRates } from './member-rates.ts'
import { readStateTable } from './state-table.ts'
import { STATE_IDS, UNTAXED } from './states.ts'
import { texasRate } from './texas-rate.ts'

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

/** The same table under an address that does not change with the year. */
const foundationStanding: Publication = {
  ...foundation,
  source: 'Tax Foundation, State and Local Sales Tax Rates (standing page)',
  url: 'https://taxfoundation.org/data/all/state/sales-tax-rates/',
  variable: 'SOURCE_US_TAX_STANDING',
  request: (url) => ({ url, accept: 'text/html' }),
}

const administrators: Publication = {
  ...fta,
  read: (documents, day) => ratesOf(documents[0], day, /^tax rate\b/i, bareRate),
}

/**
 * General sales tax rates of the states, with the parts that are the same in all of a state (California,
 * Utah, Virginia), as the tables have them. Official files are read beside them: those of the states of the
 * Streamlined Sales Tax Agreement, which are a quarter old at most and name days, and that of Texas.
 */
export const usTax: Collector = {
  region: 'US-TAX',
  parts: [
    {
      name: 'State sales tax rates',
      alternatives: [foundation, foundationStanding, administrators],
      beside: [memberRates, texasRate],
      expected: IN_TABLES.map((id) => `${id} SALES_TAX standard`),
      bounds: { rate: { any: [0, 100_000] }, move: 15_000 },
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
  return ratesOf(document, day, /^state tax rate$/i, (text, id) =>
    text === 'none' ? 0 : unrounded(text, id),
  )
}

/**
 * A rate with two digits that is no multiple of 0.05 was rounded: it is believed only where the rate behind
 * it is known.
 */
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

function ratesOf(
  document: SourceDocument | undefined,
  day: string,
  rate: RegExp,
  rateOf: RateReader,
): RateFinding[] {
  const { as_of, rows } = readStateTable(document, day, { state: /^state$/i, rate })
  return rows.map(({ id, text, evidence }) => {
    const rate_millionths = rateOf(withoutFootnotes(text('rate')), id)
    // That a state gives its sales tax up, or begins one, has not happened since 1969: it is for a person.
    if (rate_millionths === null || (rate_millionths === 0) !== WITHOUT_RATE.has(id))
      throw new ParseError(
        document?.url ?? '',
        `looked for the rate of ${id} and found ${JSON.stringify(text('rate'))}`,
      )
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
