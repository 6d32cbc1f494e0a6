import { describe, expect, it } from 'vitest'
import { assessed, type SaleInWords } from './sale.ts'

const DE = { country: 'DE' }
const card = [{ amount: 5_000, product_type: 'gift_card' }]
const sold = (words: Partial<SaleInWords> & Pick<SaleInWords, 'from' | 'to'>) =>
  assessed({ lines: card, ...words })

describe('a voucher for several kinds of supply', () => {
  it.each([
    ['DE', DE, DE, 'EUR', 'art. 30b(2)'],
    ['DE to FR', DE, { country: 'FR' }, 'EUR', 'art. 30b(2)'],
    ['GB', { country: 'GB' }, { country: 'GB' }, 'GBP', 'sch. 10B'],
    ['Texas', { country: 'US', region: 'TX' }, { country: 'US', region: 'TX' }, 'USD', 'Sales tax act'],
    ['Ontario', { country: 'CA', region: 'ON' }, { country: 'CA', region: 'ON' }, 'CAD', 's. 181.2'],
    ['AU', { country: 'AU' }, { country: 'AU' }, 'AUD', 's. 100-5'],
    ['NZ', { country: 'NZ' }, { country: 'NZ' }, 'NZD', 's. 5(11G)'],
  ])('is no supply in %s when it is sold', (_, from, to, currency, basis) => {
    const sale = sold({ from, to, currency, explain: true })
    expect(sale).toMatchObject({ tax_amount: 0, decision: { collect: false, reason: 'not_subject_to_tax' } })
    expect(sale.lines[0]).toMatchObject({ taxability_reason: 'not_a_supply', tax_if_registered: null })
    expect(sale.trace?.find(({ step }) => step === 'place_of_supply')?.basis).toContain(basis)
  })

  it.each(['NY', 'TX', 'WA'])('is sent without tax in %s, unless goods are sent with it', (region) => {
    const place = { country: 'US', region }
    const sale = { from: place, to: place, registrations: [`US-${region}`], currency: 'USD' }
    const shipping = { amount: 500 }
    expect(sold({ ...sale, shipping })).toMatchObject({
      tax_amount: 0,
      shipping: { taxability_reason: 'not_a_supply' },
    })
    const with_goods = sold({ ...sale, shipping, lines: [...card, { amount: 1_000 }] })
    expect(with_goods.shipping?.tax_amount).toBeGreaterThan(0)
    const service = [{ amount: 1_000, product_type: 'saas' }]
    expect(sold({ ...sale, shipping, lines: service }).shipping?.taxability_reason).not.toBe('not_a_supply')
  })

  it('leaves other lines of the sale as they are', () => {
    const lines = [...card, { amount: 10_000, product_type: 'professional_services' }]
    expect(sold({ from: DE, to: DE, lines }).lines.map(({ tax_amount }) => tax_amount)).toEqual([0, 1_900])
  })

  it('is taxed as a service before the rule of the Union, and a note says so', () => {
    const sale = sold({ from: DE, to: DE, day: '2018-12-31' })
    expect(sale.tax_amount).toBe(950)
    expect(sale.notes.join()).toContain('vouchers is not in the data')
  })
})
