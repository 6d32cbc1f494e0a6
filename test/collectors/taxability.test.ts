import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { taxability } from '../../collectors/taxability.ts'
import { readState } from '../../src/tax-data/status/store.ts'
import { everyBrokenDocument } from './broken-documents.ts'
import {
  changed,
  collect,
  collectTwice,
  type Documents,
  events,
  facts,
  NOW,
  shipData,
  values,
} from './collecting.ts'
import goods from './documents/taxability/goods.json?raw'
import administrators from './documents/us-tax/administrators.html?raw'
import { fewRoundTrips } from './round-trips.ts'

/**
 * What the database of rates says under the headings that are read, in percent. Where two stand, nobody can
 * tell which is for what.
 */
const HEADINGS: Record<string, Record<string, string>> = {
  DE: {
    FOODSTUFFS: '7.0',
    LOAN_LIBRARIES: '7.0',
    NEWSPAPERS: '7.0',
    ACCOMMODATION: '7.0',
    TRANSPORT_PASSENGERS: '7.0',
    CULTURAL_EVENTS: '7.0',
    RESTAURANT: '7.0',
  },
  FR: {
    FOODSTUFFS: '5.5 10.0',
    LOAN_LIBRARIES: '5.5',
    NEWSPAPERS: '2.1',
    ACCOMMODATION: '10.0',
    PHARMACEUTICAL_PRODUCTS: '2.1',
  },
  PL: {
    FOODSTUFFS: '5.0 8.0',
    LOAN_LIBRARIES: '5.0',
    NEWSPAPERS: '8.0',
    RESTAURANT: '8.0',
    TRANSPORT_PASSENGERS: '8.0',
  },
}

const row = (state: string, heading: string, kind: string, value: string) =>
  `<vatRateResults><memberState>${state}</memberState><type>REDUCED</type><rate><type>${kind}</type><value>${value}</value></rate><situationOn>2026-07-01+02:00</situationOn><category><identifier>${heading}</identifier><description>…</description></category></vatRateResults>\n`

function answer(states: typeof HEADINGS): string {
  const rows = Object.entries(states).flatMap(([state, headings]) =>
    Object.entries(headings).flatMap(([heading, rates]) =>
      rates
        .split(' ')
        .map((rate) => row(state, heading, Number(rate) < 5 ? 'SUPER_REDUCED_RATE' : 'REDUCED_RATE', rate)),
    ),
  )
  return `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><m:retrieveVatRatesRespMsg xmlns:m="urn:x">\n${rows.join('')}${row('DK', 'CULTURAL_EVENTS', 'EXEMPTED', '0.0')}</m:retrieveVatRatesRespMsg></e:Body></e:Envelope>`
}

const DOCUMENTS: Documents = {
  SOURCE_EU_RATES: { body: answer(HEADINGS), type: 'text/xml; charset=utf-8' },
  SOURCE_UK_GOODS: { body: goods, type: 'application/json; charset=utf-8' },
  SOURCE_US_TAX_FTA: { body: administrators, type: 'text/html; charset=utf-8' },
}

const european = (state: string, headings: Record<string, string>): Documents => ({
  ...DOCUMENTS,
  SOURCE_EU_RATES: {
    body: answer({ ...HEADINGS, [state]: { ...HEADINGS[state], ...headings } }),
    type: 'text/xml',
  },
})
const rulesOf = async (id: string, product: string) =>
  (await facts()).product_rules.filter((each) => each.jurisdiction_id === id && each.product_type === product)

fewRoundTrips(taxability, DOCUMENTS)
everyBrokenDocument(taxability, DOCUMENTS, 'SOURCE_EU_RATES')
everyBrokenDocument(taxability, DOCUMENTS, 'SOURCE_UK_GOODS')
everyBrokenDocument(taxability, DOCUMENTS, 'SOURCE_US_TAX_FTA')

