import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withRecargo } from '../../src/engine/terms/es-recargo.ts'
import type { Customer, VatId } from '../../src/engine/sale/sale.ts'
import { assessed, type SaleInWords } from './sale.ts'

const SPAIN = { country: 'ES', postal_code: '28001' }
const CANARY_ISLANDS = { country: 'ES', postal_code: '35001' }
const FRANCE = { country: 'FR' }

const vat_scheme = { id: 'es_recargo', law: { treated: withRecargo } } as const
const retailer = (address = SPAIN, vat_id: VatId | null = null): Customer => {
  return { address, type: 'business', vat_id, vat_scheme }
}

const GOODS = ['physical_goods', 'groceries', 'books', 'tobacco'] as const

type Words = Partial<SaleInWords> & Pick<SaleInWords, 'lines'>

function soldToRetailer({ customer = retailer(), ...words }: Words) {
  return assessed({ from: SPAIN, to: customer.address, customer, ...words })
}

const taxesOf = (words: Words) =>
  soldToRetailer(words).tax_breakdown.map((tax) => [tax.tax_type, tax.rate_millionths, tax.tax_amount])

describe('the recargo de equivalencia', () => {
  it.each([
    ['physical_goods', 210_000, 52_000],
    ['groceries', 100_000, 14_000],
    ['books', 40_000, 5_000],
    ['tobacco', 210_000, 17_500],
  ])('comes beside the VAT on %s for a retailer under the scheme', (product_type, vat, recargo) => {
    expect(taxesOf({ lines: [{ amount: 1_000_000, product_type }] })).toEqual([
      ['VAT', vat, vat],
      ['RECARGO_DE_EQUIVALENCIA', recargo, recargo],
    ])
  })

  it.each([
    ['2012-08-31', 'physical_goods', 180_000, 40_000],
    ['2010-06-30', 'physical_goods', 160_000, 40_000],
    ['2026-06-15', 'otc_drugs', 40_000, 5_000],
    ['2024-12-31', 'basic_food', 20_000, 2_600],
  ])('has the rates of %s for %s', (day, product_type, vat, recargo) => {
    const line = soldToRetailer({ day, lines: [{ amount: 10_000, product_type }] }).lines[0]
    expect(line?.tax_breakdown.map((tax) => tax.rate_millionths)).toEqual([vat, recargo])
    expect(line?.rate_millionths).toBe(vat + recargo)
  })

  it('is 0 on food at 0 %, so it is no tax of its own there', () => {
    const sold = soldToRetailer({
      day: '2024-01-15',
      lines: [{ amount: 10_000, product_type: 'basic_food' }],
    })
    expect(sold).toMatchObject({ tax_amount: 0, lines: [{ taxability_reason: 'zero_rated' }] })
  })

  it('is in a price with tax, which is divided by 1 and both rates', () => {
    const lines = [{ amount: 12_620, tax_behavior: 'inclusive' as const }]
    expect(soldToRetailer({ lines })).toMatchObject({ subtotal: 10_000, tax_amount: 2_620, total: 12_620 })
    expect(taxesOf({ lines }).map(([, , tax]) => tax)).toEqual([2_100, 520])
  })

  it('falls on the delivery with the goods, in proportion to them', () => {
    const lines = [{ amount: 10_000 }, { amount: 10_000, product_type: 'groceries' }]
    const { shipping } = soldToRetailer({ lines, shipping: { amount: 1_000 } })
    expect(shipping?.tax_breakdown.map((tax) => [tax.rate_millionths, tax.tax_amount])).toEqual([
      [210_000, 105],
      [52_000, 26],
      [100_000, 50],
      [14_000, 7],
    ])
  })

  it('says its article in the trace, and keeps its rate among the records that were used', () => {
    const { trace, rates_used } = soldToRetailer({ explain: true, lines: [{ amount: 100 }] })
    const step = trace?.find(({ rule }) => rule.includes('RECARGO_DE_EQUIVALENCIA'))
    expect(step).toMatchObject({ outcome: 'standard 5.2 %' })
    expect(step?.basis).toContain('Ley 37/1992, art. 161')
    expect(rates_used.map(({ tax_type }) => tax_type)).toEqual(['VAT', 'RECARGO_DE_EQUIVALENCIA'])
  })
})

const good = (country: string): VatId => ({ country, good: true, invalid: false })

