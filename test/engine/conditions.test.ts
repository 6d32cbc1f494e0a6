import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { ProductRule, RuleCondition } from '../../src/engine/book/facts.ts'
import { PRODUCT_TYPE_IDS } from '../../src/engine/book/product-types.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import type { AssessedLine } from '../../src/engine/found/assessment.ts'
import type { Address, Customer } from '../../src/engine/sale/sale.ts'
import { kindsWithin } from '../../src/engine/terms/conditions.ts'
import { isUncertain } from '../../src/engine/terms/rule-status.ts'
import { saleOf } from './sale.ts'
import { dayOf, soldAt } from './sold-at.ts'

const facts = readFacts()
const book = openRateBook(facts)
const DAY = '2026-11-20'

/** Places and products with a rule of their own for businesses, or for others. */
const BY_BUYER = [
  ...new Set(
    facts.product_rules
      .filter(({ customer_type }) => customer_type !== 'all')
      .map(({ jurisdiction_id, product_type }) => `${jurisdiction_id} ${product_type}`),
  ),
].map((each) => each.split(' ') as [place: string, product_type: string])

function lineOf(place: string, product_type: string, type: Customer['type']) {
  const [country = '', region] = place.split('-')
  const to = { country, ...(region !== undefined && { region }) }
  const seller = { country: 'US', region: 'DE' }
  const sale = saleOf({
    from: seller,
    to,
    day: DAY,
    currency: 'USD',
    lines: [{ amount: 10_000, product_type }],
    registrations: [place],
  })
  const [line] = assessSale({ ...sale, customer: { ...sale.customer, type } }, book).lines
  if (line === undefined) throw new Error('the sale has a line')
  return line
}

it('has rules that differ by the kind of customer', () => {
  expect(BY_BUYER.length).toBeGreaterThan(5)
})

it.each(BY_BUYER)('tells in %s that the tax on %s depends on the customer', (place, product_type) => {
  const business = lineOf(place, product_type, 'business')
  const individual = lineOf(place, product_type, 'individual')
  const unknown = lineOf(place, product_type, null)
  expect(unknown.tax_amount).toBe(individual.tax_amount)
  const differs = business.tax_amount !== individual.tax_amount
  expect(unknown.rule === 'specific' && differs).toBe(false)
  const ofType = (line: AssessedLine) => line.conditions.filter(({ fact }) => fact === 'customer.type')
  expect(ofType(unknown)).toHaveLength(differs ? 1 : 0)
  expect([ofType(business), ofType(individual)]).toEqual([[], []])
  if (differs) expect(unknown.notes.join()).toContain('Send customer.type')
})

/** Products of which a business at home accounts for the tax. */
const REVERSED = facts.jurisdictions.flatMap(({ id, domestic_reverse_charge }) =>
  (JSON.parse(domestic_reverse_charge ?? '[]') as { product_type: string }[]).map(
    ({ product_type }) => [id, product_type] as const,
  ),
)

it.each(REVERSED)('tells in %s that a business may owe the tax on %s', (country, product_type) => {
  const sale = saleOf({
    from: { country },
    to: { country },
    day: DAY,
    currency: 'EUR',
    // Above the limits of all laws, the highest of which is in korunas.
    lines: [{ amount: 10_000_000, product_type }],
    registrations: [country],
  })
  const vat_id = { country, good: true, invalid: false }
  const toBusiness = { ...sale, customer: { ...sale.customer, type: 'business' as const, vat_id } }
  const [ofBusiness] = assessSale(toBusiness, book).lines
  const [ofConsumer] = assessSale(sale, book).lines
  expect(ofBusiness).toMatchObject({
    conditions: expect.arrayContaining([expect.objectContaining({ fact: 'product', rate_millionths: 0 })]),
  })
  expect(ofBusiness?.rule).not.toBe('specific')
  expect(ofBusiness?.tax_amount).toBe(ofConsumer?.tax_amount)
  expect(ofConsumer?.conditions).toEqual([])
})

it('ends the rules of article 199a on their last day', () => {
  const until = facts.jurisdictions.flatMap(
    ({ domestic_reverse_charge }) =>
      JSON.parse(domestic_reverse_charge ?? '[]') as { product_type: string; effective_to: string | null }[],
  )
  const limited = until.filter(({ effective_to }) => effective_to !== null)
  expect(new Set(limited.map(({ effective_to }) => effective_to))).toEqual(new Set(['2026-12-31']))
})

