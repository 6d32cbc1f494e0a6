import { describe, expect, it } from 'vitest'
import { sellingInOrder } from '../../src/engine/parts/deposits.ts'
import { termsOfNoSupply } from '../../src/engine/terms/no-supply.ts'
import { assessed, named, type SaleInWords } from './sale.ts'

const at = (country: string, region?: string) => ({ country, ...(region !== undefined && { region }) })
const withDeposits = (words: SaleInWords) =>
  assessed({ rare_lines: { sellingInOrder, termsOfNoSupply }, ...words })
const line = (place: { country: string; region?: string }, product_type: string) =>
  withDeposits({ from: place, to: place, supply_address: place, lines: [{ amount: 10_000, product_type }] })
    .lines[0]

describe('a service charge that guests have to pay', () => {
  it.each([
    ['FR', 1_000],
    ['DE', 700],
    ['IT', 1_000],
    ['GB', 2_000],
  ])('is taxed as the meal in %s, and the answer says so', (country, tax_amount) => {
    const found = line(at(country), 'service_charge')
    expect(found).toMatchObject({ tax_amount, rule: 'default' })
    expect(line(at(country), 'prepared_food')?.tax_amount).toBe(tax_amount)
    expect(found?.notes.join()).toContain(`No rule in the data for service charge in ${named(country)}`)
  })

  it.each(['TX', 'NY', 'FL'])(
    'is free in US-%s only if it goes to the staff, which the note tells',
    (region) => {
      const found = line(at('US', region), 'service_charge')
      expect(found?.rule).toBe('uncertain')
      expect(found?.tax_amount).toBeGreaterThan(0)
      expect(found?.notes.join()).toContain('all of it goes to the staff')
    },
  )

  it('of a meal that is delivered is taxed at the customer, like the meal', () => {
    const lines = [
      { amount: 10_000, product_type: 'prepared_food' },
      { amount: 1_000, product_type: 'service_charge' },
    ]
    const words = { from: at('US', 'NJ'), to: at('US', 'NY'), registrations: ['US-NJ', 'US-NY'] }
    const found = assessed({ ...words, shipping: { amount: 500 }, lines })
    expect(found.lines.map(({ jurisdiction_id }) => jurisdiction_id)).toEqual(['US-NY', 'US-NY'])
  })
})

describe('a deposit on bottles', () => {
  it.each([
    ['CA', 'ON'],
    ['CA', 'AB'],
    ['US', 'NY'],
  ])('is no part of the price in %s-%s', (country, region) => {
    expect(line(at(country, region), 'bottle_deposit')?.taxability_reason).toBe('product_exempt')
  })

  it('bears the provincial tax of British Columbia, whose rule is not in the data', () => {
    const found = line(at('CA', 'BC'), 'bottle_deposit')
    expect(found?.tax_breakdown.map(({ tax_type }) => tax_type)).toEqual(['PST'])
    expect(found?.rule).toBe('default')
  })

  it.each([
    [at('DE'), 1_900],
    [at('US', 'CA'), 725],
  ])('is a part of the price in %j', (place, tax_amount) => {
    const found = line(place, 'bottle_deposit')
    expect(found?.tax_amount).toBe(tax_amount)
    expect(found?.rule).not.toBe('default')
  })

  it('is taxed as goods where no rule is in the data, and the answer says so', () => {
    const found = line(at('US', 'AZ'), 'bottle_deposit')
    expect(found).toMatchObject({ rule: 'default', taxability_reason: null })
    expect(found?.notes.join()).toContain('No rule in the data for bottle deposit')
  })
})

