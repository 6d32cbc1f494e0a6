import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { TAX_URL, TAX_API_KEY } = process.env

/** A connected client with a key. */
async function connected(key = TAX_API_KEY) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', TAX_URL), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  )
  return client
}

const SALE = {
  currency: 'USD',
  seller: { country: 'US', region: 'NY', registrations: ['US-NY'] },
  customer: { address: { country: 'US', region: 'NY', postal_code: '10001', city: 'New York' } },
  line_items: [{ amount: 19_900, product_type: 'physical_goods', description: 'Lamp' }],
}

test('the official client lists the tools, and each has a schema that it accepts', async () => {
  const client = await connected()
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    [
      'calculate_tax',
      'explain_sale',
      'find_sales',
      'get_rates',
      'get_jurisdiction',
      'get_nexus',
      'list_obligations',
      'validate_vat_id',
      'record_sale',
    ],
  )
  for (const { inputSchema } of tools) assert.equal(inputSchema.type, 'object')
  await client.close()
})

test('a sale in New York City is calculated, recorded once, and explained', async () => {
  const client = await connected()
  const call = (name, args) => client.callTool({ name, arguments: args })
  const calculated = await call('calculate_tax', SALE)
  assert.equal(calculated.structuredContent.tax_amount, 1_766)
  const external_id = `order-${Date.now()}`
  const recorded = await call('record_sale', { ...SALE, external_id })
  assert.equal(recorded.structuredContent.tax_amount, 1_766)
  assert.equal((await call('record_sale', { ...SALE, external_id })).isError, true)
  const told = await call('explain_sale', { id: recorded.structuredContent.id })
  assert.match(told.content[0].text, /New York/)
  await client.close()
})

test('a wrong key cannot connect', async () => {
  await assert.rejects(connected('tcs_test_wrong'), /401|Unauthorized/i)
})
