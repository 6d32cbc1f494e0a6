import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { eu } from '../../collectors/eu.ts'
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
import oneStopShop from './documents/eu/one-stop-shop.html?raw'
import { describeCollector, type Doubt } from './describe-collector.ts'

/** Rates as they were in force in November 2026: standard, reduced ones, super-reduced, parking. */
const STATES: Record<
  string,
  [standard: string, reduced: string[], superReduced?: string | undefined, parking?: string]
> = {
  AT: ['20.0', ['10.0', '13.0'], '4.9', '13.0'],
  BE: ['21.0', ['6.0', '12.0'], undefined, '12.0'],
  BG: ['20.0', ['9.0']],
  CY: ['19.0', ['5.0', '9.0'], '3.0'],
  CZ: ['21.0', ['12.0']],
  DE: ['19.0', ['7.0']],
  DK: ['25.0', []],
  EE: ['24.0', ['9.0', '13.0']],
  EL: ['24.0', ['6.0', '13.0'], '4.0'],
  ES: ['21.0', ['10.0'], '4.0'],
  FI: ['25.5', ['10.0', '13.5']],
  FR: ['20.0', ['5.5', '10.0'], '2.1'],
  HR: ['25.0', ['5.0', '13.0']],
  HU: ['27.0', ['5.0', '18.0']],
  IE: ['23.0', ['9.0', '13.5'], '4.8', '13.5'],
  IT: ['22.0', ['5.0', '10.0'], '4.0'],
  LT: ['21.0', ['5.0', '12.0']],
  LU: ['17.0', ['8.0'], '3.0', '14.0'],
  LV: ['21.0', ['5.0', '12.0']],
  MT: ['18.0', ['5.0', '7.0'], undefined, '12.0'],
  NL: ['21.0', ['9.0']],
  PL: ['23.0', ['5.0', '8.0']],
  PT: ['23.0', ['6.0', '13.0'], undefined, '13.0'],
  RO: ['21.0', ['11.0']],
  SE: ['25.0', ['6.0', '12.0']],
  SI: ['22.0', ['5.0', '9.5']],
  SK: ['23.0', ['5.0', '19.0']],
}

const row = (state: string, type: string, kind: string, value: string, more = '') =>
  `<vatRateResults><memberState>${state}</memberState><type>${type}</type><rate><type>${kind}</type><value>${value}</value></rate><situationOn>2026-07-01+02:00</situationOn>${more}</vatRateResults>\n`
const category = (identifier: string) =>
  `<category><identifier>${identifier}</identifier><description>…</description></category>`

function answer(states: typeof STATES): string {
  const rows = Object.entries(states).map(([state, [standard, reduced, superReduced, parking]]) =>
    [
      // What stands before the ordinary row in the real database: a territory, and imports.
      ...(state === 'ES'
        ? [row('ES', 'STANDARD', 'DEFAULT', '7.0', '<comment>VAT - Canary Islands -</comment>')]
        : []),
      row(
        state,
        'STANDARD',
        'DEFAULT',
        standard,
        state === 'BE' ? '<comment>&lt;p&gt;Art. 37&lt;/p&gt;</comment>' : '',
      ),
      ...reduced.map((rate) => row(state, 'REDUCED', 'REDUCED_RATE', rate, category('FOODSTUFFS'))),
      ...(superReduced === undefined
        ? []
        : [row(state, 'REDUCED', 'SUPER_REDUCED_RATE', superReduced, category('LOAN_LIBRARIES'))]),
      ...(parking === undefined ? [] : [row(state, 'REDUCED', 'PARKING_RATE', parking, category('PARKING'))]),
      ...(state === 'FR' ? [row('FR', 'REDUCED', 'REDUCED_RATE', '0.9', category('REGION'))] : []),
      ...(state === 'PL'
        ? [row('PL', 'REDUCED', 'SUPER_REDUCED_RATE', '8.0', category('TEMPORARY_EXEMPTION_RATE'))]
        : []),
      row(state, 'REDUCED', 'EXEMPTED', '0.0', category('SOLAR_PANELS')),
    ].join(''),
  )
  return `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body><ns0:retrieveVatRatesRespMsg xmlns:ns0="urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService"><additionalInformation/>\n${rows.join('')}</ns0:retrieveVatRatesRespMsg></env:Body></env:Envelope>`
}

