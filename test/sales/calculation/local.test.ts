import { createExecutionContext, env } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { localBookInForce } from '../../../src/tax-data/records/local-book-for.ts'
import { partOfBoundaries, partOfState } from '../../../src/tax-data/records/local-parts.ts'
import { writeLocalParts } from '../../../src/tax-data/records/write-local-parts.ts'
import type { LocalJurisdiction } from '../../../src/engine/regimes/us-local/local-book.ts'
import worker from '../../support/worker.ts'
import { LAW } from '../../support/local-data.ts'
import { newAccount } from '../../support/account.ts'
import { countingBindings } from '../../support/counting.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

await loadTestData()
const { key } = await newAccount({ tier: 'enterprise' })

const place = (type: 'county' | 'city', code: string, name: string, rate: number): LocalJurisdiction => ({
  id: `US-KS-${code}`,
  state: 'KS',
  type,
  code,
  name,
  county_fips: type === 'county' ? `20${code}` : null,
  rates: [
    { rate_millionths: rate - 2_000, from: null, to: '2025-12-31' },
    { rate_millionths: rate, from: '2026-01-01', to: null },
  ],
  also: [],
  zips: [],
  source: 'file of Kansas',
  as_of: '2026-10-03',
})
const COUNTY = place('county', '177', 'Shawnee County', 13_500)
const TOPEKA = place('city', '71000', 'Topeka', 15_000)
const stacks = [['US-KS-177'], ['US-KS-177', 'US-KS-71000']]

async function write(city: LocalJurisdiction, at: string): Promise<void> {
  const state = { law: LAW, jurisdictions: [COUNTY, city], read_at: at }
  const from = '2026-01-01'
  await writeLocalParts(
    env,
    [
      partOfState('KS', state),
      // Add-on codes up to 999 are in the county, the others in the city.
      { part: 'zip4:KS:666', content: JSON.stringify([{ from, stacks, zips: { '66604': '0:0 rs:1' } }]) },
      partOfBoundaries('KS', [{ from, stacks, zips: { '66604': [0, 1], '66409': [0] } }]),
    ],
    new Date(at),
  )
  forgetAll()
}
await write(TOPEKA, '2026-09-01T00:00:00.000Z')

const soldTo = (postal_code: string, more: object = {}) => ({
  currency: 'USD',
  seller: { country: 'US', region: 'DE' },
  seller_registered: true,
  customer: { address: { country: 'US', postal_code } },
  line_items: [{ amount: 100_000, product_type: 'physical_goods' }],
  ...more,
})
const calculate = (postal_code: string, more: object = {}) =>
  call('POST', '/v1/calculate', { key, body: soldTo(postal_code, more) })

describe('a sale to a ZIP+4', () => {
  it('bears the taxes of its record, and says that it is exact', async () => {
    const { body } = await calculate('66604-1908')
    expect(body['local']).toMatchObject({
      precision: 'zip4',
      method: 'zip4_record',
      rate: 0.0285,
      note: null,
    })
    expect(body['tax_amount']).toBe(9_350)
    expect((await calculate('66604-0001')).body['tax_amount']).toBe(7_850)
    expect((await calculate('666041908')).body['tax_amount']).toBe(9_350)
  })

  it('has the rates of its day', async () => {
    const { body } = await calculate('66604-1908', { transaction_date: '2025-12-31' })
    expect(body['tax_amount']).toBe(8_950)
    expect(body['local']).toMatchObject({ precision: 'zip4' })
  })

  it('without +4 bears the rate of the five-digit record, with the range', async () => {
    const { body } = await calculate('66604')
    expect(body['tax_amount']).toBe(7_850)
    expect(body['local']).toMatchObject({
      precision: 'zip5',
      method: 'lowest_in_zip',
      rate_min: 0.0135,
      rate_max: 0.0285,
    })
  })

  it('costs one read of KV, then none; without +4 none, and never one of D1', async () => {
    const { bindings, count } = countingBindings()
    const send = async (postal_code: string) => {
      Object.assign(count, { kv: 0, d1: 0 })
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      const body = JSON.stringify(soldTo(postal_code))
      const request = new Request('https://service.test/v1/calculate', { method: 'POST', headers, body })
      const response = await worker.fetch(request, bindings, createExecutionContext())
      expect(response.status).toBe(200)
      return { ...count }
    }
    forgetAll()
    await send('66604')
    expect(await send('66604')).toEqual({ kv: 0, d1: 0 })
    expect(await send('66409-1234')).toEqual({ kv: 0, d1: 0 })
    expect(await send('66604-1908')).toEqual({ kv: 1, d1: 0 })
    expect(await send('66604-0001')).toEqual({ kv: 0, d1: 0 })
  })
})

describe('a batch of sales to ZIP+4', () => {
  it('has the rates of the record, though other requests push it out of memory meanwhile', async () => {
    const { seller_registered: _, ...asked } = soldTo('66604-1908')
    const sale = { ...asked, seller: { country: 'US', region: 'KS' }, transaction_date: '2026-10-01' }
    const transactions = Array.from({ length: 12 }, () => sale)
    const recording = { done: false }
    const recorded = call('POST', '/v1/transactions/batch', { key, body: { transactions } }).finally(
      () => (recording.done = true),
    )
    const book = await localBookInForce({ env, now: new Date(), later: () => {} })
    while (!recording.done) {
      book?.known_zip4.clear()
      await scheduler.wait(0)
    }
    const { results } = (await recorded).body as { results: { data?: { tax_amount: number } }[] }
    expect(results.map(({ data }) => data?.tax_amount)).toEqual(transactions.map(() => 9_350))
  })
})

