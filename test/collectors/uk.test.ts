import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { uk } from '../../collectors/uk.ts'
import {
  after,
  changed,
  collect,
  collectTwice,
  type Documents,
  events,
  facts,
  NOW,
  reviews,
  shipData,
  standardRates,
  TOMORROW,
  values,
} from './collecting.ts'
import supplement from './documents/uk/supplement.json?raw'
import rates from './documents/uk/vat-rates.json?raw'
import { describeCollector, type Doubt } from './describe-collector.ts'

const json = (body: string) => ({ body, type: 'application/json; charset=utf-8' })
const DOCUMENTS: Documents = { SOURCE_UK_RATES: json(rates), SOURCE_UK_THRESHOLD: json(supplement) }

// A doubt a line.
// oxfmt-ignore
const DOUBTS: Record<string, Doubt[]> = {
  SOURCE_UK_RATES: [
    ['a table that its own sentence contradicts', ['<td>20%</td>', '<td>22%</td>'], /agrees with the table/],
    ['a renamed heading', (body) => body.replace('<th>Rate</th>', '<th>Band</th>').replace('% of', 'Share of'), /looked for the one table/],
    ['a missing row', [/<tr><td>Reduced rate.*?<\/tr>/, ''], /missing: GB VAT reduced/],
    ['a rate of 190 %', (body) => body.replaceAll('20%', '190%'), /out of bounds/],
    ['a standard rate of 10 %', (body) => body.replaceAll('20%', '10%'), /out of bounds/],
    ['a zero rate of 5 %', ['<td>0%', '<td>5%'], /out of bounds: GB VAT zero/],
    ['a reduced rate of 15 %', ['<td>5%', '<td>15%'], /out of bounds/],
    ['an item that was withdrawn', ['"withdrawn_notice": {}', '"withdrawn_notice": {"explanation": "old"}'], /withdrawn/],
    ['a redirect', ['"schema_name": "answer"', '"schema_name": "redirect"'], /redirect/],
  ],
}

describeCollector(uk, DOCUMENTS, ['SOURCE_UK_RATES'], DOUBTS)

