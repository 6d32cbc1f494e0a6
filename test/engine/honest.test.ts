import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { Rate } from '../../src/engine/book/facts.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import type { VatId } from '../../src/engine/sale/sale.ts'
import { assessed, named, saleOf, type SaleInWords } from './sale.ts'

const DE = { country: 'DE' }
const FR = { country: 'FR' }
const GB = { country: 'GB' }
const US = { country: 'US', region: 'TX' }
const good = (country: string): VatId => ({ country, good: true, invalid: false })
const business = (address: { country: string }, vat_id: VatId | null) => ({
  address,
  type: 'business' as const,
  vat_id,
})
const saas = [{ amount: 10_000, product_type: 'saas' }]
const firstLine = (words: SaleInWords) => assessed(words).lines[0]

describe('a business', () => {
  it('with an id of the seller’s own state buys a service at home', () => {
    expect(firstLine({ from: DE, to: FR, lines: saas, customer: business(FR, good('DE')) })).toMatchObject({
      jurisdiction_id: 'DE',
      tax_amount: 1_900,
    })
  })

  it('without a good number pays the tax of a parcel of up to 135 GBP', () => {
    const parcel = { from: US, to: GB, registrations: ['GB'], currency: 'GBP', lines: [{ amount: 10_000 }] }
    expect(firstLine({ ...parcel, customer: business(GB, null) })?.tax_amount).toBe(2_000)
    expect(firstLine({ ...parcel, customer: business(GB, good('FR')) })?.tax_amount).toBe(2_000)
    expect(firstLine({ ...parcel, customer: business(GB, good('GB')) })?.taxability_reason).toBe(
      'reverse_charge',
    )
  })

  it('without a good id pays the tax of a parcel through the import one-stop shop', () => {
    const parcel = { from: US, to: FR, registrations: ['ioss'], lines: [{ amount: 10_000 }] }
    expect(firstLine({ ...parcel, customer: business(FR, null) })?.tax_amount).toBe(2_000)
    expect(firstLine({ ...parcel, customer: business(FR, good('FR')) })?.tax_amount).toBe(0)
  })
})

describe('a seller who is not registered abroad', () => {
  it.each([
    ['DE to GB', DE, GB, 'GBP', 2_000],
    ['GB to FR', GB, FR, 'EUR', 2_000],
    ['GB to AU', GB, { country: 'AU' }, 'AUD', 1_000],
    ['DE to CA', DE, { country: 'CA', region: 'ON' }, 'CAD', 1_300],
    ['DE to US', DE, { country: 'US', region: 'NY' }, 'USD', 400],
  ])('%s: collects nothing, and hears of the tax and of the duty', (_, from, to, currency, would) => {
    const line = firstLine({ from, to, currency, registrations: [], lines: saas })
    expect(line).toMatchObject({ taxability_reason: 'not_collecting', tax_if_registered: would })
    expect(line?.reason_detail).toContain('Register')
  })

  it('finds the export in the trace and in the notes', () => {
    const assessment = assessed({
      from: DE,
      to: GB,
      currency: 'GBP',
      registrations: [],
      lines: [{ amount: 9_000 }],
      explain: true,
    })
    expect(assessment.notes.join()).toContain('exempt as an export')
    expect(assessment.trace?.map(({ step }) => step)).toContain('place_of_origin')
  })
})

describe('a service inside a member state and its territories', () => {
  it.each([
    ['FR to Réunion', FR, { country: 'RE' }, 850],
    ['FI to Åland', { country: 'FI' }, { country: 'AX' }, 2_550],
  ])('%s bears the VAT of the state', (_, from, to, tax_amount) => {
    expect(firstLine({ from, to, lines: saas })).toMatchObject({ tax_amount, taxability_reason: null })
  })

  it('leaves goods to Réunion an export', () => {
    expect(
      firstLine({ from: FR, to: { country: 'RE' }, lines: [{ amount: 10_000 }] })?.taxability_reason,
    ).toBe('export')
  })
})

