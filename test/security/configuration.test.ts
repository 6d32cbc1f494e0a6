import { exports } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { newAccount } from '../support/account.ts'
import { requestTo } from '../support/requests.ts'
import { call, newAddress } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { attempt, deliveriesOf, happen, letters, subscribe, SYNCED } from '../notices/subscribing.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
afterEach(() => {
  vi.restoreAllMocks()
})

await loadTestData()
const { key } = await newAccount()

/** As it comes, without what `call` adds. */
async function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return exports.default.fetch(`https://service.test${path}`, {
    method,
    redirect: 'manual',
    headers: { 'CF-Connecting-IP': newAddress(), ...headers },
  })
}

const paths = [...new Set(ROUTES.map(({ path }) => path.replace(/:\w+/g, 'x')))]
const PUBLIC = ['/', '/health', '/v1/status', '/status', '/jurisdictions', '/jurisdictions/DE']

describe.each(paths)('%s', (path) => {
  it.each(['OPTIONS', 'TRACE', 'PATCH', 'PROPFIND'])(
    'does not take %s, and echoes nothing',
    async (method) => {
      const response = await send(method, path, {
        Authorization: `Bearer ${key}`,
        'X-Secret': 'to be echoed',
        Origin: 'https://evil.example',
      })
      expect(response.status).toBe(404)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(await response.text()).not.toContain('to be echoed')
    },
  )

  it('has no twin that answers without a key, however its path is written', async () => {
    const [, , first = '', ...rest] = path.split('/')
    const tail = rest.length > 0 ? `/${rest.join('/')}` : ''
    for (const twin of [
      `/${path}`,
      `/v1//${first}${tail}`,
      `/V1/${first}${tail}`,
      `/v1/${first.toUpperCase()}${tail}`,
      `${path}/`,
      `${path};a=b`,
      `${path}.json`,
      `${path}.css`,
      `${path}%00`,
      `${path}%20`,
      `/v1;/${first}${tail}`,
      `/v1%2f${first}${tail}`,
      `/v1/%2e/${first}${tail}`,
      `/v1/x/%2e%2e/${first}${tail}`,
      `/status/..;${path}`,
      `/docs/..%2f..${path}`,
      `/v1/%${first.charCodeAt(0).toString(16)}${first.slice(1)}${tail}`,
    ]) {
      for (const method of ['GET', 'POST']) {
        const response = await send(method, twin)
        expect([401, 404], `${method} ${twin}`).toContain(response.status)
        expect(response.headers.get('Cache-Control'), twin).toBe('no-store')
      }
    }
  })
})

describe('caches', () => {
  it('may keep no answer to a request with a key, well or ill', async () => {
    for (const route of ROUTES) {
      const { method, path, body } = await requestTo(route, key)
      for (const Authorization of [`Bearer ${key}`, 'Bearer none']) {
        const response = await exports.default.fetch(`https://service.test${path}`, {
          method,
          headers: { Authorization, 'Content-Type': 'application/json', 'CF-Connecting-IP': newAddress() },
          ...(body !== undefined && method !== 'GET' && { body: JSON.stringify(body) }),
        })
        expect(response.headers.get('Cache-Control'), `${method} ${path}`).toBe('no-store')
        await response.body?.cancel()
      }
    }
  })

  it('may keep no refusal of a public page', async () => {
    const headers = { 'CF-Connecting-IP': '203.0.113.77' }
    let refused = await send('GET', '/status', headers)
    for (let index = 0; index < 130 && refused.status !== 429; index += 1)
      refused = await send('GET', '/status', headers)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Cache-Control')).toBe('no-store')
  })

  it.each(PUBLIC)('get the same %s whatever headers or query come with it', async (path) => {
    const plain = await send('GET', path)
    const steady = (text: string) =>
      text.replaceAll(
        /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[\d:.Z]*|"(latency_ms|duration_ms|\w+_ms)":\d+|"cached":\w+/g,
        '',
      )
    const text = steady(await plain.text())
    const dressed = await send('GET', `${path}?utm=<script>&callback=evil`, {
      Host: 'evil.example',
      Origin: 'https://evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-For': '127.0.0.1',
      'X-Original-URL': '/v1/account',
      'X-Rewrite-URL': '/v1/account',
      'X-HTTP-Method-Override': 'DELETE',
      'Accept-Language': 'evil',
      Accept: 'application/evil',
      Authorization: `Bearer ${key}`,
    })
    expect(dressed.status).toBe(plain.status)
    expect(steady(await dressed.text())).toBe(text)
    expect(dressed.headers.get('Vary')).toBe(plain.headers.get('Vary'))
  })
})

it('no answer invites pages of other origins', async () => {
  const asked = {
    Origin: 'https://evil.example',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': `${' '.repeat(50_000)}authorization`,
  }
  for (const [method, path] of [
    ['OPTIONS', '/v1/calculate'],
    ['GET', '/v1/account'],
    ['GET', '/v1/status'],
    ['GET', '/'],
  ] as const) {
    const { headers } = await send(method, path, { ...asked, Authorization: `Bearer ${key}` })
    for (const name of [
      'Access-Control-Allow-Origin',
      'Access-Control-Allow-Credentials',
      'Set-Cookie',
      'X-Powered-By',
      'Server',
    ])
      expect(headers.get(name), `${name} of ${path}`).toBeNull()
  }
})

