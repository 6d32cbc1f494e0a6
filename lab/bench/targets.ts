import type { Target } from './measure.ts'

/** The carts of a batch. */
export const CARTS = 100

export const ONE_LINE = calculation('1 line', bodyOf(1))
export const HUNDRED_LINES = calculation('100 lines', bodyOf(100))
export const FIVE_HUNDRED_LINES = calculation('500 lines', bodyOf(500))
const WITH_VIEW = calculation('1 line with `einvoice`', bodyOf(1, { einvoice: {} }))
const HUNDRED_WITH_VIEW = calculation('100 lines with `einvoice`', bodyOf(100, { einvoice: {} }))
export const AMERICAN = calculation('a cart of the United States with shipping', americanCart())
export const CALIFORNIAN = calculation('a cart to California with groceries and shipping', californianCart())
export const RATES: Target = { name: 'GET /v1/rates', method: 'GET', path: '/v1/rates?jurisdiction=FR' }
export const BATCH: Target = {
  name: `POST /v1/calculate/batch, ${CARTS} carts of 1 line`,
  method: 'POST',
  path: '/v1/calculate/batch',
  body: JSON.stringify({ calculations: Array.from({ length: CARTS }, (_, index) => cartOf(1, index)) }),
}

/** The same sale as ONE_LINE in the form of TaxJar. */
const TAXJAR: Target = {
  name: 'POST /v2/taxes, 1 line',
  method: 'POST',
  path: '/v2/taxes',
  body: JSON.stringify({
    from_country: 'DE',
    to_country: 'FR',
    to_zip: '75002',
    to_city: 'Paris',
    shipping: 0,
    nexus_addresses: [{ country: 'FR' }],
    line_items: [{ id: 'sku-0', quantity: 1, unit_price: 19.99, product_tax_code: '30070' }],
  }),
}

/** The requests of the benchmark. */
export const TARGETS: readonly Target[] = [
  ONE_LINE,
  calculation('10 lines', bodyOf(10)),
  HUNDRED_LINES,
  WITH_VIEW,
  HUNDRED_WITH_VIEW,
  AMERICAN,
  CALIFORNIAN,
  RATES,
  BATCH,
  TAXJAR,
]

function calculation(name: string, body: string): Target {
  return { name: `POST /v1/calculate, ${name}`, method: 'POST', path: '/v1/calculate', body }
}

function bodyOf(lines: number, asked: object = {}): string {
  return JSON.stringify({ ...cartOf(lines, 0), ...asked })
}

/** A cart to a street of Seattle: state, county, city and districts. */
function americanCart(): string {
  return JSON.stringify({
    currency: 'USD',
    seller: { country: 'US', region: 'DE', registrations: ['US-WA'] },
    customer: { address: { country: 'US', postal_code: '98101', city: 'Seattle' } },
    line_items: [
      { amount: 1999, product_type: 'physical_goods' },
      { amount: 4900, quantity: 2, product_type: 'clothing' },
    ],
    shipping_cost: { amount: 599 },
  })
}

/** Goods, groceries that the state frees, and shipping that follows both. */
function californianCart(): string {
  return JSON.stringify({
    currency: 'USD',
    seller: { country: 'US', region: 'CA', postal_code: '94105', registrations: ['US-CA'] },
    customer: { address: { country: 'US', postal_code: '90001', city: 'Los Angeles' } },
    line_items: [
      { amount: 1999, product_type: 'physical_goods' },
      { amount: 999, product_type: 'groceries' },
    ],
    shipping_cost: { amount: 599 },
  })
}

function cartOf(lines: number, first: number) {
  return {
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['oss_union'] },
    customer: { address: { country: 'FR', postal_code: '75002', city: 'Paris' } },
    line_items: Array.from({ length: lines }, (_, index) => ({
      reference: `sku-${first + index}`,
      amount: 1999 + first + index,
      product_type: 'saas',
    })),
  }
}
