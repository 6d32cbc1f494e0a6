import { expect, it } from 'vitest'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

async function sale(...references: (string | null)[]): Promise<string> {
  const { body, text } = await call('POST', '/v1/transactions', {
    key,
    body: {
      customer: { address: { country: 'DE' } },
      seller: { country: 'DE' },
      currency: 'EUR',
      line_items: references.map((reference, index) => ({
        amount: 10_000 * (index + 1),
        product_type: 'saas',
        quantity: 2,
        reference,
      })),
    },
  })
  expect(body['id'], text).toBeDefined()
  return String(body['id'])
}

const refund = (id: string, ...line_items: object[]) =>
  call('POST', `/v1/transactions/${id}/refund`, { key, body: { reason: 'returned', line_items } })

it('takes the lines by the references that the shop gave them', async () => {
  const id = await sale('line-1', 'line-2')
  const one = await refund(id, { reference: 'line-2', quantity: 1 })
  expect(one.body, one.text).toMatchObject({ amount_refunded: 11_900, tax_refunded: 1_900 })
  const rest = await refund(id, { reference: 'line-1' }, { reference: 'line-2' })
  expect(rest.body, rest.text).toMatchObject({ amount_refunded: 35_700, tax_refunded: 5_700 })
})

it('refuses a reference that no line or several lines have, and refunds nothing', async () => {
  const id = await sale('a', 'b', 'b', null)
  for (const [line, path, message] of [
    [{ reference: 'c' }, 'line_items[0].reference', /^is of no line of this transaction$/],
    [{ reference: '' }, 'line_items[0].reference', /^is of no line of this transaction$/],
    [{ reference: 'b' }, 'line_items[0].reference', /^is of several lines: give an id, such as li_/],
    [{ reference: 'a', id: 'li_1' }, 'line_items[0]', /^give either id or reference$/],
    [{ quantity: 1 }, 'line_items[0]', /^give either id or reference$/],
  ] as const) {
    const refused = await refund(id, line)
    expect(refused.body['errors'], refused.text).toEqual([{ path, message: expect.stringMatching(message) }])
  }
  const twice = await refund(id, { reference: 'a' }, { reference: 'a' })
  expect(twice.text).toContain('is named twice')
  const { body } = await call('GET', `/v1/transactions/${id}`, { key })
  expect(body).toMatchObject({ status: 'completed', amount_refunded: 0 })
})
