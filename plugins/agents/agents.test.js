import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client as ClientOfToday, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportBefore } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { TAX_URL, TAX_API_KEY } = process.env

const ME = { name: 'test', version: '1.0.0' }
const REVISION = '2026-07-28'

/** The official clients, with the version that each one agrees on. */
const CLIENTS = [
  {
    name: 'the client of the former revisions',
    connected: (key) => connect(new Client(ME), TransportBefore, key),
    version: undefined,
  },
  ...['legacy', 'auto', { pin: REVISION }].map((mode) => ({
    name: `the client of today, ${JSON.stringify(mode)}`,
    connected: (key) =>
      connect(new ClientOfToday(ME, { versionNegotiation: { mode } }), StreamableHTTPClientTransport, key),
    version: mode === 'legacy' ? '2025-11-25' : REVISION,
  })),
]

/** A connected client with a key. */
async function connect(client, Transport, key = TAX_API_KEY) {
  const headers = { Authorization: `Bearer ${key}` }
  await client.connect(new Transport(new URL('/mcp', TAX_URL), { requestInit: { headers } }))
  return client
}

const SALE = {
  currency: 'USD',
  seller: { country: 'US', region: 'NY', registrations: ['US-NY'] },
  customer: { address: { country: 'US', region: 'NY', postal_code: '10001', city: 'New York' } },
  line_items: [{ amount: 19_900, product_type: 'physical_goods', description: 'Lamp' }],
}

for (const { name, connected, version } of CLIENTS) {
  test(`${name} lists the tools, and each has a schema that it accepts`, async () => {
    const client = await connected()
    assert.equal(client.getNegotiatedProtocolVersion?.(), version)
    assert.equal(client.getServerVersion().name, 'tax-compliance')
    assert.match(client.getInstructions(), /minor units/)
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

  test(`${name} calculates a sale in New York City, records it once, and explains it`, async () => {
    const client = await connected()
    const call = (name, args) => client.callTool({ name, arguments: args })
    const calculated = await call('calculate_tax', SALE)
    assert.equal(calculated.structuredContent.tax_amount, 1_766)
    const external_id = `order-${randomUUID()}`
    const recorded = await call('record_sale', { ...SALE, external_id })
    assert.equal(recorded.structuredContent.tax_amount, 1_766)
    assert.equal((await call('record_sale', { ...SALE, external_id })).isError, true)
    const told = await call('explain_sale', { id: recorded.structuredContent.id })
    assert.match(told.content[0].text, /New York/)
    await client.close()
  })

  test(`${name} cannot connect with a wrong key`, async () => {
    await assert.rejects(connected('tcs_test_wrong'), /401|Unauthorized/i)
  })
}
