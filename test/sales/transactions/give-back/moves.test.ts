import { keepAccountsIn } from '../../../support/shards.ts'
import { describe, expect, it } from 'vitest'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { CALCULATED, created, GIVEN } from '../sales.ts'

const { books } = keepAccountsIn(2)

await loadTestData()
const { key } = await newAccount()

const refund = async (id: string, amount: unknown, reason: unknown = 'returned', as = key) =>
  call('POST', `/v1/transactions/${id}/refund`, { key: as, body: { amount, reason } })
const move = async (id: string, verb: string, as = key) =>
  call('POST', `/v1/transactions/${id}/${verb}`, { key: as })
const read = async (id: string) => (await call('GET', `/v1/transactions/${id}`, { key })).body

describe('POST /v1/transactions/:id/refund', () => {
  it('refunds in parts, and the parts add up to the tax charged exactly', async () => {
    const id = await created(key)
    const first = await refund(id, 3_333)
    expect(first.body).toMatchObject({
      id,
      status: 'refunded',
      refund: { amount: 3_333, tax_amount: 532, reason: 'returned' },
      amount_refunded: 3_333,
    })
    await refund(id, 3_333)
    const last = await refund(id, 5_234, 'the rest')
    expect(last.body).toMatchObject({
      refund: { amount: 5_234, reason: 'the rest' },
      amount_refunded: 11_900,
      tax_refunded: 1_900,
    })
    const shown = await read(id)
    expect(shown).toMatchObject({
      status: 'refunded',
      refund: { amount: 5_234 },
      amount_refunded: 11_900,
      tax_refunded: 1_900,
    })
    expect(shown['refunds']).toHaveLength(3)
    expect((await refund(id, 1)).body).toMatchObject({
      reason: 'refund_exceeds_remaining',
      errors: [{ path: 'amount', message: 'at most 0 (€0.00) is left to refund' }],
    })
  })

  it('never refunds more than the total, however many come at once', async () => {
    const id = await created(key)
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(id, 1_190)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10)
    for (const answer of answers.filter((each) => each.status !== 200))
      expect(answer.body['reason']).toBe('refund_exceeds_remaining')
    const shown = await read(id)
    expect(shown).toMatchObject({ amount_refunded: 11_900, tax_refunded: 1_900 })
    expect(shown['refunds']).toHaveLength(10)
  })

  it('refunds once for an Idempotency-Key that comes again', async () => {
    const id = await created(key)
    const headers = { 'Idempotency-Key': 'refund-1' }
    const body = { amount: 100, reason: 'returned' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', `/v1/transactions/${id}/refund`, { key, body, headers })),
    )
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(await read(id)).toMatchObject({ amount_refunded: 100 })
  })

  it.each<[string, unknown, unknown, string]>([
    ['an amount of 0', 0, 'x', 'amount'],
    ['a negative amount', -1, 'x', 'amount'],
    ['a fraction', 0.5, 'x', 'amount'],
    ['text', '10', 'x', 'amount'],
    ['more than the total', 11_901, 'x', 'amount'],
    ['a reason of null', 1, null, 'reason'],
    ['an empty reason', 1, '', 'reason'],
  ])('refuses %s and changes nothing', async (_, amount, reason, path) => {
    const id = await created(key)
    const before = await read(id)
    const answer = await refund(id, amount, reason)
    expect(answer.status).toBe(400)
    expect(answer.body['errors']).toContainEqual({ path, message: expect.any(String) })
    expect({ ...(await read(id)), queried_at: '' }).toEqual({ ...before, queried_at: '' })
  })

  it('refuses what is pending, voided, negative or of another account', async () => {
    const pending = await created(key, { ...GIVEN, status: 'pending' })
    expect((await refund(pending, 1)).body).toMatchObject({
      error_code: 'VALIDATION_ERROR',
      reason: 'transaction_not_refundable',
    })
    await move(pending, 'void')
    expect((await refund(pending, 1)).body['reason']).toBe('transaction_not_refundable')
    const credit = await created(key, {
      ...GIVEN,
      line_items: [{ amount: -100, product_type: 'saas', tax_rate: 0.19, tax_amount: -19 }],
    })
    expect((await refund(credit, 1)).body['reason']).toBe('refund_exceeds_remaining')
    const { key: other } = await newAccount()
    expect((await refund(await created(key), 1, 'x', other)).status).toBe(404)
  })

  it('takes back of the totals what it gives back, in the month of the refund and with the month of the sale', async () => {
    const { key, account_id } = await newAccount()
    const id = await created(key, { ...CALCULATED, transaction_date: '2026-02-03' })
    const path = `/v1/transactions/${id}/refund`
    const { body } = await call('POST', path, { key, body: { amount: 22_995, reason: 'returned' } })
    const month = String((body['refunds'] as { refunded_at: string }[])[0]?.refunded_at).slice(0, 7)
    const row = await books
      .prepare(
        `SELECT sold_in, refunds, product_refunds, refunded_net_amount, refunded_taxable_amount, refunded_tax_amount, refunded_provincial_tax_amount
       FROM tax_totals WHERE account_id = ? AND span = 'month' AND period = ?`,
      )
      .bind(account_id, month)
      .first()
    expect(row).toEqual({
      sold_in: '2026-02',
      refunds: 1,
      product_refunds: 1,
      refunded_net_amount: 20_000,
      refunded_taxable_amount: 20_000,
      refunded_tax_amount: 2_995,
      refunded_provincial_tax_amount: 1_995,
    })
  })
})

