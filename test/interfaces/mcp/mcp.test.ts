import { createExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { app } from '../../../src/service/app.ts'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { RELEASE } from '../../../src/platform/release.ts'

await loadTestData()

type Reply = { status: number; headers: Headers; body: Record<string, unknown> | null }
type Result = {
  isError?: boolean
  content: [{ type: string; text: string }]
  structuredContent?: Record<string, unknown>
}

async function post(raw: string, headers: Record<string, string>): Promise<Reply> {
  const response = await exports.default.fetch('https://service.test/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': newAddress(), ...headers },
    body: raw,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

const say = (key: string, method: string, params: object = {}, more: Record<string, string> = {}) =>
  post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }), { Authorization: `Bearer ${key}`, ...more })

async function used(key: string, name: string, given: object = {}): Promise<Result> {
  const { status, body } = await say(key, 'tools/call', { name, arguments: given })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ jsonrpc: '2.0', id: 7 })
  return body?.['result'] as Result
}

type Tool = { name: string; inputSchema: object; annotations: object }

async function toolsOf(key: string): Promise<Tool[]> {
  const { body } = await say(key, 'tools/list')
  return (body as { result: { tools: Tool[] } }).result.tools
}

const SALE = {
  currency: 'EUR',
  seller: { country: 'DE', registrations: ['DE'] },
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 18_900, product_type: 'physical_goods', description: 'Desk lamp' }],
}

describe('an agent', () => {
  it('agrees on a version, and is told what the server has', async () => {
    const { key } = await newAccount()
    const { body } = await say(key, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} })
    expect(body?.['result']).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'tax-compliance', version: RELEASE },
    })
    const other = await say(key, 'initialize', { protocolVersion: '1999-01-01' })
    expect(other.body?.['result']).toMatchObject({ protocolVersion: '2025-11-25' })
    expect((await say(key, 'ping')).body?.['result']).toEqual({})
    const heard = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}', {
      Authorization: `Bearer ${key}`,
    })
    expect([heard.status, heard.body]).toEqual([202, null])
  })

  it('calculates with the reason of each line', async () => {
    const { key } = await newAccount()
    const { structuredContent, content } = await used(key, 'calculate_tax', SALE)
    expect(structuredContent).toMatchObject({ tax_amount: 3_591 })
    expect(content[0].text).toContain('Desk lamp')
    expect(content[0].text).toContain('19 % VAT of Germany')
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'is told that there is no argument %s',
    async (name) => {
      const { key } = await newAccount()
      const given = JSON.parse(`{"${name}":"1"}`)
      for (const [tool, more] of [
        ['calculate_tax', SALE],
        ['get_rates', { jurisdiction: 'DE' }],
        ['explain_sale', { id: 'txn_1' }],
      ] as const) {
        const { isError, content } = await used(key, tool, { ...more, ...given })
        expect([tool, isError, content[0].text]).toEqual([tool, true, expect.stringContaining(name)])
      }
    },
  )

  it('records a sale once, finds it, and explains it', async () => {
    const { key } = await newAccount()
    const recorded = await used(key, 'record_sale', { ...SALE, external_id: 'order-1' })
    const again = await used(key, 'record_sale', { ...SALE, external_id: 'order-1' })
    expect(again.isError).toBe(true)
    const found = await used(key, 'find_sales', { q: 'order-1' })
    expect(found.structuredContent?.['transactions']).toHaveLength(1)
    const id = recorded.structuredContent?.['id']
    const told = await used(key, 'explain_sale', { id })
    expect(told.content[0].text).toContain('Germany')
  })

  it('asks for rates, thresholds, nexus, obligations', async () => {
    const { key } = await newAccount()
    const rates = await used(key, 'get_rates', { jurisdiction: 'DE', product_type: 'books' })
    expect(rates.structuredContent).toMatchObject({ combined_rate: 0.07 })
    expect((await used(key, 'get_jurisdiction', { id: 'NO' })).content[0].text).toContain('threshold')
    expect((await used(key, 'get_nexus')).isError).toBeUndefined()
    expect((await used(key, 'list_obligations')).structuredContent).toHaveProperty('obligations')
  })

  it('is told which field is wrong', async () => {
    const { key } = await newAccount()
    const wrong = await used(key, 'calculate_tax', { ...SALE, line_items: [{ amount: 1.5 }] })
    expect(wrong.isError).toBe(true)
    expect(wrong.content[0].text).toContain('line_items')
    const missing = await used(key, 'explain_sale', {})
    expect(missing).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('id') }] })
    const unknown = await used(key, 'get_rates', { jurisdiction: 'DE', nothing: 1 })
    expect(unknown).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('nothing') }] })
    expect((await say(key, 'tools/call', { name: 'drop_books' })).body).toMatchObject({
      error: { code: -32602 },
    })
    expect((await say(key, 'resources/list')).body).toMatchObject({ error: { code: -32601 } })
  })
})

const VERSION = '2026-07-28'
const META = 'io.modelcontextprotocol/'
const META_OF_CLIENT = { [`${META}protocolVersion`]: VERSION, [`${META}clientCapabilities`]: {} }

