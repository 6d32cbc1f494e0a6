import { beforeEach, describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { ask, newShop } from './asking.ts'

const { books } = keepAccountsIn(1)
await loadTestData()

let shop: Awaited<ReturnType<typeof newShop>>
beforeEach(async () => {
  shop = await newShop({
    profile: { country: 'US', region: 'NY', postal_code: '11430' },
    registrations: ['US-NY'],
  })
})
const send = (method: string, path: string, body?: object) =>
  ask(method, `/v2/transactions/${path}`, { key: shop.key, ...(body !== undefined && { body }) })
const balanced = async () => expect(await verifyTotals(books, shop.account_id)).toEqual([])
const salesOf = async (query = '') => {
  const { body } = await call('GET', `/v1/transactions${query}`, { key: shop.owner })
  const found = body['transactions']
  return Array.isArray(found) ? found : []
}
const summary = async () => {
  const query = '?from_date=2015-01-01&to_date=2030-12-31'
  return (await call('GET', `/v1/reports/summary${query}`, { key: shop.owner })).body
}

const ORDER = {
  transaction_id: 'R1',
  transaction_date: '2024-01-26T21:12:59Z',
  to_country: 'US',
  to_zip: '11430',
  to_city: 'Herndon',
  to_state: 'NY',
  to_street: 'A Road',
  customer_id: '1',
  amount: '140.0',
  shipping: '100.0',
  sales_tax: '12.43',
  line_items: [
    {
      id: 1,
      quantity: 1,
      product_identifier: 'SKU-1',
      description: 'First',
      product_tax_code: 'TaxCode - 34067',
      unit_price: '10.0',
      discount: 0,
      sales_tax: '0.89',
    },
    {
      id: 2,
      quantity: 1,
      product_identifier: 'SKU-2',
      description: 'Second',
      product_tax_code: '20010',
      unit_price: '10.0',
      discount: 0,
      sales_tax: '0.89',
    },
    {
      id: 3,
      quantity: 2,
      product_identifier: 'SKU-3',
      description: 'Third',
      unit_price: '10.0',
      discount: 0,
      sales_tax: '1.77',
    },
  ],
}
const NO_PLACE = { from_zip: null, from_state: null, from_city: null, from_street: null }
const SHOWN = {
  transaction_id: 'R1',
  user_id: expect.any(Number),
  transaction_date: '2024-01-26T21:12:59.000Z',
  transaction_reference_id: null,
  provider: 'api',
  exemption_type: null,
  customer_id: '1',
  from_country: 'US',
  ...NO_PLACE,
  to_country: 'US',
  to_zip: '11430',
  to_state: 'NY',
  to_city: 'HERNDON',
  to_street: 'A Road',
  amount: '140.0',
  shipping: '100.0',
  sales_tax: '12.43',
  line_items: [
    {
      id: 0,
      quantity: 1,
      product_identifier: 'SKU-1',
      description: 'First',
      product_tax_code: 'TaxCode - 34067',
      unit_price: '10.0',
      discount: '0.0',
      sales_tax: '0.89',
    },
    {
      id: 1,
      quantity: 1,
      product_identifier: 'SKU-2',
      description: 'Second',
      product_tax_code: '20010',
      unit_price: '10.0',
      discount: '0.0',
      sales_tax: '0.89',
    },
    {
      id: 2,
      quantity: 2,
      product_identifier: 'SKU-3',
      description: 'Third',
      product_tax_code: null,
      unit_price: '10.0',
      discount: '0.0',
      sales_tax: '1.77',
    },
  ],
}
const REFUND = {
  transaction_id: 'R1-REFUND',
  transaction_reference_id: 'R1',
  transaction_date: '2024-02-01T00:00:00Z',
  to_country: 'US',
  to_zip: '11430',
  to_state: 'NY',
  amount: -20,
  shipping: -0.0,
  sales_tax: -1.77,
  line_items: [
    { quantity: 2, product_identifier: 'SKU-3', unit_price: -10, sales_tax: -1.77, discount: -0.0 },
  ],
}

describe('orders', () => {
  it('are recorded with the tax that they state, and answered as they came', async () => {
    const made = await send('POST', 'orders', ORDER)
    expect([made.status, made.body]).toEqual([201, { order: SHOWN }])
    expect((await send('GET', 'orders/R1')).body).toEqual({ order: SHOWN })
    const sale = (await call('GET', '/v1/transactions/external/R1', { key: shop.owner })).body
    expect(sale).toMatchObject({
      status: 'completed',
      currency: 'USD',
      subtotal: 14_000,
      tax_amount: 1_243,
      tax_source: 'given',
      jurisdiction_id: 'US-NY',
      line_items: [
        { amount: 1_000, tax_amount: 89, product_type: 'physical_goods' },
        { amount: 1_000, tax_amount: 89, product_type: 'clothing' },
        { amount: 2_000, tax_amount: 177, quantity: 2, reference: 'SKU-3' },
        { amount: 10_000, tax_amount: 888, product_type: 'shipping' },
      ],
    })
    await balanced()
  })

  it('are listed by their days, oldest first, for each provider', async () => {
    await send('POST', 'orders', ORDER)
    await send('POST', 'orders', { ...ORDER, transaction_id: 'R2', transaction_date: '2024/01/20' })
    await send('POST', 'orders', { ...ORDER, transaction_id: 'R1', provider: 'ebay' })
    const list = async (query: string) => (await send('GET', `orders${query}`)).body['orders']
    expect(await list('')).toEqual(['R2', 'R1'])
    expect(await list('?from_transaction_date=2024/01/21&to_transaction_date=2024/01/31')).toEqual(['R1'])
    expect(await list('?transaction_date=2024-01-20')).toEqual(['R2'])
    expect(await list('?provider=ebay')).toEqual(['R1'])
    expect((await send('GET', 'orders?transaction_date=soon')).body['detail']).toBe(
      'transaction_date "soon" is not a date',
    )
  })

  it('are refused twice with the words that WooCommerce looks for, and not found as 404', async () => {
    await send('POST', 'orders', ORDER)
    const twice = await send('POST', 'orders', ORDER)
    expect(twice.body).toEqual({
      status: 422,
      error: 'Unprocessable Entity',
      detail: 'Provider tranx already imported for your user account',
    })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send('POST', 'orders', { ...ORDER, transaction_id: 'RACE' })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422, 422, 422])
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const said = await send(method, 'orders/none', method === 'PUT' ? ORDER : undefined)
      expect(said.body).toEqual({ status: 404, error: 'Not Found', detail: 'Resource can not be found' })
    }
    await balanced()
  })

  it('name what is missing, and a ZIP of another state', async () => {
    for (const name of [
      'transaction_id',
      'transaction_date',
      'amount',
      'shipping',
      'sales_tax',
      'to_country',
    ]) {
      const said = await send('POST', 'orders', { ...ORDER, [name]: null })
      expect(said.body).toEqual({ status: 406, error: 'Not Acceptable', detail: `${name} is missing` })
    }
    const said = await send('POST', 'orders', { ...ORDER, to_zip: '99999' })
    expect(said.body['detail']).toBe('to_zip 99999 is not used within to_state NY')
    expect(await salesOf()).toEqual([])
  })

  it('are recorded for days without a rate, and on that day in the time zone of the account', async () => {
    await call('PUT', '/v1/account', { key: shop.owner, body: { time_zone: 'America/New_York' } })
    const made = await send('POST', 'orders', { ...ORDER, transaction_date: '2015/05/14' })
    expect(made.body['order']).toMatchObject({ transaction_date: '2015-05-14T00:00:00.000Z' })
    const query = '?from_date=2015-05-14&to_date=2015-05-14'
    expect(await salesOf(query)).toMatchObject([
      { tax_amount: 1_243, transaction_date: '2015-05-14T04:00:00.000Z' },
    ])
    await balanced()
  })

  it('have lines that add up to the sums of the document', async () => {
    const bare = { ...ORDER, line_items: [], amount: 16.5, shipping: 1.5, sales_tax: 1.2 }
    await send('POST', 'orders', { ...bare, transaction_id: 'a' })
    const odd = { ...bare, line_items: [{ unit_price: 10, quantity: 1, sales_tax: 0.5 }] }
    await send('POST', 'orders', { ...odd, transaction_id: 'b' })
    await send('POST', 'orders', { ...odd, transaction_id: 'c', shipping: 0, amount: 10 })
    const sale = async (id: string) =>
      (await call('GET', `/v1/transactions/external/${id}`, { key: shop.owner })).body
    expect(await sale('a')).toMatchObject({
      subtotal: 1_650,
      tax_amount: 120,
      line_items: [
        { amount: 1_500, tax_amount: 120 },
        { product_type: 'shipping', amount: 150, tax_amount: 0 },
      ],
    })
    expect(await sale('b')).toMatchObject({
      subtotal: 1_650,
      tax_amount: 120,
      line_items: [{ tax_amount: 50 }, { amount: 500, tax_amount: 0 }, { amount: 150, tax_amount: 70 }],
    })
    expect(await sale('c')).toMatchObject({
      subtotal: 1_000,
      tax_amount: 120,
      line_items: [{ tax_amount: 50 }, { amount: 0, tax_amount: 70 }],
    })
    await balanced()
  })

  it('keep their sale if an update changes words alone', async () => {
    await send('POST', 'orders', ORDER)
    const [before] = await salesOf()
    const said = await send('PUT', 'orders/R1', {
      transaction_id: 'R1',
      to_street: 'Another Road',
      amount: 140,
    })
    expect([said.status, said.body]).toEqual([200, { order: { ...SHOWN, to_street: 'Another Road' } }])
    expect(await salesOf()).toMatchObject([{ id: before.id, status: 'completed' }])
    await balanced()
  })

  it('get another sale in the same batch if an update changes amounts: totals and thresholds follow', async () => {
    await send('POST', 'orders', ORDER)
    const [before] = await salesOf()
    const lines = [{ ...ORDER.line_items[0], unit_price: '12.0', sales_tax: '1.07' }]
    const said = await send('PUT', 'orders/R1', { amount: 112, sales_tax: 9.95, line_items: lines })
    expect(said.body['order']).toMatchObject({ amount: '112.0', sales_tax: '9.95', to_city: 'HERNDON' })
    const [after] = await salesOf('?status=completed')
    expect(after).toMatchObject({
      external_id: 'R1',
      subtotal: 11_200,
      tax_amount: 995,
      transaction_date: before.transaction_date,
    })
    expect(await salesOf('?status=superseded')).toMatchObject([
      {
        id: before.id,
        status: 'superseded',
        external_id: null,
        superseded_by: after.id,
        superseded_at: expect.any(String),
      },
    ])
    expect(await salesOf('?status=voided')).toEqual([])
    expect(JSON.stringify(await summary())).toContain('995')
    expect(JSON.stringify(await summary())).not.toContain('1243')
    const { body } = await call('GET', `/v1/audit-events?resource_id=${before.id}`, { key: shop.owner })
    expect(JSON.stringify(body)).toContain('transaction.superseded')
    await balanced()
  })

  it('count towards a threshold once, with their last amounts', async () => {
    const { key, owner } = await newShop()
    const today = new Date().toISOString()
    const put = (method: string, path: string, body: object) => ask(method, path, { key, body })
    await put('POST', '/v2/transactions/orders', {
      ...ORDER,
      transaction_date: today,
      to_state: 'GA',
      to_zip: '30303',
      to_city: 'Atlanta',
    })
    const counted = async () => (await call('GET', '/v1/nexus', { key: owner })).body['jurisdictions']
    const ofGeorgia = (amount: number) => [
      { jurisdiction_id: 'US-GA', progress: { amount, transaction_count: 1 } },
    ]
    expect(await counted()).toMatchObject(ofGeorgia(14_000))
    const said = await put('PUT', '/v2/transactions/orders/R1', { amount: 150 })
    expect(said.status, said.text).toBe(200)
    expect(await counted()).toMatchObject(ofGeorgia(15_000))
    await ask('DELETE', '/v2/transactions/orders/R1', { key })
    expect(await counted()).toEqual([])
  })

  it('leave the books if they are deleted, and their id can be used again', async () => {
    await send('POST', 'orders', ORDER)
    const gone = await send('DELETE', 'orders/R1')
    expect(gone.body).toEqual({
      order: {
        transaction_id: 'R1',
        user_id: expect.any(Number),
        transaction_date: null,
        transaction_reference_id: null,
        provider: 'api',
        exemption_type: null,
        customer_id: null,
        from_country: null,
        ...NO_PLACE,
        to_country: null,
        to_zip: null,
        to_state: null,
        to_city: null,
        to_street: null,
        amount: null,
        shipping: null,
        sales_tax: null,
        line_items: [],
      },
    })
    expect((await send('GET', 'orders/R1')).status).toBe(404)
    expect(await salesOf()).toMatchObject([{ status: 'superseded', superseded_by: null }])
    await balanced()
    expect((await send('POST', 'orders', ORDER)).status).toBe(201)
    await balanced()
  })

  it('have one sale whatever comes at once, and totals that agree with it', async () => {
    await send('POST', 'orders', ORDER)
    const updates = Array.from({ length: 12 }, (_, index) =>
      send('PUT', 'orders/R1', { amount: 141 + index }),
    )
    for (const said of await Promise.all(updates)) expect(said.status, said.text).toBe(200)
    const [sale] = await salesOf('?status=completed')
    const { order } = (await send('GET', 'orders/R1')).body
    expect(order).toMatchObject({ amount: `${(sale.subtotal / 100).toFixed(1)}` })
    expect(await salesOf('?status=completed')).toHaveLength(1)
    await balanced()
    const mixed = await Promise.all([
      send('DELETE', 'orders/R1'),
      send('PUT', 'orders/R1', { amount: 200 }),
      send('POST', 'refunds', REFUND),
      send('DELETE', 'orders/R1'),
    ])
    for (const { status, text } of mixed) expect([200, 201, 400, 404], text).toContain(status)
    await balanced()
    const gone = await Promise.all([1, 2, 3].map(() => send('DELETE', 'refunds/R1-REFUND')))
    expect(gone.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
    await balanced()
  })

  it('stay as they are in a filed return, with their refunds', async () => {
    await send('POST', 'orders', ORDER)
    await send('POST', 'refunds', REFUND)
    await send('POST', 'orders', { ...ORDER, transaction_id: 'R2' })
    const filed = await call('POST', '/v1/returns', {
      key: shop.owner,
      body: { type: 'generic', period: '2024' },
    })
    expect(filed.status, filed.text).toBe(201)
    const said = await send('DELETE', 'orders/R2')
    expect(said.body['detail']).toBe(
      'the transaction is in a filed return: reopen it before you change the transaction',
    )
    expect((await send('DELETE', 'refunds/R1-REFUND')).body['detail']).toBe(said.body['detail'])
    expect((await send('DELETE', 'orders/R1')).body['detail']).toBe(said.body['detail'])
    expect((await send('PUT', 'orders/R1', { amount: 120 })).body['detail']).toBe(said.body['detail'])
    expect((await send('GET', 'refunds/R1-REFUND')).status).toBe(200)
    expect((await send('GET', 'orders/R2')).status).toBe(200)
    await balanced()
  })
})

