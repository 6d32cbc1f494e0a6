import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { type CollectQuestion, thresholdsOfQuestion } from '../../src/engine/answer/collect-question.ts'
import { type CollectDecision, decideCollection } from '../../src/engine/answer/decide.ts'
import { placeOfJurisdiction } from '../../src/engine/supply/place.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import type { Address, Exemption, Seller } from '../../src/engine/sale/sale.ts'
import type { Sales } from '../../src/engine/terms/thresholds.ts'
import { questionOf } from './question.ts'

const book = openRateBook(readFacts())
const ONTARIO = { country: 'CA', region: 'ON' }
const TEXAS = { country: 'US', region: 'TX' }

const seller = (address: Address, registrations: string[] = []): Seller => ({
  address,
  registrations,
  over_eu_threshold: false,
  small_business: false,
})
const sold = (amount: number, currency: string, transaction_count = 10) => ({
  amount,
  currency,
  transaction_count,
})

function questionAbout(id: string, from: Seller, more: Partial<CollectQuestion> = {}): CollectQuestion {
  const place = placeOfJurisdiction(book, id)
  if (place === null) throw new Error(`${id} is no jurisdiction`)
  return questionOf({ place, seller: from, ...more })
}

function decide(
  id: string,
  from: Seller,
  product_type: string | null,
  sales: Sales | null = null,
  more: Partial<CollectQuestion> = {},
) {
  return decideCollection(questionAbout(id, from, { product_type, sales: () => sales, ...more }), book)
}

/** The assessment of the same sale by a calculation. */
function calculated(
  address: Address,
  from: Seller,
  product_type: string,
  amount = 10_000,
  currency = 'CAD',
  exemptions: Exemption[] = [],
) {
  const line = {
    amount,
    discount: 0,
    quantity: 1,
    product_type,
    tax_behavior: 'exclusive' as const,
    taxable: true,
    live: false,
    exemptions: [],
    funded_discount: 0,
    trade_in: 0,
    bundle: [],
  }
  const customer = { address, type: null, vat_id: null }
  const rest = {
    ship_from: null,
    importer: null,
    delivery: null,
    local_fallback: null,
    einvoice: null,
    marketplace: null,
    supply_address: address,
    shipping: null,
    rounding: 'line' as const,
    seller_registered: null,
    exemptions,
    explain: false,
  }
  return assessSale({ currency, day: '2026-06-15', seller: from, customer, lines: [line], ...rest }, book)
    .decision
}

const codesOf = ({ reasons }: CollectDecision) => reasons.map(({ code, outcome }) => `${code} ${outcome}`)

