import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import { Refusal } from '../../src/engine/ground/refusal.ts'
import { FACTS_REGIONS } from '../../src/engine/book/regions.ts'
import type { Address, Customer, FacilitatedSeller } from '../../src/engine/sale/sale.ts'
import { assessed, type SaleInWords } from './sale.ts'

const IE = { country: 'IE' }
const DE = { country: 'DE' }
const FR = { country: 'FR' }
const GB = { country: 'GB', postal_code: 'SW1A 1AA' }
const CN = { country: 'CN' }
const US = { country: 'US', region: 'TX' }
const MISSOURI = { country: 'US', region: 'MO' }
const GOODS = [{ amount: 5_000 }]
const of = (address: Address, registrations: readonly string[] | null = []): FacilitatedSeller => ({
  address,
  registrations,
})

/** A sale as the marketplace asks for it, with what it is registered for. */
function asked(words: Partial<SaleInWords> & { to: Address }, registrations = ['oss_union', 'ioss']) {
  return assessed({ from: IE, lines: GOODS, marketplace: 'facilitator', registrations, ...words })
}

describe('a marketplace that names its seller', () => {
  it.each([
    ['goods in the Union of a seller of the Union', { to: FR, ship_from: DE, facilitated_seller: of(DE) }, 0],
    [
      'goods in the Union of a seller from outside',
      { to: FR, ship_from: DE, facilitated_seller: of(CN) },
      1_000,
    ],
    ['an import of low value', { to: FR, facilitated_seller: of(CN) }, 1_000],
    ['an import of more', { to: FR, facilitated_seller: of(CN), lines: [{ amount: 16_000 }] }, 0],
    ['goods in Britain of a British seller', { to: GB, ship_from: GB, facilitated_seller: of(GB) }, 0],
    [
      'goods in Britain of a seller from abroad',
      { to: GB, ship_from: GB, facilitated_seller: of(US) },
      1_000,
    ],
    ['goods in a state', { to: { ...US, postal_code: '78701' }, facilitated_seller: of(US) }, 313],
    ['a rated service', { to: FR, facilitated_seller: of(DE), lines: services }, 0],
    [
      'a meal in a state whose act is silent',
      { to: MISSOURI, supply_address: MISSOURI, facilitated_seller: of(MISSOURI), lines: meal },
      0,
    ],
    ['an electronic service', { to: FR, facilitated_seller: of(DE), lines: saas }, 1_000],
  ])('%s', (_, words, tax_amount) => {
    const { lines, decision, notes } = asked(words, ['oss_union', 'ioss', 'GB', 'US-TX'])
    const tax = lines.reduce((sum, line) => sum + line.tax_amount, 0)
    expect(tax).toBe(tax_amount)
    if (tax_amount > 0) expect(decision.collect).toBe(true)
    else {
      expect(lines[0]?.taxability_reason).toBe('seller_accounts')
      expect(decision).toEqual({ collect: false, reason: 'seller_accounts', must_register: false })
    }
    expect(notes.join()).not.toContain('only if')
  })

  it('is told that the registrations of the seller decide, if they do', () => {
    const to = { country: 'CA', region: 'ON' }
    const words = { to, from: { country: 'CA', region: 'BC' }, lines: saas, currency: 'CAD' }
    const known = (registrations: readonly string[] | null) =>
      asked({ ...words, facilitated_seller: of(US, registrations) }, ['CA'])
    expect(known([])).toMatchObject({ tax_amount: 650, notes: [] })
    expect(known(['CA']).tax_amount).toBe(0)
    expect(known(['CA']).notes.join()).not.toContain('only if')
    expect(known(null).tax_amount).toBe(650)
    expect(known(null).notes.join()).toContain('only if the seller is not registered in Canada')
  })

  it('assumes the place of the seller for a supply on the spot', () => {
    const lines = [{ amount: 10_000, product_type: 'accommodation' }]
    const { notes } = asked({ to: DE, facilitated_seller: of({ country: 'NZ' }), lines }, ['NZ'])
    expect(notes.join()).toContain('New Zealand')
    expect(notes.join()).not.toContain('Ireland')
  })
})

