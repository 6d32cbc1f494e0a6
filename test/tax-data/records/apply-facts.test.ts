import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import type { Facts, Rate } from '../../../src/engine/book/facts.ts'
import { findRate, openRateBook } from '../../../src/engine/book/rate-book.ts'
import { applyFacts } from '../../../src/tax-data/records/apply-facts.ts'
import { publishRateBook, rateBookOfVersion } from '../../../src/tax-data/records/current-rate-book.ts'
import { readFactsOf } from '../../../src/tax-data/records/store.ts'
import { rateBookAt } from '../../support/books.ts'
import { loadTestData, request, testFacts, testKey } from '../../support/service-data.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

const FIRST = new Date('2026-11-20T00:00:00Z')
const LATER = new Date('2026-11-21T00:00:00Z')
const shipped = testFacts()

beforeEach(async () => {
  forgetAll()
  await env.DB.batch([
    env.DB.prepare('DELETE FROM facts'),
    env.DB.prepare('DELETE FROM later_facts'),
    env.DB.prepare('DELETE FROM data_versions'),
  ])
  for (const { name } of (await env.KV.list()).keys) await env.KV.delete(name)
})

function only(part: Partial<Facts>): Facts {
  const none = {
    jurisdictions: [],
    rates: [],
    product_rules: [],
    thresholds: [],
    postal_rules: [],
    consignment_limits: [],
    delivery_fees: [],
    exchange_rates: [],
    countries: [],
  }
  return { version: 'given', recorded_at: '', ...none, ...part }
}

function germanStandardRate(): Rate {
  return standardRateOf('DE', 'VAT')
}

function standardRateOf(country: string, tax_type: Rate['tax_type']): Rate {
  const rate = findRate(openRateBook(shipped), country, tax_type, 'standard', '2026-11-20')
  if (rate === undefined) throw new Error(`the shipped data has no rate of ${country}`)
  return rate
}

it('changes nothing if the same facts are given again', async () => {
  const first = await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  const again = await applyFacts(env.DB, shipped, LATER, 'shipped data')
  expect(first.added).toBeGreaterThan(2_000)
  expect(again).toEqual({
    version: null,
    added: 0,
    changed: 0,
    retired: 0,
    confirmed: first.added,
    reverified: 0,
  })
})

it('counts only given facts as confirmed', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  expect(await applyFacts(env.DB, only({ rates: [germanStandardRate()] }), LATER, 'collected')).toMatchObject(
    { confirmed: 1 },
  )
})

it('supersedes a corrected fact, and still replays the version before', async () => {
  const { version } = await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  const before = await readFactsOf(env.DB, version)
  await applyFacts(
    env.DB,
    only({ rates: [{ ...germanStandardRate(), rate_millionths: 200_000 }] }),
    LATER,
    'correction',
  )
  const now = await readFactsOf(env.DB, null)
  expect(now?.rates.find((rate) => rate.id === germanStandardRate().id)?.rate_millionths).toBe(200_000)
  expect(await readFactsOf(env.DB, version)).toEqual(before)
})

it('ends the open period if the next one begins', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  const next = {
    ...germanStandardRate(),
    id: 'rate:de:vat:standard:2027-01-01',
    rate_millionths: 210_000,
    effective_from: '2027-01-01',
  }
  await applyFacts(env.DB, only({ rates: [next] }), LATER, 'collected')
  const facts = await readFactsOf(env.DB, null)
  if (facts === null) throw new Error('no facts')
  const book = openRateBook(facts)
  expect(findRate(book, 'DE', 'VAT', 'standard', '2026-12-31')?.rate_millionths).toBe(190_000)
  expect(findRate(book, 'DE', 'VAT', 'standard', '2027-01-01')?.rate_millionths).toBe(210_000)
})

it('shows a new time of verification in the book published next, though no fact changed', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  await publishRateBook(env.DB, env.KV, new Date())
  await rateBookAt(env, FIRST)
  const verified = { ...germanStandardRate(), last_verified_at: '2026-11-21T00:00:00.000Z' }
  await applyFacts(env.DB, only({ rates: [verified] }), LATER, 'collected')
  await publishRateBook(env.DB, env.KV, new Date())
  forgetAll()
  const book = await rateBookAt(env, LATER)
  expect(book.facts.rates.find((rate) => rate.id === verified.id)?.last_verified_at).toBe(
    verified.last_verified_at,
  )
})

it('puts a book that KV lost back into KV', async () => {
  const { version } = await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  await publishRateBook(env.DB, env.KV, new Date())
  await env.KV.delete('ratebook5:now')
  await env.KV.delete(`ratebook5:${await env.KV.get('ratebook5:current')}`)
  await env.KV.delete(`ratebook5:${version}`)
  await rateBookAt(env, FIRST)
  expect(await env.KV.get(`ratebook5:${version}`)).not.toBeNull()
})

it('does not read D1 for a held book while KV is down', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  await publishRateBook(env.DB, env.KV, new Date())
  const book = await rateBookAt(env, FIRST)
  const KV = {
    get: () => Promise.reject(new Error('down')),
    getWithMetadata: () => Promise.reject(new Error('down')),
    put: () => Promise.reject(new Error('down')),
  } as unknown as KVNamespace
  expect(await rateBookAt({ ...env, KV }, LATER)).toBe(book)
})

