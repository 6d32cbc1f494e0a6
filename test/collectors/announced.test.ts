import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Collector, Finding } from '../../collectors/collector.ts'
import { rateBookAt } from '../support/books.ts'
import { findRate } from '../../src/engine/book/rate-book.ts'
import { request, testKey } from '../support/service-data.ts'
import { collect, facts, NOW, shipData } from './collecting.ts'

const DOCUMENT = { body: 'A page that is as long as pages are at least. '.repeat(10), type: 'text/html' }

/** A collector whose one source says just this. */
function saying(...findings: Finding[]): Collector {
  const publication = {
    source: 'A gazette',
    source_url: 'https://gazette.example/',
    url: 'https://gazette.example/',
    variable: 'SOURCE_GAZETTE' as const,
    request: (url: string) => ({ url, accept: 'text/html' }),
    read: () => findings,
  }
  return {
    region: 'EU',
    parts: [{ name: 'Gazette', alternatives: [publication], expected: [], bounds: {} }],
  }
}

let minute = 0

async function published(...findings: Finding[]): Promise<void> {
  // A version of the data is called by its time, and an isolate keeps those that it has seen.
  const now = new Date(NOW.getTime() + (minute += 1) * 60_000)
  const { run } = await collect(saying(...findings), { SOURCE_GAZETTE: DOCUMENT }, { now, accept: true })
  expect(run).toMatchObject({ outcome: 'applied', error: null })
  // An isolate looks for a newer book every half minute.
  await rateBookAt(env, new Date(Date.now() + 60_000))
}

const rate = (rate_millionths: number, effective_from: string | null): Finding => ({
  kind: 'rates',
  jurisdiction_id: 'DE',
  tax_type: 'VAT',
  category: 'standard',
  rate_millionths,
  effective_from,
  evidence: 'From the new year the rate is …',
})

async function germanPeriods() {
  const { rates } = await facts()
  return rates
    .filter(({ jurisdiction_id, category }) => jurisdiction_id === 'DE' && category === 'standard')
    .toSorted((a, b) => (a.effective_from < b.effective_from ? -1 : 1))
}

describe('a change that is announced', () => {
  beforeEach(shipData)

  it('of a rate takes effect by itself on its day', async () => {
    await published(rate(200_000, '2027-01-01'))
    const key = await testKey('announced-rate')
    const rateOn = async (day: string) =>
      (await request(key, 'GET', `/v1/rates?jurisdiction=DE&date=${day}`)).text
    expect(await rateOn('2026-12-31')).toContain('"rate":0.19,')
    expect(await rateOn('2026-12-31')).not.toContain('"rate":0.2,')
    expect(await rateOn('2027-01-01')).toContain('"rate":0.2,')
    expect(await rateOn('2027-01-01')).not.toContain('"rate":0.19,')
    const book = await rateBookAt(env, new Date(Date.now() + 120_000))
    expect(
      ['2026-12-31', '2027-01-01'].map(
        (day) => findRate(book, 'DE', 'VAT', 'standard', day)?.rate_millionths,
      ),
    ).toEqual([190_000, 200_000])
  })

  it('of a threshold takes effect by itself on its day', async () => {
    await published({
      kind: 'thresholds',
      jurisdiction_id: 'US-TX',
      threshold_type: 'REMOTE_SELLER_NEXUS',
      scope: 'all',
      amount: 25_000_000,
      currency: 'USD',
      transaction_count: null,
      combinator: null,
      effective_from: '2027-01-01',
      evidence: '$250,000 effective January 1, 2027',
    })
    const key = await testKey('announced-threshold')
    const thresholdOn = async (day: string) =>
      (await request(key, 'GET', `/v1/thresholds?jurisdiction=US-TX&date=${day}`)).text
    expect(await thresholdOn('2026-12-31')).toContain('"amount":50000000')
    expect(await thresholdOn('2027-01-01')).toContain('"amount":25000000')
    expect(await thresholdOn('2027-01-01')).not.toContain('"amount":50000000')
  })

  it('of a rule takes effect by itself on its day', async () => {
    await published({
      kind: 'product_rules',
      jurisdiction_id: 'DE',
      tax_type: 'VAT',
      product_type: 'books',
      treatment: 'taxable',
      category: 'standard',
      effective_from: '2027-01-01',
      evidence: 'Books, from the new year on',
    })
    const key = await testKey('announced-rule')
    const booksOn = async (day: string) =>
      (await request(key, 'GET', `/v1/rates?jurisdiction=DE&product_type=books&date=${day}`)).text
    expect(await booksOn('2026-12-31')).toContain('"rate":0.07,')
    expect(await booksOn('2027-01-01')).not.toContain('"rate":0.07,')
    expect(await booksOn('2027-01-01')).toContain('"rate":0.19,')
  })

  it('leaves the present as it is, and keeps what comes later when the present changes', async () => {
    await published(rate(190_000, null), rate(200_000, '2027-01-01'))
    await published(rate(180_000, null), rate(200_000, '2027-01-01'))
    expect((await germanPeriods()).slice(-3)).toMatchObject([
      { rate_millionths: 190_000, effective_to: '2026-11-20' },
      { rate_millionths: 180_000, effective_from: '2026-11-21', effective_to: '2026-12-31' },
      { rate_millionths: 200_000, effective_from: '2027-01-01', effective_to: null },
    ])
  })

  it('may come with a change of the present', async () => {
    // More than a fifth of the findings would change: what else the source says makes up for it.
    const others = ['AT', 'BE', 'NL', 'SE', 'DK', 'PL', 'FR', 'ES'].map((jurisdiction_id): Finding => {
      const known: Record<string, number> = { AT: 20, BE: 21, NL: 21, SE: 25, DK: 25, PL: 23, FR: 20, ES: 21 }
      return {
        ...rate(0, null),
        kind: 'rates',
        tax_type: 'VAT',
        category: 'standard',
        jurisdiction_id,
        rate_millionths: (known[jurisdiction_id] ?? 0) * 10_000,
      }
    })
    await published(...others, rate(180_000, null), rate(200_000, '2027-01-01'))
    expect((await germanPeriods()).slice(-3)).toMatchObject([
      { rate_millionths: 190_000, effective_to: '2026-11-20' },
      { rate_millionths: 180_000, effective_from: '2026-11-21', effective_to: '2026-12-31' },
      { rate_millionths: 200_000, effective_from: '2027-01-01', effective_to: null },
    ])
  })
})
