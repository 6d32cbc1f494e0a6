import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assessed, type SaleInWords } from './sale.ts'

const EARLY_2026 = '2026-03-10'
const CO = { country: 'US', region: 'CO', postal_code: '80202' }
const MN = { country: 'US', region: 'MN', postal_code: '55401' }

const sold = (to: SaleInWords['to'], words: Partial<SaleInWords> = {}) =>
  assessed({
    from: { country: 'US', region: 'TX' },
    to,
    registrations: ['US-CO', 'US-MN', 'co_retail_delivery_fee', 'mn_retail_delivery_fee'],
    currency: 'USD',
    day: EARLY_2026,
    delivery: 'motor_vehicle',
    lines: [{ amount: 10_000 }],
    ...words,
  })
const feeOf = (...asked: Parameters<typeof sold>) =>
  sold(...asked).fees.reduce((sum, { tax_amount }) => sum + tax_amount, 0)

describe('the retail delivery fee of Colorado', () => {
  it('comes once on top of the tax of the sale, and of no line', () => {
    const words = { lines: [{ amount: 10_000 }, { amount: 5_000 }], shipping: { amount: 500 }, explain: true }
    const { tax_amount, total, subtotal, lines, tax_breakdown, rate_millionths, trace } = sold(CO, words)
    expect(lines.reduce((sum, line) => sum + line.tax_amount, 0)).toBe(435)
    expect([tax_amount, total, rate_millionths]).toEqual([435 + 28, subtotal + 435 + 28, 29_000])
    expect(tax_breakdown.at(-1)).toEqual({
      jurisdiction_id: 'US-CO',
      tax_type: 'RETAIL_DELIVERY_FEE',
      levied_as: null,
      category: 'standard',
      rate_millionths: 0,
      taxable_amount: 0,
      tax_amount: 28,
    })
    expect(trace?.at(-1)).toMatchObject({
      step: 'delivery_fee',
      line: null,
      outcome: '$0.28 on the sale',
      basis: expect.stringContaining('https://tax.colorado.gov/retail-delivery-fee-rates'),
    })
  })

  it.each([
    ['2022-06-30', 0],
    ['2022-07-01', 27],
    ['2023-06-30', 27],
    ['2023-07-01', 28],
    ['2024-07-01', 29],
    ['2025-06-30', 29],
    ['2025-07-01', 28],
    ['2026-06-30', 28],
  ])('has the amount of its fiscal year on %s', (day, amount) => {
    expect(feeOf(CO, { day })).toBe(amount)
  })

  it('is told to be missing for a year whose amount is not in the data', () => {
    const { fees, notes } = sold(CO, { day: '2026-07-01' })
    expect(fees).toEqual([])
    expect(notes.join()).toContain('its amount for 2026-07-01 is not in the data')
  })

  it.each<[string, Partial<SaleInWords>]>([
    ['picked up by the buyer', { delivery: 'pickup' }],
    ['brought without a motor vehicle', { delivery: 'other' }],
    ['digital', { lines: [{ amount: 10_000, product_type: 'streaming' }] }],
    ['all exempt', { lines: [{ amount: 10_000, product_type: 'groceries' }] }],
    ['marked as untaxed', { lines: [{ amount: 10_000, taxable: false }] }],
    ['a credit', { lines: [{ amount: -10_000 }] }],
    ['for resale', { exemption: { jurisdiction_id: 'US-CO', exemption_type: 'resale' } }],
    ['made by a marketplace', { marketplace: 'facilitated' }],
    ['of a seller that does not collect there', { registrations: ['co_retail_delivery_fee'] }],
    ['in another currency', { currency: 'EUR' }],
  ])('is not due if the sale is %s', (_, words) => {
    expect(feeOf(CO, words)).toBe(0)
  })

  it('is due if one of several items is taxed, and for a meal that is delivered', () => {
    expect(feeOf(CO, { lines: [{ amount: 10_000, product_type: 'groceries' }, { amount: 100 }] })).toBe(28)
    const lines = [{ amount: 2_000, product_type: 'prepared_food' }]
    expect(feeOf(CO, { lines, shipping: { amount: 300 } })).toBe(28)
    expect(feeOf(CO, { lines, supply_address: CO })).toBe(0)
  })

  it('is not charged by a seller without its registration, who is told of it', () => {
    const { fees, notes } = sold(CO, { registrations: ['US-CO'] })
    expect(fees).toEqual([])
    expect(notes.join()).toContain('The retail delivery fee of Colorado ($0.28 a sale) is not in the answer')
    expect(notes.join()).toContain('more than $500,000.00 in the year before')
    expect(notes.join()).toContain('co_retail_delivery_fee')
    // SB23-143 freed small retailers from July 2023 on.
    const early = sold(CO, { registrations: ['US-CO'], day: '2023-06-30' })
    expect(early.notes.join()).toContain('No threshold for small retailers is in the data for 2023-06-30')
  })

  it('tells that a motor vehicle was assumed, and that a gross price does not contain the fee', () => {
    const lines = [{ amount: 10_290, tax_behavior: 'inclusive' as const }]
    const { notes, subtotal, total } = sold(CO, { delivery: null, lines })
    expect(notes.join()).toContain('delivery by a motor vehicle was assumed')
    expect(notes.join()).toContain('comes on top of them')
    expect([subtotal, total]).toEqual([10_000, 10_318])
  })

  it('tells the currency in which it cannot be charged', () => {
    expect(sold(CO, { currency: 'EUR' }).notes.join()).toContain('the sale is in EUR')
  })
})