it('never moves the pointer back if one read of it fails', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  await publishRateBook(env.DB, env.KV, new Date())
  const puts: string[] = []
  const KV = {
    getWithMetadata: () => Promise.reject(new Error('down')),
    get: (key: string) => (key === 'ratebook5:current' ? Promise.reject(new Error('down')) : env.KV.get(key)),
    put: (key: string) => {
      puts.push(key)
      return Promise.resolve()
    },
  } as unknown as KVNamespace
  await rateBookAt({ ...env, KV }, FIRST)
  expect(puts).not.toContain('ratebook5:current')
})

it('has no version with the name `current`', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  await publishRateBook(env.DB, env.KV, new Date())
  expect(await rateBookOfVersion(env, 'current')).toBeNull()
})

it('builds a missing book once for many first requests', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  let builds = 0
  const DB = new Proxy(env.DB, {
    get: (db, name) =>
      name === 'prepare'
        ? (sql: string) => {
            if (sql.includes('FROM facts')) builds += 1
            return db.prepare(sql)
          }
        : Reflect.get(db, name),
  })
  await Promise.all(Array.from({ length: 10 }, () => rateBookAt({ ...env, DB }, FIRST)))
  expect(builds).toBe(1)
})

it('refuses an impossible data version with an error of its own', async () => {
  await loadTestData()
  const { status, body } = await request(
    await testKey('replay'),
    'GET',
    '/v1/rates?jurisdiction=DE&data_version=current',
  )
  expect(body).toMatchObject({ reason: 'data_version_not_found' })
  expect(status).toBeLessThan(500)
})

it('shows an isolate later verifications, though no fact changed', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  await publishRateBook(env.DB, env.KV, FIRST)
  const before = await rateBookAt(env, FIRST)
  const seen_again = {
    ...shipped,
    rates: shipped.rates.map((rate) => ({ ...rate, last_verified_at: LATER.toISOString() })),
  }
  expect(await applyFacts(env.DB, seen_again, LATER, 'collector')).toMatchObject({
    version: null,
    changed: 0,
    added: 0,
  })
  await publishRateBook(env.DB, env.KV, LATER)
  const after = await rateBookAt(env, new Date(LATER.getTime() + 60_000))
  expect(after.version).toBe(before.version)
  expect(after.facts.rates[0]?.last_verified_at).toBe(LATER.toISOString())
})

it('never overwrites a fact with shipped data that was verified earlier', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  const [first] = shipped.rates
  if (first === undefined) throw new Error('the shipped data holds rates')
  const collected = {
    ...first,
    rate_millionths: first.rate_millionths + 10_000,
    last_verified_at: LATER.toISOString(),
  }
  expect(await applyFacts(env.DB, { ...shipped, rates: [collected] }, LATER, 'collector')).toMatchObject({
    changed: 1,
  })
  expect(await applyFacts(env.DB, shipped, new Date(LATER.getTime() + 60_000), 'shipped data')).toMatchObject(
    { version: null, changed: 0 },
  )
})

it.each([
  '{"version":',
  '[]',
  'null',
  '{"version":"x","texts":[],"tables":{"rates":{"columns":["id"],"rows":7}}}',
])('rebuilds from D1 a book that cannot be read in KV: %s', async (broken) => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  await publishRateBook(env.DB, env.KV, FIRST)
  await env.KV.put(`ratebook5:${await env.KV.get('ratebook5:current')}`, broken)
  expect((await rateBookAt(env, FIRST)).facts.rates).toHaveLength(shipped.rates.length)
})

it('retires a fact that is shipped under another id, and keeps what began after it', async () => {
  await applyFacts(env.DB, shipped, FIRST, 'shipped data')
  const old = standardRateOf('AU', 'GST')
  const collected = {
    ...old,
    id: 'rate:au:gst:standard:2027-01-01',
    rate_millionths: 210_000,
    effective_from: '2027-01-01',
  }
  await applyFacts(env.DB, only({ rates: [collected] }), new Date('2026-11-20T12:00:00Z'), 'collected')
  const longer = { ...old, id: 'rate:au:gst:standard:1999-01-01', effective_from: '1999-01-01' }
  const applied = await applyFacts(env.DB, only({ rates: [longer] }), LATER, 'shipped data', {
    retired: [old.id, 'rate:au:gst:standard:never'],
  })
  expect(applied).toMatchObject({ added: 1, changed: 0, retired: 1 })
  const facts = await readFactsOf(env.DB, null)
  const standard = facts?.rates.filter((rate) => rate.jurisdiction_id === 'AU')
  expect(standard?.filter(({ category }) => category === 'standard')).toMatchObject([
    { rate_millionths: 210_000, effective_from: '2027-01-01', effective_to: null },
    { id: longer.id, effective_to: '2026-12-31' },
  ])
  const again = await applyFacts(env.DB, only({}), LATER, 'shipped data', { retired: [old.id] })
  expect(again).toMatchObject({ version: null, retired: 0 })
})
