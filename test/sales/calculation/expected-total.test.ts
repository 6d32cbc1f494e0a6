import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const sale = (line: object, more: object = {}) => ({
  currency: 'EUR',
  seller: { country: 'DE' },
  customer: { address: { country: 'DE' } },
  line_items: [{ product_type: 'physical_goods', ...line }],
  ...more,
})
async function notesOf(body: object): Promise<string> {
  const { status, body: answer, text } = await call('POST', '/v1/calculate', { key, body })
  expect(status, text).toBe(200)
  return (answer['notes'] as string[]).filter((note) => note.startsWith('expected_total')).join()
}

describe('expected_total', () => {
  it('changes nothing if it is the total', async () => {
    expect(await notesOf(sale({ amount: 10_000 }, { expected_total: 11_900 }))).toBe('')
    expect(await notesOf(sale({ amount: 10_000 }))).toBe('')
  })

  it.each([
    ['amounts in major units', { amount: 20 }, { expected_total: 2_380 }, /2380 \(€23\.80\).*major units/],
    [
      'major units itself',
      { amount: 2_000 },
      { expected_total: 24 },
      /expected_total looks like major units/,
    ],
    ['prices with tax', { amount: 11_900 }, { expected_total: 11_900 }, /send tax_behavior: inclusive/],
    [
      'prices without tax',
      { amount: 10_000, tax_behavior: 'inclusive' },
      { expected_total: 11_900 },
      /send tax_behavior: exclusive/,
    ],
    ['shipping that is left out', { amount: 10_000 }, { expected_total: 12_495 }, /has no shipping_cost/],
    [
      'shipping that was not expected',
      { amount: 10_000 },
      { expected_total: 11_900, shipping_cost: { amount: 500 } },
      /the expected one is without it/,
    ],
    ['something else', { amount: 10_000 }, { expected_total: 9_000 }, /compare the lines/],
  ])('names %s', async (_, line, more, said) => {
    const note = await notesOf(sale(line, more))
    expect(note).toMatch(said)
    expect(note).toMatch(/^expected_total is \d+ \(€[\d,.]+\), and the total is \d+ \(€[\d,.]+\): /)
  })

  it('is told with a recorded sale, also in a batch, and is no error', async () => {
    const body = sale({ amount: 20 }, { expected_total: 2_380 })
    const told = { notes: [expect.stringContaining('major units')], total: 24 }
    const recorded = await call('POST', '/v1/transactions', { key, body })
    expect(recorded).toMatchObject({ status: 201, body: told })
    const batch = await call('POST', '/v1/transactions/batch', { key, body: { transactions: [body] } })
    expect(batch.body['results']).toMatchObject([{ data: told }])
    const shown = await call('GET', `/v1/transactions/${String(recorded.body['id'])}`, { key })
    expect(shown.body['notes']).toBeUndefined()
    const right = await call('POST', '/v1/transactions', { key, body: { ...body, expected_total: 24 } })
    expect(right.body['notes']).toBeUndefined()
  })
})

describe('a discount on a sale with a negative line', () => {
  const cart = (discount_amount: number, lines: [number, string][], more: object = {}) =>
    call('POST', '/v1/calculate', {
      key,
      body: {
        ...sale({}, more),
        discount_amount,
        line_items: lines.map(([amount, product_type]) => ({ amount, product_type })),
      },
    })

  it('is at most what the lines come to, and shipping takes no part in it', async () => {
    const lines: [number, string][] = [
      [10_000, 'physical_goods'],
      [-2_000, 'physical_goods'],
    ]
    expect((await cart(8_000, lines)).body).toMatchObject({ total: 0 })
    const answer = await cart(8_001, lines, { shipping_cost: { amount: 500 } })
    expect(answer.body).toMatchObject({
      reason: 'discount_exceeds_amount',
      message: expect.stringMatching(/sum of the lines, 8000\. Shipping is not discounted/),
    })
  })

  it('is shared as if the coupon were a discount of its line', async () => {
    const credited = await cart(1_000, [
      [6_000, 'physical_goods'],
      [-6_000, 'physical_goods'],
      [4_000, 'books'],
    ])
    expect(credited.body).toMatchObject({
      line_items: [{ discount: 0 }, { discount: 0 }, { discount: 1_000 }],
      tax_amount: 210,
    })
  })
})
