/**
 * Requests as Solidus sends them, with answers as TaxJar gave them. They were written anew in the shape of
 * recorded calls, so texts and ids are our own. Only keys, types, statuses and words of errors count.
 */
type RecordedCall = {
  about: string
  method: string
  path: string
  /** Another key than that of the account. */
  key?: string
  body?: object
  status: number
  answer: object
}

/** The keys and JSON types of a value; the first element of a list stands for all. */
export function shapeOf(value: unknown): unknown {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
}

const QUEENS = {
  to_country: 'US',
  to_zip: '11430',
  to_city: 'Jamaica',
  to_state: 'NY',
  to_street: '10 Runway Road',
}
const LINE = {
  id: 1,
  quantity: 1,
  product_identifier: 'SKU-1',
  description: 'Product #1 - 4711 - Master',
  product_tax_code: 'TaxCode - 4711',
  unit_price: '10.0',
  discount: 0,
  sales_tax: '0.89',
}
const ORDER = {
  ...QUEENS,
  customer_id: '1',
  line_items: [LINE],
  transaction_id: 'R4711',
  transaction_date: '2022-12-11T19:26:06Z',
  amount: '110.0',
  shipping: '100.0',
  sales_tax: '9.77',
}
const RETURNED = {
  unit_price: -10.0,
  sales_tax: -0.89,
  quantity: 1,
  product_tax_code: 'TaxCode - 4711',
  product_identifier: 'SKU-1',
  id: 0,
  discount: -0.0,
  description: 'Product #1 - 4711 - Master',
}
const REFUND = {
  ...QUEENS,
  transaction_id: 'R4711-REFUND',
  transaction_reference_id: 'R4711',
  transaction_date: '2022-12-12T19:22:54Z',
  amount: -110.0,
  sales_tax: -9.77,
  shipping: -100.0,
  line_items: [RETURNED],
}
const SHOWN_LINE = {
  unit_price: '10.0',
  sales_tax: '0.89',
  quantity: 1,
  product_tax_code: 'TaxCode - 4711',
  product_identifier: 'SKU-1',
  id: 0,
  discount: '0.0',
  description: 'Product #1 - 4711 - Master',
}
const SHOWN = {
  user_id: 4711,
  transaction_reference_id: null,
  transaction_id: 'R4711',
  transaction_date: '2022-12-11T19:26:06.000Z',
  to_zip: '11430',
  to_street: '10 Runway Road',
  to_state: 'NY',
  to_country: 'US',
  to_city: 'JAMAICA',
  shipping: '100.0',
  sales_tax: '9.77',
  provider: 'api',
  line_items: [SHOWN_LINE],
  from_zip: null,
  from_street: null,
  from_state: null,
  from_country: 'US',
  from_city: null,
  exemption_type: null,
  customer_id: '1',
  amount: '110.0',
}
const LEVELS = {
  city_amount: 0.49,
  city_tax_rate: 0.04875,
  city_taxable_amount: 10.0,
  combined_tax_rate: 0.08875,
  county_amount: 0.0,
  county_tax_rate: 0.0,
  county_taxable_amount: 0.0,
  special_district_amount: 0.0,
  special_tax_rate: 0.0,
  state_amount: 0.4,
  state_sales_tax_rate: 0.04,
  state_taxable_amount: 10.0,
  tax_collectable: 0.89,
  taxable_amount: 10.0,
}
const TAXED = { id: '1', special_district_taxable_amount: 0.0, ...LEVELS }
const BREAKDOWN = {
  city_tax_collectable: 5.36,
  city_tax_rate: 0.04875,
  city_taxable_amount: 110.0,
  combined_tax_rate: 0.08875,
  county_tax_collectable: 0.0,
  county_tax_rate: 0.0,
  county_taxable_amount: 0.0,
  line_items: [TAXED],
  special_district_tax_collectable: 0.0,
  special_district_taxable_amount: 0.0,
  special_tax_rate: 0.0,
  state_tax_collectable: 4.4,
  state_tax_rate: 0.04,
  state_taxable_amount: 110.0,
  tax_collectable: 9.76,
  taxable_amount: 110.0,
}
const TAX = {
  amount_to_collect: 9.76,
  freight_taxable: true,
  has_nexus: true,
  jurisdictions: { city: 'NEW YORK CITY', country: 'US', county: 'QUEENS', state: 'NY' },
  order_total_amount: 110.0,
  rate: 0.08875,
  shipping: 100.0,
  tax_source: 'destination',
  taxable_amount: 110.0,
}
const ORDERS = '/v2/transactions/orders'
const REFUNDS = '/v2/transactions/refunds'

