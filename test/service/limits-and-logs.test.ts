import { afterEach, expect, it, vi } from 'vitest'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { newAccount } from '../support/account.ts'
import { type Answer, call, send } from '../support/service.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('lets a free account make 10 requests a minute, whatever number of keys it has', async () => {
  const { key } = await newAccount({ tier: 'free', account: 'Free' })
  const { key: second } = await newAccount({ account: 'Free' })
  const { key: other } = await newAccount({ tier: 'free' })
  const answers = []
  for (let index = 0; index < 21; index += 1)
    answers.push(await call('GET', '/v1/account', { key: index % 2 === 0 ? key : second }))
  const refused = answers.filter(({ status }) => status === 429)
  // The minute of the wall clock may end in the middle: then two windows of 10 were used.
  expect(refused.length).toBeGreaterThanOrEqual(1)
  for (const { headers, body } of refused) {
    expect(body).toMatchObject({ error_code: 'RATE_LIMIT_EXCEEDED', reason: 'rate_limited' })
    expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60)
    expect(headers.get('RateLimit-Policy')).toBe('"free";q=10;w=60')
  }
  expect((await call('GET', '/v1/account', { key: other })).status).toBe(200)
})

it('counts what the console reads apart, and what it writes with all else', async () => {
  const { key } = await newAccount({ tier: 'free' })
  const headers = { 'X-Client': 'console' }
  for (let index = 0; index < 30; index += 1) {
    const answer = await call('GET', '/v1/account', { key, headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('RateLimit-Policy')).toBe('"console";q=120;w=60')
  }
  const writes = []
  for (let index = 0; index < 21; index += 1)
    writes.push(await call('PUT', '/v1/account', { key, headers, body: { name: 'Acme' } }))
  // The shop of the account was not stopped by the reads, and is not by the writes of another account.
  expect(writes[0]?.status).toBe(200)
  expect(writes[0]?.headers.get('RateLimit-Policy')).toBe('"free";q=10;w=60')
  expect(new Set(writes.map(({ status }) => status))).toEqual(new Set([200, 429]))
})

it('counts large files against the tier, also those that the console reads', async () => {
  const headers = { 'X-Client': 'console' }
  const files = ROUTES.filter(({ sends_file }) => sends_file === 'large').map(({ path }) =>
    path.replace(':id', 'none'),
  )
  expect(files.length).toBeGreaterThanOrEqual(3)
  for (const file of files) {
    const { key } = await newAccount({ tier: 'free' })
    const { headers: answered } = await send('GET', file, { key, headers })
    expect([file, answered.get('RateLimit-Policy')]).toEqual([file, '"free";q=10;w=60'])
  }
  const { key } = await newAccount({ tier: 'free' })
  const answers = []
  for (let index = 0; index < 21; index += 1)
    answers.push(await call('GET', '/v1/exemptions/none/document', { key, headers }))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]))
  // The books are still there to be read.
  expect((await call('GET', '/v1/account', { key, headers })).status).toBe(200)
})

it('says how to batch when it refuses a sale, and only then', async () => {
  const { key } = await newAccount({ tier: 'free' })
  for (const [path, method, says] of [
    ['/v1/transactions', 'POST', true],
    ['/v1/transactions', 'GET', false],
    ['/v1/calculate', 'POST', false],
  ] as const) {
    const refused = []
    for (let index = 0; index < 21; index += 1) {
      const answer = await call(method, path, { key, ...(method === 'POST' && { body: {} }) })
      if (answer.status === 429) refused.push(answer.body)
    }
    expect(refused.length).toBeGreaterThanOrEqual(1)
    const message = String(refused[0]?.['message'])
    expect(message).toContain('More than 10 requests a minute')
    expect([path, message.includes('POST /v1/transactions/batch records up to 50 sales')]).toEqual([
      path,
      says,
    ])
  }
})

it('limits what the console reads', async () => {
  const { key } = await newAccount({ tier: 'free' })
  const headers = { 'X-Client': 'console' }
  const answers = []
  for (let index = 0; index < 241; index += 1)
    answers.push(await call('GET', '/v1/api-keys/current', { key, headers }))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(1)
  expect(refused[0]?.body['message']).toContain('More than 120 requests a minute')
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
})

it('limits failed authentication by client address, and leaves the account of a good key alone', async () => {
  const headers = { 'CF-Connecting-IP': '192.0.2.7' }
  const { key } = await newAccount()
  expect((await call('GET', '/v1/account', { key, headers })).status).toBe(200)
  const answers = []
  for (let index = 0; index < 121; index += 1) answers.push(await call('GET', '/v1/account', { headers }))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
  holdAddressPolicy(answers)
  expect((await call('GET', '/v1/account', { key, headers })).status).toBe(200)
})

it('limits what needs no key by client address, and tells the quota', async () => {
  const headers = { 'CF-Connecting-IP': '192.0.2.8' }
  const answers = []
  for (let index = 0; index < 121; index += 1) answers.push(await call('GET', '/v1/status', { headers }))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  holdAddressPolicy(answers)
})

it('counts requests for which the key lacks the scope', async () => {
  const { key } = await newAccount({ tier: 'free', scopes: ['tax:read'] })
  const statuses = []
  for (let index = 0; index < 21; index += 1)
    statuses.push((await call('GET', '/v1/account', { key })).status)
  expect(new Set(statuses)).toEqual(new Set([403, 429]))
})

function holdAddressPolicy(answers: readonly Answer[]): void {
  for (const { headers } of answers) {
    expect(headers.get('RateLimit-Policy')).toBe('"address";q=60;w=60')
    expect(headers.get('RateLimit-Remaining')).toBeNull()
  }
}

it('writes one line a request, with what an operator needs and without secrets or content', async () => {
  const { key, account_id } = await newAccount()
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(line))
  vi.spyOn(console, 'error').mockImplementation((line: string) => lines.push(line))
  const answer = await call('PUT', '/v1/account', {
    key,
    body: { name: 'Line one\nLine "two"', vat_id: 'DE136695976' },
  })
  const made = await call('POST', '/v1/api-keys', { key, body: { scopes: ['*'], name: 'ada@example.com' } })
  await call('GET', '/v1/registrations?limit=secret', { key })
  await call('GET', '/v1/account', { key: `${key}x` })
  await call('GET', `/v1/nothing/${key}`)
  await call('GET', '/health')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    request_id: answer.headers.get('X-Request-Id'),
    method: 'PUT',
    route: '/v1/account',
    status: 200,
    account_id,
    reason: null,
    duration_ms: expect.any(Number),
    release: answer.headers.get('X-Release'),
  })
  expect(lines).toHaveLength(6)
  const all = lines.join('\n')
  for (const secret of [
    key,
    String(made.body['key']),
    'ada@example.com',
    'DE136695976',
    'Line one',
    'limit=secret',
    'Bearer',
  ])
    expect(all).not.toContain(secret)
})

it('tells nothing of what went wrong inside', async () => {
  const { key } = await newAccount()
  await call('GET', '/v1/account', { key })
  const { env } = await import('cloudflare:workers')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
    throw new Error('D1_ERROR: no such column: secret_column')
  })
  const answer = await call('GET', '/v1/account', { key })
  expect(answer.status).toBe(500)
  expect(answer.body).toMatchObject({ error_code: 'INTERNAL_ERROR', reason: 'internal_error' })
  expect(answer.text).not.toContain('secret_column')
})
