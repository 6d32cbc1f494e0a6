import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { orderEvent } from './payloads.ts'
import { connected, type Installed, newPair, serveShop, shop, tell } from './shop.ts'

await loadTestData()
shop.pairs = [await newPair()]
serveShop()

let install: Installed
beforeAll(async () => {
  install = await connected(['FR'], { country: 'FR', postal_code: '75001' })
})

const LINES = [
  { net: 54, gross: 64.8 },
  { net: 27, gross: 32.4 },
]
const SHIPPING = { net: 5, gross: 6 }

let orders = 0
function newOrder() {
  orders += 1
  const id = `T3JkZXI6${String(orders).padStart(6, '0')}`
  const send = (
    type: string,
    fields: { refunded?: number; status?: string; more?: object } = {},
    lines = LINES,
  ) => tell(install, 'orders', orderEvent(type, { id, ...fields }, lines, SHIPPING))
  const sale = async () =>
    (
      await call('GET', `/v1/transactions/external/${encodeURIComponent(`saleor:${id}`)}`, {
        key: install.key,
      })
    ).body
  return { send, sale }
}

const booked = (recorded: boolean, refunded: boolean) => ({ status: 200, body: { recorded, refunded } })

describe('an order', () => {
  it('is recorded once, as our calculation if that is the order to the cent', async () => {
    const { send, sale } = newOrder()
    const sent = await Promise.all([send('OrderConfirmed'), send('OrderConfirmed'), send('OrderConfirmed')])
    expect(sent.filter(({ body }) => body['recorded'] === true).length).toBe(1)
    expect(await send('OrderConfirmed')).toEqual(booked(false, false))
    expect(await sale()).toMatchObject({
      total: 10_320,
      tax_amount: 1_720,
      currency: 'EUR',
      status: 'completed',
      transaction_date: '2026-11-20T10:00:00.123Z',
      metadata: { saleor_order: '7' },
      tax_source: 'calculated',
      line_items: [{}, {}, { product_type: 'shipping' }],
    })
  })

  it('is recorded as it is if our calculation is another', async () => {
    const { send, sale } = newOrder()
    expect(await send('OrderConfirmed', {}, [{ net: 100, gross: 119.99 }])).toEqual(booked(true, false))
    expect(await sale()).toMatchObject({ total: 12_599, tax_amount: 2_099, tax_source: 'given' })
  })

  it('gives back what the shop has refunded in all, each refund once', async () => {
    const { send, sale } = newOrder()
    await send('OrderConfirmed')
    expect(await send('OrderRefunded', { refunded: 10 })).toEqual(booked(false, true))
    expect(await send('OrderRefunded', { refunded: 10 })).toEqual(booked(false, false))
    const raced = await Promise.all([
      send('OrderRefunded', { refunded: 25 }),
      send('OrderRefunded', { refunded: 25 }),
      send('OrderRefunded', { refunded: 10 }),
    ])
    expect(raced.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await sale()).toMatchObject({ status: 'refunded', amount_refunded: 2_500 })
    expect(await send('OrderFullyRefunded', { refunded: 103.2 })).toEqual(booked(false, true))
    expect(await send('OrderCancelled', { status: 'CANCELED' })).toEqual(booked(false, false))
    expect(await sale()).toMatchObject({ amount_refunded: 10_320 })
  })

  it('that is cancelled before it is recorded is refused, so that Saleor sends it again', async () => {
    const { send, sale } = newOrder()
    expect(await send('OrderCancelled', { status: 'CANCELED' })).toMatchObject({
      status: 404,
      body: { reason: 'not_found' },
    })
    await send('OrderConfirmed')
    expect(await send('OrderCancelled', { status: 'CANCELED' })).toEqual(booked(false, true))
    expect(await sale()).toMatchObject({ status: 'refunded', amount_refunded: 10_320 })
  })

  it('whose refund comes before its confirmation is recorded with it', async () => {
    const { send, sale } = newOrder()
    expect(await send('OrderRefunded', { refunded: 10 })).toEqual(booked(true, true))
    expect(await send('OrderConfirmed')).toEqual(booked(false, false))
    expect(await sale()).toMatchObject({ total: 10_320, amount_refunded: 1_000 })
  })

  it('that nobody has confirmed is no sale', async () => {
    expect(await newOrder().send('OrderConfirmed', { status: 'UNCONFIRMED' })).toEqual(booked(false, false))
  })

  it('without an address is an error that names it', async () => {
    const event = orderEvent('OrderConfirmed', { id: 'no-place' }, LINES)
    const { order } = event as { order: object }
    const { status, body } = await tell(install, 'orders', {
      ...event,
      order: { ...order, shippingAddress: null },
    })
    expect([status, body['errors']]).toMatchObject([400, [{ path: 'order.shippingAddress' }]])
  })
})

