import { beforeEach, describe, expect, it } from 'vitest'
import { us } from '../../collectors/us.ts'
import {
  after,
  changed,
  collect,
  collectTwice,
  type Documents,
  events,
  facts,
  html,
  NOW,
  shipData,
  TOMORROW,
} from './collecting.ts'
import guidance from './documents/us/guidance.html?raw'
import nexus from './documents/us/nexus.html?raw'
import { describeCollector, type Doubt } from './describe-collector.ts'

const DOCUMENTS: Documents = { SOURCE_US_NEXUS: html(nexus) }

const cell = (name: string, threshold: string) => (body: string) =>
  body.replace(
    new RegExp(`(<a href="#">${name}</a></td><td>In force</td><td>).*?(?=</td>)`),
    (_, before: string) => before + threshold,
  )
const thresholdsOf = async (id: string) =>
  (await facts()).thresholds.filter((each) => each.jurisdiction_id === id)

// A doubt a line.
// oxfmt-ignore
const DOUBTS: Record<string, Doubt[]> = {
  SOURCE_US_NEXUS: [
    ['a missing row', [/<tr><td><a href="#">Texas.*\n/, ''], /missing: US-TX/],
    ['a renamed heading', ['<th>Threshold</th>', '<th>Limit</th>'], /looked for the one table/],
    ['a row that is too short', ['<td><a href="#">Texas</a></td>', ''], /does not expect the row/],
    ['a state that nobody knows', (body) => body.replaceAll('Texas', 'Sequoyah'), /does not expect the row "Sequoyah/],
    ['a state that stands there twice', (body) => body.replaceAll('Texas', 'Ohio'), /does not expect the row "Ohio/],
    ['a cell that is empty', cell('Texas', ''), /US-TX: looked for a threshold that holds today/],
    ['two amounts', cell('Texas', '<p>$500,000 or $100,000</p>'), /US-TX: looked for one amount/],
    ['two thresholds that both hold', cell('Texas', '<p>$500,000</p><p>$100,000</p>'), /US-TX: .* found two/],
    ['an odd number of transactions', cell('Ohio', '<p>$100,000 or 2,000 transactions</p>'), /does not believe 2000/],
    ['a number in words', cell('Ohio', '<p>$100,000 or two hundred transactions</p>'), /looked for a number of transactions/],
    ['a number that is there and removed', cell('Ohio', '<p>$100,000 or 200 transactions; the latter removed</p>'), /says that it was removed/],
    ['a day whose meaning cannot be told', cell('Texas', '<p>$500,000 (July 1, 2027)</p>'), /what the day means/],
    ['a threshold that fell by more than half', cell('Texas', '<p>$100,000</p>'), /US-TX.*by more than half/],
    [
      'a threshold of a state without a sales tax',
      [
        '</tbody>',
        '<tr><td><a href="#">Delaware</a></td><td>In force</td><td><p>$100,000</p></td><td>A year</td><td>x</td><td>x</td></tr></tbody>',
      ],
      /US-DE/,
    ],
    ['an amount out of bounds', cell('Texas', '<p>$5,000</p>'), /out of bounds: US-TX/],
    ['half of all changed', (body) => body.replaceAll('$100,000 or 200', '$150,000 or 200'), /at once/],
    ['a chart of two years ago', ['11/2/2026', '11/2/2024'], /last 14 months and found 2024-11-02/],
    ['a chart without a day', ['As of', 'Read on'], /found none/],
  ],
}

describeCollector(us, DOCUMENTS, ['SOURCE_US_NEXUS'], DOUBTS)

describe('the collector of economic nexus', () => {
  beforeEach(shipData)

  it.each([
    ['the chart', DOCUMENTS],
    ['the guidance of the board, when the chart is gone', { SOURCE_US_NEXUS_BOARD: html(guidance) }],
  ])('confirms the threshold of every state by %s', async (_, documents) => {
    const { run, changes } = await collect(us, documents)
    expect(changes).toEqual([])
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_seen: 52, records_confirmed: 52 })
    const inForce = (await facts()).thresholds.filter(
      (each) => each.threshold_type === 'REMOTE_SELLER_NEXUS' && (each.effective_to ?? '9999') > '2026-11-21',
    )
    expect(inForce).toHaveLength(52)
    expect(inForce.filter((each) => each.last_verified_at !== NOW.toISOString())).toEqual([])
  })

  it('takes a changed amount, keeps which sales are counted, and tells of it', async () => {
    const [, { run }] = await collectTwice(
      us,
      changed(DOCUMENTS, 'SOURCE_US_NEXUS', cell('Texas', '<p>$250,000</p>')),
    )
    expect(run).toMatchObject({ outcome: 'applied', error: null, records_changed: 1 })
    const [before, after] = (await thresholdsOf('US-TX')).slice(-2)
    expect(before).toMatchObject({ amount: 50_000_000, effective_to: '2026-11-20' })
    expect(after).toMatchObject({
      amount: 25_000_000,
      effective_from: '2026-11-21',
      effective_to: null,
      included_sales: before?.included_sales,
      measurement_period: before?.measurement_period,
      amount_test: before?.amount_test,
    })
    expect((await events())[0]).toMatchObject({
      type: 'threshold.updated',
      data: { jurisdiction_id: 'US-TX', old_amount: 50_000_000, new_amount: 25_000_000 },
    })
  })

  it('takes a removal that has come from the day that the chart gives', async () => {
    const removed =
      '<p>$100,000</p><p>*Ohio removed their 200 transactions threshold effective November 1, 2026.</p>'
    const [, { run }] = await collectTwice(us, changed(DOCUMENTS, 'SOURCE_US_NEXUS', cell('Ohio', removed)))
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect((await thresholdsOf('US-OH')).slice(-2)).toMatchObject([
      { transaction_count: 200, combinator: 'or', effective_to: '2026-10-31' },
      { transaction_count: null, combinator: null, effective_from: '2026-11-01', effective_to: null },
    ])
  })

  it.each([
    [
      '$100,000 or 200 transactions</p><p>*Ohio will remove their 200 transactions threshold effective January 1, 2027.',
      100_000_00,
    ],
    [
      '$100,000 or 200 transactions (until December 31, 2026)</p><p>$150,000 effective January 1, 2027',
      150_000_00,
    ],
    [
      '$150,000 (effective January 1, 2027); $100,000 or 200 transactions (prior to January 1, 2027)',
      150_000_00,
    ],
  ])('stores what is announced with its day, and confirms it afterwards: %s', async (wording, amount) => {
    const documents = changed(DOCUMENTS, 'SOURCE_US_NEXUS', cell('Ohio', `<p>${wording}</p>`))
    const [, { run }] = await collectTwice(us, documents)
    expect(run).toMatchObject({
      outcome: 'applied',
      error: null,
      records_changed: 1,
      records_confirmed: 52,
    })
    const stored = [
      { transaction_count: 200, amount: 100_000_00, effective_to: '2026-12-31' },
      { transaction_count: null, amount, effective_from: '2027-01-01', effective_to: null },
    ]
    expect((await thresholdsOf('US-OH')).slice(-2)).toMatchObject(stored)
    const { run: third } = await collect(us, documents, { now: TOMORROW })
    expect(third).toMatchObject({ outcome: 'confirmed', records_changed: 0 })
    expect((await thresholdsOf('US-OH')).slice(-2)).toMatchObject(stored)
  })

  it('does not believe a change that was announced for one day and now for a later one', async () => {
    const announced = (day: string) =>
      changed(
        DOCUMENTS,
        'SOURCE_US_NEXUS',
        cell(
          'Ohio',
          `<p>$100,000 or 200 transactions until December 31, 2026</p><p>$150,000 effective ${day}</p>`,
        ),
      )
    await collectTwice(us, announced('January 1, 2027'))
    const { run } = await collect(us, announced('April 1, 2027'))
    expect(run).toMatchObject({
      outcome: 'quarantined',
      error: expect.stringMatching(/announced from 2027-01-01.*2027-04-01/),
    })
  })

  it('says nothing of a threshold that began after the chart was made', async () => {
    await collectTwice(us, changed(DOCUMENTS, 'SOURCE_US_NEXUS', cell('Texas', '<p>$250,000</p>')))
    const older = changed(DOCUMENTS, 'SOURCE_US_NEXUS', (body) =>
      body.replace('As of 11/2/2026', 'As of 11/1/2026'),
    )
    const { run } = await collect(us, older, { now: TOMORROW })
    expect(run).toMatchObject({ outcome: 'confirmed', records_seen: 52, records_confirmed: 51 })
  })

  it('takes a threshold back that the same chart named by mistake', async () => {
    await collectTwice(us, changed(DOCUMENTS, 'SOURCE_US_NEXUS', cell('Texas', '<p>$250,000</p>')))
    const [third, fourth] = [2, 3].map((days) => ({ now: after(days) }))
    expect((await collect(us, DOCUMENTS, third)).run).toMatchObject({ records_held: 1 })
    expect((await collect(us, DOCUMENTS, fourth)).run).toMatchObject({ records_changed: 1 })
    const texas = (await facts()).thresholds.filter(({ jurisdiction_id }) => jurisdiction_id === 'US-TX')
    expect(texas.at(-1)).toMatchObject({ amount: 50_000_000, effective_from: '2026-11-21' })
  })

  it.each([
    [
      'a removal in the line of its amount',
      cell(
        'Alaska',
        '<p>$100,000 – Alaska removed their 200 transactions threshold effective January 1, 2025.</p>',
      ),
    ],
    [
      'a day of another sentence before its own',
      (body: string) =>
        body.replace('<p>As of 11/2/2026</p>', '<p>As of June 21, 2018, Wayfair.</p><p>As of 11/2/2026</p>'),
    ],
  ])('reads %s', async (_, change) => {
    const { run } = await collect(us, changed(DOCUMENTS, 'SOURCE_US_NEXUS', change))
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_confirmed: 52 })
  })

  it('reads moved columns by their headings', async () => {
    const moved = nexus
      .replace('<th>Threshold</th>', '')
      .replace('<th>More Information</th>', '<th>Threshold</th><th>More Information</th>')
      .replaceAll(
        /<td>In force<\/td><td>(.*?)<\/td>(.*?)(<td><a href="#">[^<]* Economic)/g,
        '<td>In force</td>$2<td>$1</td>$3',
      )
    expect((await collect(us, { SOURCE_US_NEXUS: html(moved) })).run).toMatchObject({
      outcome: 'confirmed',
      records_confirmed: 52,
    })
  })
})
