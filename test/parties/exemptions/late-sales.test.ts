import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { dayOf, daysAfter } from '../../../src/platform/kit/calendar.ts'
import { expireExemptions } from '../../../src/parties/exemptions/expire.ts'
import { newAccount } from '../../support/account.ts'
import { addReseller } from '../../support/reseller.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

const NIGHT = new Date('2026-11-20T03:17:00Z')

async function send(method: string, path: string, key: string, body?: object) {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** A customer with a verified certificate. */
async function reseller(valid_to: string | null, time_zone = 'UTC') {
  const { key } = await newAccount()
  await send('PUT', '/v1/account', key, { time_zone })
  const made = await addReseller(key, { valid_from: '2026-01-01', valid_to })
  return { key, ...made, path: `/v1/customers/${made.customer_id}/exemptions` }
}

type Reseller = Awaited<ReturnType<typeof reseller>>

const saleOf = ({ customer_id }: Reseller, transaction_date: string) => ({
  currency: 'USD',
  transaction_date,
  customer_id,
  seller: { country: 'US', region: 'TX', registrations: ['US-CA'] },
  line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
})

/** Whether the certificate frees a sale of a day, as each part of the service says. They must agree. */
async function freesOn(held: Reseller, day: string): Promise<boolean> {
  const { key, exemption_id } = held
  const sale = saleOf(held, day)
  const check = await send('GET', `${held.path}/check?jurisdiction_id=US-CA&date=${day}`, key)
  const said = await send('POST', '/v1/calculate', key, sale)
  const recorded = await send('POST', '/v1/transactions', key, sale)
  const batch = await send('POST', '/v1/transactions/batch', key, { transactions: [sale] })
  const all = {
    check: check['is_exempt'],
    calculate: said['tax_amount'] === 0,
    record: JSON.stringify(recorded['certificates']).includes(exemption_id),
    untaxed: recorded['tax_amount'] === 0,
    batch: JSON.stringify(batch['results']).includes(exemption_id),
  }
  const is_exempt = all.check === true
  expect(all).toEqual({
    check: is_exempt,
    calculate: is_exempt,
    record: is_exempt,
    untaxed: is_exempt,
    batch: is_exempt,
  })
  return is_exempt
}

const statusOf = async ({ key, path }: Reseller) => (await send('GET', path, key))['exemptions']

describe('a certificate that has expired since', () => {
  it('frees a sale of its period that is recorded late', async () => {
    const held = await reseller('2026-03-31')
    await expireExemptions(books, NIGHT)
    expect(await statusOf(held)).toMatchObject([{ status: 'expired', ended_on: '2026-03-31' }])
    expect(await freesOn(held, '2026-03-31')).toBe(true)
    expect(await freesOn(held, '2026-04-01')).toBe(false)
    expect(await freesOn(held, '2025-12-31')).toBe(false)
    const checked = await send('GET', `${held.path}/check?jurisdiction_id=US-CA&date=2026-03-31`, held.key)
    expect(checked['exemption']).toMatchObject({ status: 'expired', valid_to: '2026-03-31' })
    const used = await send('GET', `/v1/transactions?exemption_id=${held.exemption_id}`, held.key)
    expect(used['transactions']).toHaveLength(2)
    const kept = await call('DELETE', held.certificate, { key: held.key })
    expect(kept.body['reason']).toBe('exemption_in_use')
  })

  it('goes by the day in the time zone of the account', async () => {
    const held = await reseller('2026-03-31', 'America/Los_Angeles')
    await expireExemptions(books, NIGHT)
    const at = async (moment: string) =>
      (await send('POST', '/v1/calculate', held.key, saleOf(held, moment)))['tax_amount'] === 0
    expect(await at('2026-04-01T06:59:59Z')).toBe(true)
    expect(await at('2026-04-01T07:00:00Z')).toBe(false)
  })

  it('frees no more days if its last day is changed afterwards, and fewer if it is brought forward', async () => {
    const held = await reseller('2026-03-31')
    await expireExemptions(books, NIGHT)
    await send('PUT', held.certificate, held.key, { valid_to: '2099-12-31' })
    expect(await freesOn(held, '2026-03-31')).toBe(true)
    expect(await freesOn(held, '2026-04-01')).toBe(false)
    await send('PUT', held.certificate, held.key, { valid_to: '2026-02-28' })
    expect(await freesOn(held, '2026-02-28')).toBe(true)
    expect(await freesOn(held, '2026-03-01')).toBe(false)
  })

  it('frees no sale while it is reviewed again, and its new period once it is verified', async () => {
    const held = await reseller('2026-03-31')
    await expireExemptions(books, NIGHT)
    await send('PUT', held.certificate, held.key, { status: 'pending', valid_to: '2026-06-30' })
    expect(await statusOf(held)).toMatchObject([{ status: 'pending', ended_on: null }])
    expect(await freesOn(held, '2026-03-31')).toBe(false)
    await send('PUT', held.certificate, held.key, { status: 'verified' })
    expect(await freesOn(held, '2026-06-30')).toBe(true)
  })
})

describe('a certificate that a person ends', () => {
  it.each([null, '2099-12-31'])('with the last day %s frees sales until yesterday', async (valid_to) => {
    // The day does not end in the middle.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const yesterday = daysAfter(dayOf(new Date()), -1)
    const held = await reseller(valid_to)
    const ended = await send('PUT', held.certificate, held.key, { status: 'expired' })
    expect(ended).toMatchObject({ status: 'expired', valid_to, ended_on: yesterday })
    expect(await freesOn(held, yesterday)).toBe(true)
    expect(await freesOn(held, dayOf(new Date()))).toBe(false)
  })

  it('after its last day frees sales until that day', async () => {
    const held = await reseller('2026-03-31')
    await send('PUT', held.certificate, held.key, { status: 'expired' })
    expect(await freesOn(held, '2026-03-31')).toBe(true)
    expect(await freesOn(held, '2026-04-01')).toBe(false)
  })

  it('without a review, or by its rejection, frees none', async () => {
    const never = await reseller(null)
    const { body } = await call('POST', never.path, {
      key: never.key,
      body: {
        jurisdiction_id: 'US-CA',
        exemption_type: 'resale',
        certificate_number: 'CA-1002',
        valid_from: '2026-01-01',
      },
    })
    await send('PUT', never.certificate, never.key, { status: 'rejected' })
    await send('PUT', `${never.path}/${String(body['id'])}`, never.key, { status: 'expired' })
    expect(await freesOn(never, '2026-03-31')).toBe(false)
    await send('PUT', never.certificate, never.key, { status: 'pending' })
    await send('PUT', never.certificate, never.key, { status: 'expired' })
    expect(await freesOn(never, '2026-03-31')).toBe(false)
  })
})