describe('a supply on the spot', () => {
  const nj = { country: 'US', region: 'NJ' }
  const ny = { country: 'US', region: 'NY' }
  const meal = [{ amount: 10_000, product_type: 'prepared_food' }]

  it('without supply_address says which place was assumed', () => {
    const { notes, lines } = assessed({
      from: nj,
      to: ny,
      registrations: ['US-NJ', 'US-NY'],
      currency: 'USD',
      lines: meal,
    })
    expect(lines[0]?.jurisdiction_id).toBe('US-NJ')
    expect(notes.join()).toContain('New Jersey, was assumed. Send supply_address')
  })

  it('that is delivered takes place at the customer', () => {
    const { lines } = assessed({
      from: nj,
      to: ny,
      registrations: ['US-NJ', 'US-NY'],
      currency: 'USD',
      lines: meal,
      shipping: { amount: 500 },
    })
    expect(lines[0]?.jurisdiction_id).toBe('US-NY')
  })

  it.each([
    ['FR', 'reverse_charge'],
    ['DE', 'not_collecting'],
  ])('of a seller from elsewhere is left to a business in %s by art. 194, or not', (country, reason) => {
    const line = firstLine({
      from: { country: 'AT' },
      to: { country },
      registrations: [],
      supply_address: { country },
      customer: business({ country }, good(country)),
      lines: [{ amount: 10_000, product_type: 'event_admission' }],
    })
    expect(line?.taxability_reason).toBe(reason)
  })

  it.each([
    ['goods in Austria', 'AT', good('AT'), 'physical_goods', true],
    ['an event in Austria', 'AT', good('AT'), 'event_admission', true],
    ['goods in Austria for a business without an id', 'AT', null, 'physical_goods', false],
    ['goods in Poland, whose law is in the data', 'PL', good('PL'), 'physical_goods', false],
  ])(
    'of a seller from elsewhere: the answer on %s says what is not in the data',
    (_, country, vat_id, product_type, said) => {
      const { notes } = assessed({
        from: DE,
        ship_from: { country },
        to: { country },
        registrations: [country],
        supply_address: { country },
        customer: business({ country }, vat_id),
        lines: [{ amount: 10_000, product_type }],
      })
      expect(
        notes.includes(
          `The data does not say whether ${named(country)} makes business customers liable if the seller is not established there (art. 194)`,
        ),
      ).toBe(said)
    },
  )
})

describe('goods that leave from stock', () => {
  const stock = { from: GB, ship_from: DE, lines: [{ amount: 10_000 }] }

  it('are sold where the stock is, not exported from the seller’s country', () => {
    expect(firstLine({ ...stock, to: DE, registrations: ['DE'] })).toMatchObject({
      jurisdiction_id: 'DE',
      tax_amount: 1_900,
    })
  })

  it('are a distance sale to another member state, without a threshold', () => {
    expect(firstLine({ ...stock, to: FR, registrations: ['DE', 'oss_union'] })).toMatchObject({
      jurisdiction_id: 'FR',
      tax_amount: 2_000,
    })
    const unregistered = firstLine({ ...stock, to: FR, registrations: ['DE'] })
    expect(unregistered?.reason_detail).toContain('from the first sale')
  })

  it('make the seller register at once in the state of the stock', () => {
    const sale = {
      from: US,
      to: { country: 'US', region: 'CA' },
      currency: 'USD',
      registrations: [],
      lines: [{ amount: 10_000 }],
    }
    expect(assessed(sale).decision.must_register).toBe(false)
    const stocked = assessed({ ...sale, ship_from: { country: 'US', region: 'CA' } })
    expect(stocked.decision).toMatchObject({
      collect: false,
      reason: 'threshold_exceeded',
      must_register: true,
    })
  })
})

