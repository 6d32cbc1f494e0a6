import { describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { CALCULATED, create, created } from '../sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>
type Line = Record<'net_amount' | 'taxable_amount' | 'tax_amount', number> & { settles: string | null }

const get = async (key: string, path: string): Promise<Body> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

async function seller(country: string, place: string) {
  const account = await newAccount()
  const { key } = account
  await call('PUT', '/v1/account', { key, body: { country, time_zone: 'UTC' } })
  const body = { jurisdiction_id: place, valid_from: '2020-01-01' }
  expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  return account
}

const german = (amount: number, transaction_date: string, more: object = {}) => ({
  customer: { address: { country: 'DE' } },
  currency: 'EUR',
  transaction_date,
  line_items: [{ amount, product_type: 'physical_goods' }],
  ...more,
})
const refund = (key: string, id: string, amount: number) =>
  call('POST', `/v1/transactions/${id}/refund`, { key, body: { amount, reason: 'returned' } })
const boxTax = async (key: string, period: string) => {
  const filing = await get(key, `/v1/reports/filing?type=eu_domestic&jurisdiction_id=DE&period=${period}`)
  return (filing['totals'] as Body)['tax_due']
}

describe('a final sale', () => {
  it('takes off the tax of a deposit, which its own period declares', async () => {
    const { key, account_id } = await seller('DE', 'DE')
    const deposit = await created(key, german(3_000, '2026-01-15', { external_id: 'deposit' }))
    const answer = await create(key, german(10_000, '2026-03-15', { settles: [{ external_id: 'deposit' }] }))
    expect(answer.body, answer.text).toMatchObject({
      subtotal: 7_000,
      tax_amount: 1_330,
      total: 8_330,
      tax_rate: 0.19,
      settles: [{ transaction_id: deposit, amount: 3_570, tax_amount: 570 }],
      line_items: [
        { net_amount: 10_000, tax_amount: 1_900, settles: null },
        {
          net_amount: -3_000,
          taxable_amount: -3_000,
          tax_amount: -570,
          tax_rate: 0.19,
          settles: deposit,
          tax_breakdown: [{ jurisdiction_id: 'DE', taxable_amount: -3_000, tax_amount: -570 }],
        },
      ],
    })
    expect(await get(key, `/v1/transactions/${String(answer.body['id'])}`)).toMatchObject({
      settles: answer.body['settles'],
      line_items: answer.body['line_items'],
    })
    expect([await boxTax(key, '2026-01'), await boxTax(key, '2026-03')]).toEqual([570, 1_330])
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('takes off a single-purpose voucher that pays for all of it, piece by piece', async () => {
    const { key } = await seller('DE', 'DE')
    const voucher = await created(key, german(10_000, '2026-01-15'))
    const first = await create(key, german(3_333, '2026-02-15', { settles: [{ transaction_id: voucher }] }))
    expect(first.body).toMatchObject({ total: 0, tax_amount: 0, settles: [{ amount: 3_966 }] })
    const second = await create(key, german(10_000, '2026-03-15', { settles: [{ transaction_id: voucher }] }))
    expect(second.body).toMatchObject({ settles: [{ amount: 11_900 - 3_966, tax_amount: 1_900 - 633 }] })
    const third = await create(key, german(100, '2026-04-15', { settles: [{ transaction_id: voucher }] }))
    expect(third.body).toMatchObject({ errors: [{ path: 'settles[0]', message: '0 is left of that sale' }] })
    const taxes = await Promise.all(['2026-01', '2026-02', '2026-03'].map((month) => boxTax(key, month)))
    expect(taxes).toEqual([1_900, 0, 633])
  })

  it('takes off what refunds have left, and is refunded by itself', async () => {
    const { key, account_id } = await seller('DE', 'DE')
    const deposit = await created(key, german(3_000, '2026-01-15'))
    expect((await refund(key, deposit, 1_190)).status).toBe(200)
    const id = await created(key, german(10_000, '2026-03-15', { settles: [{ transaction_id: deposit }] }))
    expect(await get(key, `/v1/transactions/${id}`)).toMatchObject({
      total: 9_520,
      settles: [{ amount: 2_380, tax_amount: 380 }],
    })
    expect((await refund(key, id, 9_521)).body['reason']).toBe('refund_exceeds_remaining')
    expect((await refund(key, id, 4_760)).status).toBe(200)
    expect((await refund(key, id, 4_760)).status).toBe(200)
    expect((await refund(key, deposit, 2_380)).status).toBe(200)
    const { totals } = await get(key, '/v1/reports/summary?from_date=2026-01-01&to_date=2099-12-31')
    expect(totals).toMatchObject([{ net_tax: 0 }])
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('settles what credit notes have left of a sale', async () => {
    const { key } = await seller('DE', 'DE')
    const deposit = await created(key, german(3_000, '2026-01-15'))
    const note = await created(
      key,
      german(-1_000, '2026-02-15', { credit_note_for: { transaction_id: deposit }, status: 'pending' }),
    )
    const final = german(10_000, '2026-03-15', { settles: [{ transaction_id: deposit }] })
    const first = await create(key, final)
    expect(first.body, first.text).toMatchObject({ settles: [{ amount: 2_380, tax_amount: 380 }] })
    expect((await call('POST', `/v1/transactions/${note}/void`, { key })).status).toBe(200)
    expect((await create(key, final)).body).toMatchObject({ settles: [{ amount: 1_190, tax_amount: 190 }] })
  })

  it('takes off each tax of a place with several', async () => {
    const { key } = await newAccount()
    const deposit = await created(key, { ...CALCULATED, transaction_date: '2026-01-15' })
    const sale = { ...CALCULATED, line_items: [{ amount: 50_000, product_type: 'physical_goods' }] }
    const answer = await create(key, {
      ...sale,
      transaction_date: '2026-02-15',
      settles: [{ transaction_id: deposit }],
    })
    const lines = answer.body['line_items'] as (Line & { tax_breakdown: Line[] })[]
    expect(lines.map(({ tax_amount }) => tax_amount)).toEqual([7_488, -2_995])
    expect(lines[1]?.tax_breakdown).toMatchObject([
      { jurisdiction_id: 'CA', taxable_amount: -20_000, tax_amount: -1_000 },
      { jurisdiction_id: 'CA-QC', taxable_amount: -20_000, tax_amount: -1_995 },
    ])
  })

  it('settles a sale once if two requests come at once, and again after it was voided', async () => {
    const { key } = await seller('DE', 'DE')
    const deposit = await created(key, german(3_000, '2026-01-15'))
    const final = german(10_000, '2026-03-15', { settles: [{ transaction_id: deposit, amount: 3_570 }] })
    const pending = { ...final, status: 'pending' }
    const answers = await Promise.all([1, 2, 3].map(() => create(key, pending)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
    const id = answers.find(({ status }) => status === 201)?.body['id']
    expect((await create(key, final)).status).toBe(400)
    const voided = await call('POST', `/v1/transactions/${String(id)}/void`, { key, body: {} })
    expect(voided.status, voided.text).toBe(200)
    expect((await create(key, final)).status).toBe(201)
  })

  it.each([
    ['an unknown sale', { settles: [{ external_id: 'none' }] }, 'not_found', 'settles[0]'],
    [
      'a sale twice',
      { settles: [{ external_id: 'a' }, { external_id: 'a' }] },
      'invalid_request',
      'settles[1]',
    ],
    [
      'more than is left',
      { settles: [{ external_id: 'a', amount: 1_191 }] },
      'invalid_request',
      'settles[0]',
    ],
    ['another currency', { currency: 'USD', settles: [{ external_id: 'a' }] }, 'invalid_request', 'currency'],
    [
      'a later sale',
      { transaction_date: '2025-12-31', settles: [{ external_id: 'a' }] },
      'invalid_request',
      'settles[0]',
    ],
    ['a pending sale', { settles: [{ external_id: 'pending' }] }, 'invalid_request', 'settles[0]'],
    ['no sale', { settles: [] }, 'invalid_request', 'settles'],
    [
      'two names',
      { settles: [{ external_id: 'a', transaction_id: 'txn_1' }] },
      'invalid_request',
      'settles[0]',
    ],
    [
      'a credit note',
      { settles: [{ external_id: 'a' }], credit_note_for: { date: '2026-01-01' } },
      'invalid_request',
      'settles',
    ],
  ])('cannot settle %s', async (_, more, reason, path) => {
    const { key } = await seller('DE', 'DE')
    await created(key, german(1_000, '2026-01-15', { external_id: 'a' }))
    await created(key, german(1_000, '2026-01-15', { external_id: 'pending', status: 'pending' }))
    const answer = await create(key, german(10_000, '2026-03-15', more))
    expect(answer.body, answer.text).toMatchObject({ reason, errors: [{ path }] })
  })

  it('is not recorded in a batch, and settles no sale of another account', async () => {
    const { key } = await seller('DE', 'DE')
    const other = await seller('DE', 'DE')
    const transaction_id = await created(other.key, german(1_000, '2026-01-15'))
    const final = german(10_000, '2026-03-15', { settles: [{ transaction_id }] })
    expect((await create(key, final)).status).toBe(404)
    const batch = await call('POST', '/v1/transactions/batch', { key, body: { transactions: [final] } })
    expect(batch.body['results']).toMatchObject([
      { success: false, error: { errors: [{ path: 'settles' }] } },
    ])
  })
})
