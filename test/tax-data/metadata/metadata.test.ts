import { REGION_IDS } from '../../../src/platform/regions.ts'
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { au } from '../../../collectors/au.ts'
import { storePublishedRates } from '../../../src/tax-data/records/published-rates-store.ts'
import { sha256 } from '../../../src/platform/kit/sha256.ts'
import { queueDueSyncs } from '../../../src/tax-data/status/sync.ts'
import { collect, shipData } from '../../collectors/collecting.ts'
import registering from '../../collectors/documents/au/registering-for-gst.html?raw'
import { callWith, failing } from '../../faults/faulty.ts'
import { newAccount } from '../../support/account.ts'
import { listening } from '../../support/queues.ts'
import { call } from '../../support/service.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)
let key = ''
beforeAll(async () => {
  await shipData()
  key = (await newAccount()).key
})
const get = async (path: string) => call('GET', path, { key })

describe('GET /v1/metadata/jurisdictions', () => {
  it('lists by region, type and parent, page by page', async () => {
    const provinces = (await get('/v1/metadata/jurisdictions?parent_id=ca&limit=5&offset=10')).body
    expect(provinces).toMatchObject({ total: 13, limit: 5, offset: 10, has_more: false })
    expect(provinces['jurisdictions']).toHaveLength(3)
    const countries = (await get('/v1/metadata/jurisdictions?region=EU&type=country&limit=500')).body[
      'jurisdictions'
    ] as { id: string }[]
    expect(countries.map((each) => each.id)).toEqual(expect.arrayContaining(['AT', 'GR', 'SE']))
    expect(countries.map((each) => each.id)).toEqual(countries.map((each) => each.id).toSorted())
  })

  it('shows one with its parent, its rates and its thresholds', async () => {
    const { body } = await get('/v1/metadata/jurisdictions/ca-qc')
    expect(body).toMatchObject({
      id: 'CA-QC',
      parent: { id: 'CA' },
      meta: { data_freshness: expect.any(String) },
    })
    expect((body['rates'] as { rate: number }[]).map((each) => each.rate)).toEqual(
      expect.arrayContaining([0.05, 0.09975]),
    )
    expect(body['thresholds']).not.toHaveLength(0)
    for (const place of [body, body['parent']]) expect(place).not.toHaveProperty('source_kind')
    expect((await get('/v1/metadata/jurisdictions/EL')).body['id']).toBe('GR')
    expect((await get('/v1/metadata/jurisdictions/constructor')).body).toMatchObject({
      error_code: 'NOT_FOUND',
      reason: 'invalid_jurisdiction',
    })
  })
})

describe('GET /v1/metadata/jurisdictions/:id/rates', () => {
  type Rate = { rate: number; category: string; effective_from: string; effective_to: string | null }
  const ratesOf = async (path: string) => (await get(path)).body['rates'] as Rate[]

  it('lists the rates of all days, the latest first, page by page', async () => {
    const all = await ratesOf('/v1/metadata/jurisdictions/de/rates')
    const days = all.map(({ effective_from }) => effective_from)
    expect(days).toEqual(days.toSorted().toReversed())
    const standard = all.filter(({ category }) => category === 'standard')
    expect(standard.map(({ rate }) => rate)).toEqual(expect.arrayContaining([0.19, 0.16]))
    expect(standard.some(({ effective_to }) => effective_to === '2020-12-31')).toBe(true)
    const page = (await get('/v1/metadata/jurisdictions/DE/rates?limit=2&offset=1')).body
    expect(page).toMatchObject({ jurisdiction_id: 'DE', total: all.length, limit: 2, has_more: true })
    expect(page['rates']).toEqual(all.slice(1, 3))
  })

  it('contains the federal tax of a province, and refuses an unknown place', async () => {
    const rates = await ratesOf('/v1/metadata/jurisdictions/ca-qc/rates')
    expect(rates.map(({ rate }) => rate)).toEqual(expect.arrayContaining([0.05, 0.09975]))
    expect((await get('/v1/metadata/jurisdictions/QQ/rates')).body).toMatchObject({
      reason: 'invalid_jurisdiction',
    })
  })
})