describe('a sale that a marketplace facilitates', () => {
  const facilitated = { marketplace: 'facilitated' as const, registrations: [] }

  it.each([
    ['goods of a seller from outside in a warehouse of the Union', { from: GB, ship_from: DE, to: FR }],
    ['a parcel of up to 150 EUR', { from: US, to: FR }],
    ['a parcel of up to 135 GBP', { from: US, to: GB, currency: 'GBP' }],
    ['a sale into a US state', { from: US, to: { country: 'US', region: 'CA' }, currency: 'USD' }],
    ['a parcel of up to 1,000 AUD', { from: US, to: { country: 'AU' }, currency: 'AUD' }],
    [
      'goods in Canada of a seller without a registration',
      {
        from: US,
        ship_from: { country: 'CA', region: 'ON' },
        to: { country: 'CA', region: 'ON' },
        currency: 'CAD',
      },
    ],
  ])('is taxed by the marketplace: %s', (_, words) => {
    const assessment = assessed({ ...facilitated, lines: [{ amount: 10_000 }], ...words })
    expect(assessment.lines[0]).toMatchObject({ tax_amount: 0, taxability_reason: 'marketplace_collects' })
    expect(assessment.decision).toEqual({
      collect: false,
      reason: 'marketplace_collects',
      must_register: false,
    })
  })

  const offered = (product_type: string, region: string, country = 'US') =>
    assessed({
      ...facilitated,
      from: { country, region },
      to: { country, region },
      supply_address: { country, region },
      lines: [{ amount: 10_000, product_type }],
    })

  it.each([
    // G.L. c.64G, s. 13; RCW 82.08.0531; Tax Code, s. 151.0242; ETA, s. 211.13: every unregistered host.
    ['a stay in Massachusetts', 'accommodation', 'MA', 'US'],
    ['a meal in Washington', 'prepared_food', 'WA', 'US'],
    ['a meal in Texas', 'prepared_food', 'TX', 'US'],
    ['a stay at a small host in Ontario', 'accommodation', 'ON', 'CA'],
  ])('is taxed by the marketplace: %s', (_, product_type, region, country) => {
    expect(offered(product_type, region, country).decision.reason).toBe('marketplace_collects')
  })

  it('says that it does not know where the act of a state is not in the data', () => {
    const { notes } = offered('prepared_food', 'MO')
    expect(notes.join()).toContain(
      'The data does not say whether the marketplace collects the tax on prepared food in Missouri',
    )
    expect(notes.join()).not.toContain('The marketplace is not liable')
    expect(offered('prepared_food', 'NY').notes.join()).toContain('The marketplace is not liable')
  })

  it('leaves goods that are sent to Canada to the border', () => {
    const to = { country: 'CA', region: 'ON' }
    const sale = { ...facilitated, from: US, to, currency: 'CAD', lines: [{ amount: 10_000 }] }
    // ETA, s. 211.1: a qualifying supply is of goods in Canada.
    expect(assessed(sale).decision.reason).not.toBe('marketplace_collects')
  })

  it('is the seller’s own if the law does not name the marketplace, and a note says so', () => {
    const { tax_amount, notes } = assessed({ ...facilitated, from: DE, to: DE, lines: [{ amount: 10_000 }] })
    expect(tax_amount).toBe(1_900)
    expect(notes.join()).toContain('The marketplace is not liable')
  })
})

describe('one delivery charge for taxable and exempt goods', () => {
  const cart = (region: string) =>
    assessed({
      from: { country: 'US', region },
      to: { country: 'US', region },
      currency: 'USD',
      lines: [{ amount: 5_000 }, { amount: 5_000, product_type: 'groceries' }],
      shipping: { amount: 1_000 },
    })

  it('is taxed whole in New York, and by price in New Jersey', () => {
    // 20 NYCRR 526.5(g), TB-ST-838; N.J.S.A. 54:32B-2(oo).
    expect(cart('NY').shipping?.tax_amount).toBe(40)
    expect(cart('NJ').shipping?.tax_amount).toBe(33)
  })

  it('tells of the doubt where the law is not certain', () => {
    expect(cart('PA').notes.join()).toContain(
      'one delivery charge for taxable and exempt goods, so the share',
    )
    expect(cart('NJ').notes.join()).not.toContain('one delivery charge')
  })
})

