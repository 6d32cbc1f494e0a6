import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { WholeDb } from '../../../src/platform/database/databases.ts'
import { applyFacts } from '../../../src/tax-data/records/apply-facts.ts'
import {
  currentRateBook,
  heldRateBook,
  NoTaxData,
  publishRateBook,
  rateBookOfVersion,
} from '../../../src/tax-data/records/current-rate-book.ts'
import { packFacts, unpackFacts } from '../../../src/tax-data/records/packed-facts.ts'
import { readFactsOf } from '../../../src/tax-data/records/store.ts'
import type { Facts } from '../../../src/engine/book/facts.ts'
import { rateBookAt, readerAt } from '../../support/books.ts'
import { testFacts } from '../../support/service-data.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

const FIRST = new Date('2026-11-20T00:00:00.000Z')
const LATER = new Date('2026-11-21T00:00:00.000Z')

beforeEach(async () => {
  forgetAll()
  await env.DB.batch([
    env.DB.prepare('DELETE FROM facts'),
    env.DB.prepare('DELETE FROM later_facts'),
    env.DB.prepare('DELETE FROM data_versions'),
  ])
  for (const { name } of (await env.KV.list({ prefix: 'ratebook5:' })).keys) await env.KV.delete(name)
})

describe('facts in the database', () => {
  it('are the same after they are read', async () => {
    const facts = testFacts()
    const { version } = await applyFacts(env.DB, facts, FIRST, 'shipped')
    expect(version).toBe('20261120T000000000Z')
    const read = await readFactsOf(env.DB, null)
    if (read === null) throw new Error('no facts')
    // The facts of later countries have a table of their own, and come last.
    expect(inOneOrder(read)).toEqual(
      inOneOrder({ ...facts, version: version ?? '', recorded_at: FIRST.toISOString() }),
    )
  })

  it('are apart for countries that the releases before have no law for', async () => {
    await applyFacts(env.DB, testFacts(), FIRST, 'shipped')
    const count = async (table: 'facts' | 'later_facts') => {
      const sql = `SELECT count(*) AS n FROM ${table} WHERE content LIKE '%"jurisdiction_id":"CH"%'` as const
      return env.DB.prepare(sql).first<number>('n')
    }
    expect(await count('facts')).toBe(0)
    expect(await count('later_facts')).toBeGreaterThan(0)
  })

  it('move to the table of a later country with their place, and are read once', async () => {
    const facts = testFacts()
    const place = 'DE-X-BUESINGEN'
    const before = facts.jurisdictions.map((each) =>
      each.id === place ? { ...each, region: 'EU' as const } : each,
    )
    await applyFacts(env.DB, { ...facts, jurisdictions: before }, FIRST, 'shipped')
    await applyFacts(env.DB, facts, LATER, 'shipped')
    const read = await readFactsOf(env.DB, null)
    expect(read?.jurisdictions.filter(({ id }) => id === place).map(({ region }) => region)).toEqual(['CH'])
    const earlier = await readFactsOf(env.DB, '20261120T000000000Z')
    expect(earlier?.jurisdictions.filter(({ id }) => id === place).map(({ region }) => region)).toEqual([
      'EU',
    ])
  })

  it('stay the same, without a new version, if they are loaded again', async () => {
    await applyFacts(env.DB, testFacts(), FIRST, 'shipped')
    const before = await everyRow()
    expect(await applyFacts(env.DB, testFacts(), LATER, 'again')).toMatchObject({
      version: null,
      added: 0,
      changed: 0,
    })
    expect(await everyRow()).toEqual(before)
    expect(await versions()).toEqual(['20261120T000000000Z'])
  })

  it('are superseded by a correction, and the version before still replays to the byte', async () => {
    const { version } = await applyFacts(env.DB, testFacts(), FIRST, 'shipped')
    const before = JSON.stringify(await readFactsOf(env.DB, version))
    const corrected = await applyFacts(env.DB, withRate('DE', 200_000), LATER, 'correction')
    expect(corrected).toMatchObject({ version: '20261121T000000000Z', added: 0, changed: 1 })
    expect(germanRate(await readFactsOf(env.DB, null))).toBe(200_000)
    expect(JSON.stringify(await readFactsOf(env.DB, version))).toBe(before)
  })

  it('get a later verification in place, never an earlier one, and without a new version', async () => {
    await applyFacts(env.DB, verifiedAt('2026-11-20T00:00:00.000Z'), FIRST, 'shipped')
    await applyFacts(env.DB, verifiedAt('2026-11-21T00:00:00.000Z'), LATER, 'verified')
    await applyFacts(env.DB, verifiedAt('2026-11-19T00:00:00.000Z'), LATER, 'older')
    const facts = await readFactsOf(env.DB, null)
    expect(new Set(facts?.rates.map((rate) => rate.last_verified_at))).toEqual(
      new Set(['2026-11-21T00:00:00.000Z']),
    )
    expect(await versions()).toHaveLength(1)
  })

  it('are null for a version that does not exist', async () => {
    await applyFacts(env.DB, testFacts(), FIRST, 'shipped')
    expect(await readFactsOf(env.DB, '20200101T000000000Z')).toBeNull()
  })
})

