import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { readState } from '../../src/tax-data/status/store.ts'
import { usTax } from '../../collectors/us-tax.ts'
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
  standardRates,
  TOMORROW,
} from './collecting.ts'
import administrators from './documents/us-tax/administrators.html?raw'
import directory from './documents/us-tax/directory.html?raw'
import foundation from './documents/us-tax/foundation.html?raw'
import georgia from './documents/us-tax/georgia.csv?raw'
import kentucky from './documents/us-tax/kentucky.csv?raw'
import minnesota from './documents/us-tax/minnesota.csv?raw'
import { describeCollector, type Doubt } from './describe-collector.ts'

const csv = (body: string) => ({ body, type: 'text/csv' })
const DOCUMENTS: Documents = { SOURCE_US_TAX_RATES: html(foundation) }
const FILES: Documents = {
  SOURCE_US_TAX_FILES: html(directory),
  'GAR2026Q4AUG19.csv': csv(georgia),
  'KYR2012Q4Aug13.csv': csv(kentucky),
  'MNR2026Q4NOV03.csv': csv(minnesota),
}

const plain = (body: string) => ({ body: body.padEnd(600), type: 'text/plain' })
/** The Comptroller's file: the first row names the quarter and the rate of the state. */
const texas = (quarter: string, rate_: string): Documents => ({
  SOURCE_US_LOCAL_TX: plain(
    [
      `1\t${quarter}\t202612\t2026 - 4th\t${rate_}\t0\t2\tnotice`,
      'q\t20270120',
      'Abilene \t2221012\t0.02\tJones \tn/a\t0\tn/a\tn/a\t0\tn/a\tn/a\t0',
    ].join('\r\n'),
  ),
})

const rate = (name: string, before: string, after: string) => (body: string) =>
  body.replace(`<tr><td>${name}</td><td>${before}</td>`, `<tr><td>${name}</td><td>${after}</td>`)
const openGeorgia = '13,45,13,0.04,0.04,0,0,20110101,29991231'

