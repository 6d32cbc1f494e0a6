import { createExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { app } from '../../../src/service/app.ts'
import { StatusPage } from '../../../src/interfaces/pages/status-page.tsx'
import { readHealth } from '../../../src/tax-data/status/health.ts'
import { readStatus } from '../../../src/tax-data/status/status.ts'
import { applyFacts } from '../../../src/tax-data/records/apply-facts.ts'
import { publishRateBook } from '../../../src/tax-data/records/current-rate-book.ts'
import { PRODUCT_TYPES } from '../../../src/engine/book/product-types.ts'
import { FACTS_REGIONS } from '../../../src/engine/book/regions.ts'
import { facts, shipData } from '../../collectors/collecting.ts'
import { writeKansas } from '../../support/local-data.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

beforeEach(async () => {
  forgetAll()
  await shipData()
  forgetAll()
})

async function read(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await exports.default.fetch(new Request(`https://tax.example${path}`))
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe('the pages for people', () => {
  it.each(['/', '/try', '/status', '/jurisdictions', '/jurisdictions/DE'])(
    '%s lets no script run and nothing load from elsewhere',
    async (path) => {
      const { status, text, headers } = await read(path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/)
      expect(text).toMatch(/^<!doctype html><html lang="en">/)
      expect(text).not.toMatch(/<script|style=|onclick/)
    },
  )

  it('has the calculator of the home page before the names of all places', async () => {
    const { text } = await read('/')
    expect(text.indexOf('<form')).toBeLessThan(text.indexOf('South Korea'))
    expect(text).toMatch(/It covers sales to .*South Korea/)
  })

  it('shows a rate of the day, and one that is announced apart from it', async () => {
    const now = new Date('2026-11-20T01:00:00Z')
    const known = await facts()
    const standard = known.rates.find(
      (rate) => rate.jurisdiction_id === 'DE' && rate.category === 'standard' && rate.effective_to === null,
    )
    if (standard === undefined) throw new Error('there is no standard rate')
    const announced = {
      ...standard,
      id: `${standard.id}-announced`,
      rate_millionths: 215_000,
      effective_from: '2099-01-01',
    }
    const ended = { ...standard, effective_to: '2098-12-31' }
    await applyFacts(env.DB, { ...known, rates: [ended, announced] }, now, 'test')
    await publishRateBook(env.DB, env.KV, now)
    forgetAll()
    const [inForce, coming] = (await read('/jurisdictions/DE')).text.split('<h2>Announced rates</h2>')
    expect(inForce).toContain('19 %')
    expect(inForce).not.toContain('21.5 %')
    expect(coming).toContain('21.5 %')
  })

  it('writes thresholds as all other money, and the table of coverage in few bytes', async () => {
    expect((await read('/jurisdictions')).text).toContain('£90,000.00')
    expect((await read('/jurisdictions/GB')).text).toContain('£90,000.00')
    // A cell with its role for each product and region, and 4 kB around them.
    const bytes = 4_000 + 36 * PRODUCT_TYPES.length * FACTS_REGIONS.length
    expect((await read('/coverage')).text.length).toBeLessThan(bytes)
  })

  it.each(['/coverage', '/jurisdictions', '/jurisdictions/FR', '/jurisdictions/US-KS'])(
    'names the roles of tables, which a phone shows as blocks: %s',
    async (path) => {
      const { text } = await read(path)
      const tables = text.match(/<div class="scroll"[^]*?<\/table>/g) ?? []
      const parts = tables.join('').match(/<(table|thead|tbody|tr|th|td)\b[^>]*>/g) ?? []
      expect(parts.length).toBeGreaterThan(10)
      expect(parts.filter((part) => !part.includes('role="'))).toEqual([])
    },
  )

  it('shows the local taxes of a ZIP on the page of its state', async () => {
    await writeKansas()
    const { text, headers } = await read('/jurisdictions/US-KS?postal_code=66604')
    expect(headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(text).toContain('9.35 % in all for goods in general, 2.85 % of it local. The ZIP decides.')
    expect(text).toMatch(
      /Shawnee County<\/th><td role="cell" class="capital">county<\/td><td role="cell" class="number figure">1\.35 %/,
    )
    expect(text).toContain('Topeka')
    const plain = (await read('/jurisdictions/US-KS')).text
    expect(plain).toContain('name="postal_code"')
    expect(plain).not.toContain('Topeka')
    expect((await read('/jurisdictions/DE?postal_code=66604')).text).not.toContain('postal_code')
  })

  it.each([
    ['%22%3E%3Cscript%3E', 'Give a ZIP such as 94105'],
    ['00000', 'not a ZIP of this country'],
    ['94105', 'is in <a href="/jurisdictions/US-CA?postal_code=94105#local">California</a>'],
  ])('answers the ZIP %s of no place in the state with a sentence', async (zip, sentence) => {
    await writeKansas()
    const { status, text } = await read(`/jurisdictions/US-KS?postal_code=${zip}`)
    expect(status).toBe(200)
    expect(text).toContain(sentence)
    expect(text).not.toContain('<script')
  })

  it('names rates plainly, and shows the periods of each rate that has changed', async () => {
    const { text } = await read('/jurisdictions/EE')
    expect(text).toContain('Standard rate (Käibemaks)')
    const [, history = ''] = text.split('<h2 id="history">')
    const [standard = ''] = history.split('</table>')
    const periods = [...standard.matchAll(/<th scope="row">([^<]+)<\/th><td class="number">([^<]+)</g)]
    expect(periods.map(([, day, rate]) => `${day} ${rate}`)).toEqual([
      '1 Jul 2025 24 %',
      '1 Jan 2024 22 %',
      '1 Jul 2009 20 %',
      '20 Jun 1992 18 %',
    ])
  })

  it('links a country with its parts, and a part with its country', async () => {
    expect((await read('/jurisdictions/CA')).text).toContain('<a href="/jurisdictions/CA-ON">Ontario</a>')
    expect((await read('/jurisdictions/CA-ON')).text).toContain('<a href="/jurisdictions/CA">Canada</a>')
  })

  it('names the rate of each product, and filters the list of places', async () => {
    const { text } = await read('/jurisdictions/FR')
    const [, products = ''] = text.split('id="products"')
    const books = products.split('<tr>').find((each) => each.includes('>Books<')) ?? ''
    expect(books).toMatch(/>5\.5 %<\/th><td[^>]*>(second )?reduced</)
    const found = (await read('/jurisdictions?q=fra')).text
    expect(found).toContain('href="/jurisdictions/FR"')
    expect(found).not.toContain('href="/jurisdictions/DE"')
  })

  it('says in the list why a place has no rate, and how far its rates were checked', async () => {
    const rowOf = async (id: string) => {
      const { text } = await read(`/jurisdictions?q=${id}`)
      return text.split('<tr>').find((row) => row.includes(`"/jurisdictions/${id}"`)) ?? ''
    }
    expect(await rowOf('ES-CN')).toContain('>not covered</td>')
    expect(await rowOf('DE')).toContain('>in part</td>')
    expect(await rowOf('FR')).toMatch(/>\d+ \w{3} 2026<\/td>/)
  })

  it.each([
    ['ES-CN', 'This service does not cover the tax of this place', 'No rate of its own is in the data'],
    ['US', 'Its parts levy the tax', 'No rate of its own is in the data'],
    ['CA', 'Its parts levy the tax', 'GST (federal)'],
    ['IN', 'this service covers only online services and other services from abroad', 'by a seller abroad'],
    ['GB', 'zero-rated</td>', '£90,000.00<span class="quiet"> trailing 12 months</span>'],
    ['HU', 'HUF 20,000,000.00'],
    ['US-NY', '>no state tax</th>', 'preceding four sales tax quarters'],
  ])('says of %s what its rates do not tell', async (id, ...sentences) => {
    const { text } = await read(`/jurisdictions/${id}`)
    for (const sentence of sentences) expect(text).toContain(sentence)
    expect(text).not.toMatch(/No tax rates here|with rates of their own|₹0\.00/)
  })

  it('tells a browser in words why a page cannot be shown, and a program as JSON', async () => {
    const full: RateLimit = { limit: () => Promise.resolve({ success: false }) }
    const ask = async (Accept: string) =>
      app.fetch(
        new Request('https://tax.example/coverage', { headers: { Accept } }),
        { ...env, RATE_LIMIT_ADDRESS: full },
        createExecutionContext(),
      )
    const response = await ask('text/html')
    expect(response.status).toBe(429)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const text = await response.text()
    expect(text).toContain('<h1>Too many requests</h1>')
    expect(text).toContain(response.headers.get('X-Request-Id'))
    const program = await ask('*/*')
    expect(program.status).toBe(429)
    expect(await program.json()).toMatchObject({ reason: 'rate_limited' })
  })

  it('answers an unknown jurisdiction with a page, and its name as text', async () => {
    const { status, text } = await read('/jurisdictions/%3Cscript%3Ealert(1)%3C%2Fscript%3E')
    expect(status).toBe(404)
    expect(text).toContain('&lt;script&gt;')
    expect(text).not.toContain('<script>')
  })

  it('shows the age of shipped data by region, and no empty days', async () => {
    for (const region of ['EU', 'UK']) await env.KV.delete(`sync:${region}`)
    forgetAll()
    const { text } = await read('/status')
    const european = text.split('id="region-EU"')[1]?.split('</tr>')[0] ?? ''
    expect(text).toMatch(/reviewed on \d+ \w+ 20\d\d; not refreshed since/)
    expect(european).toContain('>shipped<')
    expect(european).toMatch(/>\d+<.*\(\d+ \w{3} 20\d\d\)<.*>\d+ \w{3} 20\d\d to \d+ \w{3} 20\d\d</s)
    expect(text).not.toContain('id="runs-EU"')
  })

  it('shows since when a source stands in for another, and what is held back', async () => {
    // A source that answered an hour ago is not stale yet, whatever the day of the test.
    const answered_at = new Date(Date.now() - 3_600_000).toISOString()
    const state = {
      region: 'AU',
      last_sync_at: answered_at,
      last_successful_fetch: answered_at,
      consecutive_failures: 0,
      parse_failures: 0,
      last_error: null,
      next_run_at: null,
      fallbacks: [
        {
          part: 'GST rate',
          source: 'business.gov.au',
          since: '2026-11-02T03:40:00.000Z',
          reason: 'Australian Taxation Office: answered 403',
        },
      ],
      records_held: 2,
    }
    await env.KV.put('sync:AU', JSON.stringify(state))
    forgetAll()
    const { text } = await read('/status')
    expect(text).toMatch(/GST rate: on fallback since .*2 Nov 2026.*read from business\.gov\.au/)
    expect(text).toContain('2 changes wait for a second source or a person')
    const answer = JSON.parse((await read('/v1/status')).text)
    expect(answer.regions.find(({ region }: { region: string }) => region === 'AU')).toMatchObject({
      status: 'degraded',
      records_held: 2,
      fallbacks: [{ part: 'GST rate', source: 'business.gov.au' }],
    })
    await env.KV.delete('sync:AU')
  })

  it('says on the status page that the cache is away', async () => {
    const away = new Proxy(env.KV, { get: () => () => Promise.reject(new Error('KV is away')) })
    const request = new Request('https://tax.example/status')
    const response = await app.fetch(request, { ...env, KV: away }, createExecutionContext())
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toContain('The API has trouble: some requests fail')
    expect(text).toContain('KV does not answer.')
  })

  it('tells operators of a database that fills up', async () => {
    const now = new Date()
    const [status, health] = await Promise.all([readStatus(env, now), readHealth(env, now)])
    const database = { name: 'database', status: 'warn', message: 'The database is 90 % full' } as const
    const warned = { ...health, status: 'degraded', checks: { ...health.checks, database } } as const
    const page: { toString: () => string | Promise<string> } = StatusPage({
      status,
      history: [],
      ages: null,
      health: warned,
      now,
    })
    const text = await page.toString()
    expect(text).toContain('The API is up. The operators have a task, listed under Operations')
    expect(text).toContain('<li>The database is 90 % full.</li>')
    expect(text).not.toContain('Nothing needs an operator now')
  })

  it('shows the status without the strip when the runs cannot be read', async () => {
    await env.DB.prepare('ALTER TABLE collector_runs RENAME TO collector_runs_away').run()
    try {
      const { status, text } = await read('/status')
      expect(status).toBe(200)
      expect(text).toContain('region-EU')
      expect(text).not.toContain('class="strip"')
    } finally {
      await env.DB.prepare('ALTER TABLE collector_runs_away RENAME TO collector_runs').run()
    }
  })
})

describe('the feed of rate changes', () => {
  const ESTONIA = 'Estonia: Standard rate (Käibemaks) 24 % instead of 22 %'

  it('is JSON Feed, the newest change first, each with its source', async () => {
    const { status, text, headers } = await read('/changes.json')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
    const feed: { version: string; items: Record<string, string>[] } = JSON.parse(text)
    expect(feed.version).toBe('https://jsonfeed.org/version/1.1')
    const change = feed.items.find(({ title }) => title === ESTONIA)
    expect(change).toMatchObject({
      url: 'https://tax.example/jurisdictions/EE',
      date_published: '2025-07-01T00:00:00.000Z',
    })
    expect(change?.['content_text']).toMatch(/^From 2025-07-01\. Source: .*https:/)
    expect(new Set(feed.items.map(({ id }) => id)).size).toBe(feed.items.length)
    expect(feed.items.length).toBeLessThanOrEqual(100)
    const days = feed.items.map(({ content_text }) => content_text?.slice(5, 15) ?? '')
    expect(days).toEqual(days.toSorted().toReversed())
  })

  it('is Atom with the same entries, and no entry has a later day than the data', async () => {
    const { text, headers } = await read('/changes.atom')
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    expect(text).toContain(`<title>${ESTONIA}</title><updated>2025-07-01T00:00:00.000Z</updated>`)
    const [feed = '', ...entries] = [...text.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, at = '']) => at)
    expect(entries.length).toBeGreaterThan(50)
    for (const at of entries) expect(at <= feed).toBe(true)
  })
})