describe('a marketplace', () => {
  const facilitated = { marketplace: 'facilitated' as const, lines: [{ amount: 10_000 }] }

  it.each([
    [
      'Florida before its act',
      { from: US, to: { country: 'US', region: 'FL' }, registrations: ['US-FL'], day: '2020-06-01' },
      600,
    ],
    [
      'the Union before 2021-07-01',
      { from: US, ship_from: DE, to: DE, registrations: ['DE'], day: '2020-06-01' },
      1_900,
    ],
    [
      'a British seller in Northern Ireland',
      { from: GB, to: { country: 'XI' }, registrations: ['GB'] },
      2_000,
    ],
    [
      'an event in New Zealand',
      {
        from: { country: 'NZ' },
        to: { country: 'NZ' },
        lines: [{ amount: 10_000, product_type: 'event_admission' }],
      },
      1_500,
    ],
    [
      'a meal in New York',
      {
        from: { country: 'US', region: 'NY' },
        to: { country: 'US', region: 'NY' },
        lines: [{ amount: 10_000, product_type: 'prepared_food' }],
      },
      400,
    ],
  ])('does not account for the tax: %s', (_, words, tax_amount) => {
    expect(assessed({ ...facilitated, ...words }).tax_amount).toBe(tax_amount)
  })
})

describe('a scheme', () => {
  const toronto = { country: 'CA', region: 'ON' }
  const montreal = { country: 'CA', region: 'QC' }
  const simplified = {
    from: US,
    currency: 'CAD',
    registrations: ['ca_simplified', 'qc_specified'],
    lines: saas,
  }

  it('for sellers abroad charges consumers in Canada', () => {
    expect(assessed({ ...simplified, to: toronto }).tax_amount).toBe(1_300)
    expect(assessed({ ...simplified, to: montreal }).tax_amount).toBe(500 + 998)
  })

  it('for sellers abroad charges a business that gives no GST/HST number', () => {
    expect(assessed({ ...simplified, to: toronto, customer: business(toronto, null) }).tax_amount).toBe(1_300)
  })

  it('for sellers abroad charges no registrant in Canada, and makes nobody register', () => {
    const assessment = assessed({ ...simplified, to: toronto, customer: business(toronto, good('CA')) })
    expect(assessment.lines[0]).toMatchObject({ tax_amount: 0, taxability_reason: 'not_subject_to_tax' })
    expect(assessment.decision.must_register).toBe(false)
  })

  it('for sellers abroad leaves the tax of a province to its own registration', () => {
    const vancouver = { country: 'CA', region: 'BC' }
    const { tax_amount } = assessed({
      ...simplified,
      registrations: ['ca_simplified', 'CA-BC'],
      to: vancouver,
      customer: business(vancouver, good('CA')),
    })
    expect(tax_amount).toBe(700)
  })

  it('of small businesses in Canada leaves the tax of a province that registered them', () => {
    const vancouver = { country: 'CA', region: 'BC' }
    const small = {
      from: vancouver,
      to: vancouver,
      currency: 'CAD',
      small_business: true,
      lines: [{ amount: 10_000 }],
    }
    expect(assessed({ ...small, registrations: ['CA-BC'] }).tax_amount).toBe(700)
    expect(assessed({ ...small, registrations: [] }).tax_amount).toBe(0)
  })

  it('of small businesses holds for the territories of the state, too', () => {
    const line = firstLine({ from: FR, to: { country: 'RE' }, small_business: true, lines: saas })
    expect(line).toMatchObject({ tax_amount: 0, taxability_reason: 'small_business' })
  })

  it('of small businesses charges no tax at home', () => {
    const line = firstLine({ from: DE, to: DE, small_business: true, lines: [{ amount: 10_000 }] })
    expect(line).toMatchObject({ tax_amount: 0, taxability_reason: 'small_business' })
  })
})

describe('a seller with stock', () => {
  const polish = { country: 'PL' }
  const local = {
    from: DE,
    ship_from: polish,
    to: polish,
    lines: [{ amount: 10_000 }],
    customer: business(polish, good('PL')),
  }

  it('that is registered in Poland charges Polish businesses', () => {
    expect(firstLine({ ...local, registrations: ['PL'] })?.tax_amount).toBe(2_300)
    expect(firstLine({ ...local, registrations: [] })?.taxability_reason).toBe('reverse_charge')
  })

  it('abroad is registered where it is established', () => {
    const parcel = { ship_from: { country: 'CN' }, lines: [{ amount: 5_000 }] }
    expect(assessed({ ...parcel, from: GB, to: GB, currency: 'GBP' }).tax_amount).toBe(1_000)
    expect(
      assessed({ ...parcel, from: { country: 'AU' }, to: { country: 'AU' }, currency: 'AUD' }).tax_amount,
    ).toBe(500)
  })

  it('without a registration at the stock is told so', () => {
    const { notes } = assessed({
      from: US,
      ship_from: DE,
      to: { country: 'CH' },
      registrations: [],
      lines: [{ amount: 10_000 }],
    })
    expect(notes).toContain('Stock in Germany needs a registration there, which the seller does not have')
  })
})