// A doubt a line.
// oxfmt-ignore
const DOUBTS: Record<string, Doubt[]> = {
  SOURCE_US_TAX_RATES: [
    ['a missing row', [/<tr><td>Kansas<.*\n/, ''], /missing: US-KS/],
    ['a renamed heading', ['State Tax Rate', 'Combined'], /looked for the one table/],
    ['a cell that is missing', ['<td>Kansas</td><td>6.50%</td>', '<td>Kansas</td>'], /does not expect the row/],
    ['a rate of 190 %', rate('Kansas', '6.50%', '190%'), /out of bounds: US-KS/],
    ['a rate that moved by more than a point and a half', rate('Kansas', '6.50%', '8.50%'), /US-KS SALES_TAX standard is 6\.5 %.*more than 1\.5 points/],
    ['a rounded rate that is not known', rate('Minnesota', '6.88%', '7.13%'), /looked for the rate of US-MN and found "7.13%"/],
    ['a state that gives its tax up', rate('Kansas', '6.50%', 'none'), /rate of US-KS/],
    ['a state that begins one', rate('Oregon', 'none', '3.00%'), /rate of US-OR/],
    ['a state that nobody knows', ['<td>Kansas<', '<td>Jefferson<'], /does not expect the row "Jefferson/],
    ['half of all changed', (body) => body.replaceAll('6.00%', '6.50%').replaceAll('4.00%', '4.50%'), /at once/],
    ['the table of another year', ['July 1, 2026', 'July 1, 2024'], /found 2024-07-01/],
    ['a table of tomorrow', ['July 1, 2026', 'July 1, 2027'], /found 2027-07-01/],
  ],
}

describeCollector(usTax, DOCUMENTS, ['SOURCE_US_TAX_RATES'], DOUBTS)

describe('the collector of state sales tax rates', () => {
  beforeEach(shipData)

  it.each<[string, Documents, number]>([
    ['the table', DOCUMENTS, 1],
    ['the table and the files of the states beside it', { ...DOCUMENTS, ...FILES }, 5],
    [
      'the table of the administrators, when the first is gone',
      { SOURCE_US_TAX_FTA: html(administrators) },
      1,
    ],
  ])('confirms the general rate of every state by %s', async (_, documents, read) => {
    const { run, changes } = await collect(usTax, documents)
    expect(changes).toEqual([])
    // The District's rate rose in October, after both tables were made: they say nothing of it.
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_seen: 51, records_confirmed: 50 })
    expect(run.documents).toHaveLength(read)
    const inForce = (await facts()).rates.filter(
      (each) =>
        each.tax_type === 'SALES_TAX' &&
        each.category === 'standard' &&
        (each.effective_from ?? '') <= '2026-11-21' &&
        (each.effective_to ?? '9999') > '2026-11-21',
    )
    const unverified = inForce
      .filter((each) => each.last_verified_at !== NOW.toISOString())
      .map((each) => each.jurisdiction_id)
    expect(unverified.toSorted()).toEqual(['US-DC', 'US-PR'])
    expect(inForce.find((each) => each.jurisdiction_id === 'US-MN')?.rate_millionths).toBe(68_750)
  })

  it('confirms the rate of the District once the table is of a later day', async () => {
    const later = changed(DOCUMENTS, 'SOURCE_US_TAX_RATES', (body) =>
      body
        .replace('July 1, 2026', 'October 1, 2026')
        .replace(
          '>6.00%</td><td>1</td><td>1.23%</td><td>9.99%</td></tr>\n</tbody>',
          '>7.00%</td><td>1</td><td>1.23%</td><td>9.99%</td></tr>\n</tbody>',
        ),
    )
    expect((await collect(usTax, later)).run).toMatchObject({ outcome: 'confirmed', records_confirmed: 51 })
  })

  it('takes a changed rate, and tells of it', async () => {
    const [, { run }] = await collectTwice(
      usTax,
      changed(DOCUMENTS, 'SOURCE_US_TAX_RATES', rate('Kansas', '6.50%', '6.25%')),
    )
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect((await standardRates('US-KS')).slice(-2)).toMatchObject([
      { rate_millionths: 65_000, effective_to: '2026-11-20' },
      { rate_millionths: 62_500, effective_from: '2026-11-21', effective_to: null },
    ])
    expect((await events())[0]).toMatchObject({
      type: 'rate.updated',
      data: {
        jurisdiction_id: 'US-KS',
        jurisdiction_name: 'Kansas',
        tax_type: 'SALES_TAX',
        old_rate: 0.065,
        new_rate: 0.0625,
      },
    })
  })

  it('takes the rate of a state from its file, with its day, where the table is older', async () => {
    const files = changed(FILES, 'GAR2026Q4AUG19.csv', (body) =>
      body.replace(
        openGeorgia,
        '13,45,13,0.04,0.04,0,0,20110101,20260930\r\n13,45,13,0.0425,0.0425,0,0,20261001,29991231',
      ),
    )
    const [, { run }] = await collectTwice(usTax, { ...DOCUMENTS, ...files })
    expect(run).toMatchObject({ outcome: 'applied', error: null, records_changed: 1 })
    expect((await standardRates('US-GA')).slice(-2)).toMatchObject([
      { rate_millionths: 40_000, effective_to: '2026-09-30' },
      { rate_millionths: 42_500, effective_from: '2026-10-01', source: expect.stringMatching(/Streamlined/) },
    ])
  })

  it('stores what a state announces with its day, and confirms it afterwards', async () => {
    const files = changed(FILES, 'GAR2026Q4AUG19.csv', (body) =>
      body.replace(
        openGeorgia,
        '13,45,13,0.04,0.04,0,0,20110101,20261231\r\n13,45,13,0.045,0.045,0,0,20270101,29991231',
      ),
    )
    const [, { run }] = await collectTwice(usTax, { ...DOCUMENTS, ...files })
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    const stored = [
      { rate_millionths: 40_000, effective_to: '2026-12-31' },
      { rate_millionths: 45_000, effective_from: '2027-01-01', effective_to: null },
    ]
    expect((await standardRates('US-GA')).slice(-2)).toMatchObject(stored)
    expect((await collect(usTax, { ...DOCUMENTS, ...files }, { now: TOMORROW })).run).toMatchObject({
      outcome: 'confirmed',
      records_confirmed: 51,
    })
    expect((await standardRates('US-GA')).slice(-2)).toMatchObject(stored)
  })

  it.each<[string, Documents]>([
    ['is gone', {}],
    ['has a file that is gone', { SOURCE_US_TAX_FILES: html(directory) }],
    ['has a file that is a page', { ...FILES, 'GAR2026Q4AUG19.csv': html('<html>'.padEnd(500)) }],
    [
      'has a file without the row of the state',
      changed(FILES, 'GAR2026Q4AUG19.csv', (body) => body.replace(openGeorgia, '')),
    ],
    [
      'has a rate in percent',
      changed(FILES, 'GAR2026Q4AUG19.csv', (body) =>
        body.replace(openGeorgia, openGeorgia.replace('0.04', '4')),
      ),
    ],
  ])('reads the table alone when what stands beside it %s', async (_, files) => {
    const { run } = await collect(usTax, { ...DOCUMENTS, ...files })
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_confirmed: 50 })
  })

  it('takes a rate at once when the table and the file of the state agree', async () => {
    const both = {
      ...changed(DOCUMENTS, 'SOURCE_US_TAX_RATES', rate('Georgia', '4.00%', '4.25%')),
      ...changed(FILES, 'GAR2026Q4AUG19.csv', (body) =>
        body.replace(openGeorgia, openGeorgia.replaceAll('0.04', '0.0425')),
      ),
    }
    expect((await collect(usTax, both)).run).toMatchObject({ outcome: 'applied', records_changed: 1 })
  })

  it('does not take a table of July for a witness of what changed in October', async () => {
    const october = (body: string) => body.replace('July 1, 2026', 'October 15, 2026')
    const documents = {
      ...changed(DOCUMENTS, 'SOURCE_US_TAX_RATES', october),
      SOURCE_US_TAX_FTA: html(administrators.replace('January 1, 2026', 'July 1, 2026')),
    }
    // Both say 6 % for the District, whose rate rose to 7 % on 1 October.
    expect((await collect(usTax, documents)).run).toMatchObject({
      outcome: 'quarantined',
      records_changed: 0,
      error: expect.stringMatching(/US-DC .* is 7 %, the source says 6 %.*second/),
    })
  })

  it('takes a rate of Texas at once when the table and the file of its Comptroller agree', async () => {
    const risen = changed(DOCUMENTS, 'SOURCE_US_TAX_RATES', rate('Texas', '6.25%', '6.50%'))
    const { run } = await collect(usTax, { ...risen, ...texas('20264', '0.065') })
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect((await standardRates('US-TX')).at(-1)).toMatchObject({
      rate_millionths: 65_000,
      effective_to: null,
    })
  })

  it.each<[string, Documents]>([
    [
      'contradicts a change of the table',
      {
        ...changed(DOCUMENTS, 'SOURCE_US_TAX_RATES', rate('Texas', '6.25%', '6.50%')),
        ...texas('20264', '0.0625'),
      },
    ],
    ['alone has another rate', { ...DOCUMENTS, ...texas('20264', '0.065') }],
  ])('changes nothing if the file of Texas %s', async (_, documents) => {
    await collectTwice(usTax, documents)
    expect((await standardRates('US-TX')).at(-1)).toMatchObject({
      rate_millionths: 62_500,
      effective_to: null,
    })
  })

  it.each([
    ['of an old quarter', texas('20192', '0.07')],
    ['of a quarter that has not begun', texas('20271', '0.07')],
    ['without a rate', texas('20264', 'n/a')],
  ])('reads the table without a file of Texas that is %s', async (_, files) => {
    const { run } = await collect(usTax, { ...DOCUMENTS, ...files })
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_confirmed: 50 })
  })

  it('asks a person when the second table, of the same time, contradicts a change', async () => {
    const documents = {
      ...changed(DOCUMENTS, 'SOURCE_US_TAX_RATES', rate('Texas', '6.25%', '6.50%')),
      SOURCE_US_TAX_FTA: html(administrators.replace('January 1, 2026', 'July 1, 2026')),
    }
    const [, { run }] = await collectTwice(usTax, documents)
    expect(run).toMatchObject({
      outcome: 'quarantined',
      records_changed: 0,
      error: expect.stringMatching(/US-TX.*Federation of Tax Administrators.*says 6.25 %/),
    })
  })

  it.each<[string, Documents, RegExp]>([
    ['is gone', { ...FILES, 'KYR2012Q4Aug13.csv': { ...csv('x'), status: 404 } }, /KYR2012.*answered 404/],
    [
      'is broken',
      changed(FILES, 'MNR2026Q4NOV03.csv', (body) => body.replaceAll('0.06875', '6.875')),
      /MNR2026.*does not understand the row/,
    ],
    [
      'contains another state',
      changed(FILES, 'KYR2012Q4Aug13.csv', (body) =>
        body.replace('21,45,21,0.06,0.06', '27,45,27,0.05,0.05'),
      ),
      /KYR2012.*contains the row of US-MN/,
    ],
    [
      'announces a rate for the next century',
      changed(FILES, 'KYR2012Q4Aug13.csv', (body) => body.replace('20120701', '21260101')),
      /announces a rate for 2126-01-01/,
    ],
  ])('keeps the contradiction of one file when another file %s, and says so', async (_, files, says) => {
    const documents = {
      ...DOCUMENTS,
      ...files,
      ...changed(DOCUMENTS, 'SOURCE_US_TAX_RATES', rate('Georgia', '4.00%', '4.50%')),
    }
    const [, { run }] = await collectTwice(usTax, documents)
    expect(run).toMatchObject({
      outcome: 'quarantined',
      records_changed: 0,
      error: expect.stringMatching(/US-GA SALES_TAX standard.*0\.04.*4\.50%/),
    })
    expect(run.sources[0]?.others).toEqual(
      expect.arrayContaining([expect.objectContaining({ error: expect.stringMatching(says) })]),
    )
  })

  it('says since when it reads another table than the first', async () => {
    const { SOURCE_US_TAX_RATES: _, ...rest } = DOCUMENTS
    await collect(usTax, { ...rest, SOURCE_US_TAX_FTA: html(administrators) })
    await collect(usTax, { ...rest, SOURCE_US_TAX_FTA: html(administrators) }, { now: TOMORROW })
    expect((await readState(env.DB, 'US-TAX'))?.fallbacks).toMatchObject([
      {
        part: 'State sales tax rates',
        source: expect.stringContaining('Federation of Tax Administrators'),
        since: NOW.toISOString(),
        reason: expect.stringContaining('answered 404'),
      },
    ])
    const verified = (await standardRates('US-TX')).at(-1)
    expect(verified).toMatchObject({
      source: expect.stringContaining('Texas Comptroller'),
      verified_by: expect.stringContaining('Federation of Tax Administrators'),
      as_of: '2026-01-01',
    })
  })

  it('believes neither where table and file contradict each other', async () => {
    const files = changed(FILES, 'GAR2026Q4AUG19.csv', (body) =>
      body.replace(openGeorgia, openGeorgia.replaceAll('0.04', '0.05')),
    )
    const { run } = await collect(usTax, { ...DOCUMENTS, ...files })
    expect(run).toMatchObject({
      outcome: 'quarantined',
      error: expect.stringMatching(/US-GA SALES_TAX standard.*0\.05.*4\.00%/),
    })
  })

  it('reads moved columns by their headings', async () => {
    const moved = foundation.replaceAll(
      /<t([hd])>([^<]*)<\/t[hd]><t[hd]>([^<]*)<\/t[hd]>(<t[hd]>[^<]*<\/t[hd]>)(<t[hd]>[^<]*<\/t[hd]>)(<t[hd]>[^<]*<\/t[hd]>)/g,
      '$6$5<t$1>$2</t$1>$4<t$1>$3</t$1>',
    )
    expect(moved).not.toBe(foundation)
    expect((await collect(usTax, { SOURCE_US_TAX_RATES: html(moved) })).run).toMatchObject({
      outcome: 'confirmed',
      records_confirmed: 50,
    })
  })
})
