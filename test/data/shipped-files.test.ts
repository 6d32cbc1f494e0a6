import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { REVIEWED_ON } from '../../src/tax-data/records/review-day.ts'
import { readRecords } from '../../scripts/country-files.ts'
import { readFacts, readShippedFiles } from '../../scripts/read-facts.ts'

/** What every sourced record of data/ has, and the fields that only some kinds have. */
type FileRecord = {
  source: string
  source_url: string
  evidence: string
  verified_at: string | null
  confidence: string
  notes: string | null
  effective_from?: string | null
  effective_to?: string | null
}
type RateRecord = FileRecord & {
  jurisdiction_id: string
  tax_type: string
  rate_category: string
  rate: number
  compound: boolean
  includes_mandatory_local: boolean
  state_component: number | null
  mandatory_local_component: number | null
}
type FormatRecord = FileRecord & { country: string; regex: string; example: string }

/** No page was seen after the review. */
const DAY = REVIEWED_ON
const CATEGORIES = ['standard', 'reduced', 'reduced_2', 'super_reduced', 'parking', 'zero']
const TAX_TYPES = ['VAT', 'GST', 'HST', 'PST', 'QST', 'RST', 'SALES_TAX', 'RECARGO_DE_EQUIVALENCIA']
const THRESHOLD_TYPES = [
  'REMOTE_SELLER_NEXUS',
  'DISTANCE_SALES',
  'VAT_REGISTRATION',
  'GST_REGISTRATION',
  'QST',
  'PST',
  'RETAIL_DELIVERY_FEE',
]
const TREATMENTS = ['taxable', 'exempt', 'reduced', 'zero_rated', 'partially_taxable']
const PRODUCTS = [
  'saas',
  'digital_goods',
  'ebooks',
  'clothing',
  'groceries',
  'prescription_drugs',
  'books',
  'shipping',
]
const TAXING_PROVINCES = ['CA-BC', 'CA-SK', 'CA-MB', 'CA-QC', 'CA-ON', 'CA-NB', 'CA-NL', 'CA-NS', 'CA-PE']

const facts = readFacts()
const rates: RateRecord[] = read('rates')
const formats: FormatRecord[] = read('vat-formats')
const SOURCED = [
  'jurisdictions',
  'rates',
  'product-rules',
  'thresholds',
  'vat-formats',
  'consignment-limits',
  'delivery-fees',
]

const idsOf = (parent: string) =>
  facts.jurisdictions.filter((each) => each.parent_id === parent).map((each) => each.id)
const memberStates = facts.jurisdictions
  .filter((each) => each.region === 'EU' && each.type === 'country')
  .map((each) => each.id)