describe('GET /v1/metadata/sync-status', () => {
  it('tells of each region what it holds, how it stands and what its last run did', async () => {
    await collect(au, { SOURCE_AU_GST: { body: registering, type: 'text/html' } }, { now: new Date() })
    const { body } = await get('/v1/metadata/sync-status')
    const regions = body['regions'] as Record<string, unknown>[]
    expect(regions).toHaveLength(REGION_IDS.length)
    expect(regions.find((each) => each['region'] === 'AU')).toMatchObject({
      status: 'healthy',
      cadence_days: 1,
      freshness_window_days: 7,
      last_run: {
        outcome: 'confirmed',
        records_seen: 3,
        documents: [{ sha256: expect.any(String) }, { sha256: expect.any(String) }],
      },
    })
    expect(regions.find((each) => each['region'] === 'EU')).toMatchObject({
      status: 'unknown',
      last_run: null,
      next_run_at: null,
    })
  })

  it('tells what is shipped and of which day, and that exchange rates come with their collector', async () => {
    const regionOf = async (id: string) => {
      const { body } = await get('/v1/metadata/sync-status')
      return (body['regions'] as Record<string, unknown>[]).find(({ region }) => region === id)
    }
    expect(await regionOf('EU')).toMatchObject({
      records: expect.any(Number),
      newest_record: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
    })
    expect((await regionOf('EU'))?.['records']).toBeGreaterThan(50)
    expect(await regionOf('FX-ECB')).toMatchObject({ status: 'unknown', records: 0, newest_record: null })
    const rates = ['2026-11-23', '2026-11-24'].map((day) => ({
      day,
      rates: { USD: 1_160_000 },
      document_hash: 'x',
    }))
    await env.DB.batch(storePublishedRates(env.DB, 'ecb', rates, new Date('2026-11-24T16:00:00Z')))
    expect(await regionOf('FX-ECB')).toMatchObject({ records: 2, newest_record: '2026-11-24' })
    expect(await regionOf('FX-BOC')).toMatchObject({ records: 0, newest_record: null })
    const page = await (await exports.default.fetch('https://example.com/status')).text()
    expect(page).toMatch(/id="region-FX-ECB".*?>2<.*?>23 Nov 2026 to 24 Nov 2026</s)
  })
})

describe('POST /v1/metadata/sync', () => {
  it('queues a run and leaves an audit event', async () => {
    expect((await call('POST', '/v1/metadata/sync', { key, body: { region: 'US' } })).body).toMatchObject({
      region: 'US',
      status: 'queued',
    })
    const events = (await get('/v1/audit-events?resource_id=US')).body['audit_events']
    expect(events).toMatchObject([{ action: 'sync.requested' }])
  })

  it('is made up for by the next tick if the queue took no message', async () => {
    await collect(au, { SOURCE_AU_GST: { body: registering, type: 'text/html' } }, { now: new Date() })
    const asked = { method: 'POST', path: '/v1/metadata/sync', body: { region: 'AU' } }
    expect((await callWith({ ...env, WORK: failing(env.WORK) }, key, asked)).status).toBe(200)
    const { queue, heard } = listening()
    await queueDueSyncs({ ...env, WORK: queue }, new Date())
    expect(heard).toContainEqual({ kind: 'sync', id: 'AU' })
  })

  it('needs its own scope and a region that there is', async () => {
    const { key: reader } = await newAccount({ scopes: ['tax:read'] })
    expect((await call('POST', '/v1/metadata/sync', { key: reader, body: { region: 'AU' } })).status).toBe(
      403,
    )
    expect(
      (await call('POST', '/v1/metadata/sync', { key, body: { region: 'XX' } })).body['errors'],
    ).toMatchObject([{ path: 'region' }])
  })
})

describe('GET /v1/export/snapshot', () => {
  const download = async (headers: Record<string, string> = {}) =>
    exports.default.fetch('https://service.test/v1/export/snapshot', {
      headers: { Authorization: `Bearer ${key}`, ...headers },
    })

  it('exports all tax data with a checksum that anyone can recompute', async () => {
    const { body } = await get('/v1/export/snapshot')
    const { version: _version, generated_at: _at, checksum, queried_at: _queried, ...data } = body
    expect(checksum).toBe(await sha256(JSON.stringify(data)))
    const stored = await env.DB.prepare(
      `SELECT count(*) AS n FROM (SELECT kind, superseded_at FROM facts
         UNION ALL SELECT kind, superseded_at FROM later_facts)
       WHERE superseded_at IS NULL AND kind = 'rates'`,
    ).first('n')
    expect(body['rates']).toHaveLength(Number(stored))
  })

  it('answers 304 to the ETag of what the caller has, and each form has its own', async () => {
    const first = await download()
    await first.text()
    const etag = first.headers.get('ETag') ?? ''
    const again = await download({ 'If-None-Match': etag })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect(again.headers.get('ETag')).toBe(etag)
    const lines = await download({ Accept: 'application/x-ndjson', 'If-None-Match': etag })
    expect(lines.status).toBe(200)
    const records = (await lines.text())
      .trimEnd()
      .split('\n')
      .map((line): { kind: string } => JSON.parse(line))
    expect(records[0]).toMatchObject({ kind: 'snapshot', version: expect.any(String) })
    expect(new Set(records.map((record) => record.kind))).toEqual(
      new Set([
        'snapshot',
        'countries',
        'jurisdictions',
        'rates',
        'thresholds',
        'product_rules',
        'postal_rules',
        'consignment_limits',
        'delivery_fees',
        'exchange_rates',
      ]),
    )
  })
})
