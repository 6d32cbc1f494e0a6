import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { catchUpWithShops } from '../../../src/interfaces/saleor/catch-up.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { orderEvent } from './payloads.ts'
import { connected, type Installed, newPair, serveShop, shop, type ShopOrder, tell } from './shop.ts'

await loadTestData()
const PAIR = await newPair()
const HOUR = 3_600_000

let install: Installed
let now: number
beforeEach(async () => {
  // Each test has its own shop, and no other one is due.
  await env.DB.prepare('DELETE FROM saleor_installs').run()
  Object.assign(shop, { pairs: [PAIR], orders: [], queries: [], away: false })
  serveShop()
  install = await connected(['FR'], { country: 'FR', postal_code: '75001' })
  now = Date.now()
})
afterEach(() => vi.unstubAllGlobals())

const LINES = [{ net: 54, gross: 64.8 }]

/** An order in the shop, which was placed and changed some seconds after its registration. */
function inShop(id: string, second: number, fields: { status?: string; refunded?: number } = {}): ShopOrder {
  const at = new Date(now + second * 1_000).toISOString().replace('Z', '000+00:00')
  const event = orderEvent('', { id, ...fields, more: { created: at, number: id } }, LINES)
  const { order } = event as { order: Record<string, unknown> }
  const made = { ...order, number: id, updatedAt: at }
  shop.orders = [...shop.orders.filter(({ number }) => number !== id), made]
  return made
}

const run = (later = 0) => catchUpWithShops(env, new Date(now + later))

async function sale(id: string) {
  const path = `/v1/transactions/external/${encodeURIComponent(`saleor:${id}`)}`
  return (await call('GET', path, { key: install.key })).body
}

async function listed() {
  const { body } = await call('GET', '/v1/saleor/installs', { key: install.key })
  const [first] = body['installs'] as Record<string, unknown>[]
  return first ?? {}
}

describe('the catch-up with a shop on Saleor', () => {
  it('records the orders and refunds whose events Saleor gave up, each once', async () => {
    inShop('1001', 1)
    inShop('1002', 2, { refunded: 10 })
    await run()
    expect(await sale('1001')).toMatchObject({ total: 6_480, tax_source: 'calculated', amount_refunded: 0 })
    expect(await sale('1002')).toMatchObject({ total: 6_480, amount_refunded: 1_000 })
    inShop('1001', 3, { status: 'CANCELED' })
    inShop('1002', 4, { refunded: 64.8 })
    await run(HOUR)
    await run(2 * HOUR)
    for (const id of ['1001', '1002']) expect(await sale(id)).toMatchObject({ amount_refunded: 6_480 })
    expect((await sale('1001'))['refunds']).toHaveLength(1)
    expect((await sale('1002'))['refunds']).toHaveLength(2)
    const { body } = await call('GET', '/v1/transactions', { key: install.key })
    expect(body['transactions']).toHaveLength(2)
  })

  it('changes nothing beside events of the same orders', async () => {
    const order = inShop('1001', 1, { refunded: 10 })
    await Promise.all([
      run(),
      tell(install, 'orders', { __typename: 'OrderConfirmed', order }),
      tell(install, 'orders', { __typename: 'OrderRefunded', order }),
    ])
    expect(await sale('1001')).toMatchObject({ total: 6_480, amount_refunded: 1_000 })
  })

  it('leaves orders that are no sales, and those from before the registration', async () => {
    inShop('1001', 1, { status: 'UNCONFIRMED' })
    inShop('1002', 2, { status: 'CANCELED' })
    const old = inShop('1003', 3, { refunded: 10 })
    shop.orders = [...shop.orders, Object.assign(old, { created: '2026-01-01T00:00:00+00:00' })]
    await run()
    for (const id of ['1001', '1002', '1003']) expect(await sale(id)).toMatchObject({ reason: 'not_found' })
    expect(await listed()).toMatchObject({ orders_fault: null })
  })

  it('asks a shop each hour, from shortly before the last change, and only one run at once', async () => {
    inShop('1001', 600)
    await Promise.all([run(), run()])
    await run(HOUR - 1)
    expect(shop.queries).toHaveLength(1)
    await run(HOUR)
    expect(shop.queries.map(({ since }) => Date.parse(since))).toEqual([
      Date.parse(String((await listed())['registered_at'])),
      now + 300_000,
    ])
  })

  it('reads 80 orders in a tick, and the rest in the next one', async () => {
    for (let id = 1; id <= 85; id += 1) inShop(String(1_000 + id), id, { status: 'UNCONFIRMED' })
    inShop('1086', 86)
    await run()
    expect(shop.queries.map(({ first }) => first)).toEqual([20, 20, 20, 20])
    expect(await sale('1086')).toMatchObject({ reason: 'not_found' })
    await run(300_000)
    expect(await sale('1086')).toMatchObject({ total: 6_480 })
    expect(shop.queries).toHaveLength(5)
  })

  it('goes on where it was after the shop was away, and says so', async () => {
    inShop('1001', 1)
    shop.away = true
    await run()
    expect(await listed()).toMatchObject({
      orders_fault: expect.stringContaining('does not answer'),
      orders_fault_at: new Date(now).toISOString(),
    })
    shop.away = false
    await run(HOUR)
    expect(await sale('1001')).toMatchObject({ total: 6_480 })
  })

  it('passes an order that cannot be recorded, and names it', async () => {
    Object.assign(inShop('1001', 1), { shippingAddress: null })
    inShop('1002', 2)
    await run()
    expect(await sale('1002')).toMatchObject({ total: 6_480 })
    const { orders_fault } = await listed()
    expect(orders_fault).toMatch(/Order 1001 .*shippingAddress/)
  })

  it('waits while the key of the shop is revoked, and passes no order', async () => {
    inShop('1001', 1)
    const { key_id, registered_at } = await listed()
    await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
      .bind(new Date(now).toISOString(), key_id)
      .run()
    await run()
    expect(await listed()).toMatchObject({
      orders_fault: expect.stringContaining('1001'),
      orders_read_until: registered_at,
    })
  })
})
