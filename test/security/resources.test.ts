import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { newAccount } from '../support/account.ts'
import { requestTo } from '../support/requests.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

await loadTestData()
const { key } = await newAccount()

const SALE = {
  currency: 'EUR',
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 1_000, product_type: 'saas' }],
}
const MANY = 300_000

/** Texts on which a careless pattern takes quadratic time, or for ever. */
const LONG = [
  '0'.repeat(900_000),
  ' '.repeat(900_000),
  `DE${'1'.repeat(900_000)}`,
  `${'0'.repeat(50_000)}x`,
  `${'a'.repeat(450_000)}@${'b.'.repeat(200_000)}`,
  `https://${'a.'.repeat(400_000)}com`,
  'https://hooks.example.com/'.repeat(30_000),
  '-'.repeat(900_000),
  `${'2026-01-01T'.repeat(80_000)}Z`,
  'İ'.repeat(400_000),
]

/** Every text of a body, each in turn replaced by another. */
function* withText(value: unknown, text: string): Generator<unknown> {
  if (typeof value === 'string') yield text
  else if (Array.isArray(value)) {
    for (const [index, each] of value.entries())
      for (const other of withText(each, text)) yield value.with(index, other)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value))
      for (const other of withText(each, text)) yield { ...value, [name]: other }
  }
}

const writing = ROUTES.filter(({ body }) => body !== null).map((route) => ({
  route,
  name: `${route.method.toUpperCase()} ${route.path}`,
}))

/**
 * How many plain answers of the same moment fit into the time of one. At most 40 bodies do, if 80,000 unknown
 * fields are counted. A pattern of quadratic time takes that of 500 and more.
 */
const PLAIN_BODIES_MAX = 150
const PLAIN_QUERIES_MAX = 30

const LARGE = 'x'.repeat(900_000)
const plainBody = () => call('POST', '/v1/customers', { key, body: { name: LARGE } })
const plainQuery = () => call('GET', '/v1/rates?jurisdiction=DE', { key })

/**
 * A slow answer is compared with a plain one of the same moment, because the machine may have other work. A
 * moment that is slow for one of them alone passes, so both are measured up to five times.
 */
async function expectFast(
  work: () => Promise<unknown>,
  first_ms: number,
  plain = plainBody,
  most = PLAIN_BODIES_MAX,
) {
  let ms = first_ms
  let ratio = Infinity
  for (let tries = 0; tries < 5 && ratio >= most; tries += 1) {
    if (tries > 0) ms = (await timed(work)).ms
    // The clock of the runtime may stand still in between.
    ratio = Math.min(ratio, ms / Math.max((await timed(plain)).ms, 1))
  }
  expect(ratio).toBeLessThan(most)
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now()
  const result = await work()
  return { result, ms: performance.now() - started }
}

describe.each(writing)('$name', ({ route }) => {
  it('refuses a text of any length in any field, fast and in few words', { timeout: 60_000 }, async () => {
    const { method, path, body } = await requestTo(route, key)
    for (const text of LONG) {
      for (const sent of withText(body, text)) {
        const work = () => call(method, path, { key, body: sent })
        const { result, ms } = await timed(work)
        // Each item of a batch is refused alone, within an answer of 200.
        if (path.endsWith('/batch') && result.status === 200)
          expect(Object(result.body['summary']).failed).toBeGreaterThan(0)
        else expect([400, 404]).toContain(result.status)
        expect(result.text.length).toBeLessThan(10_000)
        await expectFast(work, ms)
      }
    }
  })

  it.each([
    [
      'so many unknown fields',
      () => Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 1])),
    ],
    ['a name of a field that is long', () => ({ ['k'.repeat(900_000)]: 1 })],
  ])('refuses %s, and names at most 20', async (_, make) => {
    const { method, path, body } = await requestTo(route, key)
    const work = () => call(method, path, { key, body: { ...Object(body), ...make() } })
    const { result, ms } = await timed(work)
    expect(result.status).toBe(400)
    expect(Object(result.body['errors']).length).toBeLessThanOrEqual(20)
    expect(result.text.length).toBeLessThan(10_000)
    await expectFast(work, ms)
  })
})

describe('a query', () => {
  it.each([
    '/v1/vat/format-check?vat_id=',
    '/v1/customers?email=',
    '/v1/customers?cursor=',
    '/v1/transactions?cursor=',
    '/v1/rates?jurisdiction=',
    '/v1/reports/filing?type=oss_union&period=',
    '/v1/reports/summary?to_date=2026-12-31&from_date=',
    '/v1/audit-events?resource_id=',
    '/v1/customers?limit=',
  ])('is refused fast with a long text: %s', async (path) => {
    for (const text of ['0'.repeat(14_000), 'a'.repeat(14_000), '2'.repeat(14_000), '-'.repeat(14_000)]) {
      const work = () => call('GET', path + text, { key })
      const { result, ms } = await timed(work)
      expect([400, 404]).toContain(result.status)
      expect(result.text.length).toBeLessThan(1_000)
      await expectFast(work, ms, plainQuery, PLAIN_QUERIES_MAX)
    }
  })

  it.each([
    ['/v1/reports/summary?from_date=0001-01-01&to_date=9999-12-31', 200],
    ['/v1/reports/summary?from_date=0000-01-01&to_date=9999-12-31&group_by=month', 200],
    ['/v1/reports/transactions?from_date=0001-01-01&to_date=9999-12-31', 200],
    ['/v1/transactions?from_date=0001-01-01&to_date=9999-12-31', 200],
    ['/v1/audit-events?from_date=0001-01-01&to_date=9999-12-31', 200],
    ['/v1/reports/summary?from_date=10000-01-01&to_date=10001-01-01', 400],
    ['/v1/reports/summary?from_date=-001-01-01&to_date=9999-12-31', 400],
    ['/v1/reports/summary?from_date=2026-02-29&to_date=9999-12-31', 400],
    ['/v1/reports/filing?type=oss_union&period=2026-Q9', 400],
    ['/v1/reports/filing?type=generic&period=9999', 200],
    ['/v1/customers?offset=999999999', 400],
    ['/v1/customers?limit=101', 400],
    ['/v1/rates?jurisdiction=DE&date=9999-12-31', 200],
  ])('over all of the calendar has a bounded cost: %s', async (path, status) => {
    const work = () => call('GET', path, { key })
    const { result, ms } = await timed(work)
    expect(result.status, result.text).toBe(status)
    await expectFast(work, ms, plainQuery, PLAIN_QUERIES_MAX)
  })
})

