import { beforeAll, expect, it } from 'vitest'
import { loadTestData, request, testKey } from '../support/service-data.ts'

let key = ''
beforeAll(async () => {
  await loadTestData()
  key = await testKey('Shapes')
})

const cart = (postal_code: string) => ({
  currency: 'EUR',
  customer: { address: { country: 'FR', postal_code } },
  line_items: [{ amount: 1999, product_type: 'saas' }],
})

it('keeps the newest input and its answer alive, also beside requests without a body', async () => {
  await request(key, 'POST', '/v1/calculate', cart('75001'))
  const { body } = await request(key, 'POST', '/v1/calculate', cart('75002'))
  await request(key, 'GET', '/v1/metadata/product-types')
  expect(globalThis.newestInput).toMatchObject(cart('75002'))
  expect(globalThis.newestAnswer).toEqual(body)
})