describe('the files of data/', () => {
  it.each(SOURCED)('say of each record in %s where it comes from, and when that was seen', (name) => {
    const records: FileRecord[] = read(name)
    const wrong = records.filter(
      (each) =>
        each.source === '' ||
        !each.source_url.startsWith('https://') ||
        !['page', 'dataset', 'background'].includes(each.evidence) ||
        !['high', 'medium', 'low'].includes(each.confidence) ||
        (each.verified_at === null) !== (each.evidence === 'background') ||
        (each.verified_at ?? '') > DAY,
    )
    expect(wrong).toEqual([])
  })

  it.each(SOURCED)('give real dates in %s, and no period that ends before it begins', (name) => {
    const records: FileRecord[] = read(name)
    const dates = records.flatMap((each) => [each.verified_at, each.effective_from, each.effective_to])
    expect(dates.filter((date) => typeof date === 'string' && !isDate(date))).toEqual([])
    expect(records.filter((each) => (each.effective_from ?? '') > (each.effective_to ?? '9999'))).toEqual([])
  })

  it.each([...SOURCED, 'postal-rules', 'exchange-rates'])('keep one record a line in %s', (name) => {
    const records: { rules?: object[] }[] = JSON.parse(text(name))
    // A tax of product rules begins with its default, then has a rule a line, and a closing line.
    const lines = records.map(({ rules }) => (rules === undefined ? 1 : rules.length + 2))
    expect(text(name).trimEnd().split('\n')).toHaveLength(lines.reduce((sum, each) => sum + each, 2))
  })

  it('write each tax of product rules once, and name a source only with its address', () => {
    const taxes: { jurisdiction_id: string; tax_type: string; rules: Partial<FileRecord>[] }[] = JSON.parse(
      text('product-rules'),
    )
    const names = taxes.map(({ jurisdiction_id, tax_type }) => `${jurisdiction_id} ${tax_type}`)
    expect(new Set(names).size).toBe(names.length)
    const halved = taxes.flatMap(({ rules }) =>
      rules.filter(({ source, source_url }) => (source === undefined) !== (source_url === undefined)),
    )
    expect(halved).toEqual([])
  })

  it('classify rates by known words, and rate at zero only what is called zero', () => {
    const wrong = rates.filter(
      (each) =>
        !CATEGORIES.includes(each.rate_category) || !TAX_TYPES.includes(each.tax_type) || each.compound,
    )
    expect(wrong).toEqual([])
    expect(rates.filter((each) => each.rate_category === 'zero' && each.rate !== 0)).toEqual([])
  })

  it('keep the standard rates of member states between 15 % and 27 %', () => {
    const standard = rates.filter(
      ({ jurisdiction_id, tax_type, rate_category }) =>
        memberStates.includes(jurisdiction_id) && tax_type === 'VAT' && rate_category === 'standard',
    )
    expect(standard.filter((each) => each.rate < 0.15 || each.rate > 0.27)).toEqual([])
  })

  it('add the mandatory local part to that of the state exactly', () => {
    const wrong = rates.filter(
      (each) =>
        each.includes_mandatory_local &&
        millionths(each.state_component ?? 0) + millionths(each.mandatory_local_component ?? 0) !==
          millionths(each.rate),
    )
    expect(wrong).toEqual([])
  })

  it('state rates of six digits at most, which become millionths without loss', () => {
    for (const { rate } of rates) expect(millionths(rate) / 1e6).toBe(rate)
  })

  it('know the rate of each currency of a place or a limit, and its minor unit', () => {
    const known = new Set(facts.exchange_rates.map(({ currency }) => currency))
    const limits = [...facts.thresholds, ...facts.consignment_limits]
    const amounts = [...facts.jurisdictions, ...limits.filter(({ effective_to }) => effective_to === null)]
    expect(amounts.filter(({ currency }) => !known.has(currency))).toEqual([])
    const digits = new Map(facts.exchange_rates.map(({ currency, exponent }) => [currency, exponent]))
    expect(
      Object.fromEntries(['BHD', 'OMR', 'CLP', 'KRW', 'TWD'].map((each) => [each, digits.get(each)])),
    ).toEqual({ BHD: 3, OMR: 3, CLP: 0, KRW: 0, TWD: 2 })
  })

  it('hold a VAT number format for each country, with an example that matches it', () => {
    expect(formats.filter((each) => !new RegExp(each.regex).test(each.example))).toEqual([])
    const others = 'XI GB CH LI NO AU NZ CA SG JP KR IN AE SA'.split(' ')
    const own: FormatRecord[] = JSON.parse(text('vat-formats'))
    expect(new Set(own.map((each) => each.country))).toEqual(new Set([...memberStates, ...others]))
  })
})