describe('a list that is too long', () => {
  const items = (text: string) => Array.from({ length: MANY }, () => text).join(',')

  it.each([
    [
      '/v1/calculate',
      `{"currency":"EUR","customer":{"address":{"country":"DE"}},"line_items":[${items('{}')}]}`,
    ],
    [
      '/v1/calculate',
      `{"currency":"EUR","seller":{"country":"DE","registrations":[${items('1')}]},"line_items":[]}`,
    ],
    ['/v1/transactions', `{"currency":"EUR","line_items":[${items('{}')}]}`],
    ['/v1/calculate/batch', `{"calculations":[${items('{}')}]}`],
    ['/v1/transactions/batch', `{"transactions":[${items('{}')}]}`],
    ['/v1/api-keys', `{"scopes":[${items('1')}]}`],
    ['/v1/webhooks', `{"url":"https://hooks.example.com/","events":[${items('1')}]}`],
    [
      '/v1/customers',
      `{"name":"x","metadata":{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(',')}}}`,
    ],
  ])('is refused by %s without a look at each of its items', async (path, raw) => {
    const work = () => call('POST', path, { key, raw })
    const { result, ms } = await timed(work)
    expect(result.status).toBe(400)
    expect(result.text.length).toBeLessThan(10_000)
    await expectFast(work, ms)
  })

  it('of calculations or sales is refused from 101 and 51', async () => {
    const refused = await call('POST', '/v1/calculate/batch', {
      key,
      body: { calculations: Array.from({ length: 101 }, () => SALE) },
    })
    expect(refused.body['errors']).toMatchObject([{ path: 'calculations' }])
    const sales = await call('POST', '/v1/transactions/batch', {
      key,
      body: { transactions: Array.from({ length: 51 }, () => SALE) },
    })
    expect(sales.body['errors']).toMatchObject([{ path: 'transactions' }])
  })
})

describe('a batch of which everything is wrong', () => {
  const line = { product_type: 1 }
  const sale = { line_items: Array.from({ length: 20 }, () => line) }

  it.each([
    ['/v1/calculate/batch', 'calculations', 100],
    ['/v1/transactions/batch', 'transactions', 50],
  ])(
    'lists 100 faulty fields and no more, and says of each item what was wrong: %s',
    async (path, field, length) => {
      const body = { [field]: Array.from({ length }, () => sale) }
      const answer = await call('POST', path, { key, body })
      const errors: { message: string; errors?: unknown[] }[] = Object(answer.body['results']).map(
        (result: object) => Object(result).error,
      )
      expect(errors).toHaveLength(length)
      expect(errors.flatMap((error) => error.errors ?? [])).toHaveLength(100)
      for (const { message } of errors) expect(message).toMatch(/: /)
      expect(answer.text.length).toBeLessThan(3 * JSON.stringify(body).length)
    },
  )
})

it('a batch reads few earlier versions of the data, whatever it names', async () => {
  const get = vi.spyOn(env.KV, 'get')
  const calculations = Array.from({ length: 100 }, (_, index) => ({
    ...SALE,
    data_version: `20260101T${String(index).padStart(9, '0')}Z`,
  }))
  const { body } = await call('POST', '/v1/calculate/batch', { key, body: { calculations } })
  expect(body['summary']).toMatchObject({ failed: 100 })
  expect(get.mock.calls.length).toBeLessThan(10)
})

it('takes a body of exactly 1 MiB, and not one byte more, whether its length is told or not', async () => {
  const start = '{"name":"'
  const body = (bytes: number) => `${start}${'x'.repeat(bytes - start.length - 2)}"}`
  const chunked = (text: string) => new Response(text).body?.pipeThrough(new TransformStream()) ?? text
  for (const wrap of [(text: string) => text, chunked]) {
    expect((await call('POST', '/v1/customers', { key, raw: wrap(body(1_048_576)) })).body['reason']).toBe(
      'invalid_request',
    )
    expect((await call('POST', '/v1/customers', { key, raw: wrap(body(1_048_577)) })).body['reason']).toBe(
      'body_too_large',
    )
  }
})

it('does not unpack what is sent packed', async () => {
  const packed = new Response(
    new Response(JSON.stringify({ name: 'x' })).body?.pipeThrough(new CompressionStream('gzip')),
  )
  const answer = await call('POST', '/v1/customers', {
    key,
    raw: await packed.arrayBuffer(),
    headers: { 'Content-Encoding': 'gzip' },
  })
  expect(answer.body['reason']).toBe('invalid_json')
})
