import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'

const path = '/v1/metadata/product-types/suggest'

it('suggests at most three types for a title, with the words that speak for each', async () => {
  const { key } = await newAccount()
  const suggest = async (title: string) =>
    (await call('GET', `${path}?description=${encodeURIComponent(title)}`, { key })).body['suggestions']
  expect(await suggest('Burr Coffee Grinders, black')).toEqual([
    { product_type: 'physical_goods', name: 'Physical goods', certainty: 'high', because: ['grinder'] },
    { product_type: 'groceries', name: 'Groceries', certainty: 'low', because: ['coffee'] },
  ])
  expect(await suggest('Gift')).toEqual([
    { product_type: 'physical_goods', name: 'Physical goods', certainty: 'low', because: [] },
  ])
})

it('refuses a description that is missing, empty or too long', async () => {
  const { key } = await newAccount()
  for (const query of ['', '?description=', `?description=${'a'.repeat(501)}`]) {
    const { status, body } = await call('GET', path + query, { key })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('description')
  }
})
