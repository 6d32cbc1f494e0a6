import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { unchecked } from '../../../src/platform/database/databases.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>
type Sum = { currency: string; tax_amount: number }
type Returns = Body & { to: string; to_file: Sum[] }
type Due = { status: string; so_far: Sum[] }

const get = async (path: string, key: string): Promise<Body> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

const post = async (path: string, key: string, body: object): Promise<Body> => {
  const answer = await call('POST', path, { key, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** A day of so many days ago. */
const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** A German seller in the one-stop shop and in Texas. */
async function seller() {
  const account = await newAccount()
  const { key } = account
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  await post('/v1/registrations', key, { scheme: 'oss_union', valid_from: '2020-01-01' })
  await post('/v1/registrations', key, { jurisdiction_id: 'DE', valid_from: '2020-01-01' })
  return account
}

const sell = (key: string, country: string, amount: number, days_ago: number) =>
  created(key, {
    customer: { address: { country } },
    currency: 'EUR',
    transaction_date: day(days_ago),
    line_items: [{ amount, product_type: 'saas' }],
  })

/** The sums by currency of the returns whose periods have ended and that are not filed. */
function owed(dues: readonly Due[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { status, so_far } of dues)
    if (status === 'due' || status === 'overdue')
      for (const { currency, tax_amount } of so_far) sums[currency] = (sums[currency] ?? 0) + tax_amount
  return sums
}

describe('GET /v1/overview', () => {
  it('has the figures of the routes that show them alone, whatever was sold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            country: fc.constantFrom('DE', 'FR', 'IT'),
            amount: fc.integer({ min: 1, max: 1_000_000 }),
            days_ago: fc.integer({ min: 0, max: 280 }),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        async (sales) => {
          const { key } = await seller()
          for (const { country, amount, days_ago } of sales) await sell(key, country, amount, days_ago)
          const overview = await get('/v1/overview', key)
          const { to, to_file, overdue, due, open } = overview['returns'] as Returns
          const list = await get(`/v1/obligations?to=${to}&limit=100`, key)
          const dues = list['obligations'] as Due[]
          expect(list['total']).toBeLessThanOrEqual(100)
          const count = (status: string) => dues.filter((each) => each.status === status).length
          expect([overdue, due, open]).toEqual([count('overdue'), count('due'), count('open')])
          expect(Object.fromEntries(to_file.map((sum) => [sum.currency, sum.tax_amount]))).toEqual(owed(dues))
          const { months, rows } = overview['tax_by_month'] as {
            months: string[]
            rows: { currency: string; net_tax: number }[]
          }
          const summary = await get(
            `/v1/reports/summary?from_date=${months[0]}-01&to_date=${String(overview['as_of'])}`,
            key,
          )
          const [total = { net_tax: 0 }] = summary['totals'] as { net_tax: number }[]
          expect(rows.reduce((sum, { net_tax }) => sum + net_tax, 0)).toBe(total.net_tax)
          const latest = await get('/v1/transactions?limit=5', key)
          expect(overview['transactions']).toEqual(latest['transactions'])
        },
      ),
      { numRuns: 4 },
    )
  })

  it('counts a threshold of the next year that the sales of this year have passed', async () => {
    const { key } = await seller()
    await created(key, {
      customer: { address: { country: 'US', region: 'FL', postal_code: '33101' } },
      currency: 'USD',
      line_items: [{ amount: 12_000_000, product_type: 'physical_goods' }],
    })
    expect((await get('/v1/overview', key))['nexus']).toMatchObject({
      exceeded: 0,
      approaching: 1,
      first: [{ jurisdiction_id: 'US-FL', status: 'below', next_period: { status: 'exceeded' } }],
    })
  })

  it('shows what the key may read, and names the scopes that it lacks', async () => {
    const { account_id } = await seller()
    const { key } = await newAccount({ scopes: ['webhooks:read'] })
    const { body } = await call('GET', '/v1/overview', { key })
    expect(body).toMatchObject({
      account: null,
      returns: null,
      nexus: null,
      certificates: null,
      webhooks: { total: 0, troubled: [] },
      tax_by_month: null,
      transactions: null,
      setup: [
        { step: 'profile', done: false },
        { step: 'registration', done: false },
        { step: 'first_sale', done: null },
        { step: 'webhook', done: false },
      ],
    })
    expect(body['missing']).toContainEqual({
      part: 'returns',
      reason: 'missing_scope',
      message: 'The API key lacks the scope reports:read',
    })
    expect((body['missing'] as Body[]).length).toBe(6)
    expect(JSON.stringify(body)).not.toContain(account_id)
  })

  it('shows the rest if one part cannot be read, and says which', async () => {
    const { key } = await seller()
    await get('/v1/overview', key)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const prepare = env.DB.prepare.bind(env.DB)
    const broken = vi.spyOn(env.DB, 'prepare').mockImplementation((sql) => {
      if (sql.includes('FROM registrations') && sql.includes('filing_frequency')) throw new Error('D1_ERROR')
      return prepare(sql)
    })
    const overview = await get('/v1/overview', key)
    broken.mockRestore()
    expect(overview).toMatchObject({
      returns: null,
      nexus: { exceeded: 0 },
      missing: [{ part: 'returns', reason: 'internal_error' }],
    })
  })

  it('names the webhooks that fail or are disabled, and only those', async () => {
    const { key } = await seller()
    const url = 'https://hooks.example.com/overview'
    await post('/v1/webhooks', key, { url, events: ['*'] })
    const { id } = await post('/v1/webhooks', key, { url, events: ['rate.updated'] })
    await call('PUT', `/v1/webhooks/${String(id)}`, { key, body: { status: 'disabled' } })
    expect((await get('/v1/overview', key))['webhooks']).toMatchObject({
      total: 2,
      disabled: 1,
      failing: 0,
      troubled: [{ id }],
    })
  })

  it('counts all webhooks that fail or are disabled, and names those that are among many', async () => {
    const { key, account_id } = await seller()
    const insert = async (count: number, status: string, consecutive_failures: number) =>
      unchecked(books)
        .prepare(
          `WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ?4)
         INSERT INTO webhooks (id, account_id, url, events, status, secret, consecutive_failures,
           created_at, updated_at)
         SELECT 'wh_' || lower(hex(randomblob(13))), ?1, 'https://hooks.example.com/' || n, '["*"]', ?2, '', ?3,
           '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM each`,
        )
        .bind(account_id, status, consecutive_failures, count)
        .run()
    await insert(1, 'disabled', 0)
    await insert(2, 'active', 3)
    await insert(120, 'active', 0)
    const few = (await get('/v1/overview', key))['webhooks'] as Body & { troubled: Body[] }
    expect(few).toMatchObject({ total: 123, disabled: 1, failing: 2 })
    expect(few.troubled.map(({ status }) => status)).toEqual(['disabled', 'active', 'active'])
    await insert(110, 'disabled', 0)
    const many = (await get('/v1/overview', key))['webhooks'] as Body & { troubled: Body[] }
    expect(many).toMatchObject({ total: 233, disabled: 111, failing: 2 })
    expect(many.troubled).toHaveLength(100)
  })

  it.each(['3', '6', '12', '24'])('has a row for tax of the last %s months', async (count) => {
    const { key } = await seller()
    await sell(key, 'FR', 10_000, 40)
    await sell(key, 'DE', 10_000, 41)
    const { tax_by_month } = await get(`/v1/overview?months=${count}`, key)
    const { months, rows } = tax_by_month as { months: string[]; rows: Body[] }
    expect(months).toHaveLength(Number(count))
    expect(months.at(-1)).toBe(day(0).slice(0, 7))
    // All tax is of one law, so the groups are places.
    expect(rows.map(({ group, net_tax }) => `${String(group)} ${String(net_tax)}`).toSorted()).toEqual([
      'France 2000',
      'Germany 1900',
    ])
  })

  it('refuses other numbers of months by name', async () => {
    const { key } = await newAccount()
    const { status, body } = await call('GET', '/v1/overview?months=5', { key })
    expect(status).toBe(400)
    expect(body['errors']).toEqual([{ path: 'months', message: 'must be one of 3, 6, 12, 24' }])
  })
})

describe('GET /v1/api-keys/current', () => {
  it('says to any key what it may do', async () => {
    const { key } = await newAccount({ scopes: ['tax:read'], sandbox: true })
    expect(await get('/v1/api-keys/current', key)).toMatchObject({
      scopes: ['tax:read'],
      sandbox: true,
      account: null,
    })
    const { key: operator } = await newAccount()
    expect(await get('/v1/api-keys/current', operator)).toMatchObject({
      scopes: ['*', 'platform:write', 'operator'],
      account: { attention: [] },
    })
  })
})
