import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createClient, type TaxClient, type WebhookEvent } from 'tax-compliance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentic } from '../../examples/agentic-checkout.ts'
import { describeEvent, receiver } from '../../examples/express-webhooks.ts'
import { checkout } from '../../examples/hono-checkout.ts'
import { POST } from '../../examples/next-route.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { examplesOf, runExamples } from '../../scripts/guide-examples.ts'
import { addKeys, runningService } from '../support/running-service.ts'

const service = runningService()
let tax: TaxClient

beforeAll(async () => {
  tax = createClient({ baseUrl: service.origin, apiKey: service.key })
  await tax.account.update({ name: 'Acme GmbH', country: 'DE' })
  await tax.registrations.create({ jurisdiction_id: 'DE', valid_from: '2020-01-01' })
  await tax.registrations.create({ scheme: 'oss_union', valid_from: '2020-01-01' })
})

describe('the checkout on Hono', () => {
  const post = (path: string, body: object = {}) =>
    checkout.request(
      path,
      { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
      { TAX_API_URL: service.origin, TAX_API_KEY: service.key },
    )
  const CART = { country: 'FR', postal_code: '75002', items: [{ price: 1_999, product_type: 'saas' }] }

  it('shows the tax of a cart', async () => {
    const answer = await post('/cart', CART)
    expect(await answer.json()).toMatchObject({ subtotal: 1_999, tax: 400, total: 2_399, rates: [0.2] })
  })

  it('records a paid order once, and refunds it', async () => {
    const { calculation_token } = await (await post('/cart', CART)).json<{ calculation_token: string }>()
    const paid = () => post('/orders/A-1/paid', { calculation_token })
    const [first, second] = [await paid(), await paid()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await first.json()).toEqual(await second.json())
    expect(await (await post('/orders/A-1/refund')).json()).toEqual({ refunded: 2_399, tax: 400 })
  })

  it('records what the buyer paid, though the seller ended its registration meanwhile', async () => {
    const { id } = await tax.registrations.create({ jurisdiction_id: 'GB', valid_from: '2020-01-01' })
    const items = [{ price: 10_000, product_type: 'saas' }]
    const { tax: shown, calculation_token } = await (
      await post('/cart', { country: 'GB', postal_code: 'SW1A 1AA', items })
    ).json<{ tax: number; calculation_token: string }>()
    await tax.registrations.update(id, { valid_to: '2020-02-01' })
    const recorded = await (await post('/orders/A-2/paid', { calculation_token })).json()
    expect([shown, recorded]).toEqual([2_000, expect.objectContaining({ tax: 2_000 })])
    expect(await tax.transactions.getByExternalId('A-2')).toMatchObject({
      tax_amount: 2_000,
      tax_variance: 2_000,
    })
  })

  it('names the wrong field of a cart, and hides other errors', async () => {
    const wrong = await post('/cart', { ...CART, items: [{ price: 1_999, product_type: 'sas' }] })
    expect([wrong.status, await wrong.json()]).toEqual([
      422,
      expect.objectContaining({ fields: [expect.objectContaining({ path: 'line_items[0].product_type' })] }),
    ])
    expect((await post('/orders/unknown/refund')).status).toBe(502)
  })
})

// The published schemas. Node cannot import their modules, and can require them.
const ucp: typeof import('@ucp-js/sdk') = createRequire(import.meta.url)('@ucp-js/sdk')

describe('the checkout for agents', () => {
  const ask = async (method: string, path: string, cart?: object) => {
    const response = await agentic.request(
      path,
      { method, ...(cart && { body: JSON.stringify(ucp.CheckoutCreateRequestSchema.parse(cart)) }) },
      { TAX_API_URL: service.origin, TAX_API_KEY: service.key },
    )
    const session = await response.json()
    ucp.CheckoutResponseSchema.strict().parse(session)
    return session as { id: string; status: string; totals: unknown; messages: object[] }
  }
  const cart = (context?: object) => ({
    line_items: [
      { item: { id: 'jacket' }, quantity: 2 },
      { item: { id: 'course' }, quantity: 1 },
    ],
    ...(context && { context }),
  })

  it('says no tax before it knows the place, then the tax, and records it once', async () => {
    const { id, ...open } = await ask('POST', '/checkout-sessions', cart())
    expect(open).toMatchObject({
      status: 'incomplete',
      totals: [{ type: 'subtotal', amount: 30_700 }],
      messages: [{ type: 'error', code: 'address_required', severity: 'requires_buyer_input' }],
    })
    const ready = await ask('PUT', `/checkout-sessions/${id}`, cart({ address_country: 'FR' }))
    expect(ready).toMatchObject({
      status: 'ready_for_complete',
      totals: [
        { type: 'subtotal', amount: 30_700 },
        { type: 'tax', amount: 6_140 },
        { type: 'total', amount: 36_840 },
      ],
    })
    const completed = [
      await ask('POST', `/checkout-sessions/${id}/complete`),
      await ask('POST', `/checkout-sessions/${id}/complete`),
    ]
    expect(completed.map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(await tax.transactions.getByExternalId(id)).toMatchObject({ tax_amount: 6_140, total: 36_840 })
  })

  it('answers 404 to a product and a session that the shop does not have', async () => {
    const strange = {
      line_items: [{ item: { id: 'unicorn' }, quantity: 1 }],
      context: { address_country: 'FR' },
    }
    const bindings = { TAX_API_URL: service.origin, TAX_API_KEY: service.key }
    const asked = { method: 'POST', body: JSON.stringify(strange) }
    expect((await agentic.request('/checkout-sessions', asked, bindings)).status).toBe(404)
    expect((await agentic.request('/checkout-sessions/none', {}, bindings)).status).toBe(404)
  })

  it('says why a line has no tax', async () => {
    const { messages } = await ask('POST', '/checkout-sessions', cart({ address_country: 'NO' }))
    expect(messages[0]).toMatchObject({ type: 'info', code: 'tax_reason', path: '$.line_items[0]' })
  })

  it('leaves a wrong place to the buyer, and guesses no tax', async () => {
    const place = { address_country: 'US', postal_code: '00000' }
    expect(await ask('POST', '/checkout-sessions', cart(place))).toMatchObject({
      status: 'incomplete',
      totals: [{ type: 'subtotal', amount: 30_700 }],
      messages: [{ type: 'error', code: 'address_invalid', severity: 'recoverable' }],
    })
  })
})

/** What a seller does between a quote and its record, in the words of a guide. */
const END_REGISTRATIONS = `for ID in $(curl -s "$URL/v1/registrations" -H "Authorization: Bearer $KEY" |
  node -pe 'JSON.parse(require("fs").readFileSync(0)).registrations.map(({ id }) => id).join(" ")'); do
  curl -s -X PUT "$URL/v1/registrations/$ID" -H "Authorization: Bearer $KEY" \\
    -H 'Content-Type: application/json' -d '{ "valid_to": "2026-01-02" }'
done`

describe('the quickstart', () => {
  it('records what the buyer paid, though the seller ended its registrations meanwhile', async () => {
    const [KEY = ''] = await addKeys(service, { account: 'quickstart with a change' })
    const pages = examplesOf('docs/quickstart.md')
    const recording = pages.findIndex(({ commands }) => commands.includes('/v1/transactions'))
    const change = { name: 'change', commands: END_REGISTRATIONS, shown: null }
    const examples = [...pages.slice(0, recording), change, ...pages.slice(recording, recording + 1)]
    const { outputs, errors } = await runExamples(examples, service.state, { URL: service.origin, KEY })
    const sale = outputs[examples.length - 1] ?? ''
    expect(JSON.parse(sale || '{}'), errors).toMatchObject({
      external_id: 'order-1001',
      tax_amount: 400,
      // Without the one-stop shop it would be the German tax, 380.
      tax_variance: 20,
    })
  })
})

describe('the route handler of Next.js', () => {
  const post = (body: object) => {
    process.env['TAX_API_URL'] = service.origin
    process.env['TAX_API_KEY'] = service.key
    return POST(new Request('https://shop.example/api/tax', { method: 'POST', body: JSON.stringify(body) }))
  }

  it('divides a price that contains the tax', async () => {
    const answer = await post({ country: 'FR', postal_code: '75002', price: 2_399, product_type: 'saas' })
    expect(await answer.json()).toEqual({ net: 1_999, tax: 400, rate: 0.2 })
  })

  it('answers 422 to a wrong place', async () => {
    const answer = await post({ country: 'US', postal_code: '00000', price: 1, product_type: 'saas' })
    expect([answer.status, await answer.json()]).toEqual([422, { message: expect.any(String) }])
  })
})

describe('the receiver on Express', () => {
  let server: Server
  let origin = ''
  let secret = 'not known yet'
  const done = new Set<string>()
  const acted: WebhookEvent[] = []
  let failing = false

  beforeAll(async () => {
    const processed = {
      has: async (id: string) => done.has(id),
      add: async (id: string) => void done.add(id),
    }
    const act = async (event: WebhookEvent) => {
      if (failing) throw new Error('The database is down')
      acted.push(event)
    }
    // The secret is known only after the address.
    server = createServer((request, response) => receiver(secret, processed, act)(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it('accepts what the service sends, and nothing else', async () => {
    const webhook = await tax.webhooks.create({ url: `${origin}/webhooks/tax`, events: ['rate.updated'] })
    secret = webhook.secret ?? ''
    expect(await tax.webhooks.test(webhook.id)).toMatchObject({ success: true, response_status: 204 })
    expect(acted.map(describeEvent)).toEqual(['webhook.test'])
    failing = true
    expect(await tax.webhooks.test(webhook.id)).toMatchObject({ success: false, response_status: 500 })
    secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY'
    expect(await tax.webhooks.test(webhook.id)).toMatchObject({ success: false, response_status: 401 })
    const forged = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }
    expect((await fetch(`${origin}/webhooks/tax`, forged)).status).toBe(401)
    expect(acted).toHaveLength(1)
  })
})

describe('the command', () => {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [join(PROJECT, 'client/bin/tax-compliance.js'), ...args], {
      encoding: 'utf8',
      env: { ...process.env, TAX_API_URL: service.origin, TAX_API_KEY: service.key },
    })
  beforeAll(() => void execFileSync('npm', ['run', '-s', 'client:build'], { cwd: PROJECT }))

  it('prints the answer that its guide shows', () => {
    const guide = readFileSync(join(PROJECT, 'docs/client.md'), 'utf8')
    const shown = /```text\n(.*?)```/s.exec(guide)?.[1] ?? 'nothing'
    // The account is in Germany, and so is its day.
    const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })
    const before = today()
    const printed = run(
      'calculate',
      '--from',
      'DE',
      '--registered',
      'oss_union',
      '--to',
      'FR',
      '19.99',
      'saas',
    )
    // The day may end in the middle.
    expect([before, today()].map((day) => shown.replace(/\d{4}-\d\d-\d\d/, day))).toContain(printed)
  })

  it('says why there is no tax, and what it would be', () => {
    const printed = run(
      'calculate',
      '--from',
      'US-NY',
      '--to',
      'US-CA',
      '--postal-code',
      '94105',
      '49',
      'saas',
    )
    expect(printed).toMatch(/To pay: \$49\.00\nsaas: /)
  })

  it('prints the whole answer as JSON', () => {
    const answer: object = JSON.parse(run('calculate', '--to', 'FR', '--json', '5', 'ebooks', '7', 'saas'))
    expect(answer).toMatchObject({ currency: 'EUR', line_items: [{ amount: 500 }, { amount: 700 }] })
  })
})
