import type * as z from 'zod'
import { beforeAll, expect, it } from 'vitest'
import {
  CalculateLineRequest,
  CalculateRequest,
  MarketplaceRequest,
  SaleCustomerRequest,
  ShippingRequest,
} from '../../../../src/sales/calculation/schemas.ts'
import { SellerRequest } from '../../../../src/parties/accounts/seller-field.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { writeNewYorkCity } from '../../../support/local-data.ts'
import { create, created } from '../sales.ts'

await loadTestData()
await writeNewYorkCity()

type Body = Record<string, unknown>

/** A German seller in the one-stop shop sells goods to a consumer in France. */
const SALE = {
  currency: 'EUR',
  transaction_date: '2026-03-02',
  customer: { address: { country: 'FR', postal_code: '75002' } },
  line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
}
const line = (fields: object, more: object = {}) => ({
  ...more,
  line_items: [{ amount: 10_000, product_type: 'physical_goods', ...fields }],
})
const to = (country: string, more: object = {}) => ({ customer: { address: { country } }, ...more })
const inState = (region: string, postal_code: string, more: object = {}) => ({
  currency: 'USD',
  customer: { address: { country: 'US', region, postal_code } },
  ...more,
})
const ILLINOIS = {
  country: 'US',
  region: 'IL',
  postal_code: '60602',
  city: 'Chicago',
  registrations: ['US-IL'],
}
const FROM_CHINA = { ship_from: { country: 'CN' } }
const DISCOUNTED = { discount: 500, amount: 10_000 }

/** Of each field of a calculation that decides something: sales that state it. */
const STATING = {
  currency: [{ currency: 'SEK' }],
  transaction_date: [{ transaction_date: '2026-02-27' }],
  'seller.country': [{ seller: { country: 'IT', registrations: [] } }],
  'seller.region': [
    inState('NY', '10001', { seller: { country: 'US', region: 'NY', registrations: ['US-NY'] } }),
  ],
  'seller.city': [inState('IL', '62701', { seller: ILLINOIS })],
  'seller.postal_code': [inState('IL', '60602', { seller: ILLINOIS })],
  'seller.registrations': [
    { seller: { country: 'DE', registrations: ['DE', 'FR'] } },
    { seller: { country: 'DE', registrations: [] } },
    { seller: { country: 'FR', registrations: ['FR'] } },
  ],
  'seller.establishments': [{ seller: { country: 'DE', establishments: ['FR'] } }],
  'seller.small_business': [to('DE', { seller: { country: 'DE', small_business: true } })],
  'seller.over_eu_threshold': [
    { seller: { country: 'DE', registrations: ['DE'], over_eu_threshold: true } },
    { seller: { country: 'DE', registrations: ['DE'], over_eu_threshold: false } },
  ],
  'seller.global_turnover': [
    line(
      { product_type: 'saas' },
      to('CH', { seller: { country: 'DE', global_turnover: { amount: 90_000_000, currency: 'CHF' } } }),
    ),
  ],
  customer_id: [{ customer: undefined }],
  'customer.address': [to('DE'), to('CH')],
  'customer.vat_id': [{ customer: { ...SALE.customer, vat_id: 'FR40303265045' } }],
  'customer.vat_id_validated': [
    { customer: { ...SALE.customer, vat_id: 'FR40303265045', vat_id_validated: false } },
  ],
  'customer.type': [
    line({ product_type: 'professional_services' }, { customer: { ...SALE.customer, type: 'business' } }),
  ],
  'customer.vat_scheme': [
    {
      seller: { country: 'ES', registrations: ['ES'] },
      customer: { address: { country: 'ES', postal_code: '28001' }, vat_scheme: 'es_recargo' },
    },
  ],
  ship_from: [
    { ship_from: { country: 'FR', postal_code: '75002' } },
    { ship_from: { country: 'PL' } },
    FROM_CHINA,
  ],
  importer: [{ ...FROM_CHINA, importer: 'seller' }],
  delivery: [
    { ship_from: { country: 'DE' }, delivery: 'pickup' },
    { ship_from: { country: 'PL' }, delivery: 'pickup', customer: undefined },
  ],
  'marketplace.role': [
    inState('NY', '10001', { marketplace: { role: 'facilitated' } }),
    { marketplace: { role: 'facilitator' } },
  ],
  'marketplace.seller': [
    { ship_from: { country: 'FR' }, marketplace: { role: 'facilitator', seller: { country: 'DE' } } },
    {
      ship_from: { country: 'FR' },
      marketplace: { role: 'facilitator', seller: { country: 'US', region: 'NY' } },
    },
  ],
  supply_address: [line({ product_type: 'event_admission' }, { supply_address: { country: 'IT' } })],
  'line_items.reference': [line({ reference: 'a' })],
  'line_items.amount': [line({ amount: 99 })],
  'line_items.unit_amount': [line({ amount: undefined, unit_amount: 333, quantity: 1.5 })],
  'line_items.quantity': [line({ quantity: 3 })],
  'line_items.product_type': [line({ product_type: 'books' })],
  'line_items.description': [line({ description: 'A chair' })],
  'line_items.tax_behavior': [line({ tax_behavior: 'inclusive' })],
  'line_items.discount': [line(DISCOUNTED)],
  'line_items.taxable': [line({ taxable: false }), inState('TX', '73301', line({ taxable: false }))],
  'line_items.business_only': [
    line({ product_type: 'saas', business_only: true }, to('JP', { currency: 'JPY' })),
  ],
  'line_items.live': [
    line({ product_type: 'event_admission', live: true }, { supply_address: { country: 'IT' } }),
  ],
  'line_items.exemption': [
    inState(
      'NY',
      '10001',
      line(
        { exemption: { exemption_type: 'resale', jurisdictions: ['US-NY'] } },
        {
          seller: { country: 'US', region: 'NY', registrations: ['US-NY'] },
        },
      ),
    ),
  ],
  'line_items.discount_funded_by': [line({ ...DISCOUNTED, discount_funded_by: 'manufacturer' })],
  'line_items.trade_in': [
    inState(
      'TX',
      '73301',
      line({ trade_in: 2_000 }, { seller: { country: 'US', region: 'TX', registrations: ['US-TX'] } }),
    ),
  ],
  'line_items.bundle': [
    line({
      bundle: [
        { product_type: 'physical_goods', share: 0.6 },
        { product_type: 'books', share: 0.4 },
      ],
    }),
  ],
  'line_items.exemption_reason': [line({ taxable: false, exemption_reason: 'A reason' })],
  'line_items.supply': [line({ supply: false, supply_reason: 'tip' })],
  'line_items.supply_reason': [line({ supply: false, supply_reason: 'late_fee' })],
  'line_items.hs_code': [line({ hs_code: '6109.10' })],
  'shipping_cost.amount': [{ shipping_cost: { amount: 500 } }],
  'shipping_cost.tax_behavior': [{ shipping_cost: { amount: 500, tax_behavior: 'inclusive' } }],
  discount_amount: [
    { discount_amount: 1_000 },
    line({ ...DISCOUNTED, discount_funded_by: 'manufacturer' }, { discount_amount: 1_001 }),
    {
      discount_amount: 1_001,
      line_items: [
        { ...DISCOUNTED, product_type: 'books', discount_funded_by: 'manufacturer' },
        { amount: 3_333, product_type: 'physical_goods', discount: 33 },
        { amount: -100, product_type: 'physical_goods' },
      ],
    },
  ],
  tax_behavior: [{ tax_behavior: 'by_place' }, { tax_behavior: 'inclusive' }],
  rounding: [
    {
      rounding: 'document',
      line_items: [33, 33, 33].map((amount) => ({ amount, product_type: 'physical_goods' })),
    },
  ],
  seller_registered: [{ seller_registered: false }, inState('TX', '73301', { seller_registered: true })],
} as const satisfies Record<string, readonly object[]>

