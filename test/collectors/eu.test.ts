import { beforeEach, describe, expect, it } from 'vitest'
import { eu } from '../../collectors/eu.ts'
import { everyBrokenDocument } from './broken-documents.ts'
import { changed, collect, type Documents, events, facts, NOW, shipData, values } from './collecting.ts'
import oneStopShop from './documents/eu/one-stop-shop.html?raw'
import { fewRoundTrips } from './round-trips.ts'

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
  `<vatRateResults><memberState>${state}</memberState><type>${type}</type><rate><type>${kind}</type><value>${value}</value></rate><situationOn>2026-11-21+01:00</situationOn>${more}</vatRateResults>\n`
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

fewRoundTrips(eu, DOCUMENTS)
everyBrokenDocument(eu, DOCUMENTS, 'SOURCE_EU_RATES')

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

  it('takes a changed standard rate, and tells of it', async () => {
    const { run } = await collect(eu, {
      ...DOCUMENTS,
      SOURCE_EU_RATES: { body: answer({ ...STATES, EE: ['26.0', ['9.0', '13.0']] }), type: 'text/xml' },
    })
    expect(run).toMatchObject({ outcome: 'applied', records_changed: 1 })
    expect((await events())[0]).toMatchObject({
      type: 'rate.updated',
      data: { jurisdiction_id: 'EE', jurisdiction_name: 'Estonia', old_rate: 0.24, new_rate: 0.26 },
    })
  })

  it('adds a country that has joined', async () => {
    const { run } = await collect(eu, {
      ...DOCUMENTS,
      SOURCE_EU_RATES: { body: answer({ ...STATES, ME: ['21.0', ['7.0']] }), type: 'text/xml' },
    })
    expect(run).toMatchObject({ outcome: 'applied', records_added: 2 })
    expect((await facts()).jurisdictions.find((each) => each.id === 'ME')).toMatchObject({
      name: 'Montenegro',
      region: 'EU',
      type: 'country',
    })
    expect((await events())[0]).toMatchObject({
      type: 'jurisdiction.added',
      data: { jurisdiction_id: 'ME', jurisdiction_name: 'Montenegro', region: 'EU' },
    })
  })

  const { DE: _, ...withoutGermany } = STATES
  it('reads no more than 10 MB of a document', async () => {
    const before = await values()
    const long = changed(DOCUMENTS, 'SOURCE_EU_RATES', (body) => body + ' '.repeat(10 * 1_048_576))
    expect((await collect(eu, long)).run).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/more than 10 MB/),
    })
    expect(await values()).toEqual(before)
  })

  it.each<[string, string, RegExp]>([
    ['a member state that is missing', answer(withoutGermany), /missing: DE VAT standard/],
    ['a rate of 190 %', answer({ ...STATES, DE: ['190.0', ['7.0']] }), /out of bounds/],
    [
      'a rate that moved by more than 10 points',
      answer({ ...STATES, DE: ['29.5', ['7.0']] }),
      /more than 10 points/,
    ],
    [
      'two ordinary standard rates',
      answer(STATES).replace('</ns0:retrieve', `${row('DE', 'STANDARD', 'DEFAULT', '16.0')}</ns0:retrieve`),
      /one standard rate of DE and found 2/,
    ],
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
    [
      'a renamed element',
      answer(STATES).replaceAll('memberState>', 'country>'),
      /does not understand the row/,
    ],
    ['a country that does not exist', answer({ ...STATES, XX: ['20.0', []] }), /XX/],
    ['an entity that points to a file', withEntity('SYSTEM "file:///etc/passwd"', '&e;'), /./],
    ['an entity that grows a thousandfold', withEntity(`"${'x'.repeat(9_000)}"`, '&e;'.repeat(9_000)), /./],
    [
      'markup where a word is expected',
      answer(STATES).replace('<memberState>DE<', '<memberState>&lt;script&gt;<'),
      /./,
    ],
  ])('does not believe %s', async (__, body, says) => {
    const before = await values()
    const { run } = await collect(eu, changed(DOCUMENTS, 'SOURCE_EU_RATES', { body }))
    expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringMatching(says) })
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

  it.each<[string, (body: string) => string, RegExp]>([
    [
      'a page without the threshold',
      (body) => body.replace('yearly threshold', 'yearly sum'),
      /one threshold of distance sales and found 0/,
    ],
    ['two thresholds', (body) => body.replace('EUR 85 000', 'EUR 85 000 of distance sales'), /found 2/],
    [
      'a threshold out of bounds',
      (body) => body.replace('&#8239;000', '&#8239;000&#8239;000'),
      /out of bounds/,
    ],
    [
      'a threshold that changed for all at once',
      (body) => body.replace('10&#8239;000', '12&#8239;000'),
      /at once/,
    ],
  ])('does not believe %s', async (__, change, says) => {
    const before = await values()
    const { run } = await collect(eu, changed(DOCUMENTS, 'SOURCE_EU_THRESHOLD', change))
    expect(run).toMatchObject({ outcome: 'quarantined', error: expect.stringMatching(says) })
    expect(await values()).toEqual(before)
  })
})