function withEntity(entity: string, use: string): string {
  return `<!DOCTYPE e [<!ENTITY e ${entity}>]>${answer(STATES).replace('<memberState>DE<', `<memberState>${use}<`)}`
}

const FAULT =
  '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><env:Fault><faultcode>env:Client</faultcode><faultstring>TEDB-ERR-2 - Request is not valid</faultstring></env:Fault></env:Body></env:Envelope>'
const DOCUMENTS: Documents = {
  SOURCE_EU_RATES: { body: answer(STATES), type: 'text/xml;charset=utf-8' },
  SOURCE_EU_THRESHOLD: { body: oneStopShop, type: 'text/html;charset=utf-8' },
}

const rates = (states: typeof STATES, more: string[] = []): Documents => ({
  ...DOCUMENTS,
  SOURCE_EU_RATES: {
    body: answer(states).replace('</ns0:retrieve', `${more.join('')}</ns0:retrieve`),
    type: 'text/xml',
  },
})

const { DE: _, ...withoutGermany } = STATES

// A doubt a line.
// oxfmt-ignore
const DOUBTS: Record<string, Doubt[]> = {
  SOURCE_EU_RATES: [
    ['a member state that is missing', answer(withoutGermany), /missing: DE VAT standard/],
    ['a rate of 190 %', answer({ ...STATES, DE: ['190.0', ['7.0']] }), /out of bounds/],
    ['a standard rate of 29.5 %', answer({ ...STATES, DE: ['29.5', ['7.0']] }), /out of bounds/],
    ['a standard rate of 9 %', answer({ ...STATES, DE: ['9.0', ['7.0']] }), /out of bounds/],
    [
      'a rate that moved by more than five points',
      answer({ ...STATES, DE: ['25.0', ['7.0']] }),
      /DE VAT standard is 19 %, the source says 25 %.*more than 5 points/,
    ],
    ['Germany and France exchanged', answer({ ...STATES, DE: ['20.0', ['7.0']], FR: ['19.0', ['5.5', '10.0'], '2.1'] }), /DE and FR exchanged/],
    ['an answer of 2024', answer(STATES).replaceAll('2026-07-01', '2024-01-01'), /speaks of 2024-01-01/],
    ['an answer of 1926', answer(STATES).replaceAll('2026-07-01', '1926-07-01'), /speaks of 1926-07-01/],
    ['an answer of 2126', answer(STATES).replaceAll('2026-07-01', '2126-07-01'), /speaks of 2126-07-01/],
    ...['GB', 'XI', 'US', 'CH', 'NO', 'ZW', 'ME'].map((code): Doubt => [
      `a row of ${code}, which was not asked for`,
      answer({ ...STATES, [code]: ['17.5', []] }),
      new RegExp(`did not ask for the member state ${code}`),
    ]),
    [
      'half of all rates changed',
      answer(
        Object.fromEntries(
          Object.entries(STATES).map(([state, [standard, ...rest]], index) => [
            state,
            [
              index % 2 === 0 ? `${Number(standard) + 1}` : standard,
              ...rest.map((each) =>
                Array.isArray(each) ? each.map((rate) => `${Number(rate) + 0.5}`) : each,
              ),
            ] as (typeof STATES)[string],
          ]),
        ),
      ),
      /at once/,
    ],
    ['a fault', FAULT, /looked for retrieveVatRatesRespMsg/],
    ['a renamed element', answer(STATES).replaceAll('memberState>', 'country>'), /does not understand the row/],
    ['a country that does not exist', answer({ ...STATES, XX: ['20.0', []] }), /XX/],
    ['an entity that points to a file', withEntity('SYSTEM "file:///etc/passwd"', '&e;'), /./],
    ['an entity that grows a thousandfold', withEntity(`"${'x'.repeat(9_000)}"`, '&e;'.repeat(9_000)), /./],
    ['markup where a word is expected', answer(STATES).replace('<memberState>DE<', '<memberState>&lt;script&gt;<'), /./],
  ],
  SOURCE_EU_THRESHOLD: [
    ['a page without the threshold', ['yearly threshold', 'yearly sum'], /one threshold of distance sales and found 0/],
    ['two thresholds', ['EUR 85 000', 'EUR 85 000 of distance sales'], /found 2/],
    ['a threshold out of bounds', ['&#8239;000', '&#8239;000&#8239;000'], /out of bounds/],
    ['a threshold that changed for all at once', ['10&#8239;000', '12&#8239;000'], /at once/],
  ],
}

