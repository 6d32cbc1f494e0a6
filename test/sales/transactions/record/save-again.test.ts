import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { ask } from '../../../interfaces/taxjar/asking.ts'
import { create, created } from '../sales.ts'

const { books } = keepAccountsIn(2)
await loadTestData()

const seller = async () => {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  await call('POST', '/v1/registrations', { key, body: { jurisdiction_id: 'DE', valid_from: '2020-01-01' } })
  return key
}
const invoice = (amount: number, more: object = {}) => ({
  customer: { address: { country: 'DE' } },
  currency: 'EUR',
  line_items: [{ amount, product_type: 'saas' }],
  ...more,
})
const save = (key: string, body: object, number = 'inv-1') =>
  call('PUT', `/v1/transactions/external/${encodeURIComponent(number)}`, { key, body })
const show = async (key: string, id: unknown) =>
  (await call('GET', `/v1/transactions/${String(id)}`, { key })).body
const listed = async (key: string, query = '') =>
  (await call('GET', `/v1/transactions${query}`, { key })).body['transactions'] as Record<string, unknown>[]
const actions = async (key: string) =>
  ((await call('GET', '/v1/audit-events', { key })).body['audit_events'] as { action: string }[])
    .map(({ action }) => action)
    .filter((action) => action.startsWith('transaction.'))
const tax = async (key: string) => {
  const path = '/v1/reports/summary?from_date=2026-01-01&to_date=2099-12-31'
  const { totals } = (await call('GET', path, { key })).body as { totals: { net_tax: number }[] }
  return totals.reduce((sum, { net_tax }) => sum + net_tax, 0)
}

it('records an invoice that is saved for the first time', async () => {
  const key = await seller()
  const first = await save(key, invoice(10_000))
  expect(first.body, first.text).toMatchObject({
    external_id: 'inv-1',
    status: 'completed',
    tax_amount: 1_900,
  })
  expect(first.status).toBe(200)
  expect(await tax(key)).toBe(1_900)
})

it('answers the same sale if the same content is saved again, also without a day', async () => {
  const key = await seller()
  const bodies = [
    invoice(10_000),
    invoice(10_000, { transaction_date: '2026-02-02T10:00:00Z', metadata: { a: 'b' } }),
  ]
  for (const [index, body] of bodies.entries()) {
    const first = await save(key, body, `same-${index}`)
    const again = await save(key, { ...body, external_id: `same-${index}` }, `same-${index}`)
    const { queried_at: _one, ...shown } = first.body
    const { queried_at: _two, ...repeated } = again.body
    expect(repeated).toEqual(shown)
  }
  expect(await actions(key)).toEqual(['transaction.created', 'transaction.created'])
})

it('replaces an invoice that changed, keeps its day, and tells the history', async () => {
  const key = await seller()
  const dated = { transaction_date: '2026-02-02T10:00:00Z' }
  const first = await save(key, invoice(10_000, dated))
  const second = await save(key, invoice(20_000))
  expect(second.body, second.text).toMatchObject({ external_id: 'inv-1', tax_amount: 3_800 })
  expect(second.body['transaction_date']).toBe(first.body['transaction_date'])
  expect(await show(key, first.body['id'])).toMatchObject({
    status: 'superseded',
    external_id: null,
    superseded_by: second.body['id'],
  })
  expect(await listed(key)).toHaveLength(2)
  expect(await listed(key, '?status=completed')).toMatchObject([{ id: second.body['id'] }])
  expect(await tax(key)).toBe(3_800)
  expect((await actions(key)).toSorted()).toEqual([
    'transaction.created',
    'transaction.created',
    'transaction.superseded',
  ])
  const audited = await call('GET', `/v1/transactions/external/inv-1`, { key })
  expect(audited.body['id']).toBe(second.body['id'])
})

it('replaces a pending invoice, and completes it by saving it as completed', async () => {
  const key = await seller()
  const pending = { status: 'pending' }
  const first = await save(key, invoice(10_000, pending))
  const second = await save(key, invoice(20_000, pending))
  expect(await show(key, first.body['id'])).toMatchObject({ status: 'superseded' })
  expect(await tax(key)).toBe(0)
  const last = await save(key, invoice(20_000))
  expect([second.body['status'], last.body['status']]).toEqual(['pending', 'completed'])
  expect(await tax(key)).toBe(3_800)
  const back = await save(key, invoice(30_000, pending))
  expect(back.body).toMatchObject({ reason: 'invalid_request', errors: [{ path: 'status' }] })
})

it.each([
  [{ external_id: 'another' }, 'inv-1', 'external_id'],
  [{}, 'x'.repeat(256), 'external_id'],
  [{ line_items: [] }, 'inv-1', 'line_items'],
])('names the wrong field, and changes nothing: %j', async (more, number, path) => {
  const key = await seller()
  const said = await save(key, invoice(10_000, more), number)
  expect(said.status).toBe(400)
  expect(said.body).toMatchObject({ reason: 'invalid_request', errors: [{ path }] })
  expect(await listed(key)).toEqual([])
})

const REFUNDED = async (key: string, id: string) => {
  await call('POST', `/v1/transactions/${id}/refund`, { key, body: { amount: 100, reason: 'Returned' } })
}
const CREDITED = async (key: string, id: string) => {
  await created(key, invoice(-100, { credit_note_for: { transaction_id: id } }))
}
const SETTLED = async (key: string, id: string) => {
  await created(key, invoice(30_000, { settles: [{ transaction_id: id }] }))
}

