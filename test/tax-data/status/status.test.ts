import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COLLECTORS, hasCollector } from '../../../collectors/all.ts'
import { au } from '../../../collectors/au.ts'
import { type CollectedFreshness, freshnessOf } from '../../../src/tax-data/status/freshness.ts'
import { nextRunAt } from '../../../src/tax-data/status/schedule.ts'
import { checkStatus, overallStatus } from '../../../src/tax-data/status/status.ts'
import { queueDueSyncs } from '../../../src/tax-data/status/sync.ts'
import { COLLECTED_IDS, REGION_IDS, REGIONS } from '../../../src/platform/regions.ts'
import { collect, NOW, shipData } from '../../collectors/collecting.ts'
import registering from '../../collectors/documents/au/registering-for-gst.html?raw'
import { listening } from '../../support/queues.ts'
import { call } from '../../support/service.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

const DAY = 86_400_000
const later = (ms: number) => new Date(NOW.getTime() + ms)
const DOCUMENTS = { SOURCE_AU_GST: { body: registering, type: 'text/html' } }

beforeEach(async () => {
  forgetAll()
  for (const region of REGION_IDS) await env.KV.delete(`sync:${region}`)
  await shipData()
})
afterEach(() => vi.useRealTimers())

describe('a region', () => {
  const state = {
    region: 'AU',
    last_sync_at: NOW.toISOString(),
    last_successful_fetch: NOW.toISOString(),
    consecutive_failures: 0,
    parse_failures: 0,
    last_error: null,
    next_run_at: null,
  }

  it.each([
    [0, 'healthy'],
    [2 * DAY, 'healthy'],
    [2 * DAY + 1, 'degraded'],
    [7 * DAY, 'degraded'],
    [7 * DAY + 1, 'stale'],
  ])('is %s ms after its last success %s', (ms, expected) => {
    expect(freshnessOf('AU', state, later(ms))).toBe(expected)
  })

  it('is degraded by a failure, unknown before its first run, and stale when it never succeeded', () => {
    expect(freshnessOf('AU', { ...state, consecutive_failures: 1 }, NOW)).toBe('degraded')
    expect(freshnessOf('AU', null, NOW)).toBe('unknown')
    expect(freshnessOf('AU', { ...state, last_successful_fetch: null, consecutive_failures: 1 }, NOW)).toBe(
      'stale',
    )
  })

  it('keeps taxability fresh for 90 days and thresholds of the US for 30', () => {
    expect(freshnessOf('TAXABILITY', state, later(90 * DAY))).toBe('degraded')
    expect(freshnessOf('TAXABILITY', state, later(90 * DAY + 1))).toBe('stale')
    expect(freshnessOf('US', state, later(30 * DAY + 1))).toBe('stale')
  })
})

describe('GET /v1/status', () => {
  it('needs no key, and tells every collected region and those that people keep', async () => {
    const { status, body } = await call('GET', '/v1/status')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'unknown',
      summary: {
        healthy: 0,
        degraded: 0,
        stale: 0,
        unknown: COLLECTED_IDS.length,
        total: COLLECTED_IDS.length,
      },
    })
    expect((body['regions'] as { region: string }[]).map((each) => each.region)).toEqual([
      'EU',
      'UK',
      'US',
      'US-TAX',
      'CA',
      'AU',
      'TAXABILITY',
      ...COLLECTED_IDS.slice(7),
    ])
    const kept = (body['kept_by_hand'] as { region: string }[]).map((each) => each.region)
    expect([...COLLECTED_IDS, ...kept].toSorted()).toEqual(REGION_IDS.toSorted())
  })

  it('follows a region from healthy over degraded and stale to healthy again', async () => {
    const australia = async (now: Date) =>
      (await checkStatus(env, now)).regions.find((each) => each.region === 'AU')
    await collect(au, DOCUMENTS)
    expect(await australia(NOW)).toMatchObject({
      status: 'healthy',
      last_successful_fetch: NOW.toISOString(),
      consecutive_failures: 0,
    })
    await collect(au, { SOURCE_AU_GST: { body: '', type: 'text/html', status: 500 } }, { now: later(DAY) })
    expect(await australia(later(DAY))).toMatchObject({
      status: 'degraded',
      consecutive_failures: 1,
      last_error: expect.stringContaining('answered 500'),
    })
    await collect(
      au,
      { SOURCE_AU_GST: { body: registering.replaceAll('GST turnover', 'revenue'), type: 'text/html' } },
      { now: later(8 * DAY) },
    )
    expect(await australia(later(8 * DAY))).toMatchObject({
      status: 'stale',
      consecutive_failures: 2,
      parse_failures: 1,
      last_successful_fetch: NOW.toISOString(),
    })
    await collect(au, DOCUMENTS, { now: later(9 * DAY) })
    expect(await australia(later(9 * DAY))).toMatchObject({
      status: 'healthy',
      consecutive_failures: 0,
      parse_failures: 0,
      last_error: null,
    })
  })

  it('is unhealthy with a message when KV cannot be read', async () => {
    const KV = { get: () => Promise.reject(new Error('down')) } as unknown as KVNamespace
    expect(await checkStatus({ ...env, KV }, NOW)).toMatchObject({
      status: 'unhealthy',
      message: expect.stringContaining('cannot be read'),
      regions: [],
    })
  })

  it('is read again after a minute and not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW })
    const first = (await call('GET', '/v1/status')).body
    await collect(au, DOCUMENTS)
    vi.setSystemTime(later(59_000))
    expect((await call('GET', '/v1/status')).body['checked_at']).toBe(first['checked_at'])
    vi.setSystemTime(later(61_000))
    expect((await call('GET', '/v1/status')).body).toMatchObject({
      status: 'degraded',
      summary: { healthy: 1, unknown: COLLECTED_IDS.length - 1 },
    })
  })

  it('makes the health of the service degraded, never unhealthy', async () => {
    const { status, body } = await call('GET', '/health')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'degraded',
      checks: { sync_freshness: { status: 'warn', message: expect.stringContaining('AU unknown') } },
    })
  })
})

