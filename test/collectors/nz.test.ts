import { beforeEach, describe, expect, it } from 'vitest'
import { nz } from '../../collectors/nz.ts'
import { changed, collect, type Documents, events, facts, html, NOW, shipData } from './collecting.ts'
import gst from './documents/nz/gst.html?raw'
import registering from './documents/nz/registering-for-gst.html?raw'
import { describeCollector, type Doubt } from './describe-collector.ts'

const DOCUMENTS: Documents = { SOURCE_NZ_GST: html(registering), SOURCE_NZ_RATE: html(gst) }

// A doubt a line.
// oxfmt-ignore
const DOUBTS: Record<string, Doubt[]> = {
  SOURCE_NZ_RATE: [
    ['a rate out of bounds', ['rate of 15%', 'rate of 51%'], /out of bounds/],
    ['a renamed sentence', ['GST is charged at a rate of', 'It costs'], /looked for/],
  ],
  SOURCE_NZ_GST: [
    ['a threshold out of bounds', ['was $60,000 or', 'was $600,000 or'], /out of bounds/],
    ['only the amount of the next 12 months', ['in the last 12&nbsp;months', 'as a rule'], /looked for/],
  ],
}

describeCollector(nz, DOCUMENTS, ['SOURCE_NZ_GST', 'SOURCE_NZ_RATE'], DOUBTS)

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
})