describe('the shipped facts', () => {
  it.each([...memberStates, ...idsOf('US'), 'GB', 'XI', 'AU', 'CA', ...TAXING_PROVINCES])(
    'have one standard rate in force in %s',
    (id) => {
      const standard = facts.rates.filter(
        (each) =>
          each.jurisdiction_id === id &&
          each.category === 'standard' &&
          each.tax_type !== 'RECARGO_DE_EQUIVALENCIA' &&
          isInForce(each),
      )
      expect(standard).toHaveLength(1)
    },
  )

  it('have a rule for the main kinds of product everywhere', () => {
    const ruled = new Set(
      facts.product_rules
        .filter((each) => isInForce(each))
        .map((each) => `${each.jurisdiction_id} ${each.product_type}`),
    )
    const wanted = [...memberStates, ...idsOf('US'), ...idsOf('CA'), 'GB', 'XI', 'AU'].flatMap((id) =>
      PRODUCTS.map((product) => `${id} ${product}`),
    )
    expect(wanted.filter((each) => !ruled.has(each))).toEqual([])
  })

  it('treat products by known words, and give no rate to what is exempt', () => {
    const wrong = facts.product_rules.filter(
      (each) =>
        !TREATMENTS.includes(each.treatment) ||
        (each.category !== null && !CATEGORIES.includes(each.category)) ||
        (each.treatment === 'exempt' && each.rate_millionths !== null),
    )
    expect(wrong).toEqual([])
  })

  it('give in a product rule the rate that is on record for its category', () => {
    const wrong = facts.product_rules.filter((rule) => {
      if (rule.category === null || rule.rate_millionths === null) return false
      if (rule.tax_type === 'HST' && rule.category === 'zero') return false
      // The GST of Canada is kept once, on the country; provinces only say what it applies to.
      const federal = rule.tax_type === 'GST' && rule.jurisdiction_id.startsWith('CA')
      const day = dayWithin(rule)
      return !facts.rates.some(
        (rate) =>
          rate.jurisdiction_id === (federal ? 'CA' : rule.jurisdiction_id) &&
          rate.tax_type === rule.tax_type &&
          rate.category === rule.category &&
          rate.rate_millionths === rule.rate_millionths &&
          isInForce(rate, day),
      )
    })
    expect(wrong).toEqual([])
  })

  it('test thresholds by whole amounts, by counts only where a combinator joins them, and explain what has no amount', () => {
    const wrong = facts.thresholds.filter(
      (each) =>
        !THRESHOLD_TYPES.includes(each.threshold_type) ||
        (each.amount !== null && (!Number.isInteger(each.amount) || each.amount < 0)) ||
        (each.amount === null && each.notes === null) ||
        (each.transaction_count !== null) !== (each.combinator !== null) ||
        ![null, 'or', 'and'].includes(each.combinator) ||
        ![each.amount_test, each.count_test].every((test) => ['exceeds', 'reaches'].includes(test)),
    )
    expect(wrong).toEqual([])
  })

  it('have a registration threshold in force in every member state and in the UK', () => {
    const registration = facts.thresholds.filter(
      (each) => each.threshold_type === 'VAT_REGISTRATION' && isInForce(each),
    )
    const known = new Set(registration.map((each) => each.jurisdiction_id))
    expect([...memberStates, 'GB'].filter((id) => !known.has(id))).toEqual([])
  })
})

describe('the ZIP codes of the US', () => {
  const rules = facts.postal_rules.filter((each) => each.country === 'US')
  const rulesOf = (prefix: string) =>
    rules.filter(
      (each) =>
        each.prefix.length === prefix.length &&
        each.prefix <= prefix &&
        prefix <= (each.prefix_to ?? each.prefix),
    )
  const prefixes = Array.from({ length: 999 }, (_, index) => String(index + 1).padStart(3, '0'))

  it('begin with three digits that lie in one place at most', () => {
    expect(prefixes.filter((prefix) => rulesOf(prefix).length > 1)).toEqual([])
  })

  it('reach every state, the District of Columbia and Puerto Rico', () => {
    const reached = new Set(prefixes.flatMap(rulesOf).map((each) => each.jurisdiction_id))
    expect(idsOf('US').filter((id) => !reached.has(id))).toEqual([])
  })

  it.each([
    ['10001', 'US-NY'],
    ['90210', 'US-CA'],
    ['06390', 'US-NY'],
    ['20001', 'US-DC'],
    ['20101', 'US-VA'],
    ['00901', 'US-PR'],
    ['96813', 'US-HI'],
    ['99501', 'US-AK'],
    ['88510', 'US-TX'],
  ])('put %s in %s', (zip, id) => {
    const longest = [5, 4, 3].flatMap((length) => rulesOf(zip.slice(0, length)))[0]
    expect(longest?.jurisdiction_id).toBe(id)
  })
})

function text(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../data', `${name}.json`), 'utf8')
}

/** The records of a file, with those of the countries. Those of product rules have one product type each. */
function read(name: string): never[] {
  return (name === 'product-rules' ? readShippedFiles().product_rules : readRecords(name)) as never[]
}

function isDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00.000Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

function isInForce(
  record: { effective_from: string | null; effective_to: string | null },
  day: string = DAY,
): boolean {
  return (record.effective_from ?? '') <= day && day <= (record.effective_to ?? '9999')
}

/**
 * The day on which a rule is compared with the rates: today, or the nearest day on which the rule applies.
 */
function dayWithin(rule: { effective_from: string | null; effective_to: string | null }): string {
  if ((rule.effective_from ?? '') > DAY) return rule.effective_from ?? DAY
  return rule.effective_to !== null && rule.effective_to < DAY ? rule.effective_to : DAY
}

function millionths(fraction: number): number {
  return Math.round(fraction * 1e6)
}