describe('refunds', () => {
  it('have the lines and the tax that they state', async () => {
    await send('POST', 'orders', ORDER)
    const made = await send('POST', 'refunds', REFUND)
    expect(made.status, made.text).toBe(201)
    expect(made.body).toEqual({
      refund: {
        ...SHOWN,
        transaction_id: 'R1-REFUND',
        transaction_reference_id: 'R1',
        transaction_date: '2024-02-01T00:00:00.000Z',
        customer_id: null,
        to_city: null,
        to_street: null,
        amount: '-20.0',
        shipping: '0.0',
        sales_tax: '-1.77',
        line_items: [
          {
            id: 0,
            quantity: 2,
            product_identifier: 'SKU-3',
            description: null,
            product_tax_code: null,
            unit_price: '-10.0',
            discount: '0.0',
            sales_tax: '-1.77',
          },
        ],
      },
    })
    const sale = (await call('GET', '/v1/transactions/external/R1', { key: shop.owner })).body
    const lines = sale['line_items']
    expect(sale).toMatchObject({
      status: 'refunded',
      amount_refunded: 2_177,
      tax_refunded: 177,
      refunds: [
        {
          external_id: 'R1-REFUND',
          line_items: [{ id: Array.isArray(lines) ? lines[2].id : '', net_amount: 2_000, tax_amount: 177 }],
        },
      ],
    })
    expect((await send('GET', 'refunds')).body).toEqual({ refunds: ['R1-REFUND'] })
    await balanced()
  })

  it('are of the whole order if they are positive or have no lines that fit', async () => {
    await send('POST', 'orders', ORDER)
    const made = await send('POST', 'refunds', {
      ...REFUND,
      amount: 140,
      shipping: 100,
      sales_tax: 12.43,
      line_items: null,
    })
    expect(made.body['refund']).toMatchObject({ amount: '-140.0', shipping: '-100.0', sales_tax: '-12.43' })
    const sale = (await call('GET', '/v1/transactions/external/R1', { key: shop.owner })).body
    expect(sale).toMatchObject({ amount_refunded: 15_243, tax_refunded: 1_243 })
    const more = await send('POST', 'refunds', { ...REFUND, transaction_id: 'again' })
    expect(more.body).toMatchObject({
      status: 400,
      detail: 'the refund is larger than what is left of order R1',
    })
    await balanced()
  })

  it.each([
    ['money for no supply', { product_tax_code: 'no_supply_tip' }, 0, { '81': 2_000 }, 380],
    ['money for no supply, said by its tax alone', {}, 0, { '81': 2_000 }, 380],
    ['a book', { product_tax_code: '81100' }, 0.7, { '81': 2_000, '86': 0 }, 380],
    ['a book, said by its tax alone', {}, 0.7, { '81': 2_000, '86': 0 }, 380],
  ])('of one line are of the line that they say: %s', async (what, said, sales_tax, boxes, tax_due) => {
    const german = await newShop({ profile: { country: 'DE' }, registrations: ['DE'] })
    const base = { transaction_date: '2026-03-03', to_country: 'DE', to_zip: '10115', shipping: 0 }
    const code = what.startsWith('a book') ? '81100' : 'no_supply_tip'
    const made = await ask('POST', '/v2/transactions/orders', {
      key: german.key,
      body: {
        ...base,
        transaction_id: 'O',
        amount: 30,
        sales_tax: 3.8 + sales_tax,
        line_items: [
          { quantity: 1, unit_price: 20, sales_tax: 3.8 },
          { quantity: 1, unit_price: 10, product_tax_code: code, sales_tax },
        ],
      },
    })
    expect(made.status, made.text).toBe(201)
    const line = { quantity: 1, unit_price: -10, sales_tax: -sales_tax, ...said }
    const named = { transaction_id: 'R', transaction_reference_id: 'O' }
    const back = await ask('POST', '/v2/transactions/refunds', {
      key: german.key,
      body: { ...base, ...named, amount: -10, sales_tax: -sales_tax, line_items: [line] },
    })
    expect(back.status, back.text).toBe(201)
    const path = '/v1/reports/filing?type=eu_domestic&jurisdiction_id=DE&period=2026-03'
    const { body } = await call('GET', path, { key: german.owner })
    const found = body['boxes'] as { box: string; amount: number }[]
    const amounts = Object.fromEntries(found.map(({ box, amount }) => [box, amount]))
    expect(amounts).toMatchObject(boxes)
    expect(body['totals']).toMatchObject({ tax_due })
  })

  it('of a voucher is of the line that its code names', async () => {
    const german = await newShop({ profile: { country: 'DE' }, registrations: ['DE'] })
    const base = {
      transaction_date: '2026-03-03',
      to_country: 'DE',
      to_zip: '10115',
      shipping: 0,
      sales_tax: 0,
    }
    const line = { quantity: 1, unit_price: 10, product_tax_code: '14111803A0001' }
    const sold = {
      ...base,
      transaction_id: 'O',
      amount: 20,
      line_items: [line, { ...line, product_tax_code: '81100' }],
    }
    const made = await ask('POST', '/v2/transactions/orders', { key: german.key, body: sold })
    expect(made.status, made.text).toBe(201)
    const named = { transaction_id: 'R', transaction_reference_id: 'O', amount: -10 }
    const body = { ...base, ...named, line_items: [{ ...line, unit_price: -10 }] }
    const back = await ask('POST', '/v2/transactions/refunds', { key: german.key, body })
    expect(back.status, back.text).toBe(201)
    const { body: list } = await call('GET', '/v1/reports/lines', { key: german.owner })
    const refunds = (list['lines'] as { entry: string; product_type: string }[]).filter(
      ({ entry }) => entry === 'refund',
    )
    expect(refunds).toMatchObject([{ product_type: 'gift_card' }])
  })

  it('of a tax that only money for no supply could bear is refused', async () => {
    const german = await newShop({ profile: { country: 'DE' }, registrations: ['DE'] })
    const line = { quantity: 1, unit_price: 10, product_tax_code: 'no_supply_tip' }
    const base = { transaction_date: '2026-03-03', to_country: 'DE', to_zip: '10115', line_items: [line] }
    const sent = (more: object) =>
      ask('POST', '/v2/transactions/orders', {
        key: german.key,
        body: { ...base, transaction_id: crypto.randomUUID(), shipping: 0, amount: 10, ...more },
      })
    const refused = await sent({ sales_tax: 1.9 })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('sales_tax')])
    expect((await sent({ sales_tax: 0 })).status).toBe(201)
    expect((await sent({ sales_tax: 0.95, shipping: 5, amount: 15 })).status).toBe(201)
  })

  const half = {
    amount: -10,
    sales_tax: -0.88,
    line_items: [{ ...REFUND.line_items[0], quantity: 1, sales_tax: -0.88 }],
  }

  it('can be changed and deleted beside a later one, which stays as it was', async () => {
    await send('POST', 'orders', ORDER)
    await send('POST', 'refunds', { ...REFUND, ...half })
    await send('POST', 'refunds', {
      ...REFUND,
      ...half,
      amount: -5,
      sales_tax: -0.44,
      transaction_id: 'second',
    })
    const more = await send('PUT', 'refunds/R1-REFUND', { amount: -20, sales_tax: -1.76, line_items: [] })
    expect(more.status, more.text).toBe(200)
    expect(await salesOf()).toMatchObject([{ amount_refunded: 2_176 + 544, tax_refunded: 176 + 44 }])
    await balanced()
    const { refund } = (await send('GET', 'refunds/second')).body
    expect(refund).toMatchObject({ amount: '-5.0', sales_tax: '-0.44' })
    expect((await send('DELETE', 'refunds/R1-REFUND')).status).toBe(200)
    expect(await salesOf()).toMatchObject([{ amount_refunded: 544, tax_refunded: 44 }])
    await balanced()
    expect((await send('DELETE', 'refunds/second')).status).toBe(200)
    expect(await salesOf()).toMatchObject([{ status: 'completed', amount_refunded: 0, refunds: [] }])
    await balanced()
  })

  it('tell webhooks which of them are gone, and nothing of those that are only recorded again', async () => {
    await call('POST', '/v1/webhooks', {
      key: shop.owner,
      body: { url: 'https://hooks.example.com/refunds', events: ['transaction.refund_deleted'] },
    })
    const gone = async () => (await call('GET', '/v1/events', { key: shop.owner })).body['events']
    await send('POST', 'orders', ORDER)
    await send('POST', 'refunds', { ...REFUND, ...half })
    await send('POST', 'refunds', { ...REFUND, ...half, transaction_id: 'second' })
    const [{ refunds }] = (await salesOf()) as [{ refunds: { id: string }[] }]
    const order = await send('PUT', 'orders/R1', { ...ORDER, sales_tax: '12.44' })
    expect(order.status, order.text).toBe(200)
    expect(await gone()).toEqual([])
    const [{ refunds: again }] = (await salesOf('?status=refunded')) as [{ refunds: { id: string }[] }]
    expect(again).toHaveLength(refunds.length)
    await send('DELETE', 'refunds/R1-REFUND')
    const first = { type: 'transaction.refund_deleted', data: { refund_id: again[0]?.id } }
    expect(await gone()).toMatchObject([first])
    await send('DELETE', 'orders/R1')
    expect(await gone()).toMatchObject([first, { type: 'transaction.refund_deleted' }])
  })

  it('stay if a later one was recorded in another form, which its document cannot name', async () => {
    await send('POST', 'orders', ORDER)
    await send('POST', 'refunds', { ...REFUND, ...half })
    const [sale] = await salesOf()
    const path = `/v1/transactions/${String(sale?.['id'])}/refund`
    const native = await call('POST', path, { key: shop.owner, body: { amount: 100, reason: 'Goodwill' } })
    expect(native.status, native.text).toBe(200)
    const words = String.raw`that was not recorded with /v2/transactions/refunds \(rfd_\w+\): it cannot be taken back`
    const detail = expect.stringMatching(`^the order has a later refund ${words}`)
    const ofOrder = expect.stringMatching(`^the order has a refund ${words}`)
    expect((await send('PUT', 'orders/R1', { amount: 141 })).body).toMatchObject({
      status: 400,
      detail: ofOrder,
    })
    expect((await send('DELETE', 'orders/R1')).body).toMatchObject({ status: 400, detail: ofOrder })
    expect((await send('DELETE', 'refunds/R1-REFUND')).body).toMatchObject({ status: 400, detail })
    expect((await send('DELETE', 'orders/R1')).status).toBe(400)
    await balanced()
  })

  it('go with their order, and can still be deleted after it, as WooCommerce does', async () => {
    await send('POST', 'orders', ORDER)
    await send('POST', 'refunds', { ...REFUND, ...half })
    await send('POST', 'refunds', { ...REFUND, ...half, transaction_id: 'second' })
    const gone = await send('DELETE', 'orders/R1')
    expect(gone.status, gone.text).toBe(200)
    expect(await salesOf('?status=completed')).toEqual([])
    expect(await salesOf('?status=superseded')).toMatchObject([{ amount_refunded: 0, refunds: [] }])
    await balanced()
    expect((await send('GET', 'refunds')).body).toEqual({ refunds: [] })
    expect((await send('GET', 'refunds/second')).status).toBe(404)
    expect((await send('PUT', 'refunds/second', { amount: -1 })).status).toBe(404)
    expect((await send('DELETE', 'refunds/R1-REFUND')).body['refund']).toMatchObject({ amount: null })
    expect((await send('DELETE', 'refunds/R1-REFUND')).status).toBe(404)
    // A refund that comes again is one of an order that is not there.
    const again = await send('POST', 'refunds', { ...REFUND, ...half, transaction_id: 'second' })
    expect(again.status, again.text).toBe(201)
    expect((await send('GET', 'refunds/second')).status).toBe(200)
    await balanced()
  })

  it('stay with their order if it changes, and the order is never less than they are', async () => {
    await send('POST', 'orders', ORDER)
    await send('POST', 'refunds', { ...REFUND, ...half })
    await send('POST', 'refunds', { ...REFUND, ...half, transaction_id: 'second' })
    const [before] = await salesOf()
    const changed = await send('PUT', 'orders/R1', { ...ORDER, shipping: Number(ORDER.shipping) + 1 })
    expect(changed.status, changed.text).toBe(200)
    const [after] = await salesOf('?status=refunded')
    expect(after).toMatchObject({ amount_refunded: 2_176, tax_refunded: 176 })
    expect(after?.['id']).not.toBe(before?.['id'])
    expect(after?.['refunds']).toHaveLength(2)
    expect(await salesOf('?status=superseded')).toMatchObject([
      { id: before?.['id'], amount_refunded: 0, refunds: [], superseded_by: after?.['id'] },
    ])
    await balanced()
    const less = { ...ORDER, amount: 5, shipping: 0, sales_tax: 0.4, line_items: [] }
    expect((await send('PUT', 'orders/R1', less)).body).toMatchObject({
      status: 400,
      detail: 'the refund is larger than what is left of order R1',
    })
    expect(await salesOf('?status=refunded')).toMatchObject([{ id: after?.['id'], amount_refunded: 2_176 }])
    expect((await send('DELETE', 'refunds/R1-REFUND')).status).toBe(200)
    expect(await salesOf('?status=refunded')).toMatchObject([{ amount_refunded: 1_088, tax_refunded: 88 }])
    await balanced()
  })

  it('can be changed and deleted', async () => {
    await send('POST', 'orders', ORDER)
    await send('POST', 'refunds', REFUND)
    const changed = await send('PUT', 'refunds/R1-REFUND', half)
    expect(changed.status, changed.text).toBe(200)
    await balanced()
    expect(await salesOf()).toMatchObject([{ status: 'refunded', amount_refunded: 1_088, tax_refunded: 88 }])
    const words = await send('PUT', 'refunds/R1-REFUND', { to_street: 'Elsewhere' })
    expect(words.body['refund']).toMatchObject({ to_street: 'Elsewhere', amount: '-10.0' })
    await send('POST', 'refunds', { ...REFUND, ...half, transaction_id: 'second' })
    expect((await send('DELETE', 'refunds/second')).body['refund']).toMatchObject({
      transaction_id: 'second',
      amount: null,
    })
    expect((await send('DELETE', 'refunds/R1-REFUND')).status).toBe(200)
    expect(await salesOf()).toMatchObject([{ status: 'completed', amount_refunded: 0, refunds: [] }])
    expect((await send('DELETE', 'orders/R1')).status).toBe(200)
    await balanced()
  })

  it('of an order that is unknown or deleted are recorded and flagged', async () => {
    const made = await send('POST', 'refunds', { ...REFUND, amount: -25, shipping: -5, sales_tax: -2.22 })
    expect(made.status, made.text).toBe(201)
    expect(await salesOf()).toMatchObject([
      {
        status: 'completed',
        subtotal: -2_500,
        tax_amount: -222,
        external_id: 'refund:R1-REFUND',
        metadata: { taxjar_refund_of: 'R1', taxjar_unknown_order: 'true' },
      },
    ])
    await balanced()
    const twice = await send('POST', 'refunds', { ...REFUND, amount: -25, shipping: -5, sales_tax: -2.22 })
    expect(twice.status).toBe(422)
    const changed = await send('PUT', 'refunds/R1-REFUND', { amount: -24, shipping: -4 })
    expect(changed.body['refund']).toMatchObject({ amount: '-24.0', shipping: '-4.0', sales_tax: '-2.22' })
    await balanced()
    expect((await send('DELETE', 'refunds/R1-REFUND')).status).toBe(200)
    expect(await salesOf('?status=completed')).toEqual([])
    await balanced()
  })
})