describe('the overall status', () => {
  const specified = (status: CollectedFreshness) => ({ specified: true, status })
  const added = (status: CollectedFreshness) => ({ specified: false, status })

  it.each([
    ['healthy', [specified('healthy'), added('unknown')]],
    ['healthy', [specified('healthy'), added('healthy')]],
    ['degraded', [specified('healthy'), specified('unknown')]],
    ['degraded', [specified('healthy'), added('degraded')]],
    ['stale', [specified('healthy'), added('stale')]],
    ['unknown', [specified('unknown'), added('unknown')]],
    ['degraded', [specified('unknown'), added('healthy')]],
  ])('is %s of %j: an added region counts from its first run on', (expected, regions) => {
    expect(overallStatus(regions)).toBe(expected)
  })

  it('comes with the specified regions first, whatever was added', () => {
    const order = REGION_IDS.map((id): boolean => REGIONS[id].specified)
    expect(order).toEqual(order.toSorted((a, b) => Number(b) - Number(a)))
    expect(order.filter((each) => each)).toHaveLength(7)
  })
})

describe('the collectors', () => {
  it.each(REGION_IDS.filter(hasCollector))('of %s collects that region', (id) => {
    expect(COLLECTORS[id].region).toBe(id)
  })
})

describe('the schedule', () => {
  it.each([
    ['EU', '2026-11-21T00:00:00Z', true, '2026-11-21T01:10:00.000Z'],
    ['EU', '2026-11-21T01:10:00Z', true, '2026-11-22T01:10:00.000Z'],
    ['EU', '2026-11-21T01:10:00Z', false, '2026-11-21T02:10:00.000Z'],
    ['EU', '2026-11-21T00:40:00Z', false, '2026-11-21T01:10:00.000Z'],
    ['TAXABILITY', '2026-11-21T00:00:00Z', true, '2026-11-23T04:10:00.000Z'],
    ['TAXABILITY', '2026-11-23T04:10:00Z', true, '2026-11-30T04:10:00.000Z'],
  ])('runs %s after %s (good: %s) at %s', (region, now, good, next) => {
    expect(nextRunAt(region, new Date(now), good)).toBe(next)
  })

  it('queues what is due, and nothing that is not', async () => {
    const { queue, heard } = listening()
    const australian = () => heard.filter(({ kind, id }) => kind === 'sync' && id === 'AU')
    await queueDueSyncs({ ...env, WORK: queue }, NOW)
    expect(australian()).toHaveLength(1)
    await collect(au, DOCUMENTS)
    await queueDueSyncs({ ...env, WORK: queue }, later(3_600_000))
    expect(australian()).toHaveLength(1)
    await queueDueSyncs({ ...env, WORK: queue }, later(DAY))
    expect(australian()).toHaveLength(2)
  })
})