describe('the version of an answer', () => {
  it('names both books, and a later answer to it is the same', async () => {
    const { body } = await calculate('66604-1908')
    const { data_version } = body['meta'] as { data_version: string }
    expect(data_version).toMatch(/^\d{8}T\d{9}Z\+20260901T000000000Z$/)
    await write(place('city', '71000', 'Topeka', 25_000), '2026-09-02T00:00:00.000Z')
    expect((await calculate('66604-1908')).body['tax_amount']).toBe(10_350)
    const again = await calculate('66604-1908', { data_version })
    expect(again.body['tax_amount']).toBe(9_350)
    expect(again.body['meta']).toMatchObject({ data_version })
  })

  it('does not name the local book if the sale has no local tax', async () => {
    const { body } = await call('POST', '/v1/calculate', {
      key,
      body: { ...soldTo('66604'), currency: 'EUR', customer: { address: { country: 'DE' } } },
    })
    expect(body['meta']).toMatchObject({ data_version: expect.stringMatching(/^\d{8}T\d{9}Z$/) })
  })

  it('is refused if there was no such local book', async () => {
    const { body } = await calculate('66604')
    const [rates] = (body['meta'] as { data_version: string }).data_version.split('+')
    const other = await calculate('66604', { data_version: `${rates}+20260901T000000001Z` })
    expect(other).toMatchObject({ status: 404, body: { reason: 'data_version_not_found' } })
  })
})

describe('GET /v1/rates of a postal code', () => {
  it('shows the state with the local taxes of the address', async () => {
    const { status, body } = await call('GET', '/v1/rates?postal_code=66604-0001&country=US', { key })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      jurisdiction: { id: 'US-KS' },
      combined_rate: 0.0785,
      local: { precision: 'zip4', parts: [{ id: 'US-KS-177', rate: 0.0135 }] },
    })
  })

  it('names the cities of the county with their local rates, if only the city decides', async () => {
    const at = '2026-09-02T00:00:00.000Z'
    const inOhioCounty = { state: 'WV', county_fips: '54069' }
    const county = { ...COUNTY, ...inOhioCounty, id: 'US-WV-069', code: '069', name: 'Ohio County' }
    const city = { ...TOPEKA, ...inOhioCounty, id: 'US-WV-86452', code: '86452', name: 'Wheeling' }
    await writeLocalParts(
      env,
      [
        partOfState('WV', { law: LAW, jurisdictions: [county, city], read_at: at }),
        { part: 'zip:260', content: '03 54069' },
      ],
      new Date(at),
    )
    forgetAll()
    const path = '/v1/rates?country=US&postal_code=26003'
    const { body } = await call('GET', path, { key })
    expect(body).toMatchObject({
      combined_rate: 0.0735,
      local: { precision: 'county', rate: 0.0135 },
      cities: [{ name: 'Wheeling', rate: 0.0285 }],
    })
    const { body: named } = await call('GET', `${path}&city=Wheeling`, { key })
    expect(named).toMatchObject({ combined_rate: 0.0885, local: { method: 'city_named' } })
    expect(named).not.toHaveProperty('cities')
  })

  it.each([
    ['/v1/rates?postal_code=66604', 'country'],
    ['/v1/rates?country=US', 'country'],
    ['/v1/rates?postal_code=66604&country=US&region=US', 'postal_code'],
    ['/v1/rates?postal_code=6660&country=US', 'postal_code'],
  ])('refuses %s and names %s', async (path, field) => {
    const { status, body } = await call('GET', path, { key })
    expect(status).toBe(400)
    expect(body['errors']).toMatchObject([{ path: field }])
  })
})

describe('the snapshot', () => {
  it('has the local taxes of a state on request', async () => {
    const { body } = await call('GET', '/v1/export/snapshot?local=US-KS', { key })
    expect(body['version']).toMatch(/\+/)
    expect(body['local_jurisdictions']).toHaveLength(2)
    expect(body['local_zips']).toContainEqual({
      zip5: '66604',
      counties: [],
      stacks: [['US-KS-177'], ['US-KS-177', 'US-KS-71000']],
    })
    expect((await call('GET', '/v1/export/snapshot', { key })).body['local_zips']).toBeUndefined()
  })

  it('with local taxes is made once and not for each request', async () => {
    const ask = () => call('GET', '/v1/export/snapshot?local=US-KS', { key })
    const { headers } = await ask()
    const digest = vi.spyOn(crypto.subtle, 'digest')
    expect((await ask()).headers.get('ETag')).toBe(headers.get('ETag'))
    // The checksum covers the whole text, so a new text needs a new one.
    const largest = Math.max(0, ...digest.mock.calls.map(([, data]) => data.byteLength))
    digest.mockRestore()
    expect(largest).toBeLessThan(1_000)
  })

  it('refuses a place without local taxes', async () => {
    const { status } = await call('GET', '/v1/export/snapshot?local=FR', { key })
    expect(status).toBe(404)
  })
})
