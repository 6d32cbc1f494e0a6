import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { app } from '../../src/service/app.ts'
import { publishRateBook } from '../../src/tax-data/records/current-rate-book.ts'
import { newAccount } from '../support/account.ts'
import { rateBookAt } from '../support/books.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { forgetAll } from '../../src/platform/kit/memory.ts'

await loadTestData()
const { key } = await newAccount({ tier: 'enterprise' })

afterEach(() => void vi.useRealTimers())

const PATHS = [
  '/v1/rates?jurisdiction=FR',
  '/v1/rates?country=US&postal_code=98101',
  '/v1/thresholds?region=EU',
  '/v1/metadata/product-types',
  '/v1/metadata/jurisdictions?region=EU',
  '/v1/metadata/jurisdictions/FR',
  '/v1/metadata/jurisdictions/FR/rates',
  '/v1/metadata/coverage?jurisdiction=FR',
  '/v1/metadata/sync-status',
  '/v1/addresses/countries',
  '/v1/addresses/regions/US',
]

async function ask(path: string, etag: string | null = null, used = key): Promise<Response> {
  const context = createExecutionContext()
  const headers = { Authorization: `Bearer ${used}`, ...(etag !== null && { 'If-None-Match': etag }) }
  const response = await app.fetch(new Request(`https://service.test${path}`, { headers }), env, context)
  await waitOnExecutionContext(context)
  return response
}

const etagOf = (response: Response) => response.headers.get('ETag') ?? ''

describe.each(PATHS)('GET %s', (path) => {
  it('has an ETag, and answers 304 without a body to a caller that has the answer', async () => {
    const first = await call('GET', path, { key })
    expect(first.status, first.text).toBe(200)
    const etag = first.headers.get('ETag') ?? ''
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/)
    const again = await ask(path, `"other", ${etag}`)
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect(etagOf(again)).toBe(etag)
    expect((await ask(path, '"other"')).status).toBe(200)
  })
})

describe('an answer that repeats', () => {
  const path = '/v1/rates?jurisdiction=DE'

  it('is the same but for the moment of the question', async () => {
    const first = await call('GET', path, { key })
    const second = await call('GET', path, { key })
    expect(second.text).toContain(first.text.slice(0, first.text.indexOf('"queried_at"')))
    expect(Number(new Date(String(second.body['queried_at'])))).toBeGreaterThanOrEqual(
      Number(new Date(String(first.body['queried_at']))),
    )
  })

  it('is refused to a wrong key, and to a key without the scope', async () => {
    await ask(path)
    expect((await ask(path, null, `${key}x`)).status).toBe(401)
    const { key: other } = await newAccount({ scopes: ['transactions:read'] })
    expect((await ask(path, null, other)).status).toBe(403)
  })

  it('is the answer of the day in the time zone of the account', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T11:30:00Z') })
    const days: unknown[] = []
    for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const account = await newAccount({ tier: 'enterprise' })
      await call('PUT', '/v1/account', { key: account.key, body: { time_zone } })
      for (const _ of [1, 2]) {
        const { date } = await (await ask(path, null, account.key)).json<{ date: string }>()
        days.push(date)
      }
    }
    expect(days).toEqual(['2026-11-23', '2026-11-23', '2026-11-22', '2026-11-22'])
  })

  it('is made again when the rate book has changed, with another ETag', async () => {
    const before = await ask(path)
    await env.DB.prepare(
      `UPDATE facts SET content = json_set(content, '$.rate_millionths', 210000)
       WHERE kind = 'rates' AND superseded_at IS NULL
         AND content ->> 'jurisdiction_id' = 'DE' AND content ->> 'category' = 'standard'`,
    ).run()
    await publishRateBook(env.DB, env.KV, new Date())
    forgetAll()
    await rateBookAt(env, new Date())
    const after = await ask(path, etagOf(before))
    expect(after.status).toBe(200)
    expect(etagOf(after)).not.toBe(etagOf(before))
    expect(await after.text()).toContain('"rate":0.21')
  })
})