describe('the fee of a marketplace', () => {
  const fee = { amount: 1_000, product_type: 'intermediary_commission' }

  it.each([
    ['beside the goods', DE, DE, [{ amount: 5_000 }, fee], {}, 190],
    ['alone', DE, DE, [fee], {}, 190],
    ['in Britain', GB, GB, [fee], {}, 200],
    ['for a sale abroad', { country: 'RO' }, DE, [fee], { supply_address: FR }, 200],
  ])('is its own service, whoever makes the sale: %s', (_, from, to, lines, more, tax_amount) => {
    const words = { from, ship_from: from, to, lines, ...more }
    const registrations = ['DE', 'GB', 'FR']
    const ofSeller = asked({ ...words, facilitated_seller: of(to) }, registrations)
    expect(ofSeller.tax_amount).toBe(tax_amount)
    expect(ofSeller.lines.at(-1)?.tax_amount).toBe(tax_amount)
    expect(ofSeller.decision.collect).toBe(true)
    expect(asked({ ...words, lines: [fee] }, registrations).tax_amount).toBe(tax_amount)
  })
})

const saas = [{ amount: 5_000, product_type: 'saas' }]
const meal = [{ amount: 100, product_type: 'prepared_food' }]
const services = [{ amount: 5_000, product_type: 'professional_services' }]

describe('a marketplace that does not name its seller', () => {
  it.each([
    [
      'goods in the Union',
      { to: FR, ship_from: DE },
      'not established in the European Union (Directive 2006/112/EC, art. 14a(2))',
    ],
    [
      'goods in Britain',
      { to: GB, ship_from: GB },
      'not established in the United Kingdom (VATA 1994, s. 5A)',
    ],
    [
      'goods in Northern Ireland',
      { to: { country: 'XI' }, ship_from: { country: 'XI' } },
      'not established in the United Kingdom or the European Union (Directive 2006/112/EC, art. 14a(2))',
    ],
    ['goods from an unknown place', { to: FR }, 'art. 14a(1); Directive 2006/112/EC, art. 14a(2)'],
    [
      'a service of the Union',
      { to: FR, lines: services },
      'only if the seller lets it sell in its own name',
    ],
    [
      'an import above the limit',
      { to: FR, ship_from: CN, lines: [{ amount: 16_000 }] },
      'only if the seller lets it',
    ],
    [
      'a stay in Canada',
      {
        to: { country: 'CA', region: 'ON' },
        supply_address: { country: 'CA', region: 'ON' },
        lines: [{ amount: 100, product_type: 'accommodation' }],
      },
      'not registered in Canada',
    ],
    [
      'a kind that no act on file names',
      { to: MISSOURI, supply_address: MISSOURI, lines: meal },
      'does not say whether',
    ],
  ])('is told on what it depends: %s', (_, words, note) => {
    const { notes } = asked(words)
    expect(notes.join('\n')).toContain(note)
    expect(notes.join('\n')).not.toContain('makes the sale by law')
  })

  it('is told that it makes the sale, if it makes that of each seller', () => {
    const law = 'The marketplace makes the sale by law (Reg. (EU) 282/2011, art. 9a)'
    expect(asked({ to: FR, lines: saas }).notes.join()).toContain(law)
    expect(asked({ to: { ...US, postal_code: '78701' } }).notes.join()).toContain('makes the sale by law')
  })
})