describe('an order', () => {
  it('is declared by the registrations of its day, not by those of today', async () => {
    await call('POST', '/v1/registrations', {
      key: shop.owner,
      body: { jurisdiction_id: 'US-FL', valid_from: '2025-01-01' },
    })
    const toFlorida = { ...ORDER, to_state: 'FL', to_zip: '33018', to_city: 'Hialeah' }
    expect((await send('POST', 'orders', toFlorida)).status).toBe(201)
    expect(
      (await send('POST', 'orders', { ...toFlorida, transaction_id: 'R2', transaction_date: '2025-06-01' }))
        .status,
    ).toBe(201)
    const registered = (await salesOf()).map((sale) => [sale.external_id, sale.seller_registered])
    expect(Object.fromEntries(registered)).toEqual({ R1: false, R2: true })
  })

  it.each(['9999-12-31T23:59:59-10:00', '0000-01-01T00:00+01:00', '1899-12-31'])(
    'is refused with the date %s, which is in no report',
    async (transaction_date) => {
      const said = await send('POST', 'orders', { ...ORDER, transaction_date })
      expect([said.status, said.body['detail']]).toEqual([400, expect.stringContaining('is not a date')])
      expect(await salesOf()).toEqual([])
    },
  )
})

it('a refund of nothing is refused, and its order can still be changed', async () => {
  await send('POST', 'orders', ORDER)
  const nothing = {
    transaction_id: 'R1-refund',
    transaction_reference_id: 'R1',
    transaction_date: '2024-02-01',
    to_country: 'US',
    to_zip: '11430',
    to_state: 'NY',
    amount: 0,
    shipping: 0,
    sales_tax: 0,
  }
  expect((await send('POST', 'refunds', nothing)).status).toBe(400)
  expect((await send('DELETE', 'orders/R1')).status).toBe(200)
  await balanced()
})

