import type { RateCategory } from '../src/engine/book/facts.ts'
import { findRate, inForce, productRules, type RateBook } from '../src/engine/book/rate-book.ts'
import type { ProductRule } from '../src/engine/book/facts.ts'
import {
  type Collector,
  ParseError,
  type Partly,
  type Publication,
  type RuleFinding,
  type SourceDocument,
} from './collector.ts'
import { isOfTerritory, isQualified, tedb, type TedbRow, tedbRows } from './eu.ts'
import { fta } from './fta.ts'
import { percentage } from './figures.ts'
import { tablesOf } from './html.ts'
import { readStateTable } from './state-table.ts'
import { STATE_IDS, UNTAXED } from './states.ts'
import { contentItem } from './uk.ts'

/** The headings of the database of rates, with the product type of ours that each is about. */
const HEADINGS = new Map([
  ['FOODSTUFFS', 'groceries'],
  ['LOAN_LIBRARIES', 'books'],
  ['BOOKS', 'books'],
  ['NEWSPAPERS', 'newspapers'],
  ['ACCOMMODATION', 'accommodation'],
  ['HOLIDAY_ACCOMMODATION', 'accommodation'],
  ['RESTAURANT', 'prepared_food'],
  ['FOOD_SERVICE', 'prepared_food'],
  ['TRANSPORT_PASSENGERS', 'passenger_transport'],
  ['CULTURAL_EVENTS', 'event_admission'],
  ['PHARMACEUTICAL_PRODUCTS', 'prescription_drugs'],
])

const LOWER: readonly RateCategory[] = ['reduced', 'reduced_2', 'super_reduced']

/**
 * The names of our product types in the list of goods and services. Its other rows are about a part of a
 * type, or about something else.
 */
const GOODS: readonly (readonly [RegExp, string])[] = [
  [/^books$/i, 'books'],
  [/^newspapers$/i, 'newspapers'],
  [/^(e-books|electronic books)$/i, 'ebooks'],
  [/^dispensing of prescriptions\b/i, 'prescription_drugs'],
  [
    /^passenger transport in a vehicle, boat or aircraft that carries (10 or more|not less than 10) passengers$/i,
    'passenger_transport',
  ],
]

const headings: Publication = { ...tedb, read: readHeadings }

const goods: Publication = {
  source: 'GOV.UK, VAT rates on different goods and services',
  source_url: 'https://www.gov.uk/guidance/rates-of-vat-on-different-goods-and-services',
  url: 'https://www.gov.uk/api/content/guidance/rates-of-vat-on-different-goods-and-services',
  variable: 'SOURCE_UK_GOODS',
  request: (url) => ({ url, accept: 'application/json' }),
  read: readGoods,
}

const foodAndDrugs: Publication = { ...fta, read: readFoodAndDrugs }

/**
 * How product types are taxed. The law has thousands of products, we have some forty types, and no source
 * has ours. So the rules are kept by hand, and a source confirms those that it names plainly. Rules with a
 * price and rules of provinces are never read.
 */
export const taxability: Collector = {
  region: 'TAXABILITY',
  parts: [
    {
      name: 'Reduced rates in the European Union',
      alternatives: [headings],
      expected: ['DE VAT books', 'DE VAT newspapers', 'DE VAT groceries'],
      bounds: {},
    },
    {
      name: 'Goods and services in the United Kingdom',
      alternatives: [goods],
      expected: ['GB VAT books', 'GB VAT newspapers'],
      bounds: {},
    },
    {
      name: 'Food and drugs in the United States',
      alternatives: [foodAndDrugs],
      expected: [],
      bounds: {},
      confirms_only: true,
    },
  ],
}

/**
 * Confirms or changes rules with a reduced rate. If the heading of a product has one rate in a state, that is
 * its rate. Other rules are left alone, and get stale: several rates are ambiguous, missing rows may never
 * have been filed, and a heading says nothing about a product of it that is taxed in full.
 */
function readHeadings([document]: readonly SourceDocument[], day: string, book: RateBook): Partly {
  const { states, left_out } = tedbRows(document, day)
  const seen = new Set([...states.values()].flat().map((row) => row.category?.identifier))
  for (const product of new Set(HEADINGS.values()))
    if (![...HEADINGS].some(([heading, about]) => about === product && seen.has(heading)))
      throw new ParseError(document?.url ?? '', `looked for a heading about ${product}`)
  const findings = [...states].flatMap(([state, rows]) =>
    [...new Set(HEADINGS.values())].flatMap((product) =>
      readHeading(state === 'EL' ? 'GR' : state, product, rows, day, book),
    ),
  )
  return { findings, left_out }
}

function readHeading(
  id: string,
  product_type: string,
  rows: readonly TedbRow[],
  day: string,
  book: RateBook,
): RuleFinding[] {
  const about = rows.filter(
    (row) =>
      HEADINGS.get(row.category?.identifier ?? '') === product_type &&
      !isQualified(row) &&
      !isOfTerritory(row),
  )
  const said = new Set(
    about.map(({ rate }) =>
      /^((SUPER_)?REDUCED|PARKING)_RATE$/.test(rate.type) ? Number(rate.value) : Number.NaN,
    ),
  )
  const [percent, another] = said
  const rule = ruleInForce(book, id, product_type, day)
  if (
    percent === undefined ||
    Number.isNaN(percent) ||
    another !== undefined ||
    rule?.treatment !== 'reduced'
  )
    return []
  const rate = Math.round(percent * 10_000)
  const bands = rule.category === null ? LOWER : [rule.category, ...LOWER]
  const category = bands.find((band) => findRate(book, id, 'VAT', band, day)?.rate_millionths === rate)
  // An unknown rate: the collector of rates has to find it first.
  if (category === undefined) return []
  // A row for some goods of the heading may confirm a rule, and never changes one.
  if (category !== rule.category && about.some(isNarrowed)) return []
  return [
    finding(
      rule,
      'reduced',
      category,
      `${id} ${[...new Set(about.map((row) => row.category?.identifier))].join(', ')} ${percent}`,
    ),
  ]
}