/** A message of the revision without a handshake. `more` replaces its headers, and `''` leaves one out. */
async function sayAlone(key: string, method: string, params: object = {}, more: Record<string, string> = {}) {
  const name = 'name' in params ? { 'Mcp-Name': String(params.name) } : {}
  const headers = { 'MCP-Protocol-Version': VERSION, 'Mcp-Method': method, ...name, ...more }
  const kept = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
  return say(key, method, { _meta: META_OF_CLIENT, ...params }, kept)
}

describe('an agent without a handshake', () => {
  it('discovers what the server has, and keeps the list of tools', async () => {
    const { key } = await newAccount({ scopes: ['tax:read'] })
    const { status, body } = await sayAlone(key, 'server/discover')
    expect(status).toBe(200)
    expect(body?.['result']).toEqual({
      resultType: 'complete',
      supportedVersions: [VERSION, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: { tools: {} },
      instructions: expect.stringContaining('minor units'),
      ttlMs: 3_600_000,
      cacheScope: 'private',
      _meta: { [`${META}serverInfo`]: expect.objectContaining({ version: RELEASE }) },
    })
    const list = (await sayAlone(key, 'tools/list')).body?.['result']
    expect(list).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'private' })
    expect((list as { tools: Tool[] }).tools).toEqual(await toolsOf(key))
    const old = (await say(key, 'tools/list')).body?.['result']
    expect(Object.keys(old as object)).toEqual(['tools'])
  })

  it('uses a tool, and is told what was wrong with it', async () => {
    const { key } = await newAccount()
    const calculated = await sayAlone(key, 'tools/call', { name: 'calculate_tax', arguments: SALE })
    expect(calculated.body?.['result']).toMatchObject({
      resultType: 'complete',
      structuredContent: { tax_amount: 3_591 },
    })
    const encoded = { 'Mcp-Name': '=?base64?Y2FsY3VsYXRlX3RheA==?=' }
    const again = await sayAlone(key, 'tools/call', { name: 'calculate_tax', arguments: SALE }, encoded)
    expect(again.body).toMatchObject({ result: { structuredContent: { tax_amount: 3_591 } } })
    const wrong = await sayAlone(key, 'tools/call', { name: 'explain_sale', arguments: {} })
    expect(wrong.body?.['result']).toMatchObject({ resultType: 'complete', isError: true })
  })

  it('is refused by the code that the protocol has for it', async () => {
    const { key } = await newAccount()
    const refusals: [Promise<Reply>, number, number][] = [
      [sayAlone(key, 'ping'), 404, -32601],
      [sayAlone(key, 'initialize', { protocolVersion: VERSION }), 404, -32601],
      [sayAlone(key, 'tools/list', {}, { 'Mcp-Method': 'tools/call' }), 400, -32020],
      [sayAlone(key, 'tools/list', {}, { 'Mcp-Method': '' }), 400, -32020],
      [sayAlone(key, 'tools/list', {}, { 'MCP-Protocol-Version': '' }), 400, -32020],
      [sayAlone(key, 'tools/list', {}, { 'MCP-Protocol-Version': '2025-11-25' }), 400, -32020],
      [sayAlone(key, 'tools/call', { name: 'get_nexus' }, { 'Mcp-Name': 'get_rates' }), 400, -32020],
      [sayAlone(key, 'tools/call', { name: 'get_nexus' }, { 'Mcp-Name': '=?base64?*?=' }), 400, -32020],
      [sayAlone(key, 'tools/list', { _meta: {} }), 400, -32602],
      [sayAlone(key, 'tools/list', { _meta: { [`${META}protocolVersion`]: VERSION } }), 400, -32602],
    ]
    for (const [answer, status, code] of refusals)
      expect(await answer).toMatchObject({ status, body: { id: 7, error: { code } } })
  })

  it('is told which versions the server speaks', async () => {
    const { key } = await newAccount()
    const supported = expect.arrayContaining([VERSION, '2025-11-25'])
    const asked = (requested: unknown) => ({
      status: 400,
      body: { id: 7, error: { code: -32022, data: { supported, requested } } },
    })
    const later = { [`${META}protocolVersion`]: '2099-01-01', [`${META}clientCapabilities`]: {} }
    expect(await sayAlone(key, 'tools/list', { _meta: later })).toMatchObject(asked('2099-01-01'))
    const header = { 'MCP-Protocol-Version': '1999-01-01' }
    expect(await say(key, 'ping', {}, header)).toMatchObject(asked('1999-01-01'))
    const strange = { _meta: { [`${META}protocolVersion`]: { a: 1 } } }
    expect(await sayAlone(key, 'tools/list', strange)).toMatchObject(asked({ a: 1 }))
  })

  it('is told nothing without a key', async () => {
    for (const [method, params, more] of [
      ['server/discover', {}, {}],
      ['server/discover', {}, { 'MCP-Protocol-Version': '1999-01-01' }],
      ['tools/list', { _meta: {} }, {}],
      ['tools/call', { name: 'get_nexus' }, {}],
      ['tools/call', { name: 'get_nexus' }, { 'Mcp-Name': 'other' }],
    ] as const)
      expect([method, (await sayAlone('tcs_test_nothing', method, params, more)).status]).toEqual([
        method,
        401,
      ])
  })
})