describe('no recargo de equivalencia', () => {
  const none: [string, Words][] = [
    ['services', { lines: [{ amount: 10_000, product_type: 'professional_services' }] }],
    ['digital supplies', { lines: [{ amount: 10_000, product_type: 'ebooks' }] }],
    ['delivery without goods', { lines: [{ amount: 10_000, product_type: 'shipping' }] }],
    ['goods to the Canary Islands', { customer: retailer(CANARY_ISLANDS), lines: [{ amount: 10_000 }] }],
    ['goods from the Canary Islands', { ship_from: CANARY_ISLANDS, lines: [{ amount: 10_000 }] }],
    [
      'goods of a French seller at a distance',
      { from: FRANCE, registrations: ['FR', 'oss_union'], lines: [{ amount: 10_000 }] },
    ],
    [
      'an intra-Community acquisition',
      { from: FRANCE, customer: retailer(SPAIN, good('ES')), lines: [{ amount: 10_000 }] },
    ],
    [
      'goods in Spain of a seller that is established elsewhere',
      { from: FRANCE, registrations: ['FR', 'ES'], ship_from: SPAIN, lines: [{ amount: 10_000 }] },
    ],
    [
      'goods of a seller whose place is unknown',
      { from: null, registrations: ['ES'], lines: [{ amount: 10_000 }] },
    ],
    ['an untaxed line', { lines: [{ amount: 10_000, taxable: false }] }],
    [
      'goods that a marketplace sells',
      {
        marketplace: 'facilitated',
        from: { country: 'US', region: 'NY' },
        ship_from: SPAIN,
        lines: [{ amount: 10_000 }],
      },
    ],
    ['goods of a seller that is not registered', { seller_registered: false, lines: [{ amount: 10_000 }] }],
  ]

  it.each(none)('falls on %s', (_, words) => {
    expect(taxesOf(words).map(([tax_type]) => tax_type)).not.toContain('RECARGO_DE_EQUIVALENCIA')
  })

  it.each(none)('changes the tax of %s', (_, words) => {
    const { vat_scheme: _scheme, ...customer } = words.customer ?? retailer()
    expect(soldToRetailer(words).lines).toEqual(soldToRetailer({ ...words, customer }).lines)
  })

  it('falls on goods for a customer who does not say the scheme', () => {
    const customer = { address: SPAIN, type: 'business' as const, vat_id: good('ES') }
    expect(taxesOf({ customer, lines: [{ amount: 10_000 }] })).toEqual([['VAT', 210_000, 2_100]])
  })

  it('falls on what an exemption frees', () => {
    const exemption = { jurisdiction_id: 'ES', exemption_type: 'other' as const }
    expect(soldToRetailer({ exemption, lines: [{ amount: 10_000 }] }).tax_amount).toBe(0)
  })
})

const someLines = fc.array(
  fc.record({
    amount: fc.integer({ min: -500_000, max: 5_000_000 }).filter((amount) => amount !== 0),
    product_type: fc.constantFrom(...GOODS, 'professional_services', 'ebooks'),
    tax_behavior: fc.constantFrom('exclusive' as const, 'inclusive' as const),
  }),
  { minLength: 1, maxLength: 8 },
)

describe('any cart of a retailer', () => {
  const carts = fc.record({
    lines: someLines,
    rounding: fc.constantFrom('line' as const, 'document' as const),
    shipping: fc.option(fc.record({ amount: fc.integer({ min: 1, max: 90_000 }) }), { nil: undefined }),
  })

  it('has taxes that add up, on each line and of the sale', () => {
    fc.assert(
      fc.property(carts, ({ shipping, ...cart }) => {
        const sold = soldToRetailer({ ...cart, ...(shipping !== undefined && { shipping }) })
        const lines = sold.shipping === null ? sold.lines : [...sold.lines, sold.shipping]
        const sum = (taxes: readonly { tax_amount: number }[]) =>
          taxes.reduce((total, { tax_amount }) => total + tax_amount, 0)
        for (const line of lines) expect(sum(line.tax_breakdown)).toBe(line.tax_amount)
        expect(sum(sold.tax_breakdown)).toBe(sold.tax_amount)
        expect(sold.subtotal + sold.tax_amount).toBe(sold.total)
        cart.lines.forEach(({ amount, tax_behavior }, index) => {
          const line = sold.lines[index]
          const price =
            tax_behavior === 'inclusive'
              ? (line?.net_amount ?? 0) + (line?.tax_amount ?? 0)
              : line?.net_amount
          expect(price).toBe(amount)
        })
      }),
    )
  })

  it('bears the same VAT as without the scheme where prices are without tax', () => {
    fc.assert(
      fc.property(someLines, (lines) => {
        const exclusive = lines.map((line) => ({ ...line, tax_behavior: 'exclusive' as const }))
        const vatOf = ({ lines: [...own] }: ReturnType<typeof assessed>) =>
          own.map((line) => line.tax_breakdown.filter(({ tax_type }) => tax_type === 'VAT'))
        const { vat_scheme: _, ...customer } = retailer()
        expect(vatOf(soldToRetailer({ lines: exclusive }))).toEqual(
          vatOf(soldToRetailer({ lines: exclusive, customer })),
        )
      }),
    )
  })
})
