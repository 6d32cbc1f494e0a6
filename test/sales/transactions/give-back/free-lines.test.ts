import { describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'
import { create } from '../sales.ts'

const { books } = keepAccountsIn(1)
await loadTestData()
const { key, account_id } = await newAccount()

const FRENCH = {
  customer: { address: { country: 'FR', postal_code: '75002' } },
  seller: { country: 'FR' },
  currency: 'EUR',
}
const PAID = { amount: 5_000, product_type: 'physical_goods' }
const GIFT = { amount: 1_500, discount: 1_500, product_type: 'physical_goods' }
const FREE_SHIPPING = { shipping_cost: { amount: 0 } }

async function sold(line_items: object[], more: object = {}) {
  const { body, text } = await create(key, { ...FRENCH, line_items, ...more })
  expect(body['id'], text).toBeDefined()
  const lines = body['line_items'] as { id: string }[]
  return { id: String(body['id']), lines: lines.map(({ id }) => ({ id })) }
}
const refund = (id: string, body: object) =>
  call('POST', `/v1/transactions/${id}/refund`, { key, body: { reason: 'returned', ...body } })

describe('what was free comes back for 0', () => {
  it('beside what was paid: a gift, and the shipping', async () => {
    const { id, lines } = await sold([PAID, GIFT], FREE_SHIPPING)
    const line_items = lines.slice(0, 2).map((line) => ({ ...line, quantity: 1 }))
    const answer = await refund(id, { line_items, shipping: true })
    expect(answer.body, answer.text).toMatchObject({
      refund: {
        amount: 6_000,
        tax_amount: 1_000,
        line_items: [
          { net_amount: 5_000, tax_amount: 1_000 },
          { net_amount: 0, tax_amount: 0 },
          { net_amount: 0, tax_amount: 0 },
        ],
      },
    })
  })

  it('with all lines of a sale, once', async () => {
    const { id, lines } = await sold([PAID, GIFT], FREE_SHIPPING)
    const answer = await refund(id, { line_items: lines })
    expect(answer.body, answer.text).toMatchObject({ amount_refunded: 6_000 })
    expect((await refund(id, { line_items: lines })).body['reason']).toBe('refund_exceeds_remaining')
    expect((await refund(id, { line_items: [lines[1]] })).body['errors']).toMatchObject([
      { path: 'line_items[0]', message: expect.stringContaining('came back in an earlier refund') },
    ])
  })

  it('alone, piece by piece', async () => {
    const { id, lines } = await sold([PAID, { ...GIFT, quantity: 2 }])
    const piece = { line_items: [{ ...lines[1], quantity: 1 }] }
    for (const _ of [1, 2])
      expect((await refund(id, piece)).body).toMatchObject({ refund: { amount: 0 }, amount_refunded: 0 })
    expect((await refund(id, piece)).body['errors']).toMatchObject([{ path: 'line_items[0].quantity' }])
    expect((await refund(id, { rest: true })).body).toMatchObject({ refund: { amount: 6_000 } })
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('whole, so that no piece of it is left', async () => {
    const { id, lines } = await sold([PAID, { ...GIFT, quantity: 2 }])
    expect((await refund(id, { line_items: [lines[1]] })).status).toBe(200)
    const answer = await refund(id, { line_items: [{ ...lines[1], quantity: 1 }] })
    expect(answer.body['errors']).toMatchObject([
      { path: 'line_items[0].quantity', message: expect.stringContaining('must be at most 0') },
    ])
  })

  it.each([{}, { quantity: 1 }])('once, if many ask at once: %o', async (more) => {
    const { id, lines } = await sold([PAID, GIFT])
    expect((await refund(id, { amount: 1 })).status).toBe(200)
    const asked = { line_items: [{ ...lines[1], ...more }] }
    const answers = await Promise.all([1, 2, 3].map(() => refund(id, asked)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    const { body } = await call('GET', `/v1/transactions/${id}`, { key })
    expect(body['refunds']).toHaveLength(2)
  })

  it.each([
    ['the rest', () => ({ rest: true })],
    ['all lines', (lines: object[]) => ({ line_items: lines })],
  ])('so a free order is cancelled in the books, by %s', async (_, asked) => {
    const { id, lines } = await sold([GIFT], FREE_SHIPPING)
    const answer = await refund(id, asked(lines))
    expect(answer.body, answer.text).toMatchObject({ status: 'refunded', refund: { amount: 0 } })
    expect((await refund(id, asked(lines))).body['reason']).toBe('refund_exceeds_remaining')
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('also if lines of several rates come to 0: each tax goes back', async () => {
    const net = { amount: 10_000, product_type: 'physical_goods' }
    const { id, lines } = await sold([net, { amount: -12_000, product_type: 'gift_card' }])
    const answer = await refund(id, { rest: true })
    expect(answer.body, answer.text).toMatchObject({
      refund: { amount: 0, tax_amount: 2_000, line_items: lines },
      tax_refunded: 2_000,
    })
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('but no line that was paid gives back 0', async () => {
    const { id, lines } = await sold([PAID])
    const answer = await refund(id, { line_items: [{ ...lines[0], amount: 0 }] })
    expect(answer.body['reason']).toBe('refund_exceeds_remaining')
  })
})

it('gives back the rest for all pieces of a line, after an amount as goodwill', async () => {
  const { id, lines } = await sold([PAID])
  expect((await refund(id, { amount: 865 })).status).toBe(200)
  const answer = await refund(id, { line_items: [{ ...lines[0], quantity: 1 }] })
  expect(answer.body, answer.text).toMatchObject({ refund: { amount: 5_135 }, amount_refunded: 6_000 })
})

it('says how to take back a completed sale that cannot be voided', async () => {
  const { id } = await sold([PAID])
  const answer = await call('POST', `/v1/transactions/${id}/void`, { key })
  expect(answer.body['message']).toContain('it is completed. Refund it instead')
})

it('says where to read the sale that has an external id', async () => {
  const sale = { ...FRENCH, line_items: [PAID], external_id: 'order-1' }
  await create(key, sale)
  const path = 'GET /v1/transactions/external/{external_id}'
  expect((await create(key, sale)).body['message']).toContain(path)
  const body = { transactions: [sale] }
  const { text } = await call('POST', '/v1/transactions/batch', { key, body })
  expect(text).toContain(path)
})

it('names a misspelt field beside the one that is missing', async () => {
  const { body } = await create(key, { ...FRENCH, line_items: [{ amount: 1, tax_code: '81100' }] })
  expect(body['message']).toBe(
    'line_items[0].product_type: is required; ' +
      'line_items[0].tax_code: is not a known field: did you mean product_type?',
  )
})