/** Whether a row is about a part of its heading, by a comment or a code. */
function isNarrowed({ comment = '', cnCodes, cpaCodes }: TedbRow): boolean {
  return comment.replace(/^[\s-]*$/, '') !== '' || cnCodes !== undefined || cpaCodes !== undefined
}

function readGoods([document]: readonly SourceDocument[], day: string, book: RateBook): RuleFinding[] {
  const url = document?.url ?? ''
  const { body, edited } = contentItem(document)
  const tables = tablesOf(body).filter(({ headers }) => headers.some((header) => /^vat rate$/i.test(header)))
  if (tables.length === 0) throw new ParseError(url, 'looked for tables with the column VAT rate')
  return tables.flatMap(({ headers, rows }) => {
    const column = headers.findIndex((header) => /^vat rate$/i.test(header))
    return rows.flatMap((row) => {
      const product = GOODS.find(([pattern]) => pattern.test(row[column === 0 ? 1 : 0] ?? ''))?.[1]
      const rule = product === undefined ? undefined : ruleInForce(book, 'GB', product, day)
      if (rule === undefined) return []
      const [treatment, category] = treatmentOf(row[column] ?? '', day, book) ?? []
      if (treatment === undefined || category === undefined)
        throw new ParseError(
          url,
          `does not understand the row ${JSON.stringify(row.join(' | ').slice(0, 120))}`,
        )
      return [{ ...finding(rule, treatment, category, row.join(' | ')), edited }]
    })
  })
}

type Taxed = readonly [RuleFinding['treatment'], RateCategory | null]

function treatmentOf(text: string, day: string, book: RateBook): Taxed | null {
  if (/^exempt$/i.test(text)) return ['exempt', null]
  const rate = /^zero rate$/i.test(text) ? 0 : percentage(text)
  const bands = { taxable: 'standard', reduced: 'reduced', zero_rated: 'zero' } as const
  for (const treatment of ['taxable', 'reduced', 'zero_rated'] as const)
    if (rate !== null && findRate(book, 'GB', 'VAT', bands[treatment], day)?.rate_millionths === rate)
      return [treatment, bands[treatment]]
  return null
}

/**
 * Confirms rules, and never changes one: the table is second-hand and late, and says "exempt" even if a part
 * of a product is taxed. Rows that differ from a rule are ignored.
 */
function readFoodAndDrugs([document]: readonly SourceDocument[], day: string, book: RateBook): RuleFinding[] {
  const columns = {
    groceries: /\bfood$/i,
    prescription_drugs: /\bprescription drugs$/i,
    otc_drugs: /\bnonprescription drugs$/i,
  }
  const { as_of, rows } = readStateTable(document, day, { state: /^state$/i, ...columns })
  const missing = STATE_IDS.filter((id) => id !== 'US-PR' && !rows.some((row) => row.id === id))
  if (missing.length > 0)
    throw new ParseError(document?.url ?? '', `looked for the rows of ${missing.join(', ')}`)
  return rows.flatMap(({ id, text, evidence }) =>
    (['groceries', 'prescription_drugs', 'otc_drugs'] as const).flatMap((product) => {
      const cell = text(product).replace(/\s*\(\d\)$/, '')
      if (!/^(\*|--|none|\d+(\.\d+)?%)?$/.test(cell))
        throw new ParseError(
          document?.url ?? '',
          `does not understand ${JSON.stringify(cell)} in ${JSON.stringify(evidence)}`,
        )
      const rule = ruleInForce(book, id, product, day)
      if (rule === undefined || !agrees(rule, cell, day, book)) return []
      return [{ ...finding(rule, rule.treatment, rule.category, evidence), as_of }]
    }),
  )
}

function agrees(rule: ProductRule, cell: string, day: string, book: RateBook): boolean {
  const { jurisdiction_id, treatment, category } = rule
  // In Alaska, local taxes fall on what the state does not tax, so its rules are zero-rated.
  const free = treatment === 'exempt' || treatment === 'zero_rated'
  if (cell === '*') return free
  if (cell === '--' || cell === 'none')
    return free && (UNTAXED.has(jurisdiction_id) || jurisdiction_id === 'US-AK')
  if (cell === '') return treatment === 'taxable' && category === 'standard'
  const rate = category === null ? undefined : findRate(book, jurisdiction_id, 'SALES_TAX', category, day)
  return treatment === 'reduced' && rate?.rate_millionths === percentage(cell)
}

/**
 * The rule for all customers, without a price; undefined if there is none. If customers are treated
 * differently, a source does not say which of them it means.
 */
function ruleInForce(
  book: RateBook,
  jurisdiction_id: string,
  product_type: string,
  day: string,
): ProductRule | undefined {
  const [rule, another] = productRules(book, jurisdiction_id, product_type).filter((each) =>
    inForce(each, day),
  )
  const plain =
    rule?.customer_type === 'all' &&
    rule.price_threshold === null &&
    rule.taxable_fraction_millionths === null
  return plain && another === undefined ? rule : undefined
}

function finding(
  rule: ProductRule,
  treatment: RuleFinding['treatment'],
  category: RateCategory | null,
  evidence: string,
): RuleFinding {
  const { jurisdiction_id, tax_type, product_type } = rule
  return {
    kind: 'product_rules',
    jurisdiction_id,
    tax_type,
    product_type,
    treatment,
    category,
    effective_from: null,
    evidence,
  }
}