describe('a province with a tax in addition to the GST', () => {
  it('collects the GST alone if the provincial tax does not fall on the product', () => {
    const decision = decide('CA-BC', seller(ONTARIO, ['CA']), 'books')
    expect(decision).toMatchObject({
      collect: true,
      reason: 'established_here',
      seller_registered: true,
      must_register: false,
    })
    expect(decision.explanation).not.toContain('PST')
  })

  // Saskatchewan has no minimum, so its own tax is due from the first sale.
  it.each([
    ['CA-BC', false],
    ['CA-SK', true],
    ['CA-MB', false],
    ['CA-QC', false],
  ])('collects the GST of a seller from abroad in %s', (id, must_register) => {
    const from = seller(TEXAS, ['CA'])
    expect(decide(id, from, 'saas')).toMatchObject({
      collect: true,
      reason: 'registered',
      must_register,
    })
    expect(calculated({ country: 'CA', region: id.slice(3) }, from, 'saas')).toMatchObject({
      collect: true,
      reason: 'registered',
    })
  })

  it('does not accept a provincial registration for a product without the provincial tax', () => {
    const decision = decide('CA-BC', seller(TEXAS, ['CA-BC']), 'books', sold(100, 'CAD'))
    expect(decision).toMatchObject({
      collect: false,
      reason: 'below_threshold',
      threshold: { jurisdiction_id: 'CA' },
    })
  })

  it('reports that the provincial tax needs its own registration, and whether its threshold is passed', () => {
    const below = decide('CA-BC', seller(ONTARIO, ['CA']), 'clothing', sold(100_000, 'CAD'))
    expect(below).toMatchObject({ collect: true, reason: 'established_here', must_register: false })
    expect(below.explanation).toMatch(
      /PST of British Columbia needs a registration of its own.*below the threshold of CA\$10,000\.00/,
    )
    const passed = decide('CA-BC', seller(ONTARIO, ['CA']), 'clothing', sold(1_200_000, 'CAD'))
    expect(passed).toMatchObject({
      collect: true,
      must_register: true,
      threshold: { jurisdiction_id: 'CA-BC' },
    })
    expect(passed.explanation).toContain(
      'have passed the threshold of CA$10,000.00. Register in British Columbia',
    )
    expect(
      decide('CA-BC', seller(ONTARIO, ['CA', 'CA-BC']), 'clothing', sold(1_200_000, 'CAD')).must_register,
    ).toBe(false)
  })

  it('obliges to register for the GST, too', () => {
    const sales: CollectQuestion['sales'] = (threshold) =>
      sold(threshold?.jurisdiction_id === 'CA' ? 4_000_000 : 0, 'CAD')
    for (const id of ['CA', 'CA-BC', 'CA-QC', 'CA-ON']) {
      const decision = decideCollection(questionAbout(id, seller(TEXAS), { sales }), book)
      expect(decision).toMatchObject({
        reason: 'threshold_exceeded',
        must_register: true,
        threshold: { jurisdiction_id: 'CA' },
      })
      expect(decision.explanation).toContain('Register in Canada')
    }
  })

  it('warns from the first minor unit over 85 % of a threshold', () => {
    const reason = (amount: number) =>
      decide('US-WA', seller(TEXAS), 'physical_goods', sold(amount, 'USD')).reason
    expect([reason(8_500_000), reason(8_500_001)]).toEqual(['below_threshold', 'approaching_threshold'])
  })

  it('shows the registration in the data if the customer accounts for the tax', () => {
    const vat_id = { country: 'FR', good: true, invalid: false }
    const decision = decide('FR', seller({ country: 'DE' }, ['FR']), 'saas', null, {
      customer_type: 'business',
      vat_id,
    })
    expect(decision).toMatchObject({ collect: false, reason: 'reverse_charge', seller_registered: true })
  })

  it('has no step about the establishment if the request says that the seller is not registered', () => {
    const { reasons } = decide('US-CA', seller({ country: 'US', region: 'CA' }), null, null, {
      seller_registered: false,
    })
    expect(reasons.map(({ code }) => code)).not.toContain('established_here')
  })

  it('names both thresholds if both are passed, else the closest', () => {
    const both = decide('CA-BC', seller(TEXAS), null, sold(4_000_000, 'CAD'))
    expect(both.explanation).toMatch(/Register in British Columbia\. .*Register in Canada$/)
    const sales: CollectQuestion['sales'] = (threshold) =>
      sold(threshold?.jurisdiction_id === 'CA' ? 2_700_000 : 100, 'CAD')
    const near = decideCollection(questionAbout('CA-BC', seller(TEXAS), { sales }), book)
    expect(near).toMatchObject({
      reason: 'approaching_threshold',
      threshold: { jurisdiction_id: 'CA' },
      progress: { amount: 2_700_000 },
    })
  })
})

