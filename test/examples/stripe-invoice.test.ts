import { createServer, type Server } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { createClient } from 'tax-compliance'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { receive, type Surroundings } from '../../examples/stripe-invoice.ts'
import { runningService } from '../support/running-service.ts'

const SECRET = 'the secret of a test'

const INVOICE = {
  id: 'in_1',
  currency: 'eur',
  customer_address: { country: 'DE', state: null, postal_code: '10115' },
  lines: {
    data: [
      { id: 'il_1', amount: 1_999, metadata: {} },
      { id: 'il_2', amount: 10_000, metadata: { product_type: 'books' } },
    ],
  },
}

const service = runningService()
let stripe: Server
let env: Surroundings
const forms: URLSearchParams[] = []

beforeAll(async () => {
  const tax = createClient({ baseUrl: service.origin, apiKey: service.key })
  await tax.account.update({ name: 'Acme GmbH', country: 'DE' })
  await tax.registrations.create({ jurisdiction_id: 'DE', valid_from: '2020-01-01' })
  stripe = createServer((request, response) => {
    const known = request.url === '/v1/invoices/in_1/update_lines' && request.method === 'POST'
    const allowed = request.headers.authorization === 'Bearer sk_test'
    void readText(request).then((form) => {
      if (known && allowed) forms.push(new URLSearchParams(form))
      response.writeHead(known && allowed ? 200 : 404).end('{"id":"in_1"}')
    })
  })
  await new Promise<void>((resolve) => stripe.listen(0, '127.0.0.1', resolve))
  const address = stripe.address()
  env = {
    TAX_API_URL: service.origin,
    TAX_API_KEY: service.key,
    STRIPE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    STRIPE_API_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRET: SECRET,
  }
})

beforeEach(() => void forms.splice(0))

afterAll(async () => {
  stripe?.close()
})

async function event(object: object, { type = 'invoice.created', time = Date.now(), secret = SECRET } = {}) {
  const body = JSON.stringify({ type, data: { object } })
  const t = Math.floor(time / 1_000)
  const text = new TextEncoder()
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', text.encode(secret), hash, false, ['sign'])
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', key, text.encode(`${t}.${body}`)))
  const v1 = [...signed].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const headers = { 'Stripe-Signature': `t=${t},v1=${v1}` }
  return new Request('https://shop.test/stripe', { method: 'POST', body, headers })
}

it('sets the taxes of each line of a new invoice', async () => {
  expect((await receive(await event(INVOICE), env)).status).toBe(204)
  const [form] = forms
  expect(form?.get('lines[0][id]')).toBe('il_1')
  expect(form?.get('lines[0][tax_amounts][0][amount]')).toBe('380')
  expect(form?.get('lines[0][tax_amounts][0][tax_rate_data][percentage]')).toBe('19')
  expect(form?.get('lines[1][tax_amounts][0][amount]')).toBe('700')
  expect(form?.get('lines[1][tax_amounts][0][taxability_reason]')).toBe('reduced_rated')
})

it('sends the pieces, the discounts and the VAT id, which decide the tax', async () => {
  const lines = [
    { id: 'il_1', amount: 10_000, quantity: 2, discount_amounts: [{ amount: 1_000 }], metadata: {} },
  ]
  await receive(await event({ ...INVOICE, lines: { data: lines } }), env)
  const french = { country: 'FR', state: null, postal_code: '75002', city: 'Paris' }
  const customer_tax_ids = [{ type: 'eu_vat', value: 'FR40303265045' }]
  await receive(
    await event({ ...INVOICE, customer_address: french, customer_tax_ids, lines: { data: lines } }),
    env,
  )
  const reasons = forms.map((form) => [
    form.get('lines[0][tax_amounts][0][amount]'),
    form.get('lines[0][tax_amounts][0][taxability_reason]'),
  ])
  expect(reasons).toEqual([
    ['1710', 'standard_rated'],
    ['0', 'reverse_charge'],
  ])
})

it('takes no event that Stripe has not signed, or that is old, and leaves others alone', async () => {
  expect((await receive(await event(INVOICE, { secret: 'another' }), env)).status).toBe(400)
  expect((await receive(await event(INVOICE, { time: Date.now() - 600_000 }), env)).status).toBe(400)
  expect((await receive(await event(INVOICE, { type: 'invoice.paid' }), env)).status).toBe(204)
  expect((await receive(await event({ ...INVOICE, customer_address: null }), env)).status).toBe(422)
  expect(forms).toEqual([])
})

it('lets Stripe send the event again while the service is away, and sets no zero', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const away = { ...env, TAX_API_URL: 'http://127.0.0.1:9' }
  expect((await receive(await event(INVOICE), away)).status).toBe(502)
  expect(forms).toEqual([])
}, 60_000)