describe('the collector of taxability', () => {
  beforeEach(shipData)

  it('does without a second source whose only table is years old, and says so', async () => {
    const old = changed(DOCUMENTS, 'SOURCE_US_TAX_FTA', (body) =>
      body.replace(/as of (\w+ \d{1,2}, )\d{4}/i, 'as of $12023'),
    )
    const { run } = await collect(taxability, old)
    expect(run).toMatchObject({ outcome: 'confirmed', error: null })
    const state = await readState(env.DB, 'TAXABILITY')
    expect(state).toMatchObject({ consecutive_failures: 0 })
    expect(state?.fallbacks).toMatchObject([
      { part: 'Food and drugs in the United States (no source)', reason: expect.stringContaining('2023') },
    ])
  })

  it('confirms the rules of which the sources speak plainly, and no others', async () => {
    const { run, changes } = await collect(taxability, DOCUMENTS)
    expect(changes).toEqual([])
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_changed: 0, records_added: 0 })
    const rules = (await facts()).product_rules
    const verified = rules.filter((each) => each.last_verified_at === NOW.toISOString())
    const of = (id: string) =>
      verified.filter((each) => each.jurisdiction_id === id).map((each) => each.product_type)
    expect(of('DE').toSorted()).toEqual([
      'accommodation',
      'books',
      'event_admission',
      'groceries',
      'newspapers',
      'passenger_transport',
      'prepared_food',
    ])
    // Groceries at two rates are left alone. The laws on books were read later than this run.
    expect(of('FR').toSorted()).toEqual(['accommodation', 'newspapers', 'prescription_drugs'])
    expect(of('GB').toSorted()).toEqual(['newspapers', 'prescription_drugs'])
    expect(of('US-TX').toSorted()).toEqual(['groceries', 'otc_drugs', 'prescription_drugs'])
    expect(of('US-IL').toSorted()).toEqual(['groceries', 'otc_drugs', 'prescription_drugs'])
    // A rule with a condition in it is not one that "exempt" or a blank could confirm.
    expect(of('US-FL')).not.toContain('otc_drugs')
    expect(of('US-PR')).toEqual([])
    expect(of('DK')).toEqual([])
    // Some of these laws, too, were read later than this run.
    const prescribed = rules.filter(
      (each) => each.jurisdiction_id.startsWith('US-') && each.product_type === 'prescription_drugs',
    )
    expect(
      prescribed.filter(({ last_verified_at }) => (last_verified_at ?? '') >= NOW.toISOString()),
    ).toHaveLength(51)
  })

  it('takes another rate of a heading, from the day of the reading', async () => {
    const [, { run }] = await collectTwice(taxability, european('FR', { NEWSPAPERS: '5.5' }))
    expect(run).toMatchObject({ outcome: 'applied', error: null, records_changed: 1 })
    expect(await rulesOf('FR', 'newspapers')).toMatchObject([
      { treatment: 'reduced', category: 'super_reduced', effective_to: '2026-11-20' },
      {
        treatment: 'reduced',
        category: 'reduced',
        rate_millionths: null,
        effective_from: '2026-11-21',
        effective_to: null,
      },
    ])
    expect(await events()).toMatchObject([
      {
        type: 'rule.updated',
        data: {
          jurisdiction_id: 'FR',
          product_type: 'newspapers',
          old_category: 'super_reduced',
          new_category: 'reduced',
        },
      },
      { type: 'sync.completed', data: { region: 'TAXABILITY', records_updated: 1 } },
    ])
  })

  it('takes another rate of British goods', async () => {
    const [, { run }] = await collectTwice(
      taxability,
      changed(DOCUMENTS, 'SOURCE_UK_GOODS', (body) =>
        body.replace('<td>Newspapers</td><td>0%', '<td>Newspapers</td><td>20%'),
      ),
    )
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect((await rulesOf('GB', 'newspapers')).at(-1)).toMatchObject({
      treatment: 'taxable',
      category: 'standard',
      effective_from: '2026-11-21',
    })
  })

  it('does not make Spanish medicines 10 % because of a row about some of them', async () => {
    const narrowed = (more: string) =>
      changed(DOCUMENTS, 'SOURCE_EU_RATES', (body) =>
        body.replace(
          '</m:retrieve',
          `${row('ES', 'PHARMACEUTICAL_PRODUCTS', 'REDUCED_RATE', '10.0').replace('</vatRateResults>', `${more}</vatRateResults>`)}</m:retrieve`,
        ),
      )
    const before = await values()
    for (const more of [
      '<comment>Products used for contraception</comment>',
      '<cnCodes><code><value>3006 60 00</value><description>…</description></code></cnCodes>',
    ]) {
      const [first, second] = await collectTwice(taxability, narrowed(more))
      expect(first.run).toMatchObject({ outcome: 'confirmed', error: null, records_changed: 0 })
      expect(second.run).toMatchObject({ outcome: 'confirmed', error: null, records_changed: 0 })
      expect(await values()).toEqual(before)
    }
  })

  it.each<[string, Documents]>([
    ['a heading whose rate nobody knows', european('FR', { NEWSPAPERS: '3.3' })],
    ['a heading that got a second rate', european('FR', { NEWSPAPERS: '2.1 10.0' })],
    [
      'a table that says otherwise of food',
      changed(DOCUMENTS, 'SOURCE_US_TAX_FTA', (body) =>
        body.replace('TEXAS</td><td>6.25</td><td>*', 'TEXAS</td><td>6.25</td><td>'),
      ),
    ],
    ['another rate of food', changed(DOCUMENTS, 'SOURCE_US_TAX_FTA', (body) => body.replace('1.225%', '2%'))],
  ])('leaves a rule alone for %s', async (_, documents) => {
    const { run } = await collect(taxability, documents)
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_changed: 0 })
  })

  it('reads moved columns by their headings', async () => {
    const { run } = await collect(taxability, {
      ...DOCUMENTS,
      ...changed(DOCUMENTS, 'SOURCE_UK_GOODS', (body) =>
        body.replaceAll(/<t([hd])>([^<]*)<\/t[hd]><t[hd]>([^<]*)<\/t[hd]>/g, '<t$1>$3</t$1><t$1>$2</t$1>'),
      ),
    })
    expect(run).toMatchObject({ outcome: 'confirmed', error: null })
  })

  it.each<[string, string, (body: string) => string, RegExp]>([
    [
      'a renamed heading',
      'SOURCE_EU_RATES',
      (body) => body.replaceAll('LOAN_LIBRARIES', 'LIBRARIES'),
      /heading about books/,
    ],
    [
      'a missing row',
      'SOURCE_EU_RATES',
      (body) => body.replace(row('DE', 'NEWSPAPERS', 'REDUCED_RATE', '7.0'), ''),
      /missing: DE VAT newspapers/,
    ],
    [
      'half of the rates changed',
      'SOURCE_EU_RATES',
      (body) => body.replaceAll('>5.0<', '>8.0<').replaceAll('>10.0<', '>5.5<').replaceAll('>2.1<', '>10.0<'),
      /at once/,
    ],
    [
      'a renamed column',
      'SOURCE_UK_GOODS',
      (body) => body.replaceAll('VAT rate', 'Charge'),
      /column VAT rate/,
    ],
    [
      'a missing row of goods',
      'SOURCE_UK_GOODS',
      (body) => body.replace('<tr><td>Books</td><td>0%</td></tr>', ''),
      /missing: GB VAT books/,
    ],
    [
      'a rate of 190 %',
      'SOURCE_UK_GOODS',
      (body) => body.replace('<td>Books</td><td>0%', '<td>Books</td><td>190%'),
      /does not understand the row "Books/,
    ],
    [
      'all goods changed at once',
      'SOURCE_UK_GOODS',
      (body) => body.replaceAll('<td>0%', '<td>20%'),
      /at once/,
    ],
    [
      'two rates of the same goods',
      'SOURCE_UK_GOODS',
      (body) => body.replace('<td>Stationery<', '<td>Books<'),
      /two values for GB VAT books/,
    ],
    [
      'a missing row of a state',
      'SOURCE_US_TAX_FTA',
      (body) => body.replace(/<tr><td>TEXAS.*\n/, ''),
      /rows of US-TX/,
    ],
    [
      'a renamed column of drugs',
      'SOURCE_US_TAX_FTA',
      (body) => body.replace('Nonprescription Drugs', 'Other'),
      /looked for the one table/,
    ],
    [
      'a mark that nobody knows',
      'SOURCE_US_TAX_FTA',
      (body) => body.replace('<td>1.225% (4)', '<td>see note'),
      /does not understand "see note"/,
    ],
    [
      'the table of a year to come',
      'SOURCE_US_TAX_FTA',
      (body) => body.replace('January 1, 2026', 'January 1, 2028'),
      /found 2028-01-01/,
    ],
  ])('does not believe %s', async (_, name, change, says) => {
    const before = await values()
    const { run } = await collect(taxability, changed(DOCUMENTS, name, change))
    expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringMatching(says) })
    expect(await values()).toEqual(before)
  })
})
