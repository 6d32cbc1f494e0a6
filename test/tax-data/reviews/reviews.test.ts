import { keepAccountsIn } from '../../support/shards.ts'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { au } from '../../../collectors/au.ts'
import { pruneOldReviews } from '../../../src/tax-data/reviews/prune.ts'
import { collect, events, facts, NOW, shipData, TOMORROW } from '../../collectors/collecting.ts'
import registering from '../../collectors/documents/au/registering-for-gst.html?raw'
import { newAccount } from '../../support/account.ts'
import { callWith } from '../../faults/faulty.ts'
import { listening } from '../../support/queues.ts'
import { call } from '../../support/service.ts'

keepAccountsIn(0)

type Review = { id: string; subject: string; status: string; proposed: object | null }

const html = (body: string) => ({ body, type: 'text/html; charset=utf-8' })
const RAISED = { SOURCE_AU_GST: html(registering.replace('tax of 10%', 'tax of 12.5%')) }

let key = ''
beforeEach(async () => {
  // A reading counts for some days, so a person decides at the moment of the run.
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  await shipData()
  key = (await newAccount({ scopes: ['operator'] })).key
})

afterEach(() => vi.useRealTimers())

const list = async (query = '') => (await call('GET', `/v1/metadata/reviews${query}`, { key })).body
const open = async () => ((await list())['reviews'] as Review[])[0]
const decide = async (id: string | undefined, decision: string, reason = 'I called the office') =>
  call('POST', `/v1/metadata/reviews/${id}`, { key, body: { decision, reason } })
const rate = async () =>
  (await facts()).rates.filter((each) => each.jurisdiction_id === 'AU' && each.category === 'standard')

describe('a decision', () => {
  it('about what the source was last seen to say long ago is refused, until it is read again', async () => {
    await collect(au, RAISED)
    await env.DB.prepare("UPDATE reviews SET last_seen_at = '2026-10-09T02:00:00.000Z'").run()
    const review = await open()
    const old = await decide(review?.id, 'accept')
    expect(old.status).toBe(400)
    expect(JSON.stringify(old.body)).toContain('2026-10-09')
    expect((await rate()).at(-1)).toMatchObject({ rate_millionths: 100_000 })
    expect((await decide(review?.id, 'refuse')).status).toBe(200)
  })

  it('that meets another one is an error that can be corrected, never a fault', async () => {
    await collect(au, RAISED)
    const review = await open()
    const answers = await Promise.all(Array.from({ length: 6 }, () => decide(review?.id, 'accept')))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses[0]).toBe(200)
    expect(statuses.slice(1).every((status) => status >= 400 && status < 500)).toBe(true)
  })
})

describe('GET /v1/metadata/reviews', () => {
  it('shows what was found beside what is in force, with the text of the source', async () => {
    await collect(au, RAISED)
    expect(await list()).toMatchObject({
      total: 1,
      reviews: [
        {
          region: 'AU',
          part: 'GST rate',
          subject: 'AU GST standard',
          status: 'open',
          why: expect.stringContaining('a person decides'),
          stands: { says: '10 %' },
          proposed: { says: '12.5 %', effective_from: '2026-11-21' },
          source: 'Australian Taxation Office',
          excerpt: expect.stringContaining('tax of 12.5%'),
          witnesses: [{ source: 'Australian Taxation Office', day: '2026-11-21' }],
          decided_at: null,
        },
      ],
    })
    expect((await list('?status=refused'))['total']).toBe(0)
    expect((await list('?region=EU'))['total']).toBe(0)
    expect((await list())['shapes']).toContainEqual(
      expect.objectContaining({ variable: 'SOURCE_EU_RATES', shape: 'verified', seen_on: '2026-08-13' }),
    )
  })

  it('lists the facts of low confidence with the day by which a person has to confirm them', async () => {
    const { to_confirm, to_confirm_total } = await list()
    const days = (to_confirm as { confirm_by: string }[]).map(({ confirm_by }) => confirm_by)
    expect(Number(to_confirm_total)).toBeGreaterThan(0)
    expect(days).toEqual(days.toSorted())
  })

  it('says by when a person has to look for the next sales tax holiday of a state', async () => {
    const { holidays } = await list()
    expect(holidays).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ jurisdiction_id: 'US-TX', review_by: expect.any(String) }),
      ]),
    )
    const days = (holidays as { review_by: string }[]).map(({ review_by }) => review_by)
    expect(days).toEqual(days.toSorted())
  })

  it('is for operators alone: every scope of an account is not enough', async () => {
    const { key: all } = await newAccount({ scopes: ['*'] })
    expect((await call('GET', '/v1/metadata/reviews', { key: all })).body).toMatchObject({
      error_code: 'FORBIDDEN',
    })
  })

  it('shows a document that cannot be read, of which nothing can be accepted', async () => {
    await collect(au, { SOURCE_AU_GST: html(registering.replaceAll('GST turnover', 'revenue')) })
    const review = await open()
    expect(review).toMatchObject({
      kind: 'document',
      proposed: null,
      why: expect.stringContaining('looked for'),
    })
    expect((await decide(review?.id, 'accept')).body).toMatchObject({ reason: 'review_proposes_nothing' })
    expect((await decide(review?.id, 'refuse')).status).toBe(200)
    expect((await list())['total']).toBe(0)
  })
})