describe('an exemption of the province', () => {
  const ontario: Exemption = {
    id: 'e',
    jurisdiction_id: 'CA-ON',
    exemption_type: 'government',
    valid_from: '2020-01-01',
    valid_to: null,
  }

  it('leaves the federal part of the HST', () => {
    const from = seller(ONTARIO, ['CA'])
    expect(decide('CA-ON', from, 'clothing', null, { exemptions: [ontario] })).toMatchObject({
      collect: true,
      reason: 'established_here',
    })
    expect(calculated(ONTARIO, from, 'clothing', 10_000, 'CAD', [ontario]).collect).toBe(true)
    const federal = { ...ontario, jurisdiction_id: 'CA' }
    expect(decide('CA-ON', from, 'clothing', null, { exemptions: [federal] })).toMatchObject({
      collect: false,
      reason: 'customer_exempt',
    })
  })

  it('leaves the GST if the province has a tax of its own', () => {
    const exemptions = [{ ...ontario, jurisdiction_id: 'CA-BC' }]
    const decision = decide('CA-BC', seller(ONTARIO, ['CA', 'CA-BC']), 'clothing', null, { exemptions })
    expect(decision).toMatchObject({ collect: true, reason: 'established_here' })
  })
})

describe('a state of the United States', () => {
  it.each([
    ['US-MO', '2022-12-31'],
    ['US-FL', '2021-06-30'],
    ['US-CA', '2018-01-15'],
  ])('knows of no duty in %s before its first threshold', (id, day) => {
    const decision = decide(id, seller({ country: 'US', region: 'NY' }), null, sold(1_000_000_000, 'USD'), {
      day,
    })
    expect(decision).toMatchObject({
      collect: false,
      reason: 'below_threshold',
      must_register: false,
      threshold: null,
    })
    expect(decision.explanation).toContain(`is in the data for ${day}`)
  })

  it('collects nothing without a tax of the state', () => {
    const sales = sold(20_000_000, 'USD')
    expect(decide('US-AK', seller(TEXAS, ['US-AK']), 'clothing', sales)).toMatchObject({
      collect: false,
      reason: 'not_subject_to_tax',
    })
    expect(
      calculated({ country: 'US', region: 'AK' }, seller(TEXAS, ['US-AK']), 'clothing', 10_000, 'USD').reason,
    ).toBe('not_subject_to_tax')
    expect(decide('US-AK', seller(TEXAS), 'clothing', sales)).toMatchObject({
      collect: false,
      must_register: true,
    })
  })

  it('does not compare sales without an exchange rate', () => {
    const decision = decide('US-WA', seller(TEXAS), null, sold(90_000_000_000, 'XTS'))
    expect(decision).toMatchObject({
      collect: false,
      must_register: false,
      progress: null,
      threshold: { jurisdiction_id: 'US-WA' },
    })
    expect(decision.explanation).toContain('in XTS could not be compared')
  })

  it('compares sales in another currency at an indicative rate', () => {
    const decision = decide('US-WA', seller(TEXAS), null, sold(90_000_000, 'EUR'))
    expect(decision).toMatchObject({ must_register: true, progress: { amount: 90_000_000, currency: 'EUR' } })
    expect(decision.explanation).toContain('indicative')
  })
})

describe('goods from abroad', () => {
  const goods = (id: string, from: Seller, amount: number, currency: string) =>
    decide(id, from, 'physical_goods', null, { price: { amount, currency } })

  it.each([
    ['AU', seller(TEXAS, ['AU']), 100_000, 'AUD'],
    ['GB', seller(TEXAS, ['GB']), 13_500, 'GBP'],
    ['DE', seller(TEXAS, ['ioss']), 15_000, 'EUR'],
  ])('are an import over the limit of %s', (id, from, limit, currency) => {
    expect(goods(id, from, limit, currency)).toMatchObject({ collect: true, reason: 'registered' })
    expect(goods(id, from, limit + 1, currency)).toMatchObject({
      collect: false,
      reason: 'not_subject_to_tax',
    })
    expect(goods(id, from, limit * 100, 'USD')).toMatchObject({
      collect: false,
      reason: 'not_subject_to_tax',
    })
    expect(calculated({ country: id }, from, 'physical_goods', limit + 1, currency)).toMatchObject({
      collect: false,
    })
    expect(decide(id, from, 'physical_goods')).toMatchObject({ collect: true })
  })

  it('are taxed within the union at every price', () => {
    expect(goods('FR', seller({ country: 'DE' }, ['oss_union']), 1_000_000, 'EUR')).toMatchObject({
      collect: true,
    })
  })
})

