import { describe, expect, it } from 'vitest'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from './asking.ts'

await loadTestData()
const { key } = await newShop({
  taxjar: { accept_state_only: true },
  registrations: ['US-NY', 'CA', 'CA-BC'],
})

/**
 * How the client for Go reads a field. `quoted` is a number in a text (`float64` with `,string`). `count` is
 * an integer. `id` is `json.Number`: a number, or a text with a number. A field may be null or missing, but
 * never of another type.
 */
type GoType = 'text' | 'number' | 'count' | 'flag' | 'quoted' | 'id' | GoStruct | readonly [GoType]
type GoStruct = { readonly [field: string]: GoType }

const texts = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, 'text' as const]))
const numbers = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, 'number' as const]))

const SUMS = numbers('taxable_amount', 'tax_collectable', 'combined_tax_rate')
const CANADA = numbers(
  ...['gst', 'pst', 'qst'].flatMap((tax) => [tax, `${tax}_tax_rate`, `${tax}_taxable_amount`]),
)
const COUNTRY = numbers('country_taxable_amount', 'country_tax_rate', 'country_tax_collectable')
const LEVELS = numbers(
  ...['state', 'county', 'city'].flatMap((level) => [
    `${level}_taxable_amount`,
    `${level}_tax_rate`,
    `${level}_sales_tax_rate`,
    `${level}_amount`,
    `${level}_tax_collectable`,
  ]),
  'special_tax_rate',
  'special_taxable_amount',
  'special_district_amount',
  'special_district_taxable_amount',
  'special_district_tax_collectable',
)
const PART: GoStruct = { ...SUMS, ...LEVELS, ...CANADA, ...COUNTRY }
const TAX: GoStruct = {
  tax: {
    ...numbers('order_total_amount', 'shipping', 'taxable_amount', 'amount_to_collect', 'rate'),
    has_nexus: 'flag',
    freight_taxable: 'flag',
    tax_source: 'text',
    exemption_type: 'text',
    jurisdictions: texts('country', 'state', 'county', 'city'),
    breakdown: { ...PART, shipping: PART, line_items: [{ id: 'text', ...PART }] },
  },
}
const RATE: GoStruct = {
  rate: {
    ...texts('zip', 'country', 'name', 'state', 'county', 'city'),
    ...texts(
      'standard_rate',
      'reduced_rate',
      'super_reduced_rate',
      'parking_rate',
      'distance_sale_threshold',
    ),
    ...texts(
      'country_rate',
      'state_rate',
      'county_rate',
      'city_rate',
      'combined_district_rate',
      'combined_rate',
    ),
    freight_taxable: 'flag',
  },
}
const DOCUMENT: GoStruct = {
  ...texts(
    'transaction_id',
    'transaction_date',
    'transaction_reference_id',
    'provider',
    'exemption_type',
    'customer_id',
  ),
  ...texts(
    ...['from', 'to'].flatMap((end) =>
      ['country', 'zip', 'state', 'city', 'street'].map((name) => `${end}_${name}`),
    ),
  ),
  user_id: 'count',
  amount: 'quoted',
  shipping: 'quoted',
  sales_tax: 'quoted',
  line_items: [
    {
      id: 'id',
      quantity: 'count',
      ...texts('product_identifier', 'description', 'product_tax_code'),
      unit_price: 'quoted',
      discount: 'quoted',
      sales_tax: 'quoted',
    },
  ],
}
const CUSTOMER: GoStruct = {
  customer: {
    ...texts('customer_id', 'exemption_type', 'name', 'country', 'state', 'zip', 'city', 'street'),
    exempt_regions: [texts('country', 'state')],
  },
}
const REGION = texts('country_code', 'country', 'region_code', 'region')
const LABELLED: GoStruct = { label: 'text', rate: 'number' }
const SUMMARY: GoStruct = {
  summary_rates: [{ ...REGION, minimum_rate: LABELLED, average_rate: LABELLED }],
}

