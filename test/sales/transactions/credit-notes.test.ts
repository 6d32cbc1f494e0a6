import { beforeEach, describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { create, created } from './sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

let key: string
let account_id: string

beforeEach(async () => {
  ;({ key, account_id } = await newAccount())
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  const body = { scheme: 'oss_union', valid_from: '2020-01-01' }
  await call('POST', '/v1/registrations', { key, body })
})

const sale = (amount: number, more: object = {}) => ({
  customer: { address: { country: 'FR' } },
  currency: 'EUR',
  transaction_date: '2026-02-01',
  line_items: [{ amount, product_type: 'saas' }],
  ...more,
})
const note = (amount: number, credit_note_for: object, more: object = {}) =>
  sale(amount, { transaction_date: '2026-05-01', credit_note_for, ...more })
const refund = (id: string, amount: number) =>
  call('POST', `/v1/transactions/${id}/refund`, { key, body: { amount, reason: 'returned' } })

describe('a credit note', () => {
  it('credits no more than refunds and other credit notes leave', async () => {
    const transaction_id = await created(key, sale(1_000))
    const huge = await create(key, note(-999_900, { transaction_id }))
    expect(huge.body).toMatchObject({
      reason: 'refund_exceeds_remaining',
      errors: [{ path: 'line_items', message: expect.stringContaining('at most 1200 (€12.00) with tax') }],
    })
    const shown = await create(key, note(-600, { transaction_id }))
    expect(shown.body).toMatchObject({ total: -720, credited_sale: transaction_id })
    expect((await create(key, note(-500, { transaction_id }))).body['reason']).toBe(
      'refund_exceeds_remaining',
    )
    expect((await refund(transaction_id, 481)).body['reason']).toBe('refund_exceeds_remaining')
    expect((await refund(transaction_id, 480)).status).toBe(200)
    expect((await create(key, note(-1, { transaction_id }))).body['reason']).toBe('refund_exceeds_remaining')
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('credits no more if many come at once', async () => {
    const transaction_id = await created(key, sale(1_000))
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => create(key, note(-300, { transaction_id }))),
      ...Array.from({ length: 8 }, () => refund(transaction_id, 360)),
    ])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(3)
    for (const { status, body } of answers)
      if (status >= 300) expect(body['reason']).toBe('refund_exceeds_remaining')
  })

  it('that is void credits nothing', async () => {
    const transaction_id = await created(key, sale(1_000))
    const pending = await created(key, note(-1_000, { transaction_id }, { status: 'pending' }))
    expect((await refund(transaction_id, 1_200)).body['reason']).toBe('refund_exceeds_remaining')
    await call('POST', `/v1/transactions/${pending}/void`, { key })
    expect((await refund(transaction_id, 1_200)).status).toBe(200)
  })

  it('takes back no more tax than the sale bore', async () => {
    const transaction_id = await created(key, sale(1_000))
    const line_items = [{ amount: -500, product_type: 'saas', tax_rate: 0.5, tax_amount: -250 }]
    const answer = await create(key, note(0, { transaction_id }, { line_items }))
    expect(answer.body['errors']).toMatchObject([{ message: expect.stringContaining('more tax than 200') }])
  })

  it('has the place of supply of its sale', async () => {
    const transaction_id = await created(key, sale(1_000))
    const italian = { customer: { address: { country: 'IT' } } }
    const calculated = await create(key, note(-100, { transaction_id }, italian))
    expect(calculated.body['errors']).toMatchObject([{ path: 'customer' }])
    const line_items = [{ amount: -100, product_type: 'saas', tax_rate: 0.2, tax_amount: -20 }]
    const given = await create(key, note(0, { transaction_id }, { ...italian, line_items }))
    expect(given.body).toMatchObject({ jurisdiction_id: 'FR' })
    const other = await create(key, note(0, { transaction_id }, { line_items, jurisdiction_id: 'IT' }))
    expect(other.body['errors']).toMatchObject([{ path: 'jurisdiction_id' }])
  })

  it('may credit a line of another place than the sale as a whole', async () => {
    const registration = { jurisdiction_id: 'DE', valid_from: '2020-01-01' }
    await call('POST', '/v1/registrations', { key, body: registration })
    const address = { country: 'AT' }
    const customer = { type: 'business', vat_id: 'ATU13585627', vat_id_validated: true, address }
    const line_items = [
      { amount: 1_000, product_type: 'physical_goods' },
      { amount: 1_000, product_type: 'saas' },
    ]
    const transaction_id = await created(key, sale(0, { customer, line_items, external_id: 'sold' }))
    const ofGoods = { customer, line_items: [{ amount: -400, product_type: 'physical_goods' }] }
    const answer = await create(key, note(0, { transaction_id }, ofGoods))
    expect(answer).toMatchObject({ status: 201, body: { jurisdiction_id: 'DE', total: -400 } })
    const transactions = [
      sale(0, { customer, line_items, external_id: 'other' }),
      note(0, { external_id: 'other' }, ofGoods),
    ]
    const { body } = await call('POST', '/v1/transactions/batch', { key, body: { transactions } })
    expect(body['results']).toMatchObject([{ success: true }, { success: true }])
    const french = note(-100, { transaction_id })
    expect((await create(key, french)).body['errors']).toMatchObject([{ path: 'customer' }])
  })

  it.each([
    ['a day after it', { date: '2026-05-02' }, 'credit_note_for.date'],
    ['a day in which it was not sold yet', { external_id: 'later' }, 'transaction_date'],
    ['a void sale', { external_id: 'void' }, 'credit_note_for'],
  ])('does not name %s', async (_, named, path) => {
    await created(key, sale(1_000, { external_id: 'later', transaction_date: '2026-06-01' }))
    const id = await created(key, sale(1_000, { external_id: 'void', status: 'pending' }))
    await call('POST', `/v1/transactions/${id}/void`, { key })
    expect((await create(key, note(-100, named))).body['errors']).toMatchObject([{ path }])
  })

  it('may stand in the batch of its sale, before it or after it', async () => {
    const credit = note(-1_000, { external_id: 'sold' }, { external_id: 'first' })
    const transactions = [
      credit,
      sale(1_000, { external_id: 'sold' }),
      { ...credit, external_id: 'too much' },
    ]
    const { body } = await call('POST', '/v1/transactions/batch', { key, body: { transactions } })
    expect(body['results']).toMatchObject([
      { success: true, data: { total: -1_200 } },
      { success: true },
      { success: false, error: { reason: 'refund_exceeds_remaining' } },
    ])
  })
})

