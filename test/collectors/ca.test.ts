import { beforeEach, describe, expect, it } from 'vitest'
import { ca } from '../../collectors/ca.ts'
import {
  changed,
  collect,
  collectTwice,
  type Documents,
  events,
  facts,
  html,
  NOW,
  shipData,
  values,
} from './collecting.ts'
import rates from './documents/ca/rates.html?raw'
import register from './documents/ca/when-to-register.html?raw'
import { describeCollector, type Doubt } from './describe-collector.ts'

const DOCUMENTS: Documents = { SOURCE_CA_RATES: html(rates), SOURCE_CA_THRESHOLD: html(register) }

// A doubt a line.
// oxfmt-ignore
const DOUBTS: Record<string, Doubt[]> = {
  SOURCE_CA_RATES: [
    ['a renamed heading', ['>PST<', '>Provincial<'], /looked for the one table/],
    ['a missing row', [/<tr><td>Yukon.*\n/, ''], /13 provinces and found 12/],
    ['a province that nobody knows', ['Yukon', 'Klondike'], /Klondike/],
    [
      'British Columbia and Saskatchewan exchanged',
      (body) =>
        body
          .replace(
            '<td>British Columbia</td><td>5%</td><td>7%',
            '<td>British Columbia</td><td>5%</td><td>6%',
          )
          .replace('<td>Saskatchewan</td><td>5%</td><td>6%', '<td>Saskatchewan</td><td>5%</td><td>7%'),
      /CA-BC and CA-SK exchanged/,
    ],
    ['a page without a day', ['Date modified', 'Reference'], /Date modified/],
    ['a page of tomorrow', ['2026-11-21', '2026-11-22'], /speaks of 2026-11-22, which is after/],
    ['a rate of 190 %', ['<td>13%</td>', '<td>190%</td>'], /out of bounds/],
    ['a federal rate that differs from row to row', ['<td>Yukon</td><td>5%', '<td>Yukon</td><td>6%'], /two values for CA GST/],
    ['half of the rates changed at once', (body) => body.replaceAll('<td>15%</td>', '<td>16%</td>').replaceAll('<td>7%</td>', '<td>8%</td>'), /at once/],
    ['a tax where none is known', ['<td>Alberta</td><td>5%</td><td>0%', '<td>Alberta</td><td>5%</td><td>3%'], /CA-AB/],
  ],
}

describeCollector(ca, DOCUMENTS, ['SOURCE_CA_RATES'], DOUBTS)

describe('the Canadian collector', () => {
  beforeEach(shipData)

  it('confirms the federal rate, five harmonised and four provincial ones, and the threshold', async () => {
    const { run } = await collect(ca, DOCUMENTS)
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_changed: 0, records_added: 0 })
    const verified = (await facts()).rates
      .filter((rate) => rate.last_verified_at === NOW.toISOString())
      .map((rate) => `${rate.jurisdiction_id} ${rate.tax_type}`)
    expect(verified.toSorted()).toEqual(
      [
        'CA GST',
        'CA-BC PST',
        'CA-MB RST',
        'CA-NB HST',
        'CA-NL HST',
        'CA-NS HST',
        'CA-ON HST',
        'CA-PE HST',
        'CA-QC QST',
        'CA-SK PST',
      ].toSorted(),
    )
  })

  it.each([
    ['in an element of the present template', '<gcds-date-modified>\n  2026-11-21\n</gcds-date-modified>'],
    ['in a field of the head', '<meta name="dcterms.modified" title="W3CDTF" content="2026-11-21">'],
    ['in a field written the other way', '<meta content="2026-11-21" name="dcterms.modified"/>'],
  ])('reads the day of the last edit %s', async (_, modified) => {
    const present = (page: string) => html(page.replace(/<dl id="wb-dtmd">.*?<\/dl>/, modified))
    const { run } = await collect(ca, {
      SOURCE_CA_RATES: present(rates),
      SOURCE_CA_THRESHOLD: present(register),
    })
    expect(run).toMatchObject({ outcome: 'confirmed', error: null })
  })

  it('takes a changed rate of one province', async () => {
    const documents = changed(DOCUMENTS, 'SOURCE_CA_RATES', (body) =>
      body.replace('<td>9.975%</td>', '<td>10.5%</td>'),
    )
    const [first, { run }] = await collectTwice(ca, documents)
    expect(first.run).toMatchObject({ outcome: 'quarantined', records_changed: 0, records_held: 1 })
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect((await events())[0]).toMatchObject({
      type: 'rate.updated',
      data: { jurisdiction_id: 'CA-QC', tax_type: 'QST', old_rate: 0.09975, new_rate: 0.105 },
    })
  })

  it('does not believe the page of early 2025, when Nova Scotia had 15 %', async () => {
    const before = await values()
    const old = changed(DOCUMENTS, 'SOURCE_CA_RATES', (body) =>
      body.replace('<td>14%</td>', '<td>15%</td>').replace('2026-11-21', '2025-04-01'),
    )
    const [, { run }] = await collectTwice(ca, old)
    expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringContaining('an old copy') })
    expect(await values()).toEqual(before)
  })

  it('reads the threshold of businesses past the one of charities', async () => {
    const charities = changed(DOCUMENTS, 'SOURCE_CA_THRESHOLD', (body) =>
      body.replace(
        '<p>Public',
        '<p>A registered charity has a limit of $50,000 over four consecutive calendar quarters.</p><p>Public',
      ),
    )
    expect((await collect(ca, charities)).run).toMatchObject({ outcome: 'confirmed', error: null })
  })

  it('reads moved columns by their headings', async () => {
    const moved = rates.replaceAll(
      /<t([hd])([^>]*)>([^<]*)<\/t[hd]><t[hd]([^>]*)>([^<]*)<\/t[hd]><t[hd]([^>]*)>([^<]*)<\/t[hd]>/g,
      '<t$1>$7</t$1><t$1>$3</t$1><t$1>$5</t$1>',
    )
    expect((await collect(ca, { ...DOCUMENTS, SOURCE_CA_RATES: html(moved) })).run.outcome).toBe('confirmed')
  })
})
