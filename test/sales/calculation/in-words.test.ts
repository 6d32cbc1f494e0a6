import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

type InWords = { lines: { sentence: string; badge: string; steps: { step: string }[] }[] }

const SALE = {
  seller: { country: 'DE', registrations: ['DE'] },
  customer: { address: { country: 'DE', postal_code: '10115' } },
  currency: 'EUR',
  line_items: [
    { amount: 18_900, product_type: 'physical_goods', description: 'Desk lamp' },
    { amount: 1_000, product_type: 'books' },
  ],
  shipping_cost: { amount: 500 },
}

it('tells each line of an explained calculation in words, the shipping last', async () => {
  const { key } = await newAccount()
  const { body, status, text } = await call('POST', '/v1/calculate', {
    key,
    body: { ...SALE, explain: true },
  })
  expect(status, text).toBe(200)
  const { lines } = body['in_words'] as InWords
  expect(lines).toHaveLength(3)
  expect(lines[0]?.sentence).toMatch(
    /^Desk lamp · €189\.00 · 19 % VAT of Germany = €35\.91 · standard rate, .*\(.*art\. 3[1-3].*\)$/,
  )
  expect(lines[1]?.sentence).toMatch(/^Books · €10\.00 · 7 % VAT of Germany = €0\.70 · reduced rate, /)
  expect(lines.map(({ badge }) => badge).slice(0, 2)).toEqual(['Standard rate', 'Reduced rate'])
  expect(lines[0]?.steps.map(({ step }) => step)).not.toContain('tax')
})

it('leaves the words out unless they are asked for', async () => {
  const { key } = await newAccount()
  expect((await call('POST', '/v1/calculate', { key, body: SALE })).body).not.toHaveProperty('in_words')
})
