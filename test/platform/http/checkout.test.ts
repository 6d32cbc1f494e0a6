import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { expect, it } from 'vitest'
import * as office from '../../../src/service/app.ts'
import { ROUTES } from '../../../src/interfaces/routes.ts'
import { checkout } from '../../../src/service/checkout.ts'
import { ROUTE_GROUPS } from '../../../src/service/route-groups.ts'
import { newAccount } from '../../support/account.ts'
import { groupsAtHand } from '../../support/route-groups.ts'
import { loadTestData } from '../../support/service-data.ts'

/** More requests without a key than an address may send. */
const UNLIMITED = { ...env, RATE_LIMITS: 'off' }

type Sent = { status: number; headers: Headers; text: string }

/** A new isolate. `imported`: the parts that it has imported, in their order. */
function start() {
  const imported: string[] = []
  const { fetch } = checkout(
    groupsAtHand((serves) => imported.push(serves)),
    async () => {
      imported.push('office')
      return office
    },
  )
  const request = async (method: string, path: string) =>
    fetch(
      new Request(`https://tax.test${path}`, { method: method.toUpperCase() }),
      UNLIMITED,
      createExecutionContext(),
    )
  const ask = async (method: string, path: string) => (await request(method, path)).status
  const send = async (path: string, init: RequestInit): Promise<Sent> => {
    const context = createExecutionContext()
    const sent = await fetch(
      new Request(`https://tax.test${path}`, { method: 'POST', ...init }),
      env,
      context,
    )
    await waitOnExecutionContext(context)
    return { status: sent.status, headers: new Headers(sent.headers), text: await sent.text() }
  }
  return { ask, request, send, imported }
}

it.each(ROUTES.map(({ method, path }) => [method, path] as const))(
  'answers %s %s without the office, and a calculation without any group',
  async (method, path) => {
    const { ask, imported } = start()
    expect(await ask(method, path)).toBe(401)
    expect(await ask(method, path)).toBe(401)
    expect(imported).not.toContain('office')
    expect(imported.length).toBe(path.startsWith('/v1/calculate') ? 0 : 1)
  },
)

it('answers a calculation as Hono does, to which an empty query leads', async () => {
  const { key } = await newAccount()
  await loadTestData()
  const { send } = start()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const good = { currency: 'EUR', seller: { country: 'DE' }, customer: { address: { country: 'FR' } } }
  const sale = { ...good, line_items: [{ amount: 1_000, product_type: 'saas' }] }
  const requests: RequestInit[] = [
    { headers, body: JSON.stringify(sale) },
    { headers, body: JSON.stringify({ ...sale, curency: 'EUR' }) },
    { headers, body: '{' },
    { headers: { ...headers, 'Content-Type': 'text/plain' }, body: '{}' },
    { headers: { 'Content-Type': 'application/json' }, body: '{}' },
  ]
  const seen = []
  for (const init of requests) {
    const answers = [await send('/v1/calculate', init), await send('/v1/calculate?', init)]
    const [directly, byHono] = await Promise.all(answers.map(withoutIds))
    expect(directly).toEqual(byHono)
    seen.push(answers[0]?.status)
  }
  expect(seen).toEqual([200, 400, 400, 400, 401])
})

async function withoutIds({ status, headers, text }: Sent) {
  headers.delete('X-Request-Id')
  return { status, headers: [...headers], text: text.replaceAll(/req_\w+|\d{4}-[\dT:.-]+Z/g, '') }
}

it('imports each part once, and serves what it served before', async () => {
  const { ask, imported } = start()
  for (const path of ['/v1/rates', '/v1/thresholds']) expect(await ask('get', path)).toBe(401)
  expect(await ask('post', '/v1/transactions/batch')).toBe(401)
  for (const path of ['/v1/customers', '/v1/rates', '/nowhere', '/v1/thresholds'])
    expect(await ask('get', path)).toBe(path === '/nowhere' ? 404 : 401)
  expect(await ask('post', '/v1/transactions')).toBe(401)
  expect(await ask('post', '/v1/calculate')).toBe(401)
  const [rules, sales, customers, ...others] = imported
  expect([rules, sales, customers]).toEqual(
    ['rates', 'POST', 'customers'].map((name) => expect.stringContaining(name)),
  )
  expect(others).toEqual(['office'])
})

it('adds a group once, for requests that come at the same time', async () => {
  const { ask } = start()
  const paths = [
    '/v1/transactions',
    '/v1/transactions/batch',
    '/v1/transactions/x/refund',
    '/v1/transactions/x/y',
  ]
  expect(await Promise.all(paths.map((path) => ask('post', path)))).toEqual([401, 401, 401, 404])
})

it('lets the office answer a method that a route does not have', async () => {
  const [calculation, rates] = [
    await start().request('get', '/v1/calculate'),
    await start().request('post', '/v1/rates'),
  ]
  const sales = await start().request('put', '/v1/transactions')
  expect(sales.headers.get('Allow')?.split(', ').toSorted()).toEqual(['GET', 'POST'])
  expect(calculation.headers.get('Allow')).toBe('POST')
  expect(rates.headers.get('Allow')).toBe('GET')
})

it('has all routes that one path could match in one group, so the order of loading decides nothing', () => {
  const groupOf = (asked: string) => ROUTE_GROUPS.findIndex(({ serves }) => serves.test(asked))
  const routes = ROUTES.map(({ method, path }) => ({ method: method.toUpperCase(), path }))
  for (const one of routes)
    for (const other of routes) {
      const path = one.method === other.method ? commonPath(one.path, other.path) : null
      if (path === null) continue
      const groups = [path, one.path, other.path].map((each) => groupOf(`${one.method} ${each}`))
      expect(new Set(groups).size, `${one.path} and ${other.path}`).toBe(1)
    }
})

/** A path that both patterns match; null: there is none. */
function commonPath(one: string, other: string): string | null {
  const [parts, others] = [one.split('/'), other.split('/')]
  if (parts.length !== others.length) return null
  const common = parts.map((part, index) => {
    const its = others[index] ?? ''
    if (part.startsWith(':')) return its
    return its.startsWith(':') || its === part ? part : null
  })
  return common.includes(null) ? null : common.join('/')
}

it('finds the customer with the reference of a route, whatever was loaded before', async () => {
  const { key } = await newAccount()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const customer = { external_id: 'exemptions', address: { country: 'DE' } }
  expect((await start().send('/v1/customers', { headers, body: JSON.stringify(customer) })).status).toBe(201)
  for (const before of [null, '/v1/customers', '/v1/customers/cust_1/exemptions', '/nowhere']) {
    const { send } = start()
    if (before !== null) await send(before, { method: 'GET', headers })
    const { status, text } = await send('/v1/customers/external/exemptions', { method: 'GET', headers })
    expect(status, `after ${before}: ${text}`).toBe(200)
  }
})

it('answers a fault of a route in the form of the service that is asked', async () => {
  const group = ROUTE_GROUPS.find(({ serves }) => serves.test('GET /v2/taxes'))
  const load = () => Promise.reject(new Error('no such part'))
  const { fetch } = checkout(group === undefined ? [] : [{ ...group, load }], async () => office)
  const asked = new Request('https://tax.test/v2/taxes', { method: 'POST' })
  const response = await fetch(asked, UNLIMITED, createExecutionContext())
  expect(response.status).toBe(500)
  expect(Object.keys(await response.json())).toEqual(['status', 'error', 'detail'])
})
