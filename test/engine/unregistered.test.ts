import { describe, expect, it } from 'vitest'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { VatId } from '../../src/engine/sale/sale.ts'
import { assessed, book, saleOf } from './sale.ts'

const texas = { country: 'US', region: 'TX' }

describe('a seller who is not registered', () => {
  it.each([
    {
      region: 'NY',
      line: { amount: 5_000, product_type: 'clothing' },
      would: 0,
      because: 'an item under 110 USD is exempt',
    },
    {
      region: 'NY',
      line: { amount: 12_000, product_type: 'clothing' },
      would: 480,
      because: 'an item over it is taxed',
    },
    {
      region: 'MA',
      line: { amount: 20_000, product_type: 'clothing' },
      would: 156,
      because: 'only the excess over 175 USD is taxed',
    },
    {
      region: 'CA',
      line: { amount: 10_000, product_type: 'physical_goods' },
      would: 725,
      because: 'nothing is exempt',
    },
  ])('is told what it would collect in $region: $because', ({ region, line, would }) => {
    const { lines } = assessed({
      from: texas,
      registrations: [],
      to: { country: 'US', region },
      currency: 'USD',
      lines: [line],
    })
    expect(lines[0]).toMatchObject({
      tax_amount: 0,
      taxability_reason: 'not_collecting',
      tax_if_registered: would,
    })
  })

  it('would collect nothing from a customer who is exempt', () => {
    const { lines } = assessed({
      from: texas,
      registrations: [],
      to: { country: 'US', region: 'CA' },
      currency: 'USD',
      lines: [{ amount: 10_000 }],
      exemption: { jurisdiction_id: 'US-CA', exemption_type: 'resale' },
    })
    expect(lines[0]).toMatchObject({ taxability_reason: 'not_collecting', tax_if_registered: 0 })
  })

  it('would collect nothing on shipping that the state exempts', () => {
    const { shipping } = assessed({
      from: texas,
      registrations: [],
      to: { country: 'US', region: 'CA' },
      currency: 'USD',
      lines: [{ amount: 10_000 }],
      shipping: { amount: 1_000 },
    })
    expect(shipping).toMatchObject({ taxability_reason: 'not_collecting', tax_if_registered: 0 })
  })

  it.each([
    ['ON', 'Register in Canada: due once its threshold of CA$30,000.00 is passed'],
    ['AB', 'Register in Canada: due once its threshold of CA$30,000.00 is passed'],
    [
      'BC',
      'Register in Canada and in British Columbia: due once their thresholds of CA$30,000.00 and CA$10,000.00 ',
    ],
  ])('is told all that it needs in Canada: %s', (region, detail) => {
    const { lines } = assessed({
      from: texas,
      registrations: [],
      to: { country: 'CA', region },
      currency: 'CAD',
      lines: [{ amount: 10_000 }],
    })
    expect(lines[0]?.reason_detail).toContain(detail)
  })

  it('has to register from the first sale if the threshold is 0', () => {
    const { decision } = assessed({
      from: texas,
      registrations: [],
      to: { country: 'CA', region: 'SK' },
      currency: 'CAD',
      lines: [{ amount: 1 }],
    })
    expect(decision).toEqual({ collect: false, reason: 'threshold_exceeded', must_register: true })
  })

  it('needs the registration for Canada to collect HST: one for the province is not enough', () => {
    const sale = {
      from: texas,
      to: { country: 'CA', region: 'ON' },
      currency: 'CAD',
      lines: [{ amount: 10_000 }],
    }
    expect(assessed({ ...sale, registrations: ['CA-ON'] }).tax_amount).toBe(0)
    expect(assessed({ ...sale, registrations: ['CA'] }).tax_amount).toBe(1300)
  })

  it('has the domestic threshold at home', () => {
    const { lines, decision } = assessed({
      from: { country: 'DE' },
      seller_registered: false,
      to: { country: 'DE' },
      lines: [{ amount: 10_000 }],
    })
    expect(lines[0]?.reason_detail).toContain('once its threshold of €25,000.00 is passed')
    expect(decision.reason).toBe('below_threshold')
  })

  it('gets no threshold for a supply that is taxed where it takes place', () => {
    const { lines } = assessed({
      from: { country: 'DE' },
      registrations: [],
      to: { country: 'FR' },
      supply_address: { country: 'FR' },
      lines: [{ amount: 10_000, product_type: 'accommodation' }],
    })
    expect(lines[0]?.reason_detail).toContain('from the first sale')
  })
})

