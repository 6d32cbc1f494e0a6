import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { au } from '../../collectors/au.ts'
import { runCollector } from '../../collectors/pipeline.ts'
import {
  changed,
  collect,
  collectTwice,
  type Documents,
  events,
  html,
  NOW,
  reviews,
  shipData,
  standardRates,
  values,
} from './collecting.ts'
import ablis from './documents/au/ablis.html?raw'
import business from './documents/au/business-gov.html?raw'
import registering from './documents/au/registering-for-gst.html?raw'
import { describeCollector, type Doubt } from './describe-collector.ts'

const DOCUMENTS: Documents = { SOURCE_AU_GST: html(registering) }
const FALLBACK: Documents = { SOURCE_AU_ABLIS: html(ablis), SOURCE_AU_RATE: html(business) }

const rates = () => standardRates('AU')

// A doubt a line.
// oxfmt-ignore
const DOUBTS: Record<string, Doubt[]> = {
  SOURCE_AU_GST: [
    ['a rate of 190 %', ['tax of 10%', 'tax of 90%'], /out of bounds/],
    ['a threshold out of bounds', ['$75,000', '$75'], /out of bounds|looked for/],
    ['a renamed sentence', (body) => body.replaceAll('GST turnover', 'revenue'), /looked for/],
  ],
}

describeCollector(au, DOCUMENTS, ['SOURCE_AU_GST'], DOUBTS)

describe('the Australian collector', () => {
  beforeEach(shipData)

  it('confirms what is in force, and says when', async () => {
    const { run } = await collect(au, DOCUMENTS)
    expect(run).toMatchObject({
      outcome: 'confirmed',
      error: null,
      records_seen: 3,
      records_confirmed: 3,
      records_changed: 0,
      records_added: 0,
    })
    expect(run.documents[0]).toMatchObject({
      bytes: registering.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await rates()).toMatchObject([
      { rate_millionths: 100_000, last_verified_at: NOW.toISOString(), effective_to: null },
    ])
    expect(await events()).toMatchObject([
      { type: 'sync.completed', data: { region: 'AU', records_updated: 0 } },
    ])
  })

  it('reads the register of licences when the tax office refuses', async () => {
    const { run } = await collect(au, FALLBACK)
    expect(run).toMatchObject({ outcome: 'confirmed', records_seen: 3 })
  })

  it('holds every change for a person, on any number of days', async () => {
    const before = await values()
    const documents = changed(DOCUMENTS, 'SOURCE_AU_GST', (body) => body.replace('tax of 10%', 'tax of 15%'))
    const [, { run }] = await collectTwice(au, documents)
    expect(run).toMatchObject({
      outcome: 'quarantined',
      records_changed: 0,
      error: expect.stringMatching(/AU GST standard is 10 %, the source says 15 %.*a person decides/),
    })
    expect(await reviews()).toMatchObject([{ subject: 'AU GST standard', status: 'open' }])
    expect(await events()).toEqual([])
    expect(await values()).toEqual(before)
    const [standard] = (await rates()).slice(-1)
    expect(standard?.doubted_since).toBe(NOW.toISOString())
  })

  it('takes a changed rate that a person accepted, and keeps the period before it', async () => {
    const { run } = await collect(
      au,
      changed(DOCUMENTS, 'SOURCE_AU_GST', (body) => body.replace('tax of 10%', 'tax of 12.5%')),
      { accept: true },
    )
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect(await rates()).toMatchObject([
      { rate_millionths: 100_000, effective_from: '2000-07-01', effective_to: '2026-11-20' },
      { rate_millionths: 125_000, effective_from: '2026-11-21', effective_to: null },
    ])
    expect(await events()).toMatchObject([
      {
        type: 'rate.updated',
        data: {
          jurisdiction_id: 'AU',
          jurisdiction_name: 'Australia',
          tax_type: 'GST',
          old_rate: 0.1,
          new_rate: 0.125,
          effective_from: '2026-11-21',
        },
      },
      { type: 'sync.completed', data: { records_updated: 1 } },
    ])
    const evidence = await env.DB.prepare('SELECT matched_text FROM collector_evidence WHERE run_id = ?')
      .bind(run.id)
      .first('matched_text')
    expect(evidence).toContain('12.5%')
  })

  it('reads the threshold of businesses past a not-for-profit line', async () => {
    const documents = changed(DOCUMENTS, 'SOURCE_AU_GST', (body) =>
      body.replace(
        '<li>when your business',
        '<li>when your not-for-profit organisation has a GST turnover of $150,000 or more</li><li>when your business',
      ),
    )
    expect((await collect(au, documents)).run).toMatchObject({ outcome: 'confirmed', error: null })
  })

  it('asks again for what fails in passing, and not for what is unchanged', async () => {
    const { run } = await collect(au, changed(DOCUMENTS, 'SOURCE_AU_GST', { fails_first: 2 }))
    expect(run.outcome).toBe('confirmed')
    const published = changed(DOCUMENTS, 'SOURCE_AU_GST', { etag: '"v1"' })
    const first = await collect(au, published)
    const again = await runCollector(env, au, { now: NOW, addresses: first.addresses, pause_ms: 1 })
    expect(again.run).toMatchObject({ outcome: 'confirmed', documents: first.run.documents })
  })

  it('writes nothing in a dry run', async () => {
    const before = await values()
    const { run, changes, held } = await collect(
      au,
      changed(DOCUMENTS, 'SOURCE_AU_GST', (body) => body.replace('tax of 10%', 'tax of 12%')),
      { dry_run: true },
    )
    expect(run.outcome).toBe('quarantined')
    expect(changes).toEqual([])
    expect(held).toHaveLength(1)
    expect(await values()).toEqual(before)
    expect(await env.DB.prepare('SELECT count(*) AS n FROM collector_runs').first('n')).toBe(0)
  })
})