/** Rules that name what a fact would change. */
const NAMING = facts.product_rules.filter(({ conditions }) => conditions)
const rowsOf = ({ conditions }: ProductRule) => JSON.parse(conditions ?? '[]') as RuleCondition[]

it.each(NAMING.map((rule) => [rule.id, rule] as const))(
  '%s: its line says all that it names',
  (_id, rule) => {
    const [line] = soldAt(rule, dayOf(rule)).lines
    for (const { fact, if: what } of rowsOf(rule)) {
      const said = line?.conditions.find((each) => each.fact === fact && each.if === what)
      expect(said, what).toBeDefined()
      expect(said?.rate_millionths).not.toBe(line?.rate_millionths)
      expect(line?.notes.join('\n')).toContain(`the tax on ${what} is `)
    }
    expect(line?.rule).not.toBe('specific')
  },
)

/** Kinds within a product type, where a place taxes them otherwise by a rule of their own. */
const KINDS = [...new Set(facts.product_rules.map(({ jurisdiction_id }) => jurisdiction_id))].flatMap((id) =>
  PRODUCT_TYPE_IDS.flatMap((type) => kindsWithin(type).map((kind) => [id, type, kind] as const)),
)

it('tells of each kind within a product type whose tax is another one by a rule of its own', () => {
  const silent: string[] = []
  let told = 0
  for (const [jurisdiction_id, type, kind] of KINDS) {
    if (jurisdiction_id === 'CA') continue
    const of = (product_type: string) => {
      const rule = { jurisdiction_id, product_type, customer_type: 'all' } as ProductRule
      return soldAt(rule, DAY).lines[0]
    }
    const [whole, part] = [of(type), of(kind)]
    if (whole === undefined || part === undefined || part.rule === 'default') continue
    const said = whole.conditions.find((each) => each.fact === 'product_type' && each.if === kind)
    if (whole.tax_amount === part.tax_amount) continue
    if (said?.rate_millionths === part.rate_millionths && whole.rule !== 'specific') told += 1
    else silent.push(`${jurisdiction_id} ${type} ${kind}`)
  }
  expect(silent).toEqual([])
  expect(told).toBeGreaterThan(40)
})

/** Words of notes that may make a rule conditional. */
const CONDITIONAL =
  /\b(only|if|unless|except|excepted|provided|up to|for use|some|most|mostly|others|otherwise|listed)\b/i

it('has no rule whose condition stands in its notes alone', () => {
  const silent = facts.product_rules.filter(
    (rule) =>
      CONDITIONAL.test(rule.notes ?? '') &&
      (rule.effective_to ?? '9999') >= DAY &&
      !isUncertain(rule) &&
      [rule.caveat, rule.conditions, rule.price_rule].every((each) => !each) &&
      !NO_CONDITION.some((words) => rule.notes?.includes(words)),
  )
  expect(silent.map(({ id, notes }) => `${id} ${notes}`)).toEqual([])
})

/** Parts of notes that are no condition, as people judged them. */
const NO_CONDITION = [
  // The product type is of that kind alone, or another one is.
  'Listed basic foodstuffs (CN codes) 4.9%',
  'cage bird, aquarium food excepted',
  'Dog and cat food',
  'Pet food excepted',
  '2309 10 excepted',
  'Zero rate only when dispensed on prescription',
  'Only prescription medicines are zero-rated',
  'others on prescription since 2017',
  'Menstrual products only',
  'Only print is 5%',
  'Only newspapers that appear at least monthly are free',
  'Only papers that appear at least four times a week',
  'is no part of the taxable amount',
  'Only prewritten software is taxed',
  'vehicles hired for up to',
  'alcohol excepted (art. 25(2)(a)(2))',
  // What else is taxed, and why this is not.
  'falls on tangible personal property only',
  'Services are not taxed unless listed',
  'Some aids for disabled persons are zero-rated by special law',
  // Taxes of places, of which a line tells by itself.
  'up to 3% municipal and regional tax',
  'State tax only, three years',
  'tourism tax in some cases',
  'local tax up to 7% on top',
  'Local 2% only',
  'Local 1% only',
  'local option 1% in some towns',
]

it('has no condition for plain goods outside of the United States, so that nobody looks for one', () => {
  const rules = facts.product_rules.filter(
    ({ product_type, jurisdiction_id }) =>
      product_type === 'physical_goods' && !jurisdiction_id.startsWith('US-'),
  )
  const open = rules.filter((rule) => rule.conditions || rule.price_rule || rule.customer_type !== 'all')
  expect(open.map(({ id }) => id)).toEqual([])
  expect(kindsWithin('physical_goods')).toEqual([])
  expect(REVERSED.filter(([, product_type]) => product_type === 'physical_goods')).toEqual([])
})