describe('an exemption in Canada', () => {
  const ontario = { country: 'CA', region: 'ON' }

  it('of the province removes its part of the HST, and the answer says so', () => {
    const { lines, exemption } = assessed({
      from: ontario,
      to: ontario,
      currency: 'CAD',
      lines: [{ amount: 10_000 }],
      exemption: { jurisdiction_id: 'CA-ON', exemption_type: 'other' },
    })
    expect(lines[0]).toMatchObject({ tax_amount: 500, taxability_reason: 'customer_exempt' })
    expect(exemption?.jurisdiction_id).toBe('CA-ON')
  })

  it('for the whole country goes before one for the province', () => {
    const sale = saleOf({ from: ontario, to: ontario, currency: 'CAD', lines: [{ amount: 10_000 }] })
    const held = { exemption_type: 'other' as const, valid_from: '2020-01-01', valid_to: null }
    const exemptions = [
      { ...held, id: 'exm_province', jurisdiction_id: 'CA-ON' },
      { ...held, id: 'exm_country', jurisdiction_id: 'CA' },
    ]
    expect(assessSale({ ...sale, exemptions }, book).tax_amount).toBe(0)
  })

  it('is not named if it removes nothing', () => {
    const { lines, exemption } = assessed({
      from: ontario,
      to: ontario,
      currency: 'CAD',
      lines: [{ amount: 10_000, product_type: 'books' }],
      exemption: { jurisdiction_id: 'CA-ON', exemption_type: 'other' },
    })
    expect(lines[0]?.tax_amount).toBe(500)
    expect(exemption).toBeNull()
  })
})

describe('shipping', () => {
  const germany = { country: 'DE' }

  it('may be free with goods of several rates', () => {
    const lines = [{ amount: 2_000 }, { amount: 1_000, product_type: 'groceries' }]
    expect(assessed({ from: germany, to: germany, lines, shipping: { amount: 0 } }).tax_amount).toBe(380 + 70)
    expect(
      assessed({ from: germany, to: germany, lines, shipping: { amount: 500, discount: 500 } }).tax_amount,
    ).toBe(380 + 70)
  })

  it('has the note on its own rule, not the note on the rule of the goods', () => {
    const illinois = { country: 'US', region: 'IL' }
    const { shipping, rules_used } = assessed({
      from: illinois,
      to: illinois,
      currency: 'USD',
      lines: [{ amount: 10_000 }],
      shipping: { amount: 1_000 },
    })
    expect(shipping?.notes.join()).toContain('only a part may be taxable')
    expect(rules_used.map((rule) => rule.product_type)).toContain('shipping')
  })

  it('is taxed in part if some of the goods are untaxed', () => {
    const { shipping } = assessed({
      from: { country: 'GB' },
      to: { country: 'GB' },
      currency: 'GBP',
      lines: [{ amount: 10_000 }, { amount: 5_000, product_type: 'books' }],
      shipping: { amount: 500 },
    })
    expect(shipping).toMatchObject({
      tax_amount: 67,
      taxable_amount: 333,
      taxability_reason: 'portion_product_exempt',
    })
  })
})

describe('a customer in the Union who buys a service from outside as a business', () => {
  const soldTo = (vat_id: VatId | null) => {
    const sale = saleOf({
      from: texas,
      registrations: ['oss_non_union'],
      to: { country: 'FR' },
      lines: [{ amount: 10_000, product_type: 'saas' }],
    })
    return assessSale({ ...sale, customer: { ...sale.customer, type: 'business', vat_id } }, book).lines[0]
  }

  it('accounts for the VAT itself with a good VAT id of a member state', () => {
    expect(soldTo({ country: 'FR', good: true, invalid: false })).toMatchObject({
      tax_amount: 0,
      taxability_reason: 'reverse_charge',
    })
  })

  it.each([
    ['no VAT id', null],
    ['one that is known to be wrong', { country: 'FR', good: false, invalid: true }],
    ['one of another country', { country: 'CH', good: true, invalid: false }],
    ['one of Northern Ireland, which is for goods', { country: 'XI', good: true, invalid: false }],
  ])('pays the tax with %s', (_, vat_id) => {
    expect(soldTo(vat_id)).toMatchObject({ tax_amount: 2_000, taxability_reason: null })
  })
})