describe('a key', () => {
  it('is needed for each message', async () => {
    for (const method of ['initialize', 'tools/list', 'tools/call', 'ping']) {
      const { status, headers } = await say('tcs_test_nothing', method, { name: 'get_nexus' })
      expect([method, status]).toEqual([method, 401])
      expect(headers.get('WWW-Authenticate')).toBe('Bearer')
    }
  })

  it('is needed before a message is told what is wrong with it', async () => {
    for (const params of [
      { name: 'drop_books' },
      { name: 'explain_sale', arguments: 'x' },
      { name: 'explain_sale', arguments: {} },
      { name: 'explain_sale', arguments: { id: '\ud800' } },
    ]) {
      const { status } = await say('tcs_test_nothing', 'tools/call', params)
      expect([params, status]).toEqual([params, 401])
    }
    for (const raw of ['{', '[]', '{"id":1}']) expect([raw, (await post(raw, {})).status]).toEqual([raw, 401])
  })

  it('that is missing is refused with 401, and beyond the limit of its address with 429', async () => {
    const headers = { 'CF-Connecting-IP': newAddress() }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_nexus' } }
    const replies: Reply[] = []
    for (let sent = 0; sent < 66; sent++) replies.push(await post(JSON.stringify(message), headers))
    expect([...new Set(replies.map(({ status }) => status))]).toEqual([401, 429])
    expect(replies.at(-1)?.headers.get('Retry-After')).toMatch(/^\d+$/)
  })

  it('beyond the limit of its tier gets 429 with Retry-After, also by a tool', async () => {
    const { key } = await newAccount()
    const limited = { ...env, RATE_LIMIT_ENTERPRISE: { limit: async () => ({ success: false }) } }
    const request = new Request('https://service.test/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_nexus","arguments":{}}}',
    })
    const response = await app.fetch(request, limited, createExecutionContext())
    expect([response.status, await response.json()]).toMatchObject([429, { reason: 'rate_limited' }])
    expect(response.headers.get('Retry-After')).toMatch(/^\d+$/)
  })

  it('sees the tools of its scopes, and uses no other', async () => {
    const { key } = await newAccount({ scopes: ['tax:read'] })
    const names = (await toolsOf(key)).map(({ name }) => name)
    expect(names).toEqual(['calculate_tax', 'get_rates', 'get_jurisdiction', 'validate_vat_id'])
    const refused = await used(key, 'record_sale', { ...SALE, external_id: 'order-2' })
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('scope') }] })
    expect((await used(key, 'get_nexus')).isError).toBe(true)
  })

  it('never reaches the sale of another account, or another path', async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    const recorded = await used(one.key, 'record_sale', { ...SALE, external_id: 'order-3' })
    const id = String(recorded.structuredContent?.['id'])
    expect((await used(other.key, 'explain_sale', { id })).isError).toBe(true)
    for (const path of [
      '..',
      '.',
      '../api-keys',
      `${id}/void`,
      `${id}?explain=false`,
      'a%2Fb',
      '',
      '\ud800',
      'txn_\udfff',
    ])
      expect((await used(one.key, 'explain_sale', { id: path })).isError, path).toBe(true)
    const { body } = await call('GET', `/v1/transactions/${id}`, { key: one.key })
    expect(body).toMatchObject({ status: 'completed' })
  })
})

describe('a message', () => {
  it('that is none is refused', async () => {
    const { key } = await newAccount()
    const auth = { Authorization: `Bearer ${key}` }
    for (const raw of [
      '{',
      '[]',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      '1',
      '{"id":1}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    ])
      expect([raw, (await post(raw, auth)).status]).toEqual([raw, 400])
    const large = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { x: 'a'.repeat(1_100_000) },
    })
    expect((await post(large, auth)).body).toMatchObject({ reason: 'body_too_large' })
    expect((await post('{}', { ...auth, 'Content-Type': 'text/plain' })).body).toMatchObject({
      reason: 'invalid_content_type',
    })
    expect((await say(key, 'ping', {}, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400)
    expect((await say(key, 'ping', {}, { Origin: 'https://elsewhere.example' })).status).toBe(403)
    const got = await exports.default.fetch('https://service.test/mcp', { headers: auth })
    expect([got.status, got.headers.get('Allow')]).toEqual([405, 'POST'])
    await got.text()
  })

  it('lists schemas that name each field, in less than 42 KB', async () => {
    const { key } = await newAccount()
    const tools = await toolsOf(key)
    expect(tools).toHaveLength(9)
    expect(JSON.stringify(tools).length).toBeLessThan(42_000)
    for (const { name, inputSchema, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect([name, annotations]).toEqual([
        name,
        expect.objectContaining({ readOnlyHint: name !== 'record_sale' }),
      ])
    }
  })
})