describe('POST /v1/metadata/reviews/:id', () => {
  it('puts an accepted fact into force, tells subscribers once and is audited', async () => {
    await collect(au, RAISED)
    const review = await open()
    expect((await decide(review?.id, 'accept')).body).toMatchObject({ decision: 'accept' })
    expect(await rate()).toMatchObject([
      { rate_millionths: 100_000, effective_to: '2026-11-20' },
      { rate_millionths: 125_000, effective_from: '2026-11-21', effective_to: null },
    ])
    expect(await events()).toMatchObject([
      { type: 'rate.updated', data: { jurisdiction_id: 'AU', old_rate: 0.1, new_rate: 0.125 } },
    ])
    const audited = await env.DB.prepare('SELECT action, changed FROM audit_events WHERE resource_id = ?')
      .bind(review?.id)
      .all()
    expect(audited.results).toMatchObject([{ action: 'review.accepted' }])
    expect((await decide(review?.id, 'accept')).body).toMatchObject({ reason: 'review_decided' })
    expect((await collect(au, RAISED, { now: TOMORROW })).run).toMatchObject({
      outcome: 'confirmed',
      error: null,
    })
    expect((await events()).filter(({ type }) => type === 'rate.updated')).toHaveLength(1)
  })

  it('tells subscribers though the cache takes nothing', async () => {
    await collect(au, RAISED)
    const review = await open()
    const { queue, heard } = listening()
    const KV = new Proxy(env.KV, {
      get: (kv, name) =>
        name === 'put' ? () => Promise.reject(new Error('KV takes nothing')) : Reflect.get(kv, name).bind(kv),
    })
    const body = { decision: 'accept', reason: 'I called the office' }
    const path = `/v1/metadata/reviews/${review?.id}`
    const answer = await callWith({ ...env, KV, WEBHOOK_EVENTS: queue }, key, { method: 'POST', path, body })
    expect(answer.status).toBe(200)
    expect(heard).toEqual([{ kind: 'event', id: expect.any(String), shard: 0 }])
  })

  it('keeps what is in force when a reading is refused, and does not ask again', async () => {
    await collect(au, RAISED)
    expect((await rate())[0]?.doubted_since).toBe(NOW.toISOString())
    await decide((await open())?.id, 'refuse')
    expect(await rate()).toMatchObject([
      { rate_millionths: 100_000, effective_to: null, verified_by: expect.stringContaining('a person') },
    ])
    expect((await rate())[0]?.doubted_since).toBeUndefined()
    const { run } = await collect(au, RAISED, { now: TOMORROW })
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_held: 0 })
    expect((await list())['total']).toBe(0)
    const [decided] = (await list('?status=refused'))['reviews'] as object[]
    expect(decided).toMatchObject({ decision_reason: 'I called the office', decided_by: expect.any(String) })
  })

  it('confirms a fact of low confidence by its id', async () => {
    const [first] = (await list())['to_confirm'] as { id: string }[]
    expect((await decide(encodeURIComponent(first?.id ?? ''), 'accept')).status).toBe(200)
    const { rates, thresholds, product_rules } = await facts()
    const found = [...rates, ...thresholds, ...product_rules].find(({ id }) => id === first?.id)
    expect(found?.verified_by).toMatch(/^a person \(key_/)
  })

  it('refuses a decision about nothing, and one without a reason', async () => {
    expect((await decide('rev_01jd0000000000000000000000', 'accept')).body).toMatchObject({
      error_code: 'NOT_FOUND',
    })
    expect((await decide('rev_01jd0000000000000000000000', 'accept', '')).body).toMatchObject({
      error_code: 'VALIDATION_ERROR',
    })
  })
})

describe('old reviews', () => {
  it('are removed after 400 days, if they are decided', async () => {
    await collect(au, RAISED)
    const later = new Date(NOW.getTime() + 401 * 86_400_000)
    await pruneOldReviews(env.DB, later)
    expect((await list())['total']).toBe(1)
    await decide((await open())?.id, 'refuse')
    await pruneOldReviews(env.DB, later)
    expect((await list('?status=refused'))['total']).toBe(0)
  })
})