describe('packed facts', () => {
  it('are the same after they are unpacked', () => {
    expect(unpackFacts(packFacts(testFacts())).facts).toEqual(testFacts())
  })

  it('are by place the facts of the whole list, in its order', () => {
    const { facts, by_place } = unpackFacts(packFacts(testFacts()))
    const ids = facts.jurisdictions.map(({ id }) => id).toReversed()
    for (const kind of ['rates', 'product_rules', 'thresholds'] as const) {
      const ofPlaces = new Map(ids.map((id) => [id, by_place[kind].get(id) ?? []]))
      const grouped = Map.groupBy<string, { jurisdiction_id: string }>(
        facts[kind],
        ({ jurisdiction_id }) => jurisdiction_id,
      )
      expect(grouped.size).toBeGreaterThan(10)
      for (const [id, own] of ofPlaces) {
        expect(by_place[kind].has(id)).toBe(grouped.has(id))
        // The same objects, however they are asked for.
        expect(own.length).toBe(grouped.get(id)?.length ?? 0)
        expect(own.every((fact, index) => fact === grouped.get(id)?.[index])).toBe(true)
      }
    }
  })
})

describe('the rate book', () => {
  it('throws NoTaxData if no version is recorded', async () => {
    await expect(rateBookAt(env, FIRST)).rejects.toBeInstanceOf(NoTaxData)
  })

  it('is in memory after it was read, and nothing is asked for thirty seconds', async () => {
    await load(testFacts(), FIRST)
    expect(heldRateBook(readerAt(env, FIRST))).toBeNull()
    const book = await rateBookAt(env, FIRST)
    const get = vi.spyOn(env.KV, 'get')
    const reader = readerAt(env, after(29_999))
    expect(heldRateBook(reader)).toBe(book)
    await reader.settled()
    expect(get).not.toHaveBeenCalled()
    get.mockRestore()
  })

  it('is compared behind one answer after thirty seconds, and the next one uses the newer', async () => {
    await load(testFacts(), FIRST)
    const book = await rateBookAt(env, FIRST)
    await load(withRate('DE', 200_000), LATER)
    const get = vi.spyOn(env.KV, 'get')
    const [first, second] = [readerAt(env, after(30_000)), readerAt(env, after(30_001))]
    expect([heldRateBook(first), heldRateBook(second)]).toEqual([book, book])
    await second.settled()
    expect(get.mock.calls).toEqual([['ratebook5:current']])
    get.mockRestore()
    await first.settled()
    expect(germanRate(heldRateBook(readerAt(env, after(30_002)))?.facts)).toBe(200_000)
  })

  it('is compared before the answer after a pause of five minutes', async () => {
    await load(testFacts(), FIRST)
    await rateBookAt(env, FIRST)
    await load(withRate('DE', 200_000), LATER)
    const reader = readerAt(env, after(300_000))
    expect(heldRateBook(reader)).toBeNull()
    expect(germanRate((await currentRateBook(reader)).facts)).toBe(200_000)
  })

  it('is read by a cold isolate in one step, and compared with its pointer behind the answer', async () => {
    await load(testFacts(), FIRST)
    const current = await env.KV.get('ratebook5:now')
    await load(withRate('DE', 200_000), LATER)
    // The location still has the book of before.
    await env.KV.put('ratebook5:now', current ?? '', { metadata: { stamp: '2020' } })
    const reader = readerAt(env, LATER)
    expect(germanRate((await currentRateBook(reader)).facts)).toBe(190_000)
    await reader.settled()
    expect(germanRate(heldRateBook(reader)?.facts)).toBe(200_000)
  })

  it('is read by its pointer if the current one in KV is broken or missing', async () => {
    await load(testFacts(), FIRST)
    for (const broken of ['{', null]) {
      if (broken === null) await env.KV.delete('ratebook5:now')
      else await env.KV.put('ratebook5:now', broken, { metadata: { stamp: '2020' } })
      forgetAll()
      expect(germanRate((await currentRateBook(readerAt(env, FIRST))).facts)).toBe(190_000)
    }
  })

  it('becomes the new version once that is published', async () => {
    await load(testFacts(), FIRST)
    expect(germanRate((await rateBookAt(env, FIRST)).facts)).toBe(190_000)
    await load(withRate('DE', 200_000), LATER)
    forgetAll()
    expect(germanRate((await rateBookAt(env, LATER)).facts)).toBe(200_000)
    expect(germanRate((await rateBookOfVersion(env, '20261120T000000000Z'))?.facts)).toBe(190_000)
  })

  it('is built from the database if the cache lost it, and is cached again', async () => {
    await load(testFacts(), FIRST)
    await env.KV.delete('ratebook5:20261120T000000000Z')
    await env.KV.delete('ratebook5:current')
    expect((await rateBookAt(env, FIRST)).version).toBe('20261120T000000000Z')
    expect(await env.KV.get('ratebook5:current')).toBe('20261120T000000000Z')
  })

  it('is built from the database while the cache fails', async () => {
    await load(testFacts(), FIRST)
    expect((await rateBookAt({ ...env, KV: brokenKv() }, FIRST)).version).toBe('20261120T000000000Z')
  })

  it('stays the same while both stores fail', async () => {
    await load(testFacts(), FIRST)
    const book = await rateBookAt(env, FIRST)
    expect(await rateBookAt({ ...env, KV: brokenKv(), DB: brokenDatabase() }, after(30_000))).toBe(book)
  })
})

