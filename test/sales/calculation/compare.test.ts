import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount({ tier: 'enterprise' })
const sale = (compare: unknown) => ({
  currency: 'EUR',
  seller: { country: 'DE' },
  customer: { address: { country: 'DE' } },
  line_items: [
    { amount: 10_000, product_type: 'books' },
    { amount: 10_000, product_type: 'saas' },
  ],
  compare,
})
const post = (body: object, path = '/v1/calculate') => call('POST', path, { key, body })

it('compares the tax with that of another service, line by line', async () => {
  const lines = [{ tax_amount: 1_900 }, { tax_amount: 1_900 }]
  const { status, body } = await post(sale({ provider: 'other', tax_amount: 3_800, lines }))
  expect(status).toBe(200)
  expect(body['tax_amount']).toBe(2_600)
  expect(body['comparison']).toEqual({
    provider: 'other',
    tax_amount: 3_800,
    difference: -1_200,
    reason: 'product_rule',
    detail: 'The figures agree if all lines are taxed as general goods',
    lines: [
      {
        tax_amount: 1_900,
        difference: -1_200,
        reason: 'product_rule',
        detail: 'The figures agree if all lines are taxed as general goods',
      },
      { tax_amount: 1_900, difference: 0, reason: 'equal', detail: 'The figures agree' },
    ],
  })
})

it('has no comparison in the answer if none is asked for', async () => {
  expect((await post(sale(null))).body).not.toHaveProperty('comparison')
})

it.each([
  [
    'fewer lines than the sale',
    { provider: 'other', tax_amount: 1, lines: [{ tax_amount: 1 }] },
    'compare.lines',
  ],
  ['no figure', { provider: 'other' }, 'compare.tax_amount'],
  ['a fraction', { provider: 'other', tax_amount: 1.5 }, 'compare.tax_amount'],
])('refuses %s, and names the field', async (_, compare, path) => {
  const answer = await post(sale(compare))
  expect(answer.status).toBe(400)
  expect(answer.text).toContain(path)
})

it('compares within a batch, up to 500 lines', async () => {
  const one = sale({ provider: 'other', tax_amount: 2_600 })
  const answer = await post({ calculations: [one] }, '/v1/calculate/batch')
  expect(answer.text).toContain('"reason":"equal"')
  const long = { ...one, line_items: Array.from({ length: 300 }, () => one.line_items[0]) }
  const refused = await post({ calculations: [long, long] }, '/v1/calculate/batch')
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('at most 500 explained or compared lines')
})