it.each([
  '/__scheduled?cron=*+*+*+*+*',
  '/cdn-cgi/handler/scheduled',
  '/cdn-cgi/local/scheduled?cron=17+3+*+*+*',
  '/cdn-cgi/handler/queue',
  '/queue',
  '/scheduled',
  '/jobs',
  '/metrics',
  '/debug',
  '/admin',
  '/seed',
  '/.env',
  '/wrangler.toml',
  '/src/worker.ts',
  '/migrations',
  '/v1/admin',
  '/v1/jobs',
  '/v1/internal',
  '/graphql',
])('the Worker has no door at %s', async (path) => {
  for (const method of ['GET', 'POST'])
    expect((await send(method, path, { Authorization: `Bearer ${key}` })).status).toBe(404)
})

describe('a text of a caller', () => {
  const MARK = 'x-injected'

  it('comes back in no header', async () => {
    const body = {
      currency: 'EUR',
      customer: { address: { country: 'DE' } },
      line_items: [{ amount: 1, product_type: 'saas' }],
    }
    const external_id = `a\r\nSet-Cookie: ${MARK}=1`
    const headers = {
      'Idempotency-Key': MARK,
      'X-Request-Id': MARK,
      'X-Correlation-Id': MARK,
      traceparent: MARK,
    }
    const made = await call('POST', '/v1/transactions', { key, body: { ...body, external_id }, headers })
    expect(made.status, made.text).toBe(201)
    const found = await call('GET', `/v1/transactions/external/${encodeURIComponent(external_id)}`, { key })
    expect(found.body['external_id']).toBe(external_id)
    const missing = await call('GET', `/v1/transactions/external/${encodeURIComponent(`${MARK}\r\nX: 1`)}`, {
      key,
    })
    const csv = await send('GET', '/v1/reports/export?report=transactions&from_date=2026-01-01', {
      Authorization: `Bearer ${key}`,
    })
    expect(csv.headers.get('Content-Disposition')).toBe('attachment; filename="transactions.csv"')
    await csv.body?.cancel()
    for (const answer of [made, found, missing, csv])
      expect(JSON.stringify([...answer.headers])).not.toContain(MARK)
  })

  it('cannot be a header of its own: what careless code would cut to a line feed is refused', async () => {
    const answer = await call('POST', '/v1/customers', {
      key,
      body: { name: 'x' },
      headers: { 'Idempotency-Key': `aĊ${MARK}` },
    })
    expect(answer.body['reason']).toBe('idempotency_key_invalid')
  })

  it('stands in no header of what is sent to receivers', async () => {
    const subscription = await subscribe()
    const description = `${MARK}\r\nX-Evil: 1`
    await call('PUT', `/v1/webhooks/${subscription.id}`, { key: subscription.key, body: { description } })
    await happen(SYNCED, new Date())
    for (const { id } of await deliveriesOf(subscription.id)) await attempt(id, new Date())
    const received = await letters(subscription.host)
    expect(received).toHaveLength(1)
    expect(JSON.stringify(received)).not.toContain(MARK)
  })
})

it(
  'logs one line of JSON for a request, and of all that is sent and answered neither key, secret nor person',
  { timeout: 60_000 },
  async () => {
    const lines: string[] = []
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, level).mockImplementation(
        (...values: unknown[]) => void lines.push(values.map(String).join(' ')),
      )
    const account = await newAccount()
    const hidden = [
      account.key,
      'Bearer',
      'IE6388047V',
      'DE136695976',
      'ada@example.com',
      'Acme',
      'Unter den Linden',
      'whsec_',
      'hooks.example.com',
    ]
    const person = {
      name: 'Acme',
      email: 'ada@example.com',
      vat_id: 'DE136695976',
      address: { country: 'DE', line1: 'Unter den Linden 1' },
    }
    await call('POST', '/v1/customers', {
      key: account.key,
      body: { ...person, external_id: 'line one\n{"level":"forged"}' },
    })
    await call('GET', `/v1/customers?email=ada@example.com`, { key: account.key })
    await call('POST', '/v1/customers', {
      key: account.key,
      body: { ...person, email: 'ada@example.com and more' },
    })
    await call('GET', `/v1/transactions/external/${encodeURIComponent('forged\n{"level":"forged"}')}`, {
      key: account.key,
    })
    await call('GET', `/ada@example.com/${account.key}`)
    for (const route of ROUTES) {
      const { method, path, body } = await requestTo(route, account.key)
      const init = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
      const headers = { Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json' }
      const response = await exports.default.fetch(`https://service.test${path}`, {
        method,
        headers,
        ...init,
      })
      const text = await response.text()
      hidden.push(...(text.match(/tcs_(?:live|test)_[0-9A-Za-z]{38}|whsec_[\w+/]{43}=/g) ?? []))
    }
    expect(lines.length).toBeGreaterThan(ROUTES.length)
    for (const line of lines) {
      expect(line).not.toMatch(/[\r\n]/)
      expect(JSON.parse(line)).not.toHaveProperty('level', 'forged')
    }
    const all = lines.join('\n')
    for (const secret of hidden) expect(all).not.toContain(secret)
  },
)