async function load(facts: Facts, at: Date): Promise<void> {
  await applyFacts(env.DB, facts, at, 'test')
  await publishRateBook(env.DB, env.KV, new Date())
}

function after(ms: number): Date {
  return new Date(FIRST.getTime() + ms)
}

function isStandard(rate: Facts['rates'][number], id: string): boolean {
  return rate.jurisdiction_id === id && rate.category === 'standard' && rate.effective_to === null
}

function withRate(id: string, rate_millionths: number): Facts {
  const facts = testFacts()
  return {
    ...facts,
    rates: facts.rates.map((rate) => (isStandard(rate, id) ? { ...rate, rate_millionths } : rate)),
  }
}

function verifiedAt(last_verified_at: string): Facts {
  const facts = testFacts()
  return { ...facts, rates: facts.rates.map((rate) => ({ ...rate, last_verified_at })) }
}

function germanRate(facts: Facts | null | undefined): number | undefined {
  return facts?.rates.find((rate) => isStandard(rate, 'DE'))?.rate_millionths
}

async function everyRow(): Promise<unknown[]> {
  return (await env.DB.prepare('SELECT * FROM facts ORDER BY sequence').all()).results
}

async function versions(): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT version FROM data_versions ORDER BY version').all<{
    version: string
  }>()
  return results.map((row) => row.version)
}

function brokenKv(): KVNamespace {
  return new Proxy(env.KV, { get: () => () => Promise.reject(new Error('down')) })
}

function brokenDatabase(): WholeDb {
  return new Proxy(env.DB, {
    get: () => () => {
      throw new Error('down')
    },
  })
}

it('packs a record that has one field more than the first', () => {
  const facts = testFacts()
  const [first, ...others] = facts.exchange_rates
  if (first === undefined) throw new Error('the shipped data holds exchange rates')
  const extended = {
    ...facts,
    exchange_rates: [first, ...others.map((rate) => ({ ...rate, notes: 'more' }))],
  }
  const [, second] = unpackFacts(packFacts(extended)).facts.exchange_rates
  expect(second).toMatchObject({ notes: 'more' })
})

/** The facts with those of each kind in one order. */
function inOneOrder(facts: Facts): Record<string, unknown> {
  const entries = Object.entries(facts).map(([kind, of_kind]): [string, unknown] => [
    kind,
    Array.isArray(of_kind) ? of_kind.map(inOrderOfFields).toSorted() : of_kind,
  ])
  return Object.fromEntries(entries)
}

function inOrderOfFields(fact: object): string {
  return JSON.stringify(Object.entries(fact).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
