import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { productOfNoSupply, SUPPLY_REASONS, type SupplyReason } from '../../src/engine/book/product-types.ts'
import { sellingInOrder } from '../../src/engine/parts/deposits.ts'
import { termsOfNoSupply } from '../../src/engine/terms/no-supply.ts'
import { assessed, type SaleInWords } from './sale.ts'

const DE = { country: 'DE' }
const rare_lines = { termsOfNoSupply, sellingInOrder }
const money = (reason: SupplyReason, amount = 2_500) => ({ amount, product_type: productOfNoSupply(reason) })
const sold = (words: Partial<SaleInWords> & Pick<SaleInWords, 'from' | 'to' | 'lines'>) =>
  assessed({ rare_lines, ...words })

const PLACES = [
  ['DE', DE],
  ['FR', { country: 'FR' }],
  ['GB', { country: 'GB' }],
  ['Texas', { country: 'US', region: 'TX' }],
  ['Ontario', { country: 'CA', region: 'ON' }],
  ['AU', { country: 'AU' }],
  ['a country without data', { country: 'BR' }],
] as const

describe('a line that is no supply', () => {
  it.each(PLACES)('bears no tax in %s, whatever it pays for, and is in the total', (_, place) => {
    for (const reason of SUPPLY_REASONS) {
      const lines = [{ amount: 10_000, product_type: 'saas' }, money(reason)]
      const sale = sold({ from: place, to: place, lines })
      expect(sale.lines[1]).toMatchObject({
        taxability_reason: 'not_a_supply',
        tax_amount: 0,
        taxable_amount: 0,
        net_amount: 2_500,
        tax_if_registered: null,
        rule: 'specific',
      })
      expect(sale.total).toBe(12_500 + sale.tax_amount)
      expect(sale.tax_amount).toBe(sold({ from: place, to: place, lines: lines.slice(0, 1) }).tax_amount)
    }
  })

  it.each([
    ['late_fee', 'late payment', 'UStAE 1.3 para. 6'],
    ['damages', 'compensation for damage', 'UStAE 1.3'],
    ['donation', 'donation', 'C-16/93'],
    ['tip', 'voluntary tip', 'C-16/93'],
    ['other', 'pays for no supply', 'art. 2(1)'],
  ] as const)('says in its own words that it is a %s, and cites the law', (reason, words, basis) => {
    const sale = sold({ from: DE, to: DE, lines: [money(reason)], explain: true })
    expect(sale.lines[0]?.reason_detail).toContain(words)
    expect(sale.lines[0]?.reason_detail).not.toContain('voucher')
    expect(sale.trace?.find(({ step }) => step === 'place_of_supply')?.basis).toContain(basis)
  })

  it.each([
    ['damages in Canada', { country: 'CA', region: 'ON' }, 'damages', 's. 182'],
    ['damages in Britain', { country: 'GB' }, 'damages', 'Brief 2 (2022)'],
    ['a late fee in a state', { country: 'US', region: 'TX' }, 'late_fee', 'Some states tax a late fee'],
    ['a tip in a state', { country: 'US', region: 'TX' }, 'tip', 'service_charge'],
    ['a tip in Germany', DE, 'tip', 'service_charge'],
    ['a late fee in Norway', { country: 'NO' }, 'late_fee', 'is not in the data'],
  ] as const)('tells where the law may see a price: %s', (_, place, reason, note) => {
    const sale = sold({ from: place, to: place, lines: [money(reason)] })
    expect(sale.lines[0]?.notes.join()).toContain(note)
  })

  it('moves the place of the sale to no other one', () => {
    const words = { from: DE, to: { country: 'FR' }, supply_address: { country: 'IT' } }
    const lines = [{ amount: 10_000, product_type: 'event_admission' }, money('tip')]
    expect(sold({ ...words, lines }).jurisdiction_id).toBe('IT')
    expect(sold({ ...words, lines: [money('tip')] }).jurisdiction_id).toBe('DE')
  })

  it('is no goods: it lifts no consignment over its limit', () => {
    const words = { from: { country: 'CN' }, to: { country: 'DE' }, registrations: ['ioss'] }
    const goods = { amount: 14_000, product_type: 'physical_goods' }
    const alone = sold({ ...words, lines: [goods] })
    expect(sold({ ...words, lines: [goods, money('donation')] }).tax_amount).toBe(alone.tax_amount)
  })

  it('takes no share of the shipping', () => {
    const book = { amount: 1_000, product_type: 'books' }
    const words = { from: DE, to: DE, shipping: { amount: 500 } }
    const alone = sold({ ...words, lines: [book] })
    const beside = sold({ ...words, lines: [money('donation', 100_000), book] })
    expect(beside.shipping).toMatchObject({ tax_amount: alone.shipping?.tax_amount })
  })

  it('changes no tax of other lines, in any order and of any sign', () => {
    const reasons = fc.constantFrom(...SUPPLY_REASONS)
    const other = fc.record({
      amount: fc.integer({ min: -100_000, max: 100_000 }),
      product_type: fc.constantFrom('physical_goods', 'books', 'saas', 'prepared_food'),
    })
    const place = fc.constantFrom(...PLACES.map(([, each]) => each))
    const behavior = fc.constantFrom('inclusive' as const, 'exclusive' as const)
    fc.assert(
      fc.property(
        fc.array(other, { minLength: 1, maxLength: 4 }),
        reasons,
        fc.integer({ min: -100_000, max: 100_000 }),
        fc.nat(4),
        place,
        behavior,
        (others, reason, amount, position, at, tax_behavior) => {
          const lines = others.map((line) => ({ ...line, tax_behavior }))
          const added = { ...money(reason, amount), tax_behavior }
          const mixed = [...lines.slice(0, position), added, ...lines.slice(position)]
          const alone = sold({ from: at, to: at, supply_address: at, lines })
          const beside = sold({ from: at, to: at, supply_address: at, lines: mixed })
          expect(beside.tax_amount).toBe(alone.tax_amount)
          expect(beside.total).toBe(alone.total + amount)
          expect(beside.tax_breakdown).toEqual(alone.tax_breakdown)
        },
      ),
    )
  })
})
