import { createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

const TOKEN = 'token-of-the-app'

/** An RSA key, as Saleor has one. */
export function newKey(kid) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { n, e } = publicKey.export({ format: 'jwk' })
  return { privateKey, jwk: { kty: 'RSA', use: 'sig', key_ops: ['verify'], kid, n, e } }
}

/** A detached signature over the raw body, as Saleor makes it. */
export function signatureOf({ privateKey, jwk }, body, header) {
  const fields = header ?? { alg: 'RS256', kid: jwk.kid, typ: 'JWT', b64: false, crit: ['b64'] }
  const head = Buffer.from(JSON.stringify(fields)).toString('base64url')
  const signed = createSign('RSA-SHA256').update(`${head}.${body}`).sign(privateKey, 'base64url')
  return `${head}..${signed}`
}

/** The parts of a shop that an app asks: its public keys, and its API, which knows the token of the app. */
export async function openShop() {
  const key = newKey('1')
  const jwks = JSON.stringify({ keys: [key.jwk] })
  const server = createServer((request, response) => {
    const known = request.headers.authorization === `Bearer ${TOKEN}`
    const api = JSON.stringify({ data: { app: known ? { id: 'QXBwOjE=' } : null } })
    request.resume()
    response.setHeader('Content-Type', 'application/json')
    response.end(request.url === '/.well-known/jwks.json' ? jwks : api)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const api = `http://127.0.0.1:${server.address().port}/graphql/`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { api, jwks, key, token: TOKEN, close }
}

const PARIS = {
  streetAddress1: '1 rue de Rivoli',
  streetAddress2: '',
  city: 'PARIS',
  countryArea: '',
  postalCode: '75001',
  country: { code: 'FR' },
}

/** The payload of CHECKOUT_CALCULATE_TAXES: a lamp of 10 euros before tax, and 5 euros of shipping. */
export const CHECKOUT = {
  __typename: 'CalculateTaxes',
  taxBase: {
    pricesEnteredWithTax: false,
    currency: 'EUR',
    discounts: [],
    address: PARIS,
    shippingPrice: { amount: 5 },
    lines: [
      {
        quantity: 1,
        totalPrice: { amount: 10 },
        sourceLine: { __typename: 'CheckoutLine', id: 'line-1', variant: { sku: 'lamp', product: null } },
      },
    ],
    sourceObject: { __typename: 'Checkout', id: 'checkout-1', vatId: null },
  },
}

/** An event of the order of this checkout, with the taxes that were answered. */
export function orderEvent(__typename, id, taxes, fields = {}) {
  const money = (net, gross) => ({ net: { amount: Number(net) }, gross: { amount: Number(gross) } })
  const [line] = taxes.lines
  const gross = Number(line.total_gross_amount) + Number(taxes.shipping_price_gross_amount)
  return {
    __typename,
    order: {
      id,
      number: '7',
      created: new Date().toISOString(),
      status: 'UNFULFILLED',
      vatId: null,
      billingAddress: null,
      shippingAddress: PARIS,
      shippingPrice: money(taxes.shipping_price_net_amount, taxes.shipping_price_gross_amount),
      total: { currency: 'EUR', gross: { amount: gross } },
      totalRefunded: { amount: 0 },
      lines: [
        {
          id: 'line-1',
          productName: 'Lamp',
          productSku: 'lamp',
          quantity: 1,
          totalPrice: money(line.total_net_amount, line.total_gross_amount),
          variant: null,
        },
      ],
      ...fields,
    },
  }
}
