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

/** Neither table has Puerto Rico, because it is not a state. */
const IN_TABLES = STATE_IDS.filter((id) => id !== 'US-PR')

/** Rates with three decimals, which the table rounds to two: 6.88 for 6.875. */
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
 * General sales tax rates of the states, with the local part that is the same in the whole state (California,
 * Utah, Virginia), as the tables have them. Official files are read beside them: those of the Streamlined
 * Sales Tax Agreement, which name days and are at most a quarter old, and that of Texas.
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

/** The edition of a day: the table of January is used from February on, and that of July from August on. */
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
 * The exact rate. A rate with two decimals that is not a multiple of 0.05 was rounded. Null if its exact rate
 * is unknown.
 */
function unrounded(text: string, id: string): number | null {
  const rate = percentage(text)
  if (rate === null || /\.\d{3,}/.test(text) || rate % 500 === 0) return rate
  const finer = FINER.get(id)
  return finer !== undefined && Math.abs(finer - rate) <= 50 ? finer : null
}

/** Reads `6.875` or `none`: the administrators' table has no percent signs. */
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
    // No state has begun or ended its sales tax since 1969, so a person decides.
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