describe('a sale on a marketplace', () => {
  it('of an electronic service is the platform’s, also if the customer is a business', () => {
    // Implementing Regulation (EU) 282/2011, art. 9a, makes no difference between customers.
    const customer: Customer = {
      address: FR,
      type: 'business',
      vat_id: { country: 'FR', good: true, invalid: false },
    }
    const words = { to: FR, customer, lines: saas }
    const by_seller = assessed({ ...words, from: DE, registrations: [], marketplace: 'facilitated' })
    expect(by_seller.lines[0]?.taxability_reason).toBe('marketplace_collects')
    const by_platform = asked({ ...words, from: FR, facilitated_seller: of(DE) })
    expect(by_platform.tax_amount).toBe(1_000)
  })

  const country = fc.constantFrom<Address>(
    ...FACTS_REGIONS.filter((region) => !['EU', 'UK', 'US', 'CA'].includes(region)).map((region) => ({
      country: region,
    })),
    ...['DE', 'FR', 'IE', 'GB', 'CN', 'BR'].map((code) => ({ country: code })),
    { country: 'GB', postal_code: 'BT1 5GS' },
    ...['TX', 'CA', 'NY', 'FL', 'OR'].map((region) => ({ country: 'US', region })),
    ...['ON', 'BC', 'QC', 'AB'].map((region) => ({ country: 'CA', region })),
    { country: 'IN', region: 'MH' },
  )
  const place = country.map((at) => (at.country === 'IN' ? { country: 'IN', region: 'MH' } : at))
  const sale = fc.record({
    seller: place,
    platform: place,
    stock: fc.option(place),
    to: place,
    type: fc.constantFrom(...(['individual', 'business'] as const)),
    with_id: fc.boolean(),
    product_type: fc.constantFrom(...PRODUCT_TYPES.map(({ id }) => id)),
    amount: fc.constantFrom(1, 4_000, 14_000, 16_000, 90_000, 1_000_000),
    registered: fc.boolean(),
    day: fc.constantFrom('2016-03-01', '2020-12-31', '2021-07-01', '2025-06-01', '2026-06-15'),
    spot: fc.option(place),
  })
  /** What comes of a sale, if the data has the rates of its day. */
  const chosen = (words: SaleInWords) => {
    try {
      const { lines, tax_amount, decision, notes } = assessed(words)
      return { line: lines[0], tax_amount, decision, notes }
    } catch (error) {
      fc.pre(!(error instanceof Refusal && error.reason === 'no_rate_for_date'))
      throw error
    }
  }

  it('is charged once, by whoever makes it', () => {
    fc.assert(
      fc.property(sale, (each) => {
        const { seller, platform, stock, to, type, product_type, amount, day, spot } = each
        // A commission is a sale of its own, of whoever sends it.
        fc.pre(product_type !== 'intermediary_commission')
        const { country: issuer } = to
        const vat_id = each.with_id ? { country: issuer, good: true, invalid: false } : null
        const customer: Customer = { address: to, type, vat_id }
        const on_spot = spot ?? seller
        const words = { to, customer, day, lines: [{ amount, product_type }], supply_address: on_spot }
        const registrations = each.registered ? ['CA', 'CA-BC', 'CA-QC', seller.country, to.country] : []
        const asSeller = { ...words, from: seller, ship_from: stock, registrations }
        const asPlatform = { ...words, from: platform, ship_from: stock, seller_registered: true }
        const facilitated = chosen({ ...asSeller, marketplace: 'facilitated' })
        const facilitated_seller = { address: seller, registrations }
        const facilitator = chosen({ ...asPlatform, marketplace: 'facilitator', facilitated_seller })
        const ofPlatform = facilitated.line?.taxability_reason === 'marketplace_collects'
        expect(facilitator.line?.taxability_reason === 'seller_accounts').toBe(!ofPlatform)
        const plain = ofPlatform ? chosen({ ...asPlatform, ship_from: stock ?? seller }) : chosen(asSeller)
        expect(facilitated.tax_amount + facilitator.tax_amount).toBe(plain.tax_amount)
        expect(facilitated.decision.collect && facilitator.decision.collect).toBe(false)
        if (!ofPlatform) expect(facilitator.decision.must_register).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is said by the condition if the seller is unknown', () => {
    fc.assert(
      fc.property(sale, ({ seller, platform, stock, to, product_type, amount, day, registered }) => {
        // A commission is the platform’s own.
        fc.pre(product_type !== 'intermediary_commission')
        const registrations = registered ? [seller.country, 'CA'] : []
        const words = { from: platform, to, ship_from: stock, day, lines: [{ amount, product_type }] }
        const supply_address = to
        const base = {
          ...words,
          supply_address,
          seller_registered: true,
          marketplace: 'facilitator',
        } as const
        const { notes } = chosen(base)
        const known = chosen({ ...base, facilitated_seller: { address: seller, registrations } })
        const of_seller = known.line?.taxability_reason === 'seller_accounts'
        if (notes.some((note) => note.includes('makes the sale by law'))) expect(of_seller).toBe(false)
        if (notes.some((note) => note.includes('its own name'))) expect(of_seller).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
