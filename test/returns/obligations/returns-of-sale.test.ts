import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

type Body = Record<string, unknown>

const send = async (method: string, path: string, key: string, body?: object): Promise<Body> => {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const allReturnsOf = async (key: string, id: string) =>
  (await send('GET', `/v1/transactions/${id}`, key))['returns'] as Body[]
const returnsOf = async (key: string, id: string) =>
  (await allReturnsOf(key, id)).filter((each) => each['declares_tax'])

/** A German seller in the one-stop shop. */
async function seller(...more: object[]): Promise<string> {
  const { key } = await newAccount()
  await send('PUT', '/v1/account', key, { country: 'DE', time_zone: 'UTC' })
  for (const where of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }, ...more])
    await send('POST', '/v1/registrations', key, { ...where, valid_from: '2020-01-01' })
  return key
}

const sale = (country: string, transaction_date: string) => ({
  customer: { address: { country } },
  currency: 'EUR',
  transaction_date,
  line_items: [{ amount: 10_000, product_type: 'saas' }],
})
const file = (key: string, period: string, submission?: object) =>
  send('POST', '/v1/returns', key, { type: 'oss_union', period, ...(submission && { submission }) })

it('names the open return that would declare a sale, of its own country and of the one-stop shop', async () => {
  const key = await seller()
  const french = await created(key, sale('FR', '2026-02-01'))
  const german = await created(key, sale('DE', '2026-02-01'))
  const open = { return_id: null, version: null, state: 'open', has_sale: true, refunds: [], late: false }
  expect(await returnsOf(key, french)).toMatchObject([
    { ...open, type: 'oss_union', jurisdiction_id: null, period: '2026-Q1', due_date: '2026-04-30' },
  ])
  expect(await returnsOf(key, german)).toMatchObject([
    { ...open, type: 'eu_domestic', jurisdiction_id: 'DE', period: '2026-Q1', due_date: '2026-04-10' },
  ])
  const by_reference = await created(key, { ...sale('FR', '2026-02-01'), external_id: 'order-1' })
  expect(await send('GET', '/v1/transactions/external/order-1', key)).toMatchObject({
    id: by_reference,
    returns: [
      { type: 'oss_union', declares_tax: true },
      { type: 'eu_domestic', declares_tax: false },
    ],
  })
})

it('names the kept return with its state, number and day, and where it is paid', async () => {
  const key = await seller()
  const id = await created(key, sale('FR', '2026-02-01'))
  const kept = await file(key, '2026-Q1', { state: 'open' })
  const of = { return_id: kept['id'], version: 1, period: '2026-Q1', has_sale: true, due_date: null }
  expect(await returnsOf(key, id)).toMatchObject([{ ...of, state: 'open', number: null }])
  const path = `/v1/returns/${String(kept['id'])}/submission`
  await send('PUT', path, key, { state: 'reviewed' })
  expect(await returnsOf(key, id)).toMatchObject([{ ...of, state: 'reviewed' }])
  await send('PUT', path, key, { state: 'filed', number: 'OSS-1', day: '2026-04-20' })
  expect(await returnsOf(key, id)).toMatchObject([
    { ...of, state: 'filed', number: 'OSS-1', day: '2026-04-20' },
  ])
  await send('PUT', path, key, { state: 'paid', paid_at: '2026-04-25', payment: 2_000 })
  expect(await returnsOf(key, id)).toMatchObject([{ ...of, state: 'paid', number: 'OSS-1' }])
  await send('POST', `/v1/returns/${String(kept['id'])}/reopen`, key, { reason: 'a mistake' })
  expect(await returnsOf(key, id)).toMatchObject([{ return_id: null, state: 'open', period: '2026-Q1' }])
})

it('names the return of a refund, and the one that corrects a late entry', async () => {
  const key = await seller()
  const id = await created(key, sale('FR', '2026-02-01'))
  const filed = await file(key, '2026-Q1')
  const late = await created(key, sale('FR', '2026-03-01'))
  expect(await returnsOf(key, late)).toMatchObject([
    { return_id: null, period: '2026-Q2', has_sale: true, late: true },
  ])
  const body = { amount: 1_200, reason: 'returned', refunded_at: '2026-08-03' }
  const { refund } = (await send('POST', `/v1/transactions/${id}/refund`, key, body)) as {
    refund: { id: string }
  }
  expect(await returnsOf(key, id)).toMatchObject([
    { return_id: filed['id'], has_sale: true, refunds: [], late: false },
    { return_id: null, period: '2026-Q3', has_sale: false, refunds: [refund.id], late: false },
  ])
  const second = await file(key, '2026-Q2')
  expect(await returnsOf(key, late)).toMatchObject([{ return_id: second['id'], period: '2026-Q2' }])
  const third = await file(key, '2026-Q3')
  expect(await returnsOf(key, id)).toMatchObject([
    { return_id: filed['id'] },
    { return_id: third['id'], has_sale: false, refunds: [refund.id] },
  ])
})

it('names none for a sale that no registration files, and for a pending one', async () => {
  const { key } = await newAccount()
  const id = await created(key, { ...sale('FR', '2026-02-01'), seller_registered: true })
  expect(await returnsOf(key, id)).toEqual([])
  const own = await seller()
  expect(
    await returnsOf(own, await created(own, { ...sale('FR', '2026-02-01'), status: 'pending' })),
  ).toEqual([])
})

it('names the last day of an open return after a weekend, as the calendar does', async () => {
  const key = await seller()
  const id = await created(key, sale('DE', '2026-08-01'))
  expect(await returnsOf(key, id)).toMatchObject([{ due_date: '2026-10-10', last_date: '2026-10-12' }])
})