describe('a doubt', () => {
  it('is told of sales across borders before the rules in the data', () => {
    const { notes } = assessed({
      from: DE,
      to: GB,
      currency: 'GBP',
      day: '2019-06-01',
      lines: [{ amount: 10_000 }],
    })
    expect(notes.join()).toContain('before 2021-01-01 are not in the data (United Kingdom)')
  })

  it('is told of a place without data, although no tax is charged', () => {
    const { notes } = assessed({ from: DE, to: { country: 'BR' }, lines: saas })
    expect(notes.join()).toContain('does not cover the tax of Brazil')
  })

  it('never frees: a type without a rule does not take an exemption of a similar one', () => {
    const texas = { country: 'US', region: 'TX' }
    const line = firstLine({
      from: texas,
      to: texas,
      currency: 'USD',
      lines: [{ amount: 10_000, product_type: 'equipment_hire' }],
    })
    expect(line).toMatchObject({ rule: 'default', tax_amount: 625 })
  })
})

describe('parts of a document', () => {
  it('with the same rate by different rules are one sum', () => {
    const ontario = { country: 'CA', region: 'ON' }
    const { tax_amount } = assessed({
      from: ontario,
      to: ontario,
      supply_address: ontario,
      currency: 'CAD',
      rounding: 'document',
      lines: [
        { amount: 110, product_type: 'books' },
        { amount: 110, product_type: 'prepared_food' },
      ],
    })
    expect(tax_amount).toBe(11)
  })

  it('are shipped with a delivered meal at its rate', () => {
    const { shipping } = assessed({
      from: DE,
      to: DE,
      lines: [{ amount: 2_000, product_type: 'prepared_food' }],
      shipping: { amount: 1_000 },
    })
    expect(shipping?.tax_amount).toBe(70)
  })
})

describe('an event that is streamed live', () => {
  const streamed = (day: string, live: boolean) =>
    firstLine({
      from: DE,
      to: FR,
      day,
      registrations: ['DE'],
      lines: [{ amount: 10_000, product_type: 'streaming', live }],
    })

  it('is taxed at the consumer since 2025, without a threshold', () => {
    expect(streamed('2024-12-31', true)?.jurisdiction_id).toBe('DE')
    expect(streamed('2025-01-01', true)?.jurisdiction_id).toBe('FR')
    expect(streamed('2025-01-01', false)?.jurisdiction_id).toBe('DE')
  })

  it.each(['live_training', 'event_admission'])('may be %s', (product_type) => {
    const line = firstLine({
      from: US,
      to: FR,
      registrations: ['oss_non_union'],
      lines: [{ amount: 10_000, product_type, live: true }],
    })
    expect(line?.jurisdiction_id).toBe('FR')
    expect(line?.tax_amount).toBeGreaterThan(0)
  })
})

describe('a line without a rule in the data', () => {
  it('bears the standard rate, and says so', () => {
    const line = firstLine({
      from: DE,
      to: DE,
      day: '2012-03-01',
      lines: [{ amount: 10_000, product_type: 'groceries' }],
    })
    expect(line).toMatchObject({ rule: 'default', tax_amount: 1_900 })
    expect(line?.notes).toEqual([
      'No rule in the data for groceries in Germany (VAT) on 2012-03-01, so the standard rate was used',
    ])
  })

  it('is uncertain if its rule is general knowledge of medium confidence', () => {
    const line = firstLine({ from: DE, to: DE, lines: [{ amount: 10_000, product_type: 'soft_drinks' }] })
    expect(line).toMatchObject({ rule: 'uncertain', tax_amount: 1_900 })
    expect(line?.notes).toEqual([
      'Germany: the rule for soft drinks is not certain, because it was never verified at its source. UStG, Anl. 2 does not name drinks.',
    ])
  })

  it('is not a line that a rule taxes, frees, or that no place taxes', () => {
    expect(firstLine({ from: DE, to: DE, lines: [{ amount: 1, product_type: 'saas' }] })?.rule).toBe(
      'specific',
    )
    expect(firstLine({ from: DE, to: { country: 'NO' }, lines: [{ amount: 1 }] })?.rule).toBe('specific')
  })
})

