import { Hono } from 'hono'
import { ApiError, type CalculateRequest, createClient, type ProductTypeOrCode } from 'tax-compliance'

/** Secrets of the Worker: `wrangler secret put TAX_API_KEY`. */
type Shop = { Bindings: { TAX_API_URL: string; TAX_API_KEY: string } }

/** What the shop knows of a sale. Prices are in cents. */
type Cart = { country: string; postal_code: string; items: Item[] }
type Item = { price: number; product_type: ProductTypeOrCode }

/** What the payment keeps of the cart, as metadata: a text that only the service reads. */
type Paid = { calculation_token: string }

/**
 * A checkout on Cloudflare Workers: the tax while the buyer looks, the record after the payment. The token
 * records what the buyer saw, whatever changed since. It lives for 60 minutes: a payment that takes longer
 * needs the whole answer in the shop's own database, recorded as `calculation`.
 */
export const checkout = new Hono<Shop>()

checkout.post('/cart', async (c) => {
  const answer = await taxOf(c.env).calculate(saleOf(await c.req.json<Cart>()))
  const { subtotal, tax_amount: tax, total, line_items, calculation_token } = answer
  return c.json({
    subtotal,
    tax,
    total,
    rates: line_items.map(({ tax_rate }) => tax_rate),
    calculation_token,
  })
})

/**
 * The message of the payment, with its metadata. The number of the order is the idempotency key, so a
 * repeated message records one sale.
 */
checkout.post('/orders/:number/paid', async (c) => {
  const number = c.req.param('number')
  const { calculation_token } = await c.req.json<Paid>()
  const sale = { calculation_token, external_id: number }
  const recorded = await taxOf(c.env).transactions.create(sale, { idempotencyKey: number })
  return c.json({ id: recorded.id, tax: recorded.tax_amount }, 201)
})

checkout.post('/orders/:number/refund', async (c) => {
  const tax = taxOf(c.env)
  const sale = await tax.transactions.getByExternalId(c.req.param('number'))
  const { refund } = await tax.transactions.refund(sale.id, { rest: true, reason: 'Returned' })
  return c.json({ refunded: refund.amount, tax: refund.tax_amount })
})

/** A wrong cart is the shop's fault, so the buyer's browser learns which field. Other errors are ours. */
checkout.onError((error, c) => {
  if (!(error instanceof ApiError)) throw error
  const wrong = error.error_code === 'VALIDATION_ERROR'
  return c.json({ message: error.message, fields: error.errors }, wrong ? 422 : 502)
})

function taxOf({ TAX_API_URL, TAX_API_KEY }: Shop['Bindings']) {
  return createClient({ baseUrl: TAX_API_URL, apiKey: TAX_API_KEY })
}

function saleOf({ country, postal_code, items }: Cart): CalculateRequest {
  return {
    currency: 'EUR',
    customer: { address: { country, postal_code } },
    line_items: items.map(({ price, product_type }) => ({ amount: price, product_type })),
    calculation_token: true,
  }
}

export default checkout
