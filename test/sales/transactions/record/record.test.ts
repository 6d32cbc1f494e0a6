import { keepAccountsIn } from '../../../support/shards.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { CALCULATED, create, created, GIVEN } from '../sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()
const { key } = await newAccount()

const count = async (table: string, id: string) =>
  (
    await books
      .prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`)
      .bind(id)
      .first<{ n: number }>()
  )?.n

describe('POST /v1/transactions', () => {
  it('records the tax that the invoice gives, as given, with the difference from the calculated one', async () => {
    const answer = await create(key, { ...GIVEN, external_id: 'order-1' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^txn_[0-7][0-9a-z]{25}$/),
      external_id: 'order-1',
      customer: { id: null, address: { country: 'DE', region: null, postal_code: '10115' } },
      subtotal: 10_000,
      tax_amount: 1_900,
      total: 11_900,
      currency: 'EUR',
      tax_rate: 0.19,
      tax_source: 'given',
      tax_variance: 0,
      jurisdiction_id: 'DE',
      seller_registered: true,
      status: 'completed',
      amount_refunded: 0,
      refunds: [],
    })
    expect(answer.body['line_items']).toMatchObject([
      {
        id: expect.stringMatching(/^li_/),
        amount: 10_000,
        quantity: 1,
        product_type: 'saas',
        taxable: true,
        tax_rate: 0.19,
        taxability_reason: null,
      },
    ])
    expect(answer.body).not.toHaveProperty('refund')
    expect(answer.body).not.toHaveProperty('voided_at')
  })

  it('tells by how much a given tax is off', async () => {
    const line_items = [{ ...GIVEN.line_items[0], tax_rate: 0.16, tax_amount: 1_600 }]
    expect((await create(key, { ...GIVEN, line_items })).body).toMatchObject({
      tax_amount: 1_600,
      tax_rate: 0.16,
      tax_variance: -300,
    })
  })

  it('calculates the tax when no line states one', async () => {
    const answer = await create(key, CALCULATED)
    expect(answer.body).toMatchObject({
      jurisdiction_id: 'CA-QC',
      subtotal: 20_000,
      tax_amount: 2_995,
      total: 22_995,
      tax_rate: 0.14975,
      tax_source: 'calculated',
      tax_variance: null,
    })
    const stored = await books
      .prepare('SELECT provincial_tax_amount FROM transaction_lines WHERE transaction_id = ?')
      .bind(answer.body['id'])
      .first()
    expect(stored).toEqual({ provincial_tax_amount: 1_995 })
  })

  it('takes inclusive prices: the subtotal is net, the total what was paid', async () => {
    const line_items = [{ amount: 11_900, product_type: 'saas', tax_behavior: 'inclusive' }]
    const { customer, currency, seller_registered } = GIVEN
    const answer = await create(key, { customer, currency, seller_registered, line_items })
    expect(answer.body).toMatchObject({ subtotal: 10_000, tax_amount: 1_900, total: 11_900 })
  })

  it('records what another system invoiced also where our data cannot tell the tax', async () => {
    const answer = await create(key, { ...GIVEN, transaction_date: '1960-05-01' })
    expect(answer.body).toMatchObject({
      tax_amount: 1_900,
      tax_variance: null,
      data_version: null,
      transaction_date: '1960-05-01T00:00:00.000Z',
    })
  })

  it('keeps the moment of a transaction in UTC', async () => {
    const answer = await create(key, { ...GIVEN, transaction_date: '2026-10-31T23:30:00-05:00' })
    expect(answer.body['transaction_date']).toBe('2026-11-01T04:30:00.000Z')
  })

  it('uses address, VAT id and exemptions of a saved customer', async () => {
    const customer = await call('POST', '/v1/customers', {
      key,
      body: { name: 'Acme', address: { country: 'CA', region: 'QC' } },
    })
    const { customer: _, ...rest } = CALCULATED
    const answer = await create(key, { ...rest, customer_id: customer.body['id'] })
    expect(answer.body).toMatchObject({
      jurisdiction_id: 'CA-QC',
      customer: { id: customer.body['id'], address: { country: 'CA', region: 'QC' } },
    })
  })

  it('refuses an external id that is taken, also when both come at once', async () => {
    const { key, account_id } = await newAccount()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(key, { ...GIVEN, external_id: 'twin' })),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    for (const answer of answers.filter((each) => each.status !== 201))
      expect(answer.body).toMatchObject({
        error_code: 'VALIDATION_ERROR',
        reason: 'external_id_taken',
        errors: [{ path: 'external_id' }],
      })
    expect(await count('transactions', account_id)).toBe(1)
    expect(await count('audit_events', account_id)).toBe(1)
  })

  it('makes one transaction and 100 equal answers of 100 parallel creates with one Idempotency-Key', async () => {
    const { key, account_id } = await newAccount()
    const body = { ...GIVEN, external_id: 'once' }
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        call('POST', '/v1/transactions', { key, body, headers: { 'Idempotency-Key': 'k-1' } }),
      ),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]))
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    for (const table of ['transactions', 'transaction_lines', 'audit_events', 'idempotency_keys'])
      expect(await count(table, account_id)).toBe(1)
  })

  it.each<[string, object, string]>([
    ['no lines', { line_items: [] }, 'line_items'],
    ['501 lines', { line_items: Array.from({ length: 501 }, () => GIVEN.line_items[0]) }, 'line_items'],
    ['no currency', { currency: undefined }, 'currency'],
    ['neither customer nor customer_id', { customer: undefined }, 'customer'],
    ['a customer without an address', { customer: {} }, 'customer.address'],
    [
      'an unknown customer',
      { customer: undefined, customer_id: 'cust_00000000000000000000000000' },
      'customer_id',
    ],
    ['an unknown jurisdiction', { jurisdiction_id: 'DE-XX' }, 'jurisdiction_id'],
    ['a jurisdiction named like a property', { jurisdiction_id: 'constructor' }, 'jurisdiction_id'],
    [
      'an amount as text',
      { line_items: [{ ...GIVEN.line_items[0], amount: '100' }] },
      'line_items[0].amount',
    ],
    [
      'an amount beyond 1e15',
      { line_items: [{ ...GIVEN.line_items[0], amount: 1e15 + 1 }] },
      'line_items[0].amount',
    ],
    [
      'a tax larger than its amount',
      { line_items: [{ ...GIVEN.line_items[0], tax_amount: 10_001 }] },
      'line_items[0].tax_amount',
    ],
    [
      'a tax of the other sign',
      { line_items: [{ ...GIVEN.line_items[0], tax_amount: -1_900 }] },
      'line_items[0].tax_amount',
    ],
    ['a rate above 1', { line_items: [{ ...GIVEN.line_items[0], tax_rate: 19 }] }, 'line_items[0].tax_rate'],
    [
      'a rate of 7 decimals',
      { line_items: [{ ...GIVEN.line_items[0], tax_rate: 0.1234567 }] },
      'line_items[0].tax_rate',
    ],
    [
      'a rate without its tax',
      { line_items: [{ amount: 1, product_type: 'saas', tax_rate: 0.19 }] },
      'line_items[0].tax_amount',
    ],
    [
      'tax on some lines only',
      { line_items: [GIVEN.line_items[0], { amount: 5, product_type: 'saas' }] },
      'line_items[1].tax_amount',
    ],
    ['a status that it cannot begin with', { status: 'refunded' }, 'status'],
    ['a day that the calendar lacks', { transaction_date: '2026-02-30' }, 'transaction_date'],
    [
      'amounts that add up to too much',
      { line_items: [1, 2].map(() => ({ ...GIVEN.line_items[0], amount: 6e14 })) },
      'line_items',
    ],
    ['an external id that no path can hold', { external_id: '..' }, 'external_id'],
    ['an empty external id', { external_id: '' }, 'external_id'],
    ['a field of the answer', { amount_refunded: 5 }, 'amount_refunded'],
  ])('refuses %s, names the field and writes nothing', async (_, change, path) => {
    const { key, account_id } = await newAccount()
    const answer = await create(key, { ...GIVEN, ...change })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body['errors']).toContainEqual({ path, message: expect.any(String) })
    for (const table of [
      'transactions',
      'transaction_lines',
      'tax_totals',
      'transaction_counts',
      'audit_events',
    ])
      expect(await count(table, account_id)).toBe(0)
  })

  it('refuses a sale that would make a total of the account too large to count, and changes nothing', async () => {
    const { key, account_id } = await newAccount()
    const huge = {
      ...GIVEN,
      line_items: [{ amount: 1e15, product_type: 'saas', tax_rate: 0, tax_amount: 0 }],
    }
    for (let index = 0; index < 9; index += 1) await created(key, huge)
    const answer = await create(key, huge)
    expect(answer).toMatchObject({ status: 400, body: { reason: 'amount_out_of_range' } })
    expect(await count('transactions', account_id)).toBe(9)
  })
})

describe('reading', () => {
  it('finds a transaction by its id and by its external id, whatever characters that holds', async () => {
    const external_id = 'order/42 ü%'
    const id = await created(key, { ...GIVEN, external_id })
    const byId = await call('GET', `/v1/transactions/${id}`, { key })
    const byExternal = await call('GET', `/v1/transactions/external/${encodeURIComponent(external_id)}`, {
      key,
    })
    expect(byId.body).toMatchObject({ id, external_id })
    expect({ ...byExternal.body, queried_at: '' }).toEqual({ ...byId.body, queried_at: '' })
  })

  it('answers what was created, to the last field, and the returns that it is in', async () => {
    const made = await create(key, CALCULATED)
    const read = await call('GET', `/v1/transactions/${String(made.body['id'])}`, { key })
    expect({ ...read.body, queried_at: '' }).toEqual({ ...made.body, queried_at: '', returns: [] })
  })

  it('shows nothing of another account', async () => {
    const { key: other } = await newAccount()
    const id = await created(key, { ...GIVEN, external_id: 'mine' })
    for (const path of [`/v1/transactions/${id}`, '/v1/transactions/external/mine'])
      expect((await call('GET', path, { key: other })).status).toBe(404)
    expect((await call('GET', '/v1/transactions', { key: other })).body).toMatchObject({
      transactions: [],
      total: 0,
    })
    // The same external id is free in another account.
    await created(other, { ...GIVEN, external_id: 'mine' })
  })
})

describe('GET /v1/transactions', () => {
  it('lists newest first by date, then id, by offset and by cursor alike, with every filter', async () => {
    const { key } = await newAccount()
    const days = ['2026-03-31', '2026-04-01', '2026-04-30', '2026-04-30', '2026-05-01', '2026-07-04']
    const ids: string[] = []
    for (const day of days) ids.push(await created(key, { ...GIVEN, transaction_date: `${day}T12:00:00Z` }))
    ids.push(await created(key, { ...CALCULATED, transaction_date: '2026-06-01', status: 'pending' }))
    const order = [5, 6, 4, 3, 2, 1, 0].map((index) => ids[index])
    const list = async (query: string) => (await call('GET', `/v1/transactions?${query}`, { key })).body
    const idsOf = (body: Record<string, unknown>) =>
      (body['transactions'] as { id: string }[]).map((each) => each.id)

    const all = await list('')
    expect(idsOf(all)).toEqual(order)
    expect(all).toMatchObject({ total: 7, limit: 50, offset: 0, has_more: false, next_cursor: null })
    expect(idsOf(await list('limit=3&offset=2'))).toEqual(order.slice(2, 5))

    const walked: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await list(`limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
      walked.push(...idsOf(page))
      cursor = z.string().nullable().parse(page['next_cursor'])
    }
    expect(walked).toEqual(order)

    const april = await list('from_date=2026-04-01&to_date=2026-04-30')
    expect(idsOf(april)).toEqual([ids[3], ids[2], ids[1]])
    expect(april['total']).toBe(3)
    expect(await list('from_date=2026-03-31&to_date=2026-07-04')).toMatchObject({ total: 7 })
    expect(await list('from_date=2026-04-02&to_date=2026-06-01')).toMatchObject({ total: 4 })
    expect(await list('to_date=2026-04-30')).toMatchObject({ total: 4 })
    expect(idsOf(await list('jurisdiction_id=ca-qc'))).toEqual([ids[6]])
    expect(await list('status=pending')).toMatchObject({ total: 1 })
    expect(await list('status=completed&jurisdiction_id=DE&limit=1')).toMatchObject({
      total: 6,
      has_more: true,
    })
    expect(await list('status=refunded')).toMatchObject({ total: 0, transactions: [] })
  })

  it.each([
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['offset=-1', 'offset'],
    ['status=open', 'status'],
    ['from_date=2026-02-30', 'from_date'],
    ['from_date=2026-03-01&to_date=2026-02-01', 'to_date'],
    ['cursor=nonsense', 'cursor'],
    ['jurisdiction_id=%00', 'jurisdiction_id'],
  ])('refuses ?%s and names it', async (query, path) => {
    const answer = await call('GET', `/v1/transactions?${query}`, { key })
    expect(answer.status).toBe(400)
    expect(answer.body['errors']).toContainEqual({ path, message: expect.any(String) })
  })
})

it('counts totals of the day and the month in the batch of the sale', async () => {
  const { key, account_id } = await newAccount()
  for (let index = 0; index < 2; index += 1) await created(key, { ...GIVEN, transaction_date: '2026-06-15' })
  await created(key, { ...GIVEN, transaction_date: '2026-06-20', status: 'pending' })
  const { results } = await books
    .prepare(
      'SELECT span, period, transactions, net_amount, tax_amount FROM tax_totals WHERE account_id = ? ORDER BY span',
    )
    .bind(account_id)
    .all()
  expect(results).toEqual([
    { span: 'day', period: '2026-06-15', transactions: 2, net_amount: 20_000, tax_amount: 3_800 },
    { span: 'month', period: '2026-06', transactions: 2, net_amount: 20_000, tax_amount: 3_800 },
  ])
})