it.each([
  ['has a refund', REFUNDED],
  ['a credit note corrects it', CREDITED],
  ['a final sale settles it', SETTLED],
])('keeps a sale that something rests on, and says what to do: %s', async (why, happens) => {
  const key = await seller()
  const id = await created(key, invoice(10_000, { external_id: 'inv-1' }))
  await happens(key, id)
  const before = await tax(key)
  const said = await save(key, invoice(20_000))
  expect(said.status).toBe(400)
  expect(said.body).toMatchObject({
    error_code: 'VALIDATION_ERROR',
    reason: 'transaction_not_replaceable',
    message: expect.stringContaining(why),
  })
  expect(await tax(key)).toBe(before)
})

it('keeps a voided sale', async () => {
  const key = await seller()
  const id = await created(key, invoice(10_000, { external_id: 'inv-1', status: 'pending' }))
  await call('POST', `/v1/transactions/${id}/void`, { key })
  expect((await save(key, invoice(20_000))).body).toMatchObject({
    reason: 'transaction_not_replaceable',
    message: expect.stringContaining('it is voided'),
  })
})

it('keeps a sale of a filed return', async () => {
  const key = await seller()
  const dated = { transaction_date: '2026-02-02T10:00:00Z' }
  await save(key, invoice(10_000, dated))
  const body = { type: 'eu_domestic', jurisdiction_id: 'DE', period: '2026-Q1' }
  const filed = await call('POST', '/v1/returns', { key, body })
  expect(filed.status, filed.text).toBe(201)
  expect((await save(key, invoice(20_000, dated))).body).toMatchObject({
    reason: 'period_already_filed',
    message: expect.stringContaining('inv-1'),
  })
  expect((await save(key, invoice(10_000, dated))).status).toBe(200)
})

it('keeps a sale that came in the form of TaxJar, which would lose it', async () => {
  const key = await seller()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', taxjar_api: { enabled: true } } })
  for (const provider of ['api', 'ebay']) {
    const order = {
      transaction_id: 'R1',
      provider,
      transaction_date: '2026/02/02',
      to_country: 'DE',
      to_zip: '10115',
      shipping: 0,
      amount: 100,
      sales_tax: 19,
    }
    const made = await ask('POST', '/v2/transactions/orders', { key, body: order })
    expect(made.status, made.text).toBe(201)
    const said = await save(key, invoice(20_000), provider === 'api' ? 'R1' : 'ebay:R1')
    expect(said.body).toMatchObject({ reason: 'transaction_not_replaceable' })
  }
})

it('saves a credit note and a final sale again as if the first had not been', async () => {
  const key = await seller()
  const deposit = await created(key, invoice(10_000))
  const final = (amount: number) => invoice(amount, { settles: [{ transaction_id: deposit }] })
  const first = await save(key, final(30_000), 'final')
  expect(first.body).toMatchObject({ tax_amount: 3_800 })
  expect((await save(key, final(30_000), 'final')).body['id']).toBe(first.body['id'])
  expect((await save(key, final(40_000), 'final')).body).toMatchObject({ tax_amount: 5_700 })
  const other = await created(key, invoice(10_000))
  const note = (amount: number) => invoice(amount, { credit_note_for: { transaction_id: other } })
  const noted = await save(key, note(-10_000), 'note')
  expect((await save(key, note(-10_000), 'note')).body['id']).toBe(noted.body['id'])
  expect((await save(key, note(-9_000), 'note')).body).toMatchObject({ tax_amount: -1_710 })
  expect(await tax(key)).toBe(1_900 + 5_700 + 1_900 - 1_710)
})

it('records one sale if several requests save it at once', async () => {
  const key = await seller()
  const amounts = [1_000, 2_000, 3_000, 3_000]
  const answers = await Promise.all(amounts.map((amount) => save(key, invoice(amount))))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const live = await listed(key, '?status=completed')
  expect(live).toHaveLength(1)
  expect(await tax(key)).toBe(live[0]?.['tax_amount'])
})

it('keeps totals, counts and sales in agreement, whatever is saved in which order', async () => {
  const { key, account_id } = await newAccount()
  const number = fc.constantFrom('a', 'b')
  const body = fc.record({
    amount: fc.integer({ min: -50_000, max: 50_000 }),
    status: fc.constantFrom('pending', 'completed'),
    day: fc.constantFrom('2026-02-02', '2026-03-03'),
    country: fc.constantFrom('DE', 'FR', 'CH'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(number, body), { minLength: 1, maxLength: 5 }), async (saves) => {
      for (const [name, { amount, status, day, country }] of saves)
        await save(
          key,
          { ...invoice(amount, { status, transaction_date: day }), customer: { address: { country } } },
          name,
        )
      expect(await verifyTotals(books, account_id)).toEqual([])
    }),
    { numRuns: 8 },
  )
})

it('answers as create does', async () => {
  const key = await seller()
  const made = await create(key, invoice(10_000, { external_id: 'one', expected_total: 12_000 }))
  const saved = await save(key, invoice(10_000, { expected_total: 12_000 }), 'two')
  expect(Object.keys(saved.body)).toEqual(Object.keys(made.body))
  expect(saved.body['notes']).toEqual(made.body['notes'])
})