/** They decide no fact of the sale, or how a calculation is made alone, and a recorded sale has none of them. */
const OF_CALCULATIONS_ALONE = [
  'local_fallback',
  // A sale needs its place. A quote without one is recorded as it was (test/sales/calculation/country-alone.test.ts).
  'place_policy',
  'explain',
  'data_version',
  'compare',
  'expected_total',
  'einvoice',
  'calculation_token',
  'seller.line1',
  'seller.line2',
]

const NESTED: Readonly<Record<string, z.ZodObject>> = {
  seller: SellerRequest,
  customer: SaleCustomerRequest,
  marketplace: MarketplaceRequest,
  line_items: CalculateLineRequest,
  shipping_cost: ShippingRequest,
}

const fieldsOf = () =>
  Object.keys(CalculateRequest.shape).flatMap((name) =>
    name in NESTED ? Object.keys(NESTED[name]?.shape ?? {}).map((field) => `${name}.${field}`) : [name],
  )

it('is tried with each field of a calculation', () => {
  expect(Object.keys(STATING).concat(OF_CALCULATIONS_ALONE).toSorted()).toEqual(fieldsOf().toSorted())
})

type Shop = { key: string; customer_id: string }
let whole: Shop
let quoted: Shop
let tokened: Shop

async function newShop(): Promise<Shop> {
  const { key } = await newAccount({ tier: 'enterprise' })
  const send = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, { key, body })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  await send('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC', vat_id: 'DE136695976' })
  for (const body of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
    await send('POST', '/v1/registrations', { ...body, valid_from: '2020-01-01' })
  const customer = await send('POST', '/v1/customers', {
    name: 'Marie',
    address: { country: 'FR', postal_code: '69001' },
  })
  return { key, customer_id: String(customer['id']) }
}

beforeAll(async () => {
  whole = await newShop()
  quoted = await newShop()
  tokened = await newShop()
})

/** What differs between any two sales, and who computed the tax. */
const NOT_COMPARED = ['id', 'customer', 'tax_source', 'tax_variance', 'queried_at', 'completed_at']

