import { expect, it } from 'vitest'
import { send } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from './asking.ts'

await loadTestData()
const shop = await newShop({
  registrations: ['US-NY', 'US-CA', 'DE'],
  profile: { region: 'NY', postal_code: '10001' },
})
const { key } = shop

it.each(['/v2/customers/1/2/3', '/v2/nothing', '/v2', '/taxjar/v2/nothing'])(
  'answers the unknown path %s in the form of TaxJar',
  async (path) => {
    const said = await send('GET', path, { key })
    expect(said.status).toBe(404)
    expect(said.body).toEqual({
      status: 404,
      error: 'Not Found',
      detail: 'The path is none of the API: check the address, which must end before /v2',
    })
    expect(said.headers.get('X-Request-Id')).toMatch(/^req_/)
  },
)

it('answers a wrong method in the form of TaxJar, with those that the path accepts', async () => {
  const said = await send('DELETE', '/v2/taxes', { key })
  expect(said.body).toMatchObject({ status: 405, error: 'Method Not Allowed' })
  expect(said.status).toBe(405)
  expect(said.headers.get('Allow')).toBe('POST')
  expect((await send('DELETE', '/v1/calculate', { key })).body).toMatchObject({ error_code: 'NOT_FOUND' })
})

it('answers what the extension of Magento asks', async () => {
  const order = {
    to_country: 'US',
    to_state: 'NY',
    to_zip: '10001',
    shipping: 0,
    plugin: 'magento',
    customer_id: '',
    line_items: [{ id: 'sequence-1', quantity: 1, unit_price: 100, product_tax_code: '40030' }],
  }
  const taxes = await ask('POST', '/v2/magento/taxes', { key, body: order })
  expect(taxes.body).toEqual((await ask('POST', '/v2/taxes', { key, body: order })).body)
  const { addresses } = (await ask('GET', '/v2/nexus/addresses', { key })).body as { addresses: object[] }
  expect(addresses).toEqual([
    { id: expect.any(Number), country: 'DE', state: '', zip: '', city: '', street: '' },
    { id: expect.any(Number), country: 'US', state: 'CA', zip: '', city: '', street: '' },
    { id: expect.any(Number), country: 'US', state: 'NY', zip: '10001', city: '', street: '' },
  ])
})
