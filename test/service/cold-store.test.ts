import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Facts } from '../../src/engine/book/facts.ts'
import { applyFacts } from '../../src/tax-data/records/apply-facts.ts'
import { publishRateBook } from '../../src/tax-data/records/current-rate-book.ts'
import { forgetAll } from '../../src/platform/kit/memory.ts'
import { callWith, failing } from '../faults/faulty.ts'
import { newAccount } from '../support/account.ts'
import { loadTestData, testFacts } from '../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

type Entry = { name: string; value: string; metadata: unknown }

async function entriesOfKv(): Promise<Entry[]> {
  const { keys } = await env.KV.list()
  return Promise.all(
    keys.map(async ({ name }) => {
      const { value, metadata } = await env.KV.getWithMetadata(name)
      return { name, value: value ?? '', metadata }
    }),
  )
}

async function fillKv(entries: readonly Entry[]): Promise<void> {
  for (const { name } of (await env.KV.list()).keys) await env.KV.delete(name)
  for (const { name, value, metadata } of entries)
    await env.KV.put(name, value, metadata === null ? {} : { metadata })
}

const SALE = {
  currency: 'EUR',
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 10_000, product_type: 'saas' }],
}
const ASKED = [
  { method: 'POST', path: '/v1/calculate', body: { ...SALE, seller: { country: 'DE' } } },
  { method: 'GET', path: '/v1/rates?jurisdiction=DE', body: undefined },
  { method: 'POST', path: '/v1/transactions', body: SALE },
  { method: 'GET', path: '/v1/account', body: undefined },
  { method: 'GET', path: '/v1/metadata/coverage', body: undefined },
]

/** What an isolate answers first, when it knows nothing. */
async function coldAnswers(bindings = env) {
  const answers = []
  for (const request of ASKED) {
    forgetAll()
    const { status, body } = await callWith(bindings, key, request)
    answers.push({ path: request.path, status, tax: body['tax_amount'], rates: body['rates'] })
  }
  return answers
}

/** The shipped facts, but with another German standard rate. */
function withGermanRate(rate_millionths: number): Facts {
  const facts = testFacts()
  const rates = facts.rates.map((rate) =>
    rate.id.startsWith('rate:de:vat:standard:') ? { ...rate, rate_millionths } : rate,
  )
  return { ...facts, rates }
}

const whole = await entriesOfKv()
const expected = await coldAnswers()

describe('a cold isolate', () => {
  beforeEach(() => fillKv(whole))

  it('answers as ever when KV is empty, and fills it', async () => {
    await fillKv([])
    expect(await coldAnswers()).toEqual(expected)
    expect((await env.KV.list()).keys.length).toBeGreaterThan(0)
  })

  it('answers as ever when KV is away', async () => {
    expect(await coldAnswers({ ...env, KV: failing(env.KV) })).toEqual(expected)
  })

  it('answers as ever when each value of KV is cut short or nonsense', async () => {
    await fillKv(whole.map((entry) => ({ ...entry, value: entry.value.slice(0, -20) })))
    expect(await coldAnswers()).toEqual(expected)
    await fillKv(whole.map((entry) => ({ ...entry, value: '\u0000nonsense', metadata: { stamp: 7 } })))
    expect(await coldAnswers()).toEqual(expected)
  })

  it('answers by the data of yesterday when KV is a day old, says so, and goes on at the next version', async () => {
    const versionOf = async () => {
      forgetAll()
      const { status, body } = await callWith(env, key, ASKED[0] ?? { method: '', path: '', body: null })
      return { status, tax: body['tax_amount'], version: body['data_version'] }
    }
    const yesterday = await versionOf()
    const later = new Date(Date.now() + 1_000)
    await applyFacts(env.DB, withGermanRate(200_000), later, 'a correction')
    await publishRateBook(env.DB, env.KV, later)
    const today = await versionOf()
    expect(today).toMatchObject({ status: 200, tax: 2_000 })
    const fresh = await entriesOfKv()
    await fillKv(whole)
    expect(await versionOf()).toEqual(yesterday)
    await fillKv(fresh)
    expect(await versionOf()).toEqual(today)
  })
})