async function shown({ key }: Shop, id: string): Promise<Body> {
  const { body } = await call('GET', `/v1/transactions/${id}`, { key })
  const lines = (body['line_items'] as Body[]).map((line) => ({ ...line, id: undefined }))
  const rest = Object.entries(body).filter(([name]) => !NOT_COMPARED.includes(name) && !name.endsWith('_at'))
  const { certificates, ...others } = Object.fromEntries(rest)
  const proofs = (certificates as Body[]).map((proof) => ({ ...proof, line_items: undefined }))
  return { ...others, transaction_date: undefined, line_items: lines, certificates: proofs }
}

it.each(Object.entries(STATING).flatMap(([field, sales]) => sales.map((sale) => [field, sale] as const)))(
  'is recorded as the whole request would be: %s %j',
  async (field, changes) => {
    const sale: Body = { ...SALE, ...changes }
    const of = (shop: Shop) => (field === 'customer_id' ? { ...sale, customer_id: shop.customer_id } : sale)
    const { customer, customer_id } = of(quoted)
    const calculated = await call('POST', '/v1/calculate', { key: quoted.key, body: of(quoted) })
    expect(calculated.status, calculated.text).toBe(200)
    const calculation = calculated.body
    const body = { ...of(tokened), calculation_token: true }
    const { calculation_token } = (await call('POST', '/v1/calculate', { key: tokened.key, body })).body
    const ids = [
      await created(whole.key, of(whole)),
      await created(quoted.key, { customer, customer_id, calculation }),
      await created(tokened.key, { calculation_token }),
    ] as const
    const recorded = await shown(whole, ids[0])
    expect(await shown(quoted, ids[1])).toEqual(recorded)
    expect(await shown(tokened, ids[2])).toEqual(recorded)
  },
)

it('makes the same returns, reports and thresholds', async () => {
  const days = 'from_date=2026-01-01&to_date=2026-03-31'
  const read = async ({ key }: Shop, path: string) => {
    const { status, body } = await call('GET', path, { key })
    const { queried_at: _, meta: __, seller: ___, ...rest } = body
    return { status, ...rest }
  }
  for (const path of [
    '/v1/reports/filing?type=eu_domestic&jurisdiction_id=DE&period=2026-Q1',
    '/v1/reports/filing?type=oss_union&period=2026-Q1',
    `/v1/reports/summary?${days}`,
    `/v1/reports/summary?${days}&group_by=product_type`,
    '/v1/nexus',
  ])
    for (const shop of [quoted, tokened])
      expect(await read(shop, path), path).toEqual(await read(whole, path))
})

const quote = async (body: object) => (await call('POST', '/v1/calculate', { key: quoted.key, body })).body

it('repeats no fact that the answer shows, and no seller that is the account', async () => {
  const own = { country: 'DE', registrations: ['DE', 'oss_union'] }
  for (const body of [SALE, { ...SALE, seller: { country: 'DE' } }, { ...SALE, seller: own }])
    expect(JSON.stringify(await quote(body))).not.toContain('"stated"')
})

it('has the seller with the registrations that the quote was taxed by', async () => {
  const { customer } = SALE
  const calculation = await quote({ ...SALE, seller: { country: 'IT' } })
  const body = { customer, calculation, seller: { country: 'IT', reference: 'vendor-3' } }
  const { body: sale } = await create(quoted.key, body)
  expect(sale).toMatchObject({
    of_other_seller: true,
    tax_amount: calculation['tax_amount'],
    tax_variance: 0,
    jurisdiction_id: calculation['jurisdiction_id'],
    seller: { country: 'IT', registrations: ['DE', 'oss_union'], reference: 'vendor-3' },
  })
})

it('takes a fact of the request before that of the quote, and no line fact that is none', async () => {
  const { customer } = SALE
  const calculation = await quote({ ...SALE, ship_from: { country: 'PL' }, seller: { country: 'IT' } })
  const [line] = calculation['line_items'] as Body[]
  const changed = { ...calculation, line_items: [{ ...line, stated: { live: false, amount: 1 } }] }
  const body = { customer, calculation: changed, ship_from: { country: 'DE' }, seller: { country: 'DE' } }
  const { body: sale } = await create(quoted.key, body)
  expect(sale).toMatchObject({ ship_from: { country: 'DE' }, seller: { country: 'DE' }, subtotal: 10_000 })
  expect(sale).not.toHaveProperty('of_other_seller')
  const wrong = { customer, calculation: { ...calculation, stated: { seller: { country: 'Italy' } } } }
  expect((await create(quoted.key, wrong)).body).toMatchObject({
    errors: [{ path: 'calculation.stated.seller.country' }],
  })
})

it('keeps the ZIP choice of the quote, which no recorded sale can state', async () => {
  const seller = { country: 'US', region: 'NY', registrations: ['US-NY'] }
  const { customer, ...sale } = { ...SALE, ...inState('NY', '10001') }
  const calculation = await quote({ ...sale, customer, seller, local_fallback: 'state_only' })
  const { body } = await create(quoted.key, { customer, calculation })
  expect(body).toMatchObject({ tax_amount: calculation['tax_amount'], tax_variance: 0 })
})