describe('the EU-wide threshold', () => {
  const german = seller({ country: 'DE' }, [])

  it('warns before it is passed', () => {
    const near = decide('FR', german, 'physical_goods', sold(999_999, 'EUR'))
    expect(near).toMatchObject({ collect: false, reason: 'approaching_threshold', must_register: false })
    expect(near.explanation).toContain('€9,999.99')
    expect(decide('FR', german, 'physical_goods', sold(100, 'EUR')).reason).toBe('below_threshold')
    expect(decide('FR', german, 'physical_goods', sold(1_000_001, 'EUR')).reason).toBe('threshold_exceeded')
  })

  it('is passed if the request says so', () => {
    const over = decide('FR', { ...german, over_eu_threshold: true }, 'saas', sold(100, 'EUR'))
    expect(over).toMatchObject({ reason: 'threshold_exceeded', must_register: true })
  })

  it('does not cover supplies that are taxed where they take place', () => {
    const lodging = decide('FR', german, 'accommodation', sold(100, 'EUR'))
    expect(lodging).toMatchObject({
      collect: false,
      reason: 'threshold_exceeded',
      must_register: true,
      threshold: null,
    })
    expect(calculated({ country: 'FR' }, german, 'accommodation', 10_000, 'EUR')).toMatchObject({
      reason: 'threshold_exceeded',
    })
  })

  it('does not cover services that are taxed at the seller', () => {
    const advice = decide('FR', german, 'professional_services', sold(5_000_000, 'EUR'))
    expect(advice).toMatchObject({
      collect: false,
      reason: 'not_subject_to_tax',
      must_register: false,
      threshold: null,
    })
    expect(advice.explanation).toContain('art. 45')
  })

  it('covers goods to Northern Ireland, and not services', () => {
    const irish = seller({ country: 'IE' }, [])
    expect(decide('XI', irish, 'physical_goods', sold(2_000_000, 'EUR'))).toMatchObject({
      reason: 'threshold_exceeded',
      must_register: true,
      threshold: { threshold_type: 'DISTANCE_SALES', currency: 'EUR' },
    })
    expect(decide('XI', irish, 'physical_goods', sold(900_000, 'EUR')).reason).toBe('approaching_threshold')
    expect(decide('XI', irish, 'saas', sold(100, 'EUR'))).toMatchObject({
      reason: 'threshold_exceeded',
      threshold: null,
    })
  })
})

it('collects in every region of the member state that a seller is established in', () => {
  const azores = seller({ country: 'PT', region: '20' })
  expect(decide('PT', azores, 'professional_services')).toMatchObject({
    collect: true,
    reason: 'established_here',
  })
})

it('lists the thresholds that a question depends on', () => {
  const ids = (id: string, from: Seller, product_type: string | null) =>
    thresholdsOfQuestion(questionAbout(id, from, { product_type }), book).map(
      (threshold) => threshold.jurisdiction_id,
    )
  expect(ids('CA-BC', seller(TEXAS), null)).toEqual(['CA-BC', 'CA'])
  expect(ids('CA-ON', seller(TEXAS), null)).toEqual(['CA'])
  expect(ids('US-WA', seller(TEXAS), null)).toEqual(['US-WA'])
  expect(ids('FR', seller({ country: 'DE' }), 'accommodation')).toEqual([])
})

it('lets the last step of the chain decide', () => {
  const decision = decide('CA-BC', seller(TEXAS), 'clothing', sold(4_000_000, 'CAD'))
  expect(codesOf(decision)).toEqual([
    'not_subject_to_tax no',
    'established_here no',
    'registered no',
    'threshold_exceeded yes',
  ])
})

describe('a threshold of low confidence', () => {
  it('is told as such to a seller who is not registered', () => {
    const { doubts } = decide('US-PR', seller(TEXAS), 'physical_goods', sold(1_000_000, 'USD'))
    expect(doubts).toContainEqual(expect.stringContaining('The threshold of Puerto Rico is not certain'))
  })
})