describe('the British collector', () => {
  beforeEach(shipData)

  it('confirms three rates and the registration threshold', async () => {
    const { run } = await collect(uk, DOCUMENTS)
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_seen: 9, records_confirmed: 9 })
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
    const documents = { SOURCE_UK_THRESHOLD: json(supplement.replace('£90,000', '£95,000')) }
    const [, { run }] = await collectTwice(uk, documents)
    expect(run).toMatchObject({
      outcome: 'failed',
      records_changed: 1,
      error: expect.stringContaining('VAT rates'),
    })
    expect((await events()).map(({ type }) => type)).toEqual(['threshold.updated'])
    expect((await facts()).rates.filter((rate) => rate.last_verified_at === TOMORROW.toISOString())).toEqual(
      [],
    )
    const state = await env.DB.prepare(
      "SELECT consecutive_failures, last_success_at FROM collector_states WHERE region = 'UK'",
    ).first()
    expect(state).toEqual({ consecutive_failures: 2, last_success_at: null })
  })

  it('takes at once what a person has looked at, and never a value out of bounds', async () => {
    const raised = (rate: string) => ({ ...DOCUMENTS, SOURCE_UK_RATES: json(rates.replaceAll('20%', rate)) })
    expect((await collect(uk, raised('190%'), { accept: true })).run.outcome).toBe('quarantined')
    expect((await collect(uk, raised('22%'))).run).toMatchObject({ outcome: 'quarantined', records_held: 3 })
    expect((await collect(uk, raised('22%'), { accept: true })).run).toMatchObject({
      outcome: 'applied',
      records_changed: 3,
    })
    expect(new Set((await reviews()).map(({ status }) => status))).toEqual(new Set(['gone', 'accepted']))
  })

  it('takes a changed threshold when both notices say it, and tells subscribers once', async () => {
    const both = {
      ...changed(DOCUMENTS, 'SOURCE_UK_THRESHOLD', (body) => body.replace('£90,000', '£95,000')),
      SOURCE_UK_THRESHOLD_TWIN: json(supplement.replace('£90,000', '£95,000')),
    }
    expect((await collect(uk, both)).run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect((await collect(uk, both, { now: TOMORROW })).run.outcome).toBe('confirmed')
    const told = (await events()).filter(({ type }) => type === 'threshold.updated')
    expect(told).toMatchObject([
      {
        data: {
          jurisdiction_id: 'GB',
          threshold_type: 'VAT_REGISTRATION',
          old_amount: 9_000_000,
          new_amount: 9_500_000,
          currency: 'GBP',
        },
      },
    ])
  })

  it('asks a person when the twin of the notice contradicts a new threshold, on any number of days', async () => {
    const documents = {
      ...changed(DOCUMENTS, 'SOURCE_UK_THRESHOLD', (body) => body.replace('£90,000', '£95,000')),
      SOURCE_UK_THRESHOLD_TWIN: json(supplement),
    }
    const [, { run }] = await collectTwice(uk, documents)
    expect(run).toMatchObject({
      outcome: 'quarantined',
      records_changed: 0,
      error: expect.stringMatching(/is £90,000.00, the source says £95,000.00.*700\/11/),
    })
    expect(await reviews()).toMatchObject([{ subject: 'GB VAT_REGISTRATION all', status: 'open' }])
  })

  it('does not believe an old copy of the twin, with the threshold of 2023', async () => {
    const before = await values()
    const old = supplement.replace('£90,000', '£85,000').replace('2026-11-21T00:05:00', '2023-05-31T09:30:00')
    const documents = { SOURCE_UK_RATES: json(rates), SOURCE_UK_THRESHOLD_TWIN: json(old) }
    const [, { run }] = await collectTwice(uk, documents)
    expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringContaining('an old copy') })
    expect(await values()).toEqual(before)
  })

  it('takes a true change that the page makes in a minor update', async () => {
    const minor = (body: string) =>
      body
        .replaceAll('20%', '21%')
        .replace(/"public_updated_at": "[^"]*"/, '"public_updated_at": "2024-04-02T09:00:00Z"')
        .replace(/"schema_name"/, '"updated_at": "2026-11-21T01:00:00Z", "schema_name"')
    const [, { run }] = await collectTwice(uk, changed(DOCUMENTS, 'SOURCE_UK_RATES', minor))
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 3 })
  })

  it('lets a person accept what a page says that seems not to have been edited', async () => {
    const unedited = changed(DOCUMENTS, 'SOURCE_UK_RATES', (body) =>
      body
        .replaceAll('20%', '21%')
        .replaceAll(/"(public_)?updated_at": "[^"]*"/g, '"$1updated_at": "2024-04-02T09:00:00Z"'),
    )
    expect((await collect(uk, unedited)).run).toMatchObject({ outcome: 'quarantined', records_held: 3 })
    expect(await reviews()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          subject: 'GB VAT standard',
          status: 'open',
          why: expect.stringContaining('an old copy'),
        }),
      ]),
    )
    expect((await collect(uk, unedited, { accept: true })).run).toMatchObject({ outcome: 'applied' })
  })

  it.each(['April 2027', '1/4/2027'])('does not take "from %s" for today', async (day) => {
    const before = await values()
    const vague = json(rates.replaceAll('20%', '22%').replace('<em>22%</em>', `<em>22%</em> from ${day}`))
    const [, { run }] = await collectTwice(uk, { ...DOCUMENTS, SOURCE_UK_RATES: vague })
    expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringContaining('a whole day') })
    expect(await values()).toEqual(before)
  })

  it('asks a person when an announcement is withdrawn', async () => {
    const announced = json(
      rates.replaceAll('20%', '22%').replace('<em>22%</em>', '<em>22%</em> from 1 April 2027'),
    )
    await collectTwice(uk, { ...DOCUMENTS, SOURCE_UK_RATES: announced })
    const edited = (count: number) =>
      json(
        rates.replaceAll(
          /"(public_)?updated_at": "[^"]*"/g,
          `"$1updated_at": "${after(count).toISOString().slice(0, 10)}T00:05:00Z"`,
        ),
      )
    const { run } = await collect(uk, { ...DOCUMENTS, SOURCE_UK_RATES: edited(2) }, { now: after(2) })
    expect(run).toMatchObject({
      outcome: 'quarantined',
      error: expect.stringMatching(/announced from 2027-04-01/),
    })
    const doubted = (await facts()).rates.filter(({ doubted_since }) => doubted_since !== undefined)
    expect(doubted.map(({ effective_from }) => effective_from)).toContain('2027-04-01')
    await collect(uk, { ...DOCUMENTS, SOURCE_UK_RATES: edited(3) }, { now: after(3), accept: true })
    const british = await standardRates('GB')
    expect(british.filter(({ rate_millionths }) => rate_millionths === 220_000)).toEqual([])
  })

  it('stores a rate with the day that the sentence names', async () => {
    const announced = json(
      rates.replaceAll('20%', '22%').replace('<em>22%</em>', '<em>22%</em> from 1 April 2027'),
    )
    const [, { run }] = await collectTwice(uk, { ...DOCUMENTS, SOURCE_UK_RATES: announced })
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 3 })
    const british = await standardRates('GB')
    expect(british.slice(-2)).toMatchObject([
      { rate_millionths: 200_000, effective_to: '2027-03-31' },
      { rate_millionths: 220_000, effective_from: '2027-04-01' },
    ])
  })
})
