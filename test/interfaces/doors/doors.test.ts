import { exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createOffline, takeOfflineData } from '../../../client/offline/offline.ts'
import { type CalculateRequest, createClient } from '../../../client/src/client.ts'
import { createCheckout, toMinorUnits } from '../../../client/src/shop.ts'
import { addReseller, cartsOf, type Door, type NativeCart, nativeCarts } from '../../../lab/native-carts.ts'
import table from '../../../plugins/doors.json' with { type: 'json' }
import { writeNewYorkCity } from '../../support/local-data.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from '../taxjar/asking.ts'
import { connected, newPair, serveShop, shop, tell } from '../saleor/shop.ts'
import { orderOf, saleorCart } from './form-of-taxjar-and-saleor.ts'
import { writeLocalTaxes } from './local-taxes.ts'

await loadTestData()
await writeNewYorkCity()
await writeLocalTaxes()

let key = ''
let carts: NativeCart[] = []
const native = async (method: string, path: string, body: object) => {
  const answer = await call(method, path, { key, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

beforeAll(async () => {
  const account = await newShop({ taxjar: { accept_state_only: true } })
  key = account.key
  carts = await nativeCarts(native)
})

/** The cents of each cart that a door carries are those of the service, asked directly. */
async function holdSame(door: Door, taxOf: (cart: NativeCart) => Promise<number> | number): Promise<void> {
  const own = cartsOf(door, carts)
  expect(own.length).toBeGreaterThan(3)
  const found = []
  for (const cart of own) found.push([cart.name, await taxOf(cart)])
  expect(found).toEqual(own.map(({ name, tax_amount }) => [name, tax_amount]))
}

const client = () =>
  createClient({
    baseUrl: 'https://service.test',
    apiKey: key,
    fetch: (request) => exports.default.fetch(request),
    retries: 0,
  })

/** A sale without a fact. What names a price by its unit then names it for the line. */
function without(sale: CalculateRequest, path: string): object {
  const [first = '', second] = path.split('.')
  const copy = structuredClone(sale) as unknown as Record<string, unknown>
  if (second === undefined) delete copy[first]
  else for (const each of [copy[first]].flat() as Record<string, unknown>[]) delete each[second]
  return copy
}

const STATES = ['NY', 'FL', 'TN', 'MO', 'MA', 'TX', 'CA', 'MN'].map((state) => `US-${state}`)

/**
 * These name the money, the product or the seller itself: a sale without them is refused, or another one. The
 * places of this test are found by their ZIP, without a city.
 */
const NOT_LEFT_OUT = new Set([
  'currency',
  'product_code',
  'seller',
  'ship_from_city',
  // A code of the product says it, so that each shop can.
  'supply',
  'unit_amount',
])

describe('the carts', () => {
  it('bear another tax without each fact that they are for', async () => {
    const needless = []
    for (const [fact, { path }] of Object.entries(table.facts)) {
      const own = carts.filter(({ facts }) => facts.some((each) => each === fact))
      if (own.length === 0 || NOT_LEFT_OUT.has(fact)) continue
      const left = await Promise.all(
        own.map(({ sale }) => call('POST', '/v1/calculate', { key, body: without(sale, path) })),
      )
      if (own.every(({ tax_amount }, at) => tax_amount === left[at]?.body['tax_amount'])) needless.push(fact)
    }
    expect(needless).toEqual([])
  })

  it('have each fact that changes a tax', () => {
    const had = new Set(carts.flatMap(({ facts }) => facts))
    const facts = Object.keys(table.facts).filter((fact) => !had.has(fact as NativeCart['facts'][number]))
    // Each cart has a product and a seller; evidence changes no tax.
    expect(facts).toEqual(['product_type', 'seller', 'evidence'])
  })
})

describe('the same cart bears the same tax', () => {
  it('in a batch, and by the client', async () => {
    const calculations = carts.map(({ sale }) => sale)
    const { body } = await call('POST', '/v1/calculate/batch', { key, body: { calculations } })
    const results = body['results'] as { data: { tax_amount: number } }[]
    const checkout = createCheckout({ tax: client(), on_failure: 'refuse', onTrouble: () => {} })
    await holdSame('api', async ({ sale, name }) => {
      const { answer } = await checkout.calculate(sale)
      const at = carts.findIndex((cart) => cart.name === name)
      expect(results[at]?.data.tax_amount, name).toBe(answer.tax_amount)
      return answer.tax_amount
    })
  })

  it('for an agent', async () => {
    await holdSame('mcp', async ({ sale }) => {
      const params = { name: 'calculate_tax', arguments: sale }
      const response = await exports.default.fetch('https://service.test/mcp', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'CF-Connecting-IP': newAddress(),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      const { result }: { result: { structuredContent: { tax_amount: number } } } = await response.json()
      return result.structuredContent.tax_amount
    })
  })

  it('without the service', async () => {
    const offline = createOffline()
    await offline.load(await takeOfflineData(client(), STATES))
    await holdSame('offline', ({ sale }) => offline.calculate(sale).answer.tax_amount)
    const refused = carts.filter(({ facts }) =>
      facts.some((fact) => (table.doors.offline.refused as string[]).includes(fact)),
    )
    expect(refused.length).toBeGreaterThanOrEqual(table.doors.offline.refused.length)
    for (const { sale } of refused) expect(() => offline.calculate(sale)).toThrow('without the service')
  })

  it('in the form of TaxJar', async () => {
    await holdSame('taxjar', async ({ sale }) => {
      const { status, body, text } = await ask('POST', '/v2/taxes', { key, body: orderOf(sale) })
      expect(status, text).toBe(200)
      const { amount_to_collect } = body['tax'] as { amount_to_collect: number }
      return Math.round(amount_to_collect * 100)
    })
  })

  it('in a checkout of Saleor', async () => {
    shop.pairs = [await newPair()]
    serveShop()
    await holdSame('saleor', async ({ sale }) => {
      const { registrations = [], ...profile } = sale.seller ?? { country: '' }
      const install = await connected(registrations, profile)
      const own = async (method: string, path: string, body: object) =>
        (await call(method, path, { key: install.key, body })).body
      const customer_id = sale.customer_id ? await addReseller(own) : null
      const { status, body } = await tell(install, 'taxes', saleorCart({ ...sale, customer_id }))
      expect(status, JSON.stringify(body)).toBe(200)
      const taxed = body as { lines: Taxed[] } & Record<string, string>
      const units = (amount = '0') => toMinorUnits(amount, sale.currency)
      const taxOfLine = (line: Taxed) => units(line.total_gross_amount) - units(line.total_net_amount)
      const { shipping_price_gross_amount, shipping_price_net_amount } = taxed
      const shipping = units(shipping_price_gross_amount) - units(shipping_price_net_amount)
      const gross = [...taxed.lines.map(taxOfLine), shipping]
      return gross.reduce((sum, tax) => sum + tax, 0)
    })
  })
})

type Taxed = { total_gross_amount: string; total_net_amount: string }