describe('another tax than sales tax', () => {
  const inState = (region: string, product_type: string, amount = 10_000, day = '2026-11-20') => {
    const place = { country: 'US', region }
    return firstLine({
      from: place,
      to: place,
      supply_address: place,
      currency: 'USD',
      day,
      lines: [{ amount, product_type }],
    })
  }

  it('stands in its place, with its name', () => {
    expect(inState('NH', 'prepared_food')).toMatchObject({
      tax_amount: 850,
      tax_breakdown: [{ tax_type: 'SALES_TAX', levied_as: 'Meals and rooms tax (RSA 78-A)' }],
    })
  })

  it('comes on top of it', () => {
    expect(inState('NJ', 'accommodation')?.tax_breakdown).toMatchObject([
      { tax_type: 'SALES_TAX', tax_amount: 663 },
      { tax_type: 'LODGING_TAX', tax_amount: 500 },
    ])
    expect(inState('FL', 'streaming')?.tax_breakdown).toMatchObject([
      { tax_type: 'COMMUNICATIONS_TAX', tax_amount: 744 },
    ])
  })

  it('has another rate above a price: clothing in Connecticut over 1,000 USD', () => {
    expect(inState('CT', 'clothing', 100_000)?.tax_amount).toBe(6_350)
    expect(inState('CT', 'clothing', 100_001)?.tax_amount).toBe(7_750)
  })

  it('has another rate up to a price of the whole sale: meals in Ontario up to 4.00 CAD', () => {
    const ontario = { country: 'CA', region: 'ON' }
    const meals = (...amounts: number[]) =>
      assessed({
        from: ontario,
        to: ontario,
        supply_address: ontario,
        currency: 'CAD',
        lines: amounts.map((amount) => ({ amount, product_type: 'prepared_food' })),
      }).tax_amount
    expect(meals(400)).toBe(20)
    expect(meals(200, 200)).toBe(20)
    expect(meals(200, 201)).toBe(52)
  })

  it('is lifted on a sales tax holiday, for consumers, up to the limit of an item', () => {
    expect(inState('TX', 'clothing', 5_000, '2026-08-08')?.tax_amount).toBe(0)
    expect(inState('TX', 'clothing', 10_000, '2026-08-08')?.tax_amount).toBe(625)
    expect(inState('TX', 'clothing', 5_000, '2026-08-10')?.tax_amount).toBe(313)
    expect(inState('TX', 'school_supplies', 5_000, '2026-08-08')?.tax_amount).toBe(0)
    expect(inState('MO', 'computers', 100_000, '2026-08-08')?.tax_amount).toBe(0)
  })
})

describe('a rate that ends by law', () => {
  const facts = readFacts()
  const ends = (rate: Rate): Rate =>
    rate.jurisdiction_id === 'DE' && rate.category === 'reduced' && rate.effective_to === null
      ? { ...rate, effective_to: '2027-12-31' }
      : rate
  const ending = openRateBook({ ...facts, rates: facts.rates.map(ends) })
  const room = (day: string) =>
    assessSale(saleOf({ from: DE, to: DE, day, lines: [{ amount: 10_000, product_type: 'books' }] }), ending)

  it('holds to its last day', () => {
    expect(room('2027-12-31')).toMatchObject({ tax_amount: 700 })
  })

  it('is neither prolonged nor replaced in silence after it', () => {
    expect(() => room('2028-01-01')).toThrow(/ends on 2027-12-31 by law, and the next one is not in the data/)
  })
})

describe('a country that was looked at and left out', () => {
  const left_out = readFacts().countries.flatMap(({ id, left_out: found }) =>
    found === undefined ? [] : [[id, found] as const],
  )

  it.each(left_out)('%s: the answer says why', (country, { why }) => {
    const { lines, notes } = assessed({ from: US, to: { country }, registrations: [], lines: saas })
    expect(lines[0]).toMatchObject({ taxability_reason: 'not_supported', tax_amount: 0 })
    expect(notes.join()).toContain(why)
  })
})