it('judged no note that is gone', () => {
  const notes = facts.product_rules.map(({ notes }) => notes ?? '')
  expect(NO_CONDITION.filter((words) => !notes.some((each) => each.includes(words)))).toEqual([])
})

describe('the rate of a condition', () => {
  const ohio = { country: 'US', region: 'OH' }
  const saas = { amount: 10_000, product_type: 'saas' }
  const open = (lines: Parameters<typeof saleOf>[0]['lines'], to = ohio) =>
    saleOf({
      from: to,
      to,
      currency: 'USD',
      day: DAY,
      seller_registered: true,
      lines,
      customer: { address: to, type: null, vat_id: null },
    })

  it('is that of the line with the answer of the fact', () => {
    const [unknown] = assessSale(open([saas]), book).lines
    const sale = open([saas])
    const [business] = assessSale({ ...sale, customer: { ...sale.customer, type: 'business' } }, book).lines
    expect(unknown?.conditions).toEqual([
      { fact: 'customer.type', if: 'business', rate_millionths: business?.rate_millionths },
    ])
  })

  it('is not told of a line that is marked as untaxed', () => {
    const lines = assessSale(open([{ ...saas, taxable: false }, saas]), book).lines
    expect(lines.map(({ conditions }) => conditions.length)).toEqual([0, 1])
    expect(lines[0]?.notes.join()).not.toContain('Send customer.type')
  })

  it('is not told where an exemption leaves no tax', () => {
    const exemption = { jurisdiction_id: 'US-MD', exemption_type: 'non_profit' } as const
    const sale = open([saas], { country: 'US', region: 'MD' })
    const [taxed] = assessSale(sale, book).lines
    const free = { ...exemption, id: 'exm_1', valid_from: '2020-01-01', valid_to: null }
    const [freed] = assessSale({ ...sale, exemptions: [free as never] }, book).lines
    expect([taxed?.conditions.length, freed?.conditions.length]).toEqual([1, 0])
  })

  it('counts pieces if the quantity is left open', () => {
    const coat = { amount: 30_000, product_type: 'clothing' }
    const state = { country: 'US', region: 'MA' }
    const [unsaid] = assessSale(open([{ ...coat, quantity_open: true }], state), book).lines
    const [one] = assessSale(open([coat], state), book).lines
    const [cheap] = assessSale(open([{ ...coat, amount: 5_000, quantity_open: true }], state), book).lines
    expect(unsaid?.conditions).toMatchObject([{ fact: 'quantity', rate_millionths: 0 }])
    expect(unsaid?.rule).toBe('uncertain')
    expect([one?.conditions, cheap?.conditions]).toEqual([[], []])
  })
})

describe('the tax of some products that a business at home accounts for', () => {
  const sold = (to: Address, amount: number, product_type = 'computers', currency = 'EUR') => {
    const sale = saleOf({
      from: to,
      to,
      day: DAY,
      currency,
      lines: [{ amount, product_type }],
      seller_registered: true,
      supply_address: to,
    })
    const vat_id = { country: to.country, good: true, invalid: false }
    const business = { ...sale, customer: { ...sale.customer, type: 'business' as const, vat_id } }
    return assessSale(business, book).lines[0]?.conditions ?? []
  }

  it.each([
    ['AT', 499_999, 500_000],
    ['DE', 499_999, 500_000],
    ['NL', 999_999, 1_000_000],
  ])('in %s is told from its limit', (country, under, from) => {
    expect(sold({ country }, under)).toEqual([])
    expect(sold({ country }, from)).toHaveLength(1)
  })

  it('is told above a limit that it must pass, and in Spain of resellers at any amount', () => {
    expect(sold({ country: 'ES' }, 1_000_000).map(({ if: what }) => what)).toEqual([
      'laptops and tablets for a reseller',
    ])
    expect(sold({ country: 'ES' }, 1_000_001)).toHaveLength(2)
    expect(sold({ country: 'SE' }, 10_000_000, 'computers', 'SEK')).toEqual([])
    expect(sold({ country: 'SE' }, 10_000_001, 'computers', 'SEK')).toHaveLength(1)
  })

  it('is told in Northern Ireland as in Great Britain', () => {
    const belfast = { country: 'GB', postal_code: 'BT1 1AA' }
    for (const to of [belfast, { country: 'GB' }])
      expect(sold(to, 10_000, 'installation_repair', 'GBP')).toMatchObject([{ fact: 'product' }])
  })
})