describe('a partial refund', () => {
  const granted = (id: string, amount: number, lines: Record<string, number>, fields: object = {}) => ({
    id,
    status: 'SUCCESS',
    amount: { amount },
    shippingCostsIncluded: false,
    lines: Object.entries(lines).map(([line, quantity]) => ({ quantity, orderLine: { id: line } })),
    ...fields,
  })
  /** What each refund gave back of each line of the sale, or that its reason says that it was shared. */
  const given = async (sale: () => Promise<Record<string, unknown>>) => {
    const { line_items, refunds } = await sale()
    const ids = (line_items as { id: string }[]).map(({ id }) => id)
    type Back = { id: string; net_amount: number; tax_amount: number }
    return (refunds as { reason: string; line_items: Back[] | null }[]).map((refund) => {
      if (refund.line_items === null) return refund.reason.includes('shared over all lines')
      const back = new Map(refund.line_items.map((line) => [line.id, line.net_amount + line.tax_amount]))
      return ids.map((id) => back.get(id) ?? 0)
    })
  }

  it('gives back the lines of the granted refund, and its shipping', async () => {
    const { send, sale } = newOrder()
    await send('OrderConfirmed')
    const first = granted('grant-1', 32.4, { 'line-1': 1 })
    await send('OrderRefunded', { refunded: 32.4, more: { grantedRefunds: [first] } })
    const second = granted('grant-2', 35.4, { 'line-0': 1 }, { shippingCostsIncluded: true })
    await send('OrderRefunded', { refunded: 67.8, more: { grantedRefunds: [first, second] } })
    expect(await given(sale)).toEqual([
      [0, 3_240, 0],
      [3_240, 0, 300],
    ])
  })

  it('gives back what a refunded fulfilment names', async () => {
    const { send, sale } = newOrder()
    await send('OrderConfirmed')
    const back = {
      id: 'fulfilment-1',
      status: 'REFUNDED_AND_RETURNED',
      totalRefundedAmount: { amount: 38.4 },
      shippingRefundedAmount: { amount: 6 },
      lines: [{ quantity: 1, orderLine: { id: 'line-1' } }],
    }
    await send('OrderRefunded', { refunded: 38.4, more: { fulfillments: [back] } })
    expect(await given(sale)).toEqual([[0, 3_240, 600]])
  })

  it('takes two lost events for the sum of their granted refunds', async () => {
    const { send, sale } = newOrder()
    await send('OrderConfirmed')
    const grantedRefunds = [granted('g-1', 10, { 'line-0': 1 }), granted('g-2', 5, { 'line-1': 1 })]
    await send('OrderRefunded', { refunded: 15, more: { grantedRefunds } })
    expect(await given(sale)).toEqual([[1_000, 500, 0]])
  })

  it('is shared, and says so, if the shop names no lines for its amount, or different ones', async () => {
    const { send, sale } = newOrder()
    await send('OrderConfirmed')
    const twice = [granted('g-1', 10.32, { 'line-0': 1 }), granted('g-2', 10.32, { 'line-1': 1 })]
    const failed = granted('g-3', 10.32, { 'line-1': 1 }, { status: 'FAILURE' })
    await send('OrderRefunded', { refunded: 10.32, more: { grantedRefunds: [failed] } })
    await send('OrderRefunded', { refunded: 20.64, more: { grantedRefunds: twice } })
    expect(await given(sale)).toEqual([true, true])
  })

  it('is shared if the named line has less left', async () => {
    const { send, sale } = newOrder()
    await send('OrderConfirmed')
    await send('OrderRefunded', { refunded: 51.6 })
    const grantedRefunds = [granted('g-1', 32.4, { 'line-1': 1 })]
    expect((await send('OrderRefunded', { refunded: 84, more: { grantedRefunds } })).status).toBe(200)
    expect(await sale()).toMatchObject({ amount_refunded: 8_400 })
    expect(await given(sale)).toEqual([true, true])
  })
})

describe('the parties of an order', () => {
  it('are in the books: the saved customer, and the warehouse where the goods are fetched', async () => {
    const { key } = install
    const customer = { name: 'Reseller', address: { country: 'FR' } }
    const { body } = await call('POST', '/v1/customers', { key, body: customer })
    const { send, sale } = newOrder()
    const warehouse = {
      streetAddress1: '2 rue Haute',
      streetAddress2: '',
      city: 'LYON',
      countryArea: '',
      postalCode: '69001',
      country: { code: 'FR' },
    }
    const more = {
      user: { customerId: body['id'] },
      deliveryMethod: { __typename: 'Warehouse', address: warehouse },
    }
    expect(await send('OrderConfirmed', { more })).toEqual(booked(true, false))
    expect(await sale()).toMatchObject({
      customer: { id: body['id'] },
      ship_from: { country: 'FR', postal_code: '69001' },
    })
  })

  it('do not keep an order with a long name out of the books', async () => {
    const { send, sale } = newOrder()
    const priced = { net: { amount: 10 }, gross: { amount: 12 } }
    const line = { id: 'line-0', productSku: 'lamp', quantity: 1, totalPrice: priced, variant: null }
    const more = { lines: [{ ...line, productName: `${'x'.repeat(999)}😀` }] }
    expect(await send('OrderConfirmed', { more })).toEqual(booked(true, false))
    expect(await sale()).toMatchObject({ line_items: [{ quantity: 1 }, {}] })
  })
})