/** The fields of a value that Go cannot read, or that the table lacks. */
function unreadable(type: GoType, value: unknown, path: string): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(type)) {
    if (!Array.isArray(value)) return [`${path} is no list`]
    return value.flatMap((each, index) => unreadable(type[0], each, `${path}[${index}]`))
  }
  if (typeof type === 'object') {
    if (typeof value !== 'object' || Array.isArray(value)) return [`${path} is no object`]
    const fields: GoStruct = Object.fromEntries(Object.entries(type))
    return Object.entries(value).flatMap(([name, each]) => {
      const field = fields[name]
      return field === undefined ? [`${path}.${name} is unknown`] : unreadable(field, each, `${path}.${name}`)
    })
  }
  return READS[type](value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${type}`]
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/
const READS: Record<'text' | 'number' | 'count' | 'flag' | 'quoted' | 'id', (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  count: (value) => Number.isInteger(value),
  flag: (value) => typeof value === 'boolean',
  quoted: (value) => typeof value === 'string' && NUMBER.test(value),
  id: (value) => typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value)),
}

const ITEM = { id: 7, quantity: 2, unit_price: '10.0', product_identifier: 5, sales_tax: 0 }
const order = (to: object) => ({ ...to, amount: 20, shipping: 1.5, line_items: [ITEM] })
const NEW_YORK = { to_country: 'US', to_state: 'NY', to_zip: '11430', to_city: 'Jamaica' }
const DOCUMENT_SENT = {
  ...order(NEW_YORK),
  amount: 21.5,
  sales_tax: 1.9,
  transaction_id: 'go-1',
  transaction_date: '2026-01-05',
}
const REFUND_SENT = { ...DOCUMENT_SENT, transaction_id: 'go-2', transaction_reference_id: 'go-1' }
const BUYER = {
  customer_id: 'go',
  exemption_type: 'other',
  name: 'Go',
  exempt_regions: [{ country: 'US', state: 'NY' }],
}

/** In this order, because some answers need what an earlier request made. */
const CALLS: [method: string, path: string, type: GoType, body?: object][] = [
  ['POST', '/v2/taxes', TAX, order(NEW_YORK)],
  [
    'POST',
    '/v2/taxes',
    TAX,
    { ...order({ to_country: 'CA', to_state: 'BC', to_zip: 'V6G 3E2' }), from_country: 'CA' },
  ],
  ['POST', '/v2/taxes', TAX, { ...order({ to_country: 'FR' }), from_country: 'FR', exemption_type: 'other' }],
  [
    'POST',
    '/v2/taxes',
    TAX,
    { ...order({ to_country: 'US', to_state: 'OR', to_zip: '97035' }), from_country: 'US' },
  ],
  ['GET', '/v2/rates/11430', RATE],
  ['GET', '/v2/rates/05495', RATE],
  ['GET', '/v2/rates/V6G3E2?country=CA&city=Vancouver', RATE],
  ['GET', '/v2/rates/75001?country=FR', RATE],
  ['GET', '/v2/rates/2060?country=AU', RATE],
  ['GET', '/v2/categories', { categories: [texts('name', 'product_tax_code', 'description')] }],
  ['GET', '/v2/nexus/regions', { regions: [REGION] }],
  ['GET', '/v2/summary_rates', SUMMARY],
  [
    'POST',
    '/v2/addresses/validate',
    { addresses: [texts('country', 'state', 'zip', 'city', 'street')] },
    { zip: '98122' },
  ],
  ['POST', '/v2/transactions/orders', { order: DOCUMENT }, DOCUMENT_SENT],
  ['GET', '/v2/transactions/orders', { orders: ['text'] }],
  ['GET', '/v2/transactions/orders/go-1', { order: DOCUMENT }],
  ['PUT', '/v2/transactions/orders/go-1', { order: DOCUMENT }, { amount: 22 }],
  ['POST', '/v2/transactions/refunds', { refund: DOCUMENT }, REFUND_SENT],
  ['GET', '/v2/transactions/refunds', { refunds: ['text'] }],
  ['GET', '/v2/transactions/refunds/go-2', { refund: DOCUMENT }],
  ['PUT', '/v2/transactions/refunds/go-2', { refund: DOCUMENT }, { to_street: 'x' }],
  ['DELETE', '/v2/transactions/refunds/go-2', { refund: DOCUMENT }],
  ['DELETE', '/v2/transactions/orders/go-1', { order: DOCUMENT }],
  ['POST', '/v2/customers', CUSTOMER, BUYER],
  ['GET', '/v2/customers', { customers: ['text'] }],
  ['GET', '/v2/customers/go', CUSTOMER],
  ['PUT', '/v2/customers/go', CUSTOMER, { ...BUYER, name: 'Gone' }],
  ['DELETE', '/v2/customers/go', CUSTOMER],
]

describe('the clients for Go and Python read', () => {
  it.each(CALLS)('%s %s', async (method, path, type, body) => {
    const said = await ask(method, path, { key, ...(body !== undefined && { body }) })
    expect(said.status, said.text).toBeLessThan(300)
    expect(unreadable(type, said.body, 'answer')).toEqual([])
    // Python unpacks the one pair of a success: any other number of keys raises an exception.
    expect(Object.entries(said.body)).toHaveLength(1)
  })

  it('errors: status, error and detail, and nothing else', async () => {
    const refused = [
      await ask('GET', '/v2/categories'),
      await ask('GET', '/v2/transactions/orders/none', { key }),
      await ask('POST', '/v2/taxes', { key, body: {} }),
      await ask('POST', '/v2/taxes', { key, raw: '{' }),
      await ask('POST', '/v2/taxes', { key, body: { ...order(NEW_YORK), to_zip: '99999' } }),
    ]
    for (const { body } of refused)
      expect(unreadable({ status: 'count', error: 'text', detail: 'text' }, body, 'error')).toEqual([])
    expect(refused.map(({ status }) => status)).toEqual([401, 404, 406, 400, 400])
  })

  it('the table finds a wrong type, so it can fail', () => {
    expect(unreadable(TAX, { tax: { rate: '0.1', breakdown: { line_items: [{ id: 1 }] } } }, 'a')).toEqual([
      'a.tax.rate is "0.1", not number',
      'a.tax.breakdown.line_items[0].id is 1, not text',
    ])
    expect(unreadable({ order: DOCUMENT }, { order: { amount: 16.5, more: 1 } }, 'a')).toHaveLength(2)
  })
})
