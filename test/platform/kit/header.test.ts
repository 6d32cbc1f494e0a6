import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const SALE = {
  currency: 'EUR',
  customer: { address: { country: 'FR' } },
  line_items: [{ amount: 1999, product_type: 'saas' }],
}
const BLANKS = ' '.repeat(120_000)

describe('a header that is too long', () => {
  it.each([
    ['Content-Type', `application/json${BLANKS}x`],
    ['Authorization', `Bearer ${BLANKS}x`],
    ['Idempotency-Key', 'k'.repeat(17_000)],
  ])('%s is refused by its name', async (name, value) => {
    for (const [method, path] of [
      ['POST', '/v1/calculate'],
      ['POST', '/v1/transactions'],
      ['GET', '/v1/account'],
    ] as const) {
      const isRead = name === 'Authorization' || method === 'POST'
      // A calculation stores no answer, so it reads no Idempotency-Key.
      if (!isRead || (name === 'Idempotency-Key' && path === '/v1/calculate')) continue
      const body = method === 'POST' ? SALE : undefined
      const { status, body: answer } = await call(method, path, { key, body, headers: { [name]: value } })
      expect([path, status]).toEqual([path, 400])
      expect(answer).toMatchObject({
        error_code: 'VALIDATION_ERROR',
        reason: 'head_too_long',
        message: expect.stringContaining(name),
      })
    }
  })

  it('is refused by the public pages, too', async () => {
    const answer = await call('GET', '/v1/status', { headers: { 'CF-Connecting-IP': '1'.repeat(17_000) } })
    expect(answer.body).toMatchObject({ reason: 'head_too_long' })
  })
})

describe('a URL that is too long', () => {
  it.each(['/v1/transactions', '/v1/status'])('is refused at %s', async (path) => {
    const answer = await call('GET', `${path}?cursor=${'0'.repeat(17_000)}`, { key })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error_code: 'VALIDATION_ERROR', reason: 'head_too_long' })
  })
})

describe('a stranger at /mcp', () => {
  /** A body without a length, and how many of its parts were read. */
  function parts() {
    const read = { count: 0 }
    const body = new ReadableStream(
      {
        pull(controller) {
          read.count += 1
          controller.enqueue(new Uint8Array(65_536))
          if (read.count === 20) controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return { body, read }
  }

  const ask = async (headers: Record<string, string>, body: BodyInit = '{}') => {
    const response = await exports.default.fetch('https://service.test/mcp', {
      method: 'POST',
      headers,
      body,
    })
    return { status: response.status, headers: response.headers, body: await response.json<object>() }
  }

  it('is refused before the body is read', async () => {
    const { body, read } = parts()
    const headers = { 'Content-Type': 'application/json', 'CF-Connecting-IP': newAddress() }
    expect((await ask(headers, body)).status).toBe(401)
    // The platform asks for a first part by itself.
    expect(read.count).toBeLessThan(2)
  })

  it('is refused before its Content-Type is read', async () => {
    const headers = { 'Content-Type': `application/json${BLANKS}x`, 'CF-Connecting-IP': newAddress() }
    expect((await ask(headers)).status).toBe(401)
  })

  it('is told which of its headers is too long, if it has a key', async () => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const message = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
    const answer = await ask({ ...headers, 'MCP-Protocol-Version': 'v'.repeat(17_000) }, message)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      reason: 'head_too_long',
      message: expect.stringContaining('MCP-Protocol-Version'),
    })
  })

  it('is told to wait after too many tries, whatever the message', async () => {
    const headers = { 'Content-Type': 'application/json', 'CF-Connecting-IP': newAddress() }
    const message = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_nexus"}}'
    const statuses = new Set<number>()
    for (let count = 0; count < 70; count += 1) statuses.add((await ask(headers, message)).status)
    expect([...statuses]).toEqual([401, 429])
    expect((await ask(headers, message)).headers.get('Retry-After')).not.toBeNull()
  })
})
