import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { uk } from '../../collectors/uk.ts'
import { everyBrokenDocument } from './broken-documents.ts'
import { changed, collect, type Documents, events, facts, NOW, shipData, values } from './collecting.ts'
import supplement from './documents/uk/supplement.json?raw'
import rates from './documents/uk/vat-rates.json?raw'
import { fewRoundTrips } from './round-trips.ts'

const json = (body: string) => ({ body, type: 'application/json; charset=utf-8' })
const DOCUMENTS: Documents = { SOURCE_UK_RATES: json(rates), SOURCE_UK_THRESHOLD: json(supplement) }

fewRoundTrips(uk, DOCUMENTS)
everyBrokenDocument(uk, DOCUMENTS, 'SOURCE_UK_RATES')

describe('the British collector', () => {
  beforeEach(shipData)

  it('confirms three rates and the registration threshold', async () => {
    const { run } = await collect(uk, DOCUMENTS)
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_seen: 4, records_confirmed: 4 })
    const verified = (await facts()).thresholds.filter((each) => each.last_verified_at === NOW.toISOString())
    expect(verified).toMatchObject([
      { jurisdiction_id: 'GB', threshold_type: 'VAT_REGISTRATION', amount: 9_000_000 },
    ])
  })

  it('reads the twin of the notice when the first is gone', async () => {
    const { run } = await collect(uk, {
      SOURCE_UK_RATES: json(rates),
      SOURCE_UK_THRESHOLD_TWIN: json(supplement),
    })
    expect(run.outcome).toBe('confirmed')
  })

  it('takes what one page says though another is gone, and is not completed', async () => {
    const { run } = await collect(uk, { SOURCE_UK_THRESHOLD: json(supplement.replace('£90,000', '£95,000')) })
    expect(run).toMatchObject({
      outcome: 'failed',
      records_changed: 1,
      error: expect.stringContaining('VAT rates'),
    })
    expect((await events()).map(({ type }) => type)).toEqual(['threshold.updated'])
    expect((await facts()).rates.filter((rate) => rate.last_verified_at === NOW.toISOString())).toEqual([])
    const state = await env.DB.prepare(
      "SELECT consecutive_failures, last_success_at FROM collector_states WHERE region = 'UK'",
    ).first()
    expect(state).toEqual({ consecutive_failures: 1, last_success_at: null })
  })

  it('takes a large change that a person has looked at, and never one out of bounds', async () => {
    const lowered = (rate: string) => ({
      SOURCE_UK_RATES: json(rates.replaceAll('20%', rate)),
      SOURCE_UK_THRESHOLD: json(supplement),
    })
    expect((await collect(uk, lowered('7.5%'))).run).toMatchObject({
      outcome: 'quarantined',
      error: expect.stringContaining('10 points'),
    })
    expect((await collect(uk, lowered('190%'), { accept_changes: true })).run.outcome).toBe('quarantined')
    expect((await collect(uk, lowered('7.5%'), { accept_changes: true })).run).toMatchObject({
      outcome: 'applied',
      records_changed: 1,
    })
  })

  it('takes a changed threshold and tells subscribers', async () => {
    const { run } = await collect(
      uk,
      changed(DOCUMENTS, 'SOURCE_UK_THRESHOLD', (body) => body.replace('£90,000', '£95,000')),
    )
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect((await events())[0]).toMatchObject({
      type: 'threshold.updated',
      data: {
        jurisdiction_id: 'GB',
        threshold_type: 'VAT_REGISTRATION',
        old_amount: 9_000_000,
        new_amount: 9_500_000,
        currency: 'GBP',
      },
    })
  })

  it.each([
    [
      'a table that its own sentence contradicts',
      (body: string) => body.replace('<td>20%</td>', '<td>22%</td>'),
      /agrees with the table/,
    ],
    [
      'a renamed heading',
      (body: string) => body.replace('<th>Rate</th>', '<th>Band</th>').replace('% of', 'Share of'),
      /looked for the one table/,
    ],
    [
      'a missing row',
      (body: string) => body.replace(/<tr><td>Reduced rate.*?<\/tr>/, ''),
      /missing: GB VAT reduced/,
    ],
    ['a rate of 190 %', (body: string) => body.replaceAll('20%', '190%'), /out of bounds/],
    [
      'an item that was withdrawn',
      (body: string) => body.replace('"withdrawn_notice": {}', '"withdrawn_notice": {"explanation": "old"}'),
      /withdrawn/,
    ],
    [
      'a redirect',
      (body: string) => body.replace('"schema_name": "answer"', '"schema_name": "redirect"'),
      /redirect/,
    ],
  ])('does not believe %s', async (_, change, says) => {
    const before = await values()
    const { run } = await collect(uk, changed(DOCUMENTS, 'SOURCE_UK_RATES', change))
    expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringMatching(says) })
    expect(await values()).toEqual(before)
  })
})
