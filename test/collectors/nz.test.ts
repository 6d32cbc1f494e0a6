import { beforeEach, describe, expect, it } from 'vitest'
import { nz } from '../../collectors/nz.ts'
import { everyBrokenDocument } from './broken-documents.ts'
import { changed, collect, type Documents, events, facts, NOW, shipData, values } from './collecting.ts'
import gst from './documents/nz/gst.html?raw'
import registering from './documents/nz/registering-for-gst.html?raw'
import { fewRoundTrips } from './round-trips.ts'

const html = (body: string) => ({ body, type: 'text/html; charset=utf-8' })
const DOCUMENTS: Documents = { SOURCE_NZ_GST: html(registering), SOURCE_NZ_RATE: html(gst) }

fewRoundTrips(nz, DOCUMENTS)
everyBrokenDocument(nz, DOCUMENTS, 'SOURCE_NZ_GST')
everyBrokenDocument(nz, DOCUMENTS, 'SOURCE_NZ_RATE')

describe('the collector of New Zealand', () => {
  beforeEach(shipData)

  it('confirms the rate and the threshold', async () => {
    const { run } = await collect(nz, DOCUMENTS)
    expect(run).toMatchObject({
      outcome: 'confirmed',
      error: null,
      records_seen: 2,
      records_confirmed: 2,
      records_changed: 0,
    })
    const { rates, thresholds } = await facts()
    const now = NOW.toISOString()
    expect(
      rates.filter(
        (rate) => rate.jurisdiction_id === 'NZ' && rate.category === 'standard' && rate.effective_to === null,
      ),
    ).toMatchObject([{ rate_millionths: 150_000, last_verified_at: now }])
    expect(thresholds.filter((threshold) => threshold.jurisdiction_id === 'NZ')).toMatchObject([
      { amount: 6_000_000, currency: 'NZD', last_verified_at: now },
    ])
  })

  it('reads the sentence in which the page once said the threshold', async () => {
    const { run } = await collect(
      nz,
      changed(DOCUMENTS, 'SOURCE_NZ_GST', (body) =>
        body.replace('was $60,000 or more in', 'your turnover was over $60,000 in'),
      ),
    )
    expect(run).toMatchObject({ outcome: 'confirmed', records_seen: 2 })
  })

  it('takes a changed rate that a person accepted, and tells the subscribers', async () => {
    const { run } = await collect(
      nz,
      changed(DOCUMENTS, 'SOURCE_NZ_RATE', (body) => body.replace('rate of 15%', 'rate of 16%')),
      { accept: true },
    )
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect(await events()).toMatchObject([
      { type: 'rate.updated', data: { jurisdiction_id: 'NZ', old_rate: 0.15, new_rate: 0.16 } },
      { type: 'sync.completed', data: { region: 'NZ', records_updated: 1 } },
    ])
  })

  it.each([
    ['a rate out of bounds', 'SOURCE_NZ_RATE', 'rate of 15%', 'rate of 51%', /out of bounds/],
    ['a renamed sentence', 'SOURCE_NZ_RATE', 'GST is charged at a rate of', 'It costs', /looked for/],
    ['a threshold out of bounds', 'SOURCE_NZ_GST', 'was $60,000 or', 'was $600,000 or', /out of bounds/],
    [
      'only the amount of the next 12 months',
      'SOURCE_NZ_GST',
      'in the last 12&nbsp;months',
      'as a rule',
      /looked for/,
    ],
  ])('does not believe %s', async (_, name, text, other, says) => {
    const before = await values()
    const { run } = await collect(
      nz,
      changed(DOCUMENTS, name, (body) => body.replace(text, other)),
    )
    expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringMatching(says) })
    expect(await values()).toEqual(before)
  })
})
