import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { catchUpWithShops } from '../../../src/interfaces/saleor/catch-up.ts'
import { dropOrphanedOrders } from '../../../src/interfaces/saleor/refused-orders-store.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { orderEvent, SAN_FRANCISCO } from './payloads.ts'
import { connected, type Installed, newPair, serveShop, shop, type ShopOrder, tell } from './shop.ts'

await loadTestData()
const PAIR = await newPair()
const HOUR = 3_600_000

let install: Installed
let now: number
beforeEach(async () => {
  // Each test has its own shop, and no other one is due.
  for (const table of ['saleor_installs', 'saleor_refused_orders'] as const)
    await env.DB.prepare(`DELETE FROM ${table}`).run()
  Object.assign(shop, {
    pairs: [PAIR],
    orders: [],
    queries: [],
    away: false,
    hangs: null,
    first_max: 100,
    token: 'token-of-the-app',
  })
  serveShop()
  install = await connected(['FR'], { country: 'FR', postal_code: '75001' })
  now = Date.now()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

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
    await Promise.all([run(600_000), run(600_000)])
    await run(600_000 + HOUR - 1)
    expect(shop.queries).toHaveLength(1)
    await run(600_000 + HOUR)
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

  it('is not held up by an order that the shop dates years ahead', async () => {
    const order = inShop('1001', 1)
    Object.assign(order, { updatedAt: '9999-12-31T00:00:00.000000+00:00' })
    await run()
    expect(await sale('1001')).toMatchObject({ total: 6_480 })
    expect(Date.parse(String((await listed())['orders_read_until']))).toBeLessThan(now)
    inShop('1002', 2)
    await run(HOUR)
    expect(await sale('1002')).toMatchObject({ total: 6_480 })
  })

  it('reads the orders of shops while others hang', async () => {
    const hanging = Promise.withResolvers<void>()
    shop.hangs = (authorization) => (authorization === 'Bearer token-1' ? hanging.promise : null)
    await env.DB.prepare('DELETE FROM saleor_installs').run()
    for (const token of ['token-1', 'token-1', 'token-2']) {
      shop.token = token
      install = await connected(['FR'], { country: 'FR', postal_code: '75001' })
    }
    now = Date.now()
    inShop('1002', 1)
    const running = run()
    await vi.waitFor(async () => expect(await sale('1002')).toMatchObject({ total: 6_480 }))
    hanging.resolve()
    await running
  })

  it('leaves the shops of suspended accounts and ended keys alone', async () => {
    inShop('1001', 1)
    const { key_id } = await listed()
    const at = new Date(now).toISOString()
    await env.DB.prepare('UPDATE accounts SET suspended_at = ? WHERE id = ?')
      .bind(at, install.account_id)
      .run()
    await run()
    await env.DB.prepare('UPDATE accounts SET suspended_at = NULL WHERE id = ?')
      .bind(install.account_id)
      .run()
    await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?').bind(at, key_id).run()
    await run()
    expect(shop.queries).toEqual([])
    await env.DB.prepare('UPDATE api_keys SET revoked_at = NULL WHERE id = ?').bind(key_id).run()
    await run()
    expect(await sale('1001')).toMatchObject({ total: 6_480 })
  })
})

