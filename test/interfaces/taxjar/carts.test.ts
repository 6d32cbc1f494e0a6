import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { calculateTax } from '../../../src/sales/calculation/calculate.ts'
import { CalculateRequest } from '../../../src/sales/calculation/schemas.ts'
import type { Context } from '../../../src/platform/context.ts'
import { currentLocalBook } from '../../../src/tax-data/records/current-local-book.ts'
import { currentRateBook } from '../../../src/tax-data/records/current-rate-book.ts'
import { partOfBoundaries, partOfState } from '../../../src/tax-data/records/local-parts.ts'
import { writeLocalParts } from '../../../src/tax-data/records/write-local-parts.ts'
import { TaxesRequest } from '../../../src/interfaces/taxjar/schemas.ts'
import { taxOfOrder } from '../../../src/interfaces/taxjar/taxes.ts'
import { LAW } from '../../support/local-data.ts'
import { loadTestData } from '../../support/service-data.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

await loadTestData()

const county = {
  id: 'US-KS-177',
  state: 'KS',
  type: 'county' as const,
  code: '177',
  name: 'Shawnee County',
  county_fips: '20177',
  rates: [{ rate_millionths: 13_500, from: null, to: null }],
  also: ['US-KS-D1', 'US-KS-D2'],
  zips: [],
  source: 'file of Kansas',
  as_of: '2026-10-03',
}
const part = (id: string, type: 'city' | 'district', rate_millionths: number) => ({
  ...county,
  id,
  type,
  code: id,
  name: id,
  county_fips: null,
  rates: [{ rate_millionths, from: null, to: null }],
  also: [],
})
const city = part('US-KS-71000', 'city', 15_000)
const districts = [part('US-KS-D1', 'district', 1_250), part('US-KS-D2', 'district', 3_750)]
const stacks = [[county.id, city.id, ...county.also]]
await writeLocalParts(
  env,
  [
    partOfState('KS', {
      law: LAW,
      jurisdictions: [county, city, ...districts],
      read_at: '2026-09-01T00:00:00.000Z',
    }),
    partOfBoundaries('KS', [{ from: '2026-01-01', stacks, zips: { '66604': [0] } }]),
  ],
  new Date('2026-09-01T00:00:00Z'),
)
forgetAll()

const now = new Date()
const later = () => undefined
await currentRateBook({ env, now, later })
await currentLocalBook({ env, now, later })

const context: Context = {
  env,
  books: env.DB,
  written: env.DB,
  now,
  later,
  request_id: 'req_carts',
  idempotency: null,
  principal: {
    key_id: 'key_carts',
    person: null,
    account_id: 'acct_carts',
    shard: 0,
    suspended: false,
    tier: 'free',
    sandbox: true,
    scopes: new Set(['*']),
    expires_at: null,
    seller: null,
    vat_id: null,
    vat_id_policy: 'format',
    small_business: false,
    over_eu_threshold: false,
    time_zone: 'UTC',
    periods: { uk_stagger: 1, fiscal_year_start: 1 },
    taxjar: { currency: null, accept_state_only: true },
    registrations: [],
    establishments: [],
    refuses_unknown_codes: false,
    global_turnover: null,
    own_rates: null,
  },
}

/** Where an order goes, from its own country, with the registrations that this means. */
const PLACES = [
  { country: 'FR', zip: '75002', currency: 'EUR', registrations: ['FR'] },
  { country: 'DE', zip: '10115', currency: 'EUR', registrations: ['DE'] },
  { country: 'GB', zip: 'SW1A 1AA', currency: 'GBP', registrations: ['GB'] },
  { country: 'AU', zip: '3002', currency: 'AUD', registrations: ['AU'] },
  { country: 'CA', state: 'ON', zip: 'M5V 2T6', currency: 'CAD', registrations: ['CA', 'CA-ON'] },
  { country: 'CA', state: 'QC', zip: 'H2X 1Y4', currency: 'CAD', registrations: ['CA', 'CA-QC'] },
  { country: 'CA', state: 'BC', zip: 'V6G 3E2', currency: 'CAD', registrations: ['CA', 'CA-BC'] },
  { country: 'US', state: 'KS', zip: '66604', currency: 'USD', registrations: ['US-KS'] },
  { country: 'US', state: 'NY', zip: '11430', currency: 'USD', registrations: ['US-NY'] },
  { country: 'US', state: 'MA', zip: '01608', currency: 'USD', registrations: ['US-MA'] },
]
const TYPES = {
  '': 'physical_goods',
  '20010': 'clothing',
  '40030': 'groceries',
  '81100': 'books',
  '31000': 'digital_goods',
  unknown: 'physical_goods',
}