describe('the date of a sale', () => {
  it('is at most a year from now: a typing error would be in no return', async () => {
    const answer = await create(key, sale(1_000, { transaction_date: '2056-02-01' }))
    expect(answer.body['errors']).toMatchObject([{ path: 'transaction_date' }])
    const ahead = new Date(Date.now() + 300 * 86_400_000).toISOString()
    expect((await create(key, sale(1_000, { transaction_date: ahead }))).status).toBe(201)
  })
})

describe('a VAT id that the authority called invalid', () => {
  const business = {
    customer: { address: { country: 'IE' }, vat_id: 'IE6388047V', type: 'business' },
    vat_proof: { valid: false, checked_at: '2026-01-31' },
  }

  it('frees no sale (282/2011 art. 18)', async () => {
    const free = await create(key, sale(1_000, { ...business, vat_proof: undefined }))
    expect(free.body).toMatchObject({ reverse_charge: true, tax_amount: 0 })
    const answer = await create(key, sale(1_000, business))
    expect(answer.body).toMatchObject({ reverse_charge: false, tax_amount: 230, vat_proof: { valid: false } })
  })

  it('is not called validated in the same request', async () => {
    const customer = { ...business.customer, vat_id_validated: true }
    const answer = await create(key, sale(1_000, { ...business, customer }))
    expect(answer.body['errors']).toMatchObject([{ path: 'vat_proof.valid' }])
  })
})
