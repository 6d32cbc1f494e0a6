import { describe, expect, it } from 'vitest'
import type { Address, Customer } from '../../src/engine/sale/sale.ts'
import { assessed, type SaleInWords } from './sale.ts'

const RO = { country: 'RO' }
const FR = { country: 'FR' }
const GB = { country: 'GB', postal_code: 'SW1A 1AA' }
const CH = { country: 'CH' }
const COMMISSION = [{ amount: 800, product_type: 'intermediary_commission' }]

function commission(from: Address, to: Address, sold_in: Address | null, more: Partial<SaleInWords> = {}) {
  const words = {
    from,
    to,
    supply_address: sold_in,
    lines: COMMISSION,
    registrations: ['oss_union', 'oss_non_union', 'GB'],
  }
  const { lines, notes } = assessed({ ...words, explain: true, ...more })
  return { ...lines[0], notes }
}

describe('the commission of an intermediary', () => {
  // Directive 2006/112/EC, art. 46; VATA 1994, sch. 4A, para. 10; HMRC, VATPOSS09300.
  it.each([
    ['a sale in France', RO, FR, FR, 'FR', 160],
    ['a sale in France, for a consumer at home', RO, RO, FR, 'FR', 160],
    ['a sale at home, for a consumer abroad', RO, FR, RO, 'RO', 168],
    ['a sale in Britain of a British intermediary', GB, FR, GB, 'GB', 160],
    ['a sale in France of a British intermediary', GB, GB, FR, 'FR', 160],
    ['a sale in France of an intermediary from a third country', CH, FR, FR, 'FR', 160],
    ['a sale in the United States', RO, FR, { country: 'US' }, 'US', 0],
  ])('is taxed for a consumer where the sale is: %s', (_, from, to, sold_in, place, tax_amount) => {
    const found = commission(from, to, sold_in)
    expect(found).toMatchObject({ jurisdiction_id: place, tax_amount })
    expect(found.notes.join()).not.toContain('Send supply_address')
  })

  it('says so if the sale is unknown, also to a consumer at home', () => {
    for (const to of [FR, RO]) {
      const found = commission(RO, to, null)
      expect(found).toMatchObject({ jurisdiction_id: 'RO', tax_amount: 168 })
      expect(found.rule).not.toBe('specific')
      expect(found.notes.join()).toContain('The place of intermediary’s commission is unknown')
    }
    const from_outside = commission(CH, FR, null)
    expect(from_outside.notes.join()).toContain('Send supply_address')
  })

  it('is the general rule for a business', () => {
    const customer: Customer = {
      address: FR,
      type: 'business',
      vat_id: { country: 'FR', good: true, invalid: false },
    }
    expect(commission(RO, FR, RO, { customer })).toMatchObject({
      jurisdiction_id: 'FR',
      taxability_reason: 'reverse_charge',
    })
  })

  // MWSTG, art. 8(1); Norwegian Directorate of Taxes, 2001-08-27: it can be delivered from afar.
  it.each([
    ['Switzerland', CH, CH, 65],
    ['Norway', { country: 'NO' }, { country: 'NO' }, 200],
    ['Australia', { country: 'AU' }, { country: 'AU' }, 80],
    ['New Zealand', { country: 'NZ' }, { country: 'NZ' }, 120],
  ])('is a service as others in %s', (_, from, to, tax_amount) => {
    expect(commission(from, to, null).tax_amount).toBe(tax_amount)
    expect(commission(from, to, null).notes.join()).not.toContain('supply_address')
    expect(commission(from, to, { country: 'SG' }).tax_amount).toBe(tax_amount)
  })
})