describe('the retail delivery fee of Minnesota', () => {
  it.each<[number, string, SaleInWords['lines']]>([
    [0, 'before its first day', [{ amount: 10_000 }]],
    [50, 'at 100 USD', [{ amount: 10_000 }]],
    [0, 'under 100 USD', [{ amount: 9_999 }]],
    [50, 'of several goods', [{ amount: 5_000 }, { amount: 5_000 }]],
    [0, 'after a discount', [{ amount: 10_100, discount: 101 }]],
    [50, 'of clothing, which bears no sales tax', [{ amount: 10_000, product_type: 'clothing' }]],
    [0, 'of books and food', [{ amount: 9_000 }, { amount: 9_000, product_type: 'groceries' }]],
    [0, 'of sweets', [{ amount: 20_000, product_type: 'candy' }]],
    [0, 'of medicine', [{ amount: 20_000, product_type: 'prescription_drugs' }]],
    [0, 'of a service', [{ amount: 20_000, product_type: 'installation_repair' }]],
    [0, 'of 99.99 USD with its tax', [{ amount: 10_680, tax_behavior: 'inclusive' }]],
    [50, 'of 100 USD with its tax', [{ amount: 10_688, tax_behavior: 'inclusive' }]],
  ])('is %i cents for a sale %s', (amount, when, lines) => {
    const day = when === 'before its first day' ? '2024-06-30' : '2024-07-01'
    expect(feeOf(MN, { day, lines })).toBe(amount)
  })

  it('does not count shipping', () => {
    expect(feeOf(MN, { lines: [{ amount: 9_500 }], shipping: { amount: 1_000 } })).toBe(0)
  })

  it('is not due from an exempt buyer, also of clothing', () => {
    const exemption = { jurisdiction_id: 'US-MN', exemption_type: 'nonprofit' as const }
    expect(feeOf(MN, { exemption })).toBe(0)
    expect(feeOf(MN, { exemption, lines: [{ amount: 20_000, product_type: 'clothing' }] })).toBe(0)
  })

  it('has the name of the law', () => {
    expect(sold(MN).fees[0]?.record.name).toBe('Road Improvement and Food Delivery Fee')
  })
})

it('no other state has a fee, and delivery is told to be of no use there', () => {
  const { fees, notes } = sold({ country: 'US', region: 'KS' }, { seller_registered: true })
  expect(fees).toEqual([])
  expect(notes.join()).toContain('delivery was not used')
  expect(sold({ country: 'US', region: 'KS' }, { delivery: null }).notes.join()).not.toContain('delivery')
})

it('whatever is sold, the fee is all or nothing, and the sale is its lines and the fee', () => {
  const line = fc.record({
    amount: fc.integer({ min: -20_000, max: 20_000 }),
    product_type: fc.constantFrom('physical_goods', 'clothing', 'groceries', 'saas', 'candy', 'shipping'),
    tax_behavior: fc.constantFrom('exclusive' as const, 'inclusive' as const),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(CO, MN),
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('line' as const, 'document' as const),
      (to, lines, rounding) => {
        const assessment = sold(to, { lines, rounding })
        const fee = assessment.fees.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
        expect([0, to === CO ? 28 : 50]).toContain(fee)
        const ofLines = assessment.lines.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
        const broken = assessment.tax_breakdown.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
        expect(assessment.tax_amount).toBe(ofLines + fee)
        expect(broken).toBe(assessment.tax_amount)
        expect(assessment.total).toBe(assessment.subtotal + assessment.tax_amount)
      },
    ),
  )
})
