import { expect, it } from 'vitest'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { create, created } from '../sales.ts'

await loadTestData()

const seller = async () => {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  await call('POST', '/v1/registrations', { key, body: { jurisdiction_id: 'DE', valid_from: '2020-01-01' } })
  return key
}

const sale = (amounts: readonly (number | readonly [string, number])[], more: object = {}) => ({
  customer: { address: { country: 'DE' } },
  currency: 'EUR',
  transaction_date: '2026-02-02',
  line_items: amounts.map((each, index) => {
    const [product_type, amount] = typeof each === 'number' ? (['saas', each] as const) : each
    return { product_type, amount, reference: `line-${index}` }
  }),
  ...more,
})
const settling = (id: string) => ({ settles: [{ transaction_id: id }] })
const noteFor = (id: string) => ({ credit_note_for: { transaction_id: id }, transaction_date: '2026-03-02' })
const refund = (key: string, id: string, body: object) =>
  call('POST', `/v1/transactions/${id}/refund`, { key, body: { reason: 'returned', ...body } })
const show = async (key: string, id: string) => (await call('GET', `/v1/transactions/${id}`, { key })).body
const lineOf = async (key: string, id: string, index: number) =>
  ((await show(key, id))['line_items'] as { id: string }[])[index]?.id
const tax = async (key: string) => {
  const path = '/v1/reports/summary?from_date=2026-01-01&to_date=2099-12-31'
  const { totals } = (await call('GET', path, { key })).body as { totals: { net_tax: number }[] }
  return totals.reduce((sum, { net_tax }) => sum + net_tax, 0)
}
const used = (id: string) => expect.stringContaining(`${id} settles the rest. Give that sale back first`)

it('gives back of a prepayment what no final sale has used', async () => {
  const key = await seller()
  const wallet = await created(key, sale([10_000]))
  const final = await created(key, sale([3_000], settling(wallet)))
  expect((await refund(key, wallet, { amount: 8_331 })).body).toMatchObject({
    reason: 'refund_exceeds_remaining',
    errors: [{ path: 'amount', message: used(final) }],
  })
  const line = { line_items: [{ id: await lineOf(key, wallet, 0), amount: 8_331 }] }
  expect((await refund(key, wallet, line)).body).toMatchObject({ errors: [{ message: used(final) }] })
  expect((await create(key, sale([-10_000], noteFor(wallet)))).body).toMatchObject({
    reason: 'refund_exceeds_remaining',
    errors: [{ message: used(final) }],
  })
  expect((await refund(key, wallet, { rest: true })).body).toMatchObject({
    refund: { amount: 8_330, tax_amount: 1_330 },
  })
  expect((await refund(key, wallet, { rest: true })).body).toMatchObject({
    errors: [{ path: 'rest', message: used(final) }],
  })
  expect(await tax(key)).toBe(570)
})

it('credits of a prepayment what no final sale has used', async () => {
  const key = await seller()
  const wallet = await created(key, sale([10_000]))
  await created(key, sale([3_000], settling(wallet)))
  const note = await create(key, sale([-7_000], noteFor(wallet)))
  expect(note.body, note.text).toMatchObject({ tax_amount: -1_330 })
  expect((await create(key, sale([-1], noteFor(wallet)))).status).toBe(400)
})

it('frees a prepayment when the final sale is cancelled, so that it settles again or is refunded', async () => {
  const key = await seller()
  const voucher = await created(key, sale([10_000]))
  const order = await created(key, sale([10_000], settling(voucher)))
  expect((await refund(key, order, { rest: true })).body).toMatchObject({
    refund: { amount: 0, tax_amount: 0 },
  })
  expect((await refund(key, order, { rest: true })).body['reason']).toBe('refund_exceeds_remaining')
  const again = await create(key, sale([4_000], settling(voucher)))
  expect(again.body, again.text).toMatchObject({ total: 0, settles: [{ amount: 4_760 }] })
  expect((await refund(key, voucher, { rest: true })).body).toMatchObject({ refund: { amount: 7_140 } })
  expect(await tax(key)).toBe(760)
})

it('frees a prepayment by a credit note that credits its line of the final sale too', async () => {
  const key = await seller()
  const voucher = await created(key, sale([10_000]))
  const order = await created(key, sale([10_000], settling(voucher)))
  const note = await create(key, sale([-10_000, 10_000], noteFor(order)))
  expect(note.body, note.text).toMatchObject({ total: 0, tax_amount: 0 })
  expect((await refund(key, voucher, { rest: true })).body).toMatchObject({ refund: { amount: 11_900 } })
  expect(await tax(key)).toBe(0)
})

it('gives back one of two prepaid articles as money, by refund or credit note, and frees the other', async () => {
  const key = await seller()
  for (const by of ['refund', 'note'] as const) {
    const voucher = await created(key, sale([10_000]))
    const order = await created(key, sale([6_000, 4_000], settling(voucher)))
    if (by === 'refund') {
      const { body } = await refund(key, order, { line_items: [{ id: await lineOf(key, order, 0) }] })
      expect(body).toMatchObject({ refund: { amount: 7_140, tax_amount: 1_140 }, amount_refunded: 7_140 })
      expect(await show(key, order)).toMatchObject({ amount_refunded: 7_140, tax_refunded: 1_140 })
    } else {
      const note = await create(key, sale([-6_000], noteFor(order)))
      expect(note.body, note.text).toMatchObject({ total: -7_140, tax_amount: -1_140 })
    }
    expect((await refund(key, voucher, { rest: true })).status).toBe(400)
    expect((await refund(key, order, { rest: true })).body).toMatchObject({ refund: { amount: 0 } })
    expect((await refund(key, voucher, { rest: true })).body).toMatchObject({
      refund: { amount: 4_760, tax_amount: 760 },
    })
    expect(await tax(key)).toBe(0)
  }
})