describe('POST /v1/transactions/:id/void and /complete', () => {
  it('voids a pending transaction once, also when two voids come at once', async () => {
    const id = await created(key, { ...GIVEN, status: 'pending' })
    const answers = await Promise.all([move(id, 'void'), move(id, 'void')])
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(answers.find((answer) => answer.status === 400)?.body).toMatchObject({
      error_code: 'VALIDATION_ERROR',
      reason: 'transaction_not_pending',
    })
    expect(answers.find((answer) => answer.status === 200)?.body).toMatchObject({
      id,
      status: 'voided',
      voided_at: expect.any(String),
    })
    expect(await read(id)).toMatchObject({ status: 'voided', voided_at: expect.any(String) })
  })

  it('refuses to void what is completed', async () => {
    const id = await created(key)
    expect((await move(id, 'void')).body).toMatchObject({
      error_code: 'VALIDATION_ERROR',
      reason: 'transaction_not_pending',
    })
  })

  it('completes a pending transaction, which counts from then on, on its own date', async () => {
    const { key, account_id } = await newAccount()
    const id = await created(key, { ...GIVEN, status: 'pending', transaction_date: '2026-01-31' })
    const sums = () =>
      books
        .prepare("SELECT period, transactions FROM tax_totals WHERE account_id = ? AND span = 'day'")
        .bind(account_id)
        .all()
    expect((await sums()).results).toEqual([])
    expect((await move(id, 'complete', key)).body).toMatchObject({
      id,
      status: 'completed',
      completed_at: expect.any(String),
    })
    expect((await sums()).results).toEqual([{ period: '2026-01-31', transactions: 1 }])
    expect((await move(id, 'complete', key)).body['reason']).toBe('transaction_not_pending')
    const list = async (status: string) =>
      (await call('GET', `/v1/transactions?status=${status}`, { key })).body['total']
    expect([await list('pending'), await list('completed'), await list('voided')]).toEqual([0, 1, 0])
  })

  it.each(['void', 'complete', 'refund'])('answers 404 to %s of what is not there', async (verb) => {
    const answer = await call('POST', `/v1/transactions/txn_00000000000000000000000000/${verb}`, {
      key,
      ...(verb === 'refund' && { body: { amount: 1, reason: 'x' } }),
    })
    expect(answer.status).toBe(404)
  })

  it('lets one of a void and a completion at once through', async () => {
    const id = await created(key, { ...GIVEN, status: 'pending' })
    const answers = await Promise.all([move(id, 'void'), move(id, 'complete')])
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })
})
