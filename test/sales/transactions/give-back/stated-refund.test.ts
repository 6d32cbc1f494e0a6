import { describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../../scripts/verify/totals.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { keepAccountsIn } from '../../../support/shards.ts'

const { books } = keepAccountsIn(1)
await loadTestData()
const { key, account_id } = await newAccount()

const line = (amount: number, tax_amount: number, product_type = 'saas') => ({
  amount,
  tax_amount,
  product_type,
})
async function sale(...line_items: object[]) {
  const { body, text } = await call('POST', '/v1/transactions', {
    key,
    body: {
      customer: { address: { country: 'DE' } },
      currency: 'EUR',
      jurisdiction_id: 'DE',
      line_items,
    },
  })
  expect(body['id'], text).toBeDefined()
  const lines = body['line_items']
  return { id: String(body['id']), lines: Array.isArray(lines) ? lines.map((each) => String(each.id)) : [] }
}
const refund = (id: string, body: object) =>
  call('POST', `/v1/transactions/${id}/refund`, { key, body: { reason: 'returned', ...body } })

describe('a refund whose credit note states its tax', () => {
  it('has that tax, spread over all lines', async () => {
    const { id, lines } = await sale(line(10_000, 1_900), line(5_000, 350, 'books'))
    const said = await refund(id, { amount: 1_000, tax_amount: 100 })
    expect(said.body['refund']).toMatchObject({
      amount: 1_000,
      tax_amount: 100,
      line_items: [
        { id: lines[0], net_amount: 600, tax_amount: 84 },
        { id: lines[1], net_amount: 300, tax_amount: 16 },
      ],
    })
    const rest = await refund(id, { amount: 16_250 })
    expect(rest.body).toMatchObject({ amount_refunded: 17_250, tax_refunded: 2_250 })
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('has that tax on one line, and can be of tax alone', async () => {
    const { id, lines } = await sale(line(10_000, 1_900), line(5_000, 950))
    const said = await refund(id, { line_items: [{ id: lines[1], amount: 950, tax_amount: 950 }] })
    expect(said.body['refund']).toMatchObject({
      amount: 950,
      tax_amount: 950,
      line_items: [{ id: lines[1], net_amount: 0, tax_amount: 950 }],
    })
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('never exceeds the rest of the tax, nor of the amount without tax', async () => {
    const { id, lines } = await sale(line(10_000, 1_900))
    const tax = await refund(id, { amount: 3_000, tax_amount: 1_901 })
    expect(tax.body).toMatchObject({
      reason: 'refund_exceeds_remaining',
      errors: [{ path: 'tax_amount', message: 'must be at most 1900 (€19.00), the rest of the tax' }],
    })
    const net = await refund(id, { line_items: [{ id: lines[0], amount: 10_001, tax_amount: 0 }] })
    expect(net.body).toMatchObject({
      reason: 'refund_exceeds_remaining',
      errors: [
        {
          path: 'line_items[0].tax_amount',
          message: 'leaves 10001 (€100.01) without tax, of which 10000 (€100.00) is the rest',
        },
      ],
    })
    const alone = await refund(id, { line_items: [{ id: lines[0], tax_amount: 1 }] })
    expect(alone.body['message']).toBe('line_items[0]: give amount with tax_amount')
  })
})

describe('a refund of the rest', () => {
  it('gives back what is left, also beside another refund, and nothing twice', async () => {
    const { id } = await sale(line(10_000, 1_900), line(5_000, 350, 'books'))
    await refund(id, { amount: 250 })
    const answers = await Promise.all([refund(id, { rest: true }), refund(id, { amount: 1_000 })])
    const [rest, other] = answers
    expect(rest?.status).toBe(200)
    // Whichever came first, the sale is wholly refunded: the smaller one is refused if it came second.
    const left = other?.status === 200 ? 16_000 : 17_000
    expect(rest?.body['refund']).toMatchObject({ amount: left })
    const again = await refund(id, { rest: true })
    expect(again).toMatchObject({ status: 400, body: { errors: [{ path: 'rest' }] } })
    const { body } = await call('GET', `/v1/transactions/${id}`, { key })
    expect(body).toMatchObject({ total: 17_250, amount_refunded: 17_250, tax_refunded: 2_250 })
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it.each<[string, object]>([
    ['an amount', { amount: 100 }],
    ['the shipping', { shipping: true }],
  ])('is refused beside %s', async (_, more) => {
    const { id } = await sale(line(10_000, 1_900))
    const { status, body } = await refund(id, { rest: true, ...more })
    expect([status, body['errors']]).toMatchObject([400, [{ path: 'rest' }]])
  })
})