it('limits a refund of lines by what is left of each, and one of an amount by their common rate', async () => {
  const key = await seller()
  const deposit = await created(key, sale([5_000]))
  const mixed = [
    ['physical_goods', 4_000],
    ['books', 2_000],
  ] as const
  const order = await created(key, sale(mixed, settling(deposit)))
  expect(await show(key, order)).toMatchObject({ total: 950, tax_amount: -50 })
  const goods = await lineOf(key, order, 0)
  expect((await refund(key, order, { amount: 500 })).body).toMatchObject({
    errors: [
      { path: 'amount', message: expect.stringContaining(`${goods}, ${await lineOf(key, order, 1)}`) },
    ],
  })
  expect((await refund(key, order, { line_items: [{ id: goods }] })).body).toMatchObject({
    refund: { amount: 4_760, tax_amount: 760 },
  })
  const exchange = await created(
    key,
    sale([
      ['books', -10_000],
      ['physical_goods', 10_500],
    ]),
  )
  expect((await refund(key, exchange, { amount: 1_000 })).body['reason']).toBe('invalid_request')
  expect((await refund(key, exchange, { rest: true })).body).toMatchObject({
    refund: { amount: 1_795, tax_amount: 1_295 },
  })
  const upgrade = await created(key, sale([10_000, -4_000]))
  expect((await refund(key, upgrade, { amount: 1_190 })).body).toMatchObject({
    refund: { tax_amount: 190, line_items: [{ net_amount: 1_000, tax_amount: 190 }] },
  })
})

it('credits consecutive upgrades by the reference of the line', async () => {
  const key = await seller()
  const upgrade = await created(key, sale([99_800, -46_753]))
  const named = { line_items: [{ product_type: 'saas', amount: -92_193, reference: 'line-0' }] }
  const note = await create(key, sale([], { ...noteFor(upgrade), ...named }))
  expect(note.body, note.text).toMatchObject({ tax_amount: -17_517 })
  expect((await create(key, sale([], { ...noteFor(upgrade), ...named }))).status).toBe(400)
})

it('charges again by a credit note what came back by mistake, at the rate of the sale', async () => {
  const key = await seller()
  const order = await created(key, sale([['books', 10_000]]))
  const charge = () => create(key, sale([['books', 10_000]], noteFor(order)))
  expect((await charge()).status).toBe(400)
  const { body } = await refund(key, order, { rest: true, refunded_at: '2026-02-20' })
  const pending = { ...noteFor(order), status: 'pending' }
  expect((await create(key, sale([['books', 10_000]], pending))).body).toMatchObject({
    errors: [{ path: 'status' }],
  })
  expect((await charge()).body).toMatchObject({ total: 10_700, tax_amount: 700 })
  expect((await charge()).status).toBe(400)
  const { id } = body['refund'] as { id: string }
  const removal = await call('DELETE', `/v1/transactions/${order}/refunds/${id}`, { key })
  expect(removal.body['reason'], removal.text).toBe('refund_exceeds_remaining')
  expect(await tax(key)).toBe(700)
  expect((await refund(key, order, { rest: true })).body).toMatchObject({ refund: { amount: 10_700 } })
})

it('settles a part of a prepayment with charges and credits at different rates, by their shares', async () => {
  const key = await seller()
  const wallet = await created(key, sale([10_000, ['books', -3_000]]))
  const final = await create(key, sale([1_000], settling(wallet)))
  expect(final.body).toMatchObject({ total: 0 })
  expect((await refund(key, wallet, { rest: true })).body).toMatchObject({
    refund: { amount: 8_690 - 1_190 },
  })
  expect(await tax(key)).toBe(190)
})

it('deletes any refund of an open period, once, and frees what it took', async () => {
  const key = await seller()
  const order = await created(key, sale([10_000]))
  const ids: string[] = []
  for (const amount of [1_190, 2_380, 3_571])
    ids.push(String(((await refund(key, order, { amount })).body['refund'] as { id: string }).id))
  const remove = (id: string) => call('DELETE', `/v1/transactions/${order}/refunds/${id}`, { key })
  const answers = await Promise.all([remove(String(ids[0])), remove(String(ids[0]))])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  expect(await show(key, order)).toMatchObject({ amount_refunded: 5_951, tax_refunded: 950 })
  expect((await refund(key, order, { rest: true })).body).toMatchObject({
    amount_refunded: 11_900,
    tax_refunded: 1_900,
  })
  for (const { id } of (await show(key, order))['refunds'] as { id: string }[]) {
    const { status, text } = await remove(id)
    expect(status, text).toBe(200)
  }
  expect(await show(key, order)).toMatchObject({ status: 'completed', amount_refunded: 0, refunds: [] })
  expect(await tax(key)).toBe(1_900)
})

it('keeps a refund that freed a prepayment which was used since', async () => {
  const key = await seller()
  const voucher = await created(key, sale([10_000]))
  const order = await created(key, sale([10_000], settling(voucher)))
  const { id } = (await refund(key, order, { rest: true })).body['refund'] as { id: string }
  const again = await created(key, sale([1_000], settling(voucher)))
  const remove = () => call('DELETE', `/v1/transactions/${order}/refunds/${id}`, { key })
  expect((await remove()).body).toMatchObject({
    reason: 'refund_exceeds_remaining',
    errors: [{ message: expect.stringContaining(voucher) }],
  })
  await refund(key, again, { rest: true })
  expect((await remove()).status).toBe(200)
  expect((await refund(key, voucher, { rest: true })).status).toBe(400)
  expect(await tax(key)).toBe(1_900)
})