export const RECORDED: readonly RecordedCall[] = [
  {
    about: 'without a key',
    method: 'GET',
    path: '/v2/nexus/regions',
    key: '',
    status: 401,
    answer: {
      status: 401,
      error: 'Unauthorized',
      detail: "Not authorized for route 'GET /v2/nexus/regions'",
    },
  },
  {
    about: 'the regions',
    method: 'GET',
    path: '/v2/nexus/regions',
    status: 200,
    answer: {
      regions: [{ region_code: 'BC', region: 'British Columbia', country_code: 'CA', country: 'Canada' }],
    },
  },
  {
    about: 'numbers as texts, a tax code that does not exist, and taxed shipping',
    method: 'POST',
    path: '/v2/taxes',
    body: {
      ...QUEENS,
      customer_id: '1',
      line_items: [{ id: 1, quantity: 1, unit_price: '10.0', discount: '-0.0', product_tax_code: '123' }],
      shipping: '100.0',
    },
    status: 200,
    answer: {
      tax: { ...TAX, breakdown: { ...BREAKDOWN, shipping: { ...LEVELS, special_taxable_amount: 0.0 } } },
    },
  },
  {
    about: 'shipping that bears no tax',
    method: 'POST',
    path: '/v2/taxes',
    body: {
      to_country: 'US',
      to_zip: '91761',
      to_city: 'Ontario',
      to_state: 'CA',
      line_items: [
        { id: 9999, quantity: 1, unit_price: '19.99', discount: 0, product_tax_code: 'TaxCode - 9' },
      ],
      shipping: '10.0',
    },
    status: 200,
    answer: { tax: { ...TAX, breakdown: BREAKDOWN } },
  },
  { about: 'an order', method: 'POST', path: ORDERS, body: ORDER, status: 201, answer: { order: SHOWN } },
  { about: 'the order', method: 'GET', path: `${ORDERS}/R4711`, status: 200, answer: { order: SHOWN } },
  {
    about: 'the same order',
    method: 'POST',
    path: ORDERS,
    body: ORDER,
    status: 422,
    answer: {
      status: 422,
      error: 'Unprocessable Entity',
      detail: 'Provider tranx already imported for your user account',
    },
  },
  {
    about: 'a ZIP of another state',
    method: 'POST',
    path: ORDERS,
    body: { ...ORDER, transaction_id: 'R4712', to_zip: '99999', sales_tax: '0.0' },
    status: 400,
    answer: { status: 400, error: 'Bad Request', detail: 'to_zip 99999 is not used within to_state NY' },
  },
  {
    about: 'a refund of the whole order',
    method: 'POST',
    path: REFUNDS,
    body: REFUND,
    status: 201,
    answer: {
      refund: {
        ...SHOWN,
        transaction_id: 'R4711-REFUND',
        transaction_reference_id: 'R4711',
        customer_id: null,
      },
    },
  },
  {
    about: 'the same refund',
    method: 'POST',
    path: REFUNDS,
    body: REFUND,
    status: 422,
    answer: {
      status: 422,
      error: 'Unprocessable Entity',
      detail: 'Provider tranx already imported for your user account',
    },
  },
]