describeCollector(eu, DOCUMENTS, ['SOURCE_EU_RATES'], DOUBTS)

describe('the European collector', () => {
  beforeEach(shipData)

  it('confirms every rate of the 27 member states, past territories, duplicates and exemptions', async () => {
    const { run, changes } = await collect(eu, DOCUMENTS)
    expect(changes).toEqual([])
    expect(run).toMatchObject({ outcome: 'confirmed', error: null, records_changed: 0, records_added: 0 })
    const verified = (await facts()).rates.filter(
      (rate) => rate.last_verified_at === NOW.toISOString() && rate.category === 'standard',
    )
    expect(verified).toHaveLength(27)
    expect(verified.find((rate) => rate.jurisdiction_id === 'ES')?.rate_millionths).toBe(210_000)
    expect(verified.find((rate) => rate.jurisdiction_id === 'GR')?.rate_millionths).toBe(240_000)
  })

  it('takes a changed standard rate on its second day, from the first, and tells of it once', async () => {
    const documents = rates({ ...STATES, EE: ['26.0', ['9.0', '13.0']] })
    const [first, second] = await collectTwice(eu, documents)
    expect(first.run).toMatchObject({
      outcome: 'quarantined',
      records_changed: 0,
      error: expect.stringMatching(/EE VAT standard is 24 %, the source says 26 %.*second day/),
    })
    expect(second.run).toMatchObject({ outcome: 'applied', error: null, records_changed: 1 })
    const estonia = await standardRates('EE')
    expect(estonia.slice(-2)).toMatchObject([
      { rate_millionths: 240_000, effective_to: '2026-11-20' },
      {
        rate_millionths: 260_000,
        effective_from: '2026-11-21',
        verified_by: expect.stringContaining('TEDB'),
        as_of: '2026-07-01',
      },
    ])
    expect((await events()).filter(({ type }) => type === 'rate.updated')).toMatchObject([
      { data: { jurisdiction_id: 'EE', jurisdiction_name: 'Estonia', old_rate: 0.24, new_rate: 0.26 } },
    ])
    expect(await reviews()).toMatchObject([{ subject: 'EE VAT standard', status: 'applied' }])
  })

  it('forgets a typing error that is corrected on the next day', async () => {
    const before = await values()
    await collect(eu, rates({ ...STATES, EE: ['26.0', ['9.0', '13.0']] }))
    const { run } = await collect(eu, DOCUMENTS, { now: TOMORROW })
    expect(run.outcome).toBe('confirmed')
    expect(await values()).toEqual(before)
    expect(await reviews()).toMatchObject([{ subject: 'EE VAT standard', status: 'gone' }])
    expect((await facts()).rates.filter(({ doubted_since }) => doubted_since !== undefined)).toEqual([])
  })

  it.each<[string, (text: string) => string, object]>([
    [
      'that has filed nothing for a year',
      (text) => text.replaceAll(/(<memberState>CY.*?<situationOn>)2026-07-01/g, '$12025-01-01'),
      {
        outcome: 'confirmed',
        error: null,
        sources: [{ left_out: ['CY has filed nothing since 2025-01-01'] }, {}],
      },
    ],
    [
      'with a row that nobody understands',
      (text) => text.replace(/(<memberState>CY<.*?<value>)19.0/, '$1nineteen'),
      {
        outcome: 'quarantined',
        error: expect.stringMatching(/does not understand the row .*CY/),
        records_held: 0,
      },
    ],
    [
      'with a byte that is not UTF-8',
      (text) => text.replace(/(<memberState>CY<.*?)(<\/vatRateResults>)/, '$1<comment>caf\uFFFD</comment>$2'),
      { outcome: 'quarantined', error: expect.stringMatching(/does not understand the row .*CY/) },
    ],
    [
      'with two standard rates',
      (text) => text.replace('</ns0:retrieve', `${row('CY', 'STANDARD', 'DEFAULT', '16.0')}</ns0:retrieve`),
      { outcome: 'quarantined', error: expect.stringMatching(/one standard rate of CY and found 2/) },
    ],
  ])('leaves out a state %s, and reads the others', async (_, change, run) => {
    const before = await values()
    const documents = changed(DOCUMENTS, 'SOURCE_EU_RATES', change)
    expect((await collect(eu, documents)).run).toMatchObject(run)
    expect(await values()).toEqual(before)
    const verified = (await facts()).rates.filter(
      (rate) => rate.last_verified_at === NOW.toISOString() && rate.category === 'standard',
    )
    expect(verified).toHaveLength(26)
    expect(verified.map((rate) => rate.jurisdiction_id)).not.toContain('CY')
    const success = await env.DB.prepare(
      "SELECT consecutive_failures FROM collector_states WHERE region = 'EU'",
    ).first('consecutive_failures')
    expect(success).toBe(0)
    await collect(eu, DOCUMENTS, { now: TOMORROW })
    expect((await reviews()).filter(({ status }) => status === 'open')).toEqual([])
  })

  it('does not believe an answer with odd rows of many states', async () => {
    const odd = changed(DOCUMENTS, 'SOURCE_EU_RATES', (text) =>
      text.replaceAll(/(<memberState>(?:CY|DE|FR|IT)<.*?<value>)\d+\.\d/g, '$1x'),
    )
    const { run } = await collect(eu, odd)
    expect(run).toMatchObject({ outcome: 'quarantined', records_confirmed: 27 })
    expect((await facts()).rates.filter((rate) => rate.last_verified_at === NOW.toISOString())).toEqual([])
  })

  it('takes a wrong rate back, from its first day, as soon as the source does', async () => {
    await collectTwice(eu, rates({ ...STATES, DE: ['20.0', ['7.0']] }))
    const [third, fourth] = [2, 3].map((days) => ({ now: after(days) }))
    const first = await collect(eu, DOCUMENTS, third)
    expect(first.run).toMatchObject({ outcome: 'quarantined', records_held: 1 })
    const german = () => standardRates('DE')
    expect((await german()).at(-1)).toMatchObject({
      rate_millionths: 200_000,
      doubted_since: expect.any(String),
    })
    const second = await collect(eu, DOCUMENTS, fourth)
    expect(second.run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect((await german()).at(-1)).toMatchObject({ rate_millionths: 190_000, effective_from: '2026-11-21' })
    expect((await german()).at(-1)?.doubted_since).toBeUndefined()
  })

  it('asks a person when the source moves from a value that was believed to a third one', async () => {
    await collectTwice(eu, rates({ ...STATES, DE: ['20.0', ['7.0']] }))
    const other = rates({ ...STATES, DE: ['21.0', ['7.0']] })
    const [third, fourth] = [2, 3].map((days) => ({ now: after(days) }))
    await collect(eu, other, third)
    expect((await collect(eu, other, fourth)).run).toMatchObject({
      records_held: 1,
      records_changed: 0,
    })
    expect((await reviews()).at(-1)).toMatchObject({ subject: 'DE VAT standard', status: 'open' })
  })

  it('keeps confirming a rate that it believed within a semester', async () => {
    const documents = rates({ ...STATES, EE: ['26.0', ['9.0', '13.0']] })
    await collectTwice(eu, documents)
    const later = after(9)
    await collect(eu, documents, { now: later })
    const estonia = await standardRates('EE')
    expect(estonia.at(-1)).toMatchObject({ rate_millionths: 260_000, last_verified_at: later.toISOString() })
  })

  it('asks again about a refused value that the source took back and then says again', async () => {
    const spain = rates({ ...STATES, ES: ['22.0', ['10.0'], '4.0'] })
    await collect(eu, spain)
    await env.DB.prepare("UPDATE reviews SET status = 'refused'").run()
    await collect(eu, spain, { now: after(1) })
    expect(await reviews()).toMatchObject([{ status: 'refused' }])
    await collect(eu, DOCUMENTS, { now: after(2) })
    expect(await reviews()).toMatchObject([{ status: 'gone' }])
    await collect(eu, spain, { now: after(3) })
    expect((await collect(eu, spain, { now: after(4) })).run).toMatchObject({
      outcome: 'applied',
      records_changed: 1,
    })
  })

  it('says that no row has a band, not that the source names its value', async () => {
    const { run } = await collect(eu, rates({ ...STATES, IE: ['23.0', ['9.0', '13.5'], undefined, '13.5'] }))
    expect(run.error).toMatch(
      /IE VAT super_reduced is 4.8 %, the source says it no more .*no row has the rate/,
    )
  })

  it.each([
    ['France loses its lowest rate', { FR: ['20.0', ['10.0'], '2.1'] }, ['FR VAT reduced']],
    ['Austria loses its lowest rate', { AT: ['20.0', ['13.0'], '4.9', '13.0'] }, ['AT VAT reduced']],
    ['Poland loses its lowest rate', { PL: ['23.0', ['8.0']] }, ['PL VAT reduced']],
    ['Ireland loses its lowest rate', { IE: ['23.0', ['13.5'], '4.8', '13.5'] }, ['IE VAT reduced']],
    ['Denmark gets a band', { DK: ['25.0', ['12.0']] }, ['DK VAT reduced']],
    ['Estonia gets 5 for 9', { EE: ['24.0', ['5.0', '13.0']] }, ['EE VAT reduced', 'EE VAT reduced']],
  ])('never moves a band by its position: %s', async (__, states, held) => {
    const before = await values()
    const documents = rates({ ...STATES, ...(states as unknown as typeof STATES) })
    const [, { run }] = await collectTwice(eu, documents)
    expect(run).toMatchObject({ outcome: 'quarantined', records_changed: 0, records_added: 0 })
    expect(await values()).toEqual(before)
    expect((await reviews()).map(({ subject }) => subject)).toEqual(held)
    expect((await reviews()).every(({ status }) => status === 'open')).toBe(true)
  })

  it('does not confirm the region when every reduced row is missing', async () => {
    const { run } = await collect(
      eu,
      rates(Object.fromEntries(Object.entries(STATES).map(([state, [standard]]) => [state, [standard, []]]))),
    )
    expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringMatching(/at once/) })
  })

  it('reads the parking rate of Luxembourg under its other name, and territories by their comments', async () => {
    const more = [
      row(
        'LU',
        'REDUCED',
        'REDUCED_RATE',
        '14.0',
        `${category('FOSSIL_FUEL')}<comment>Parking rate for mineral oils</comment>`,
      ),
      row('EL', 'REDUCED', 'PARKING_RATE', '13.0', category('PARKING')),
      row('PT', 'REDUCED', 'REDUCED_RATE', '9.0', '<comment>Azores: intermediate rate</comment>'),
      row('ES', 'REDUCED', 'REDUCED_RATE', '3.0', '<comment>VAT - Canary Islands - reduced</comment>'),
    ]
    const documents = rates(STATES, more)
    expect((await collect(eu, documents)).run).toMatchObject({
      outcome: 'confirmed',
      error: null,
      records_added: 0,
      records_changed: 0,
      records_held: 0,
    })
  })

  it('reads no more than 10 MB of a document', async () => {
    const before = await values()
    const long = changed(DOCUMENTS, 'SOURCE_EU_RATES', (body) => body + ' '.repeat(10 * 1_048_576))
    expect((await collect(eu, long)).run).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/more than 10 MB/),
    })
    expect(await values()).toEqual(before)
  })

  it('confirms the threshold of distance sales for all member states', async () => {
    await collect(eu, DOCUMENTS)
    const thresholds = (await facts()).thresholds.filter(
      (each) => each.last_verified_at === NOW.toISOString(),
    )
    expect(thresholds).toHaveLength(27)
    expect(
      new Set(thresholds.map((each) => `${each.threshold_type} ${each.amount} ${each.currency}`)),
    ).toEqual(new Set(['DISTANCE_SALES 1000000 EUR']))
  })

  it('reads the threshold elsewhere when the first page is gone', async () => {
    const { SOURCE_EU_THRESHOLD, ...rates } = DOCUMENTS
    const { run } = await collect(eu, {
      ...rates,
      ...(SOURCE_EU_THRESHOLD && { SOURCE_EU_THRESHOLD_TWIN: SOURCE_EU_THRESHOLD }),
    })
    expect(run).toMatchObject({ outcome: 'confirmed', error: null })
  })
})