describe('an order that is refused', () => {
  const refusedOrders = async (path = '') =>
    (await call('GET', `/v1/saleor/installs/${install.id}/refused-orders${path}`, { key: install.key })).body
  const attention = async () =>
    (await call('GET', '/v1/account', { key: install.key })).body['attention'] as { reason: string }[]
  const withoutAddress = (id: string, second: number) =>
    Object.assign(inShop(id, second), { shippingAddress: null, billingAddress: null })
  const dismiss = (id: string, key = install.key) =>
    call('DELETE', `/v1/saleor/installs/${install.id}/refused-orders/${id}`, { key })

  it('is kept with its reason, and the account is told, until the order can be recorded', async () => {
    withoutAddress('1001', 1)
    inShop('1002', 2)
    withoutAddress('1003', 3)
    await run()
    expect(await sale('1002')).toMatchObject({ total: 6_480 })
    const at = new Date(now).toISOString()
    const refused = { reason: 'invalid_request', field: 'order.shippingAddress', since: at, tried_at: at }
    expect(await refusedOrders()).toMatchObject({
      orders: [
        { order_id: '1001', number: '1001', ...refused },
        { order_id: '1003', number: '1003', ...refused },
      ],
      total: 2,
      has_more: false,
    })
    expect(await refusedOrders('?limit=1&offset=1')).toMatchObject({
      orders: [{ order_id: '1003' }],
      total: 2,
    })
    expect(await listed()).toMatchObject({ refused_orders: 2, orders_fault: null })
    expect(await attention()).toMatchObject([
      {
        reason: 'orders_refused',
        resource_id: install.id,
        message: expect.stringMatching(/^2 orders /),
        since: at,
      },
    ])

    inShop('1001', 1)
    await run(HOUR)
    expect(await sale('1001')).toMatchObject({ total: 6_480 })
    const later = new Date(now + HOUR).toISOString()
    expect((await refusedOrders())['orders']).toMatchObject([
      { order_id: '1003', since: at, tried_at: later },
    ])
    inShop('1003', 3)
    await run(2 * HOUR)
    expect(await listed()).toMatchObject({ refused_orders: 0 })
    expect(await attention()).toEqual([])
  })

  it('is tried again after the shop has changed nothing, long after later orders were read', async () => {
    const order = inShop('1001', 1)
    const { shippingAddress, billingAddress } = order
    withoutAddress('1001', 1)
    inShop('1002', 7_200)
    await run(2 * HOUR)
    expect(await listed()).toMatchObject({ refused_orders: 1 })
    const [refused] = shop.orders
    Object.assign(refused ?? {}, { shippingAddress, billingAddress })
    await run(3 * HOUR)
    expect(await sale('1001')).toMatchObject({ total: 6_480 })
    expect(await listed()).toMatchObject({ refused_orders: 0 })
  })

  it('is done once somebody has recorded the sale', async () => {
    withoutAddress('1001', 1)
    await run()
    const body = {
      external_id: 'saleor:1001',
      customer: { address: { country: 'FR', postal_code: '75001' } },
      currency: 'EUR',
      line_items: [{ amount: 5_400, product_type: 'physical_goods' }],
    }
    expect((await call('POST', '/v1/transactions', { key: install.key, body })).status).toBe(201)
    await run(HOUR)
    expect(await listed()).toMatchObject({ refused_orders: 0 })
  })

  it('may be dismissed by its account, and is then passed until the shop changes it', async () => {
    const order = withoutAddress('1001', 1)
    await run(HOUR)
    const other = await newAccount()
    expect((await dismiss('1001', other.key)).status).toBe(404)
    expect((await dismiss('1009')).status).toBe(404)
    vi.useFakeTimers({ toFake: ['Date'], now: now + HOUR })
    expect((await dismiss('1001')).body).toMatchObject({ order_id: '1001', dismissed: true })
    vi.useRealTimers()
    expect((await dismiss('1001')).status).toBe(404)
    expect(await listed()).toMatchObject({ refused_orders: 0 })
    expect(await attention()).toEqual([])
    const audit = await call('GET', '/v1/audit-events?limit=5', { key: install.key })
    const [last] = audit.body['audit_events'] as { action: string }[]
    expect(last?.action).toBe('saleor_order.dismissed')

    // Somebody mended the settings, and the sale is in the books under another number.
    const address = { ...SAN_FRANCISCO, countryArea: 'CA' }
    Object.assign(order, { shippingAddress: address })
    await run(2 * HOUR)
    expect(await sale('1001')).toMatchObject({ reason: 'not_found' })
    expect(await refusedOrders()).toMatchObject({ orders: [], total: 0 })
    inShop('1001', 3 * 3_600)
    await run(4 * HOUR)
    expect(await sale('1001')).toMatchObject({ total: 6_480 })
    expect(await env.DB.prepare('SELECT count(*) AS n FROM saleor_refused_orders').first('n')).toBe(0)
  })

  it('is none if the books need not have the order, whatever it lacks', async () => {
    Object.assign(inShop('1001', 1, { status: 'UNCONFIRMED' }), { lines: [] })
    Object.assign(inShop('1002', 2, { status: 'CANCELED' }), { lines: [] })
    Object.assign(inShop('1003', 3), { lines: [], created: '2026-01-01T00:00:00+00:00' })
    Object.assign(inShop('1004', 4), { lines: [] })
    await run()
    expect((await refusedOrders())['orders']).toMatchObject([{ order_id: '1004', field: 'order.lines' }])
  })

  it('is forgotten with its shop', async () => {
    withoutAddress('1001', 1)
    await run()
    await call('DELETE', `/v1/saleor/installs/${install.id}`, { key: install.key })
    expect(await env.DB.prepare('SELECT count(*) AS n FROM saleor_refused_orders').first('n')).toBe(0)
    expect(await attention()).toEqual([])
  })

  it('is not told, and is forgotten, if the release before has disconnected the shop', async () => {
    withoutAddress('1001', 1)
    await run()
    await env.DB.prepare('DELETE FROM saleor_installs').run()
    expect(await attention()).toEqual([])
    await dropOrphanedOrders(env.DB)
    expect(await env.DB.prepare('SELECT count(*) AS n FROM saleor_refused_orders').first('n')).toBe(0)
  })

  it('does not keep others from being tried when the shop has deleted it', async () => {
    for (let id = 1; id <= 25; id += 1) withoutAddress(String(1_000 + id), id)
    await run()
    shop.orders = []
    await run(HOUR)
    inShop('1025', 25)
    shop.orders = shop.orders.map((order) => ({ ...order, updatedAt: '2026-01-01T00:00:00.000000+00:00' }))
    await run(2 * HOUR)
    expect(await sale('1025')).toMatchObject({ total: 6_480 })
  })

  it('stops the catch-up if there are 1,000 of them, and the account is told why', async () => {
    withoutAddress('1001', 1)
    await run()
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
       INSERT INTO saleor_refused_orders SELECT install_id, 'o' || i, account_id, number, reason, field, since,
         tried_at, dismissed_at FROM saleor_refused_orders, n WHERE install_id = ?`,
    )
      .bind(install.id)
      .run()
    withoutAddress('1002', 2)
    await run(HOUR)
    expect(await listed()).toMatchObject({
      refused_orders: 1_000,
      orders_fault: expect.stringContaining('1000 orders could not be recorded'),
    })
    // The shop has them all, and one is in order now.
    Object.assign(inShop('1001', 1))
    await run(2 * HOUR)
    await run(3 * HOUR)
    expect(await sale('1001')).toMatchObject({ total: 6_480 })
    const { total, orders } = await refusedOrders('?limit=1')
    expect({ total, orders }).toMatchObject({ total: 1_000, orders: [{ order_id: '1002' }] })
  })

  it('is tried again alone if several are too large together', async () => {
    for (const id of ['1001', '1002']) withoutAddress(id, 1)
    await run()
    const { shippingAddress } = inShop('1001', 1)
    shop.orders = shop.orders.map((order) => ({
      ...order,
      shippingAddress,
      updatedAt: '2026-01-01T00:00:00Z',
    }))
    shop.first_max = 1
    await run(HOUR)
    await run(2 * HOUR)
    for (const id of ['1001', '1002']) expect(await sale(id)).toMatchObject({ total: 6_480 })
  })

  it('lets others have their turn while it stays refused, though only one fits into an answer', async () => {
    for (const id of ['1001', '1002', '1003']) withoutAddress(id, 1)
    await run()
    const { shippingAddress } = inShop('1003', 1)
    shop.orders = shop.orders.map((order) => ({
      ...order,
      updatedAt: '2026-01-01T00:00:00Z',
      ...(order.number !== '1001' && { shippingAddress }),
    }))
    shop.first_max = 1
    for (const hours of [1, 2, 3]) await run(hours * HOUR)
    for (const id of ['1002', '1003']) expect(await sale(id)).toMatchObject({ total: 6_480 })
    expect(await refusedOrders()).toMatchObject({ orders: [{ order_id: '1001' }], total: 1 })
  })

  it('leaves no word of the buyer in the log', async () => {
    const lines: unknown[] = []
    const log = vi.spyOn(console, 'error').mockImplementation((...line) => void lines.push(...line))
    const order = inShop('1001', 1)
    const address = { ...SAN_FRANCISCO, countryArea: 'Zqregion' }
    Object.assign(order, { shippingAddress: address, billingAddress: address })
    await run()
    log.mockRestore()
    expect(await listed()).toMatchObject({ refused_orders: 1 })
    expect(lines.length).toBeGreaterThan(0)
    expect(JSON.stringify(lines)).toContain('invalid_region')
    expect(JSON.stringify(lines)).not.toMatch(/Zq|1001/)
  })
})