const line = fc.record({
  thousandths: fc.integer({ min: 1, max: 2_000_000 }),
  quantity: fc.integer({ min: 1, max: 20 }),
  discounted: fc.integer({ min: 0, max: 100 }),
  code: fc.constantFrom(...(Object.keys(TYPES) as (keyof typeof TYPES)[])),
})
const cart = fc.record({
  place: fc.constantFrom(...PLACES),
  lines: fc.array(line, { minLength: 1, maxLength: 8 }),
  shipping: fc.integer({ min: 0, max: 5_000 }),
})

const cents = (amount: unknown) => Math.round(Number(amount) * 100)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
type Part = Readonly<Record<string, unknown>>

/** The taxes of the levels of a line, of shipping or of an order, in cents. */
function levels(each: Part): number {
  const names = ['state', 'county', 'city', 'special_district'].flatMap((level) => [
    `${level}_amount`,
    `${level}_tax_collectable`,
  ])
  return sum([...names, 'gst', 'pst', 'qst', 'country_tax_collectable'].map((name) => cents(each[name] ?? 0)))
}

it('adds up in 10,000 carts, and gives the cents of POST /v1/calculate', async () => {
  let [taxed, in_districts] = [0, 0]
  await fc.assert(
    fc.asyncProperty(cart, async ({ place, lines, shipping }) => {
      const priced = lines.map(({ thousandths, quantity, discounted, code }) => {
        const amount = Math.floor((thousandths * quantity + 5) / 10)
        return {
          amount,
          quantity,
          code,
          price: (thousandths / 1_000).toFixed(3),
          discount: Math.floor((amount * discounted) / 200),
        }
      })
      const order = TaxesRequest.parse({
        from_country: place.country,
        from_state: place.state ?? '',
        to_country: place.country,
        to_state: place.state ?? null,
        to_zip: place.zip,
        shipping: String(shipping / 100),
        line_items: priced.map(({ quantity, code, price, discount }, index) => ({
          id: index,
          quantity: String(quantity),
          unit_price: index % 2 === 0 ? price : Number(price),
          discount: discount / 100,
          product_tax_code: code,
        })),
      })
      const { tax } = await taxOfOrder(context, order)
      const calculated = await calculateTax(
        context,
        CalculateRequest.parse({
          currency: place.currency,
          rounding: 'document',
          seller: { country: place.country, region: place.state ?? null, registrations: place.registrations },
          customer: {
            address: { country: place.country, region: place.state ?? null, postal_code: place.zip },
          },
          line_items: priced.map(({ amount, quantity, code, discount }) => ({
            amount,
            quantity,
            product_type: TYPES[code],
            ...(discount > 0 && { discount }),
          })),
          shipping_cost: { amount: shipping },
        }),
      )
      expect(cents(tax.amount_to_collect)).toBe(calculated.tax_amount)
      expect(cents(tax.order_total_amount)).toBe(calculated.subtotal)
      const { breakdown } = tax
      if (breakdown === undefined) throw new Error('an order with nexus has a breakdown')
      const parts: Part[] = [
        ...breakdown.line_items,
        ...(breakdown.shipping === undefined ? [] : [breakdown.shipping]),
      ]
      for (const each of [...parts, breakdown as Part])
        expect(levels(each)).toBe(cents(each['tax_collectable']))
      expect(breakdown.line_items.map((each) => cents(each.tax_collectable))).toEqual(
        calculated.line_items.map(({ tax_amount }) => tax_amount),
      )
      expect(sum(parts.map((each) => cents(each['tax_collectable'])))).toBe(calculated.tax_amount)
      expect(sum(parts.map((each) => cents(each['taxable_amount'])))).toBe(cents(tax.taxable_amount))
      if (calculated.tax_amount > 0) taxed += 1
      if ('special_tax_rate' in breakdown && breakdown.special_tax_rate === 0.005) in_districts += 1
    }),
    { numRuns: 10_000 },
  )
  expect(taxed).toBeGreaterThan(8_000)
  expect(in_districts).toBeGreaterThan(500)
})