it('takes the provider from the body of a deletion, and false for a street that is not given', async () => {
  const made = await send('POST', 'orders', { ...ORDER, provider: 'woo', to_street: false })
  expect(made.status, made.text).toBe(201)
  expect(made.body['order']).toMatchObject({ provider: 'woo', to_street: null })
  expect((await send('DELETE', 'orders/R1')).status).toBe(404)
  const body = { transaction_id: 'R1', provider: 'woo', plugin: 'woo' }
  expect((await send('DELETE', 'orders/R1', body)).status).toBe(200)
  expect(await salesOf('?status=completed')).toEqual([])
})

describe('an order that cannot be right', () => {
  it('with more tax than its amount is refused: cents were sent for dollars', async () => {
    const order = { ...ORDER, line_items: [], amount: '25.0', shipping: 0, sales_tax: '200' }
    const answer = await send('POST', 'orders', order)
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('sales_tax 200.0 must not be larger than amount 25.0'),
    ])
    expect((await send('POST', 'orders', { ...order, sales_tax: '25.0' })).status).toBe(201)
  })

  it('with a ZIP as a number is told that a ZIP is a text', async () => {
    const { text } = await send('POST', 'orders', { ...ORDER, to_zip: 11_430 })
    expect(text).toContain('to_zip must be a text in quotes')
  })
})