describe('a deposit of a scheme', () => {
  const drink = { amount: 1_000, product_type: 'soft_drinks' }
  const deposit = { amount: 50, product_type: 'bottle_deposit' }
  const sold = (place: { country: string; region?: string }, day: string) =>
    withDeposits({ from: place, to: place, day, lines: [drink, deposit] })

  it.each([
    [at('IE'), '2024-02-01', '2024-01-31'],
    [at('PL'), '2025-10-01', '2025-09-30'],
    [at('RO'), '2023-11-30', '2023-11-29'],
    [at('AT'), '2025-01-01', '2024-12-31'],
    [at('HU'), '2024-01-01', '2023-12-31'],
    [at('LV'), '2022-02-01', '2022-01-31'],
    [at('MT'), '2022-11-14', '2022-11-13'],
  ])('pays for no supply in %j from %s on', (place, first, before) => {
    expect(sold(place, first).lines[1]).toMatchObject({
      tax_amount: 0,
      taxability_reason: 'not_a_supply',
      reason_detail: expect.stringContaining(`is not a supply in ${named(place.country)}: `),
    })
    expect(sold(place, before).lines[1]).toMatchObject({ rule: 'default', taxability_reason: null })
  })

  it.each([
    [at('HR'), 'not_a_supply'],
    [at('US', 'MA'), 'product_exempt'],
    [at('US', 'IA'), 'product_exempt'],
    [at('US', 'HI'), 'product_exempt'],
  ])('is no part of the price in %j: %s', (place, taxability_reason) => {
    expect(line(place, 'bottle_deposit')).toMatchObject({ tax_amount: 0, taxability_reason })
  })

  const inRomania = (words: Partial<SaleInWords>) =>
    withDeposits({ from: at('RO'), to: at('RO'), lines: [drink, deposit], ...words })

  it.each([
    ['of a seller that is not registered', { registrations: [], from: at('DE'), ship_from: at('RO') }],
    ['of a small business', { small_business: true }],
    ['that the request marks as not taxable', { lines: [drink, { ...deposit, taxable: false }] }],
    ['that is given back', { lines: [drink, { ...deposit, amount: -50 }] }],
    ['of a customer with a certificate', { exemption: { jurisdiction_id: 'RO', exemption_type: 'other' } }],
  ] as const)('is no supply: one %s', (_, words) => {
    const found = inRomania(words as Partial<SaleInWords>)
    expect(found.lines[1]).toMatchObject({ tax_amount: 0, taxability_reason: 'not_a_supply' })
    expect(found.lines[0]?.taxability_reason).not.toBe('not_a_supply')
  })

  it('takes no postage, so that the whole of it bears the tax of the drink', () => {
    const postage = { shipping: { amount: 1_000 } }
    expect(inRomania(postage).shipping?.tax_amount).toBe(210)
    const alone = inRomania({ ...postage, lines: [deposit] })
    expect(alone.lines[0]?.taxability_reason).toBe('not_a_supply')
    expect(alone.shipping?.tax_amount).toBe(210)
  })

  it('is exempt with the drink that goes to another state', () => {
    const vat_id = { country: 'DE', good: true, invalid: false }
    const customer = { address: at('DE'), type: 'business', vat_id } as const
    const reasons = inRomania({ to: at('DE'), customer }).lines.map((each) => each.taxability_reason)
    expect(reasons).toEqual(['intra_community_supply', 'intra_community_supply'])
  })

  it.each([
    ['IE', 200, 15, 46],
    ['PL', 1_000, 50, 230],
    ['RO', 1_000, 50, 210],
  ])('leaves the tax of the drink in %s: %d with %d has %d', (country, price, paid_back, tax_amount) => {
    const lines = [
      { ...drink, amount: price },
      { ...deposit, amount: paid_back },
    ]
    const words = { from: at(country), to: at(country), lines }
    expect(withDeposits(words)).toMatchObject({ tax_amount, total: price + paid_back + tax_amount })
  })

  it.each(['EE', 'LT', 'SK', 'NL', 'FI', 'DK', 'SE'])('keeps the default in %s, and says so', (country) => {
    const found = line(at(country), 'bottle_deposit')
    expect(found?.rule).toBe('default')
    expect(found?.notes.join()).toContain('No rule in the data for bottle deposit')
  })
})

describe('a deposit in Germany', () => {
  const milk = { amount: 200, product_type: 'groceries' }
  const beer = { amount: 200, product_type: 'alcohol' }
  const deposit = { amount: 15, product_type: 'bottle_deposit' }
  const taxes = (...lines: { amount: number; product_type: string }[]) =>
    withDeposits({ from: at('DE'), to: at('DE'), lines }).lines.map(({ tax_amount }) => tax_amount)

  it('bears the rate of the drink before it', () => {
    expect(taxes(milk, deposit)).toEqual([14, 1])
    expect(taxes(beer, deposit, milk, deposit)).toEqual([38, 3, 14, 1])
    expect(taxes(milk, deposit, deposit)).toEqual([14, 1, 1])
  })

  it('looks past what is no goods', () => {
    expect(taxes(milk, { amount: 1_000, product_type: 'saas' }, deposit)).toEqual([14, 190, 1])
  })

  const bundle = [
    { product_type: 'groceries', share_millionths: 400_000 },
    { product_type: 'alcohol', share_millionths: 600_000 },
  ]

  it('is shared by price between the goods of a bundle before it', () => {
    const basket = { amount: 1_000, product_type: 'groceries', bundle }
    const found = withDeposits({ from: at('DE'), to: at('DE'), lines: [basket, { ...deposit, amount: 100 }] })
    expect(found.lines[1]?.tax_breakdown).toMatchObject([
      { taxable_amount: 40, rate_millionths: 70_000 },
      { taxable_amount: 60, rate_millionths: 190_000 },
    ])
    expect(found.lines[1]).toMatchObject({ net_amount: 100, tax_amount: 3 + 11 })
  })

  it('follows the goods of a bundle that is named by a service', () => {
    const set = [
      { product_type: 'saas', share_millionths: 500_000 },
      { product_type: 'groceries', share_millionths: 500_000 },
    ]
    const lines = [
      { amount: 1_000, product_type: 'saas', bundle: set },
      { ...deposit, amount: 100 },
    ]
    const found = withDeposits({ from: at('DE'), to: at('DE'), lines })
    expect(found.lines[1]).toMatchObject({ tax_amount: 7 })
  })

  it('is taxed at the standard rate where no goods are before it, and says so', () => {
    const found = withDeposits({ from: at('DE'), to: at('DE'), lines: [deposit, milk] })
    expect(found.lines[0]).toMatchObject({ tax_amount: 3 })
    expect(found.lines[0]?.notes.join()).toContain('There are none')
  })

  it('is exempt with the drink that goes to another state', () => {
    const customer = {
      address: at('AT'),
      type: 'business' as const,
      vat_id: { country: 'AT', good: true, invalid: false },
    }
    const sale = { from: at('DE'), to: at('AT'), customer, lines: [milk, deposit] } as const
    const reasons = withDeposits({ ...sale, lines: [...sale.lines] }).lines.map(
      (each) => each.taxability_reason,
    )
    expect(reasons).toEqual(['intra_community_supply', 'intra_community_supply'])
  })

  it('takes its share of the postage at the rate of the drink', () => {
    const shipping = { amount: 500 }
    const found = withDeposits({ from: at('DE'), to: at('DE'), lines: [milk, deposit], shipping })
    expect(found.shipping?.tax_amount).toBe(35)
  })
})
