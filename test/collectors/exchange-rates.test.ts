import { env } from 'cloudflare:workers'
import { strToU8, zipSync } from 'fflate'
import { beforeEach, describe, expect, it } from 'vitest'
import { boc } from '../../collectors/boc.ts'
import { ecb } from '../../collectors/ecb.ts'
import { hmrcRates } from '../../collectors/hmrc-rates.ts'
import { runSeries } from '../../collectors/run-series.ts'
import type { RateSeries } from '../../collectors/series.ts'
import {
  readPublishedRates,
  readRatesOfDays,
  storeShippedRates,
} from '../../src/tax-data/records/published-rates-store.ts'
import { type Published, SOURCE_HOST } from '../support/source-server.ts'
import { events, NOW, publish, reviews, shipData, TOMORROW } from './collecting.ts'
import canada from './documents/fx-boc/FX_RATES_DAILY.json?raw'
import recent from './documents/fx-ecb/eurofxref-hist-90d.xml?raw'
import history from './documents/fx-ecb/eurofxref-hist.csv?raw'
import october from './documents/fx-hmrc/monthly_csv_2026-10.csv?raw'
import november from './documents/fx-hmrc/monthly_csv_2026-11.csv?raw'
import december from './documents/fx-hmrc/monthly_csv_2026-12.csv?raw'
import september from './documents/fx-hmrc/monthly_csv_2026-9.csv?raw'

const csv = (body: string): Published => ({ body, type: 'text/csv; charset=utf-8' })
const xml = (body: string): Published => ({ body, type: 'text/xml' })

/** The Bank's archive, as it is published. */
function zip(text: string, name = 'eurofxref-hist.csv'): Published {
  const bytes = zipSync({ [name]: strToU8(text) })
  return { body: btoa(String.fromCodePoint(...bytes)), base64: true, type: 'application/zip' }
}

const MONTHS = {
  'monthly_csv_2026-9.csv': csv(september),
  'monthly_csv_2026-10.csv': csv(october),
  'monthly_csv_2026-11.csv': csv(november),
  'monthly_csv_2026-12.csv': csv(december),
}

async function run(
  series: RateSeries,
  documents: Record<string, Published>,
  { now = NOW, accept = false, dry_run = false } = {},
) {
  const folder = `https://${SOURCE_HOST}/${crypto.randomUUID()}`
  for (const [name, document] of Object.entries(documents)) await publish(`${folder}/${name}`, document)
  const addresses = {
    SOURCE_ECB_HISTORY: `${folder}/history.zip`,
    SOURCE_ECB_RECENT: `${folder}/recent.xml`,
    SOURCE_BOC_RATES: `${folder}/valet.json`,
    SOURCE_HMRC_RATES: `${folder}/monthly_csv_{month}.csv`,
  }
  const options = { now, addresses, accept, dry_run, timeout_ms: 20_000, pause_ms: 1 }
  return (await runSeries(env, series, options)).run
}

const stored = async (series: RateSeries) =>
  new Map((await readPublishedRates(env.DB, series.series)).map(({ day, rates }) => [day, rates]))

/** A change of one text of the documents, which must be there. */
function changed(text: string, from: string | RegExp, to: string): string {
  const after = text.replace(from, to)
  if (after === text) throw new Error('the change changes nothing')
  return after
}

beforeEach(async () => {
  await shipData()
  await env.DB.prepare('DELETE FROM published_rates').run()
})

describe('the reference rates of the European Central Bank', () => {
  it('are read from the archive of the history, from 2015 on', async () => {
    const { outcome, error, records_added } = await run(ecb, { 'history.zip': zip(history) })
    expect({ outcome, error }).toEqual({ outcome: 'applied', error: null })
    const days = await stored(ecb)
    expect([...days.keys()].at(0)).toBe('2025-12-31')
    expect([...days.keys()].at(-1)).toBe('2026-11-20')
    expect(days.get('2026-11-20')).toMatchObject({ USD: 1_152_300, JPY: 181_460_000, DKK: 7_468_700 })
    expect(days.get('2026-11-20')?.['BGN']).toBeUndefined()
    expect(days.get('2025-12-31')?.['BGN']).toBe(1_955_800)
    expect(records_added).toBe([...days.values()].reduce((sum, each) => sum + Object.keys(each).length, 0))
    expect(await events()).toMatchObject([{ type: 'sync.completed', data: { region: 'FX-ECB' } }])
  })

  it('are confirmed by a second reading, which writes no row', async () => {
    await run(ecb, { 'history.zip': zip(history) })
    const before = await stored(ecb)
    const { outcome, records_added } = await run(ecb, { 'history.zip': zip(history) }, { now: TOMORROW })
    expect({ outcome, records_added }).toEqual({ outcome: 'confirmed', records_added: 0 })
    expect(await stored(ecb)).toEqual(before)
  })

  it('are read from the page of the last days if the archive is broken', async () => {
    const { outcome, sources } = await run(ecb, {
      'history.zip': zip(history, 'other.csv'),
      'recent.xml': xml(recent),
    })
    expect(outcome).toBe('applied')
    expect(sources).toMatchObject([{ fallback: true, others: [{ error: expect.stringMatching(/archive/) }] }])
    const days = await stored(ecb)
    expect(days.size).toBe(8)
    // Both publications say the same.
    await run(ecb, { 'history.zip': zip(history) }, { now: TOMORROW })
    expect((await stored(ecb)).get('2026-11-19')).toEqual(days.get('2026-11-19'))
  })

  it.each<[string, Published, RegExp]>([
    ['cut off', zip(history.slice(0, 4_000).trimEnd().slice(0, -40)), /the row of|does not understand/],
    ['no archive', { body: history, type: 'application/zip' }, /cannot be read/],
    ['an error page', { body: 'Not here. '.repeat(60), type: 'text/html' }, /answered text\/html/],
    ['without the dollar', zip(changed(history, 'Date,USD', 'Date,USX')), /columns Date and USD/],
    ['with a comma in a rate', zip(changed(history, '1.1523', '"1,1523"')), /does not understand the rate/],
    ['with a dollar at 115', zip(changed(history, '1.1523', '115.23')), /out of bounds/],
    ['of tomorrow', zip(changed(history, '2026-11-20', '2026-11-23')), /after 2026-11-21/],
    ['without the newest dollar', zip(changed(history, '1.1523', 'N/A')), /USD on 2026-11-20 is missing/],
    [
      'of last month',
      zip(history.replaceAll(/^2026-11-.*\n/gm, '')),
      /newest rates are of 2026-10-30, not of now/,
    ],
  ])('change nothing if the document is %s', async (_, document, says) => {
    const { outcome, error } = await run(ecb, { 'history.zip': document })
    expect(['quarantined', 'failed']).toContain(outcome)
    expect(error).toMatch(says)
    expect((await stored(ecb)).size).toBe(0)
    expect(await events()).toEqual([])
  })

  it('of an old copy of the file change nothing', async () => {
    await run(ecb, { 'history.zip': zip(history) })
    const { error } = await run(
      ecb,
      { 'history.zip': zip(changed(history, /^2026-11-20.*\n/m, '')) },
      { now: TOMORROW },
    )
    expect(error).toMatch(/old copy/)
  })

  it('that were published otherwise before wait for a second day', async () => {
    await run(ecb, { 'history.zip': zip(history) })
    const other = { 'history.zip': zip(changed(history, '1.1523', '1.1532')) }
    const first = await run(ecb, other)
    expect(first).toMatchObject({ outcome: 'quarantined', records_held: 1 })
    expect(await reviews()).toMatchObject([
      { subject: 'USD of 2026-11-20', value: '1.1532', status: 'waiting' },
    ])
    expect((await stored(ecb)).get('2026-11-20')?.['USD']).toBe(1_152_300)
    const second = await run(ecb, other, { now: TOMORROW })
    expect(second).toMatchObject({ outcome: 'applied', records_changed: 1, records_held: 0 })
    expect((await stored(ecb)).get('2026-11-20')?.['USD']).toBe(1_153_200)
    expect(await reviews()).toMatchObject([{ status: 'applied' }])
    const kept = await env.DB.prepare(
      "SELECT count(*) AS n FROM published_rates WHERE day = '2026-11-20'",
    ).first<number>('n')
    expect(kept).toBe(2)
  })

  it('that moved far need a person for a main currency, and a second day for another one', async () => {
    const far = changed(changed(history, '48.8412', '62.1'), '1.1523', '1.5')
    const first = await run(ecb, { 'history.zip': zip(far) })
    expect(first.records_held).toBe(2)
    // The rest of the day is stored.
    expect((await stored(ecb)).get('2026-11-20')).toMatchObject({ JPY: 181_460_000 })
    await run(ecb, { 'history.zip': zip(far) }, { now: TOMORROW })
    const days = await stored(ecb)
    expect(days.get('2026-11-20')?.['TRY']).toBe(62_100_000)
    expect(days.get('2026-11-20')?.['USD']).toBeUndefined()
    await run(ecb, { 'history.zip': zip(far) }, { now: new Date(TOMORROW.getTime() + 60_000), accept: true })
    expect((await stored(ecb)).get('2026-11-20')?.['USD']).toBe(1_500_000)
  })

  it.each<[string, string, RegExp]>([
    [
      'with two columns exchanged',
      changed(changed(changed(history, 'AUD', 'XXX'), 'CAD', 'AUD'), 'XXX', 'CAD'),
      /differ from those published before/,
    ],
    [
      'without a day that is on file',
      changed(history, /^2026-11-18.*\n/m, ''),
      /2026-11-18 is on file and is gone/,
    ],
  ])('are not believed from a document %s', async (_, text, says) => {
    await run(ecb, { 'history.zip': zip(changed(history, /^2026-11-20.*\n/m, '')) })
    expect((await run(ecb, { 'history.zip': zip(text) })).error).toMatch(says)
    expect((await stored(ecb)).has('2026-11-20')).toBe(false)
  })

  it('are read without a currency that ended, once a person has looked', async () => {
    await run(ecb, { 'history.zip': zip(history) })
    const without = { 'history.zip': zip(changed(history, 'ISK', 'XXZ')) }
    expect((await run(ecb, without)).error).toMatch(/are on file and are gone/)
    expect((await run(ecb, without, { accept: true, now: TOMORROW })).error).toBe(null)
  })

  it('are shown by a dry run, which writes nothing', async () => {
    const { records_added } = await run(ecb, { 'history.zip': zip(history) }, { dry_run: true })
    expect(records_added).toBeGreaterThan(100)
    expect((await stored(ecb)).size).toBe(0)
  })
})

describe('the monthly rates of HMRC', () => {
  it('are read for this month, the next one and the months before', async () => {
    const { outcome, error } = await run(hmrcRates, MONTHS)
    expect({ outcome, error }).toEqual({ outcome: 'applied', error: null })
    const months = await stored(hmrcRates)
    expect([...months.keys()]).toEqual(['2026-09-01', '2026-10-01', '2026-11-01', '2026-12-01'])
    expect(months.get('2026-11-01')).toMatchObject({ EUR: 1_134_400, USD: 1_307_100, AED: 4_801_200 })
  })

  it('hold a far rate of an old month, and ask for that month until it is decided', async () => {
    const far = changed(september, /,AED,[\d.]+,/g, ',AED,4.9,')
    const odd = { ...MONTHS, 'monthly_csv_2026-10.csv': csv(changed(october, /,AED,[\d.]+,/g, ',AED,25.5,')) }
    const first = await run(hmrcRates, { ...odd, 'monthly_csv_2026-9.csv': csv(far) })
    expect(first).toMatchObject({ outcome: 'quarantined' })
    expect((await stored(hmrcRates)).get('2026-10-01')?.['AED']).toBeUndefined()
    const second = await run(hmrcRates, { ...odd, 'monthly_csv_2026-9.csv': csv(far) }, { now: TOMORROW })
    expect(second.documents.map(({ url }) => url).join(' ')).toContain('2026-10')
    expect((await stored(hmrcRates)).get('2026-10-01')?.['AED']).toBe(25_500_000)
    const ended = (await reviews()).filter(({ subject }) => subject === 'AED of 2026-10-01')
    expect(ended).toMatchObject([{ status: 'applied' }])
  })

  it('keep a held rate open while its month is not read', async () => {
    const odd = csv(changed(october, /,USD,[\d.]+,/, ',USD,1.9,'))
    await run(hmrcRates, { ...MONTHS, 'monthly_csv_2026-10.csv': odd })
    const { 'monthly_csv_2026-10.csv': _, ...others } = MONTHS
    await run(hmrcRates, others, { now: TOMORROW })
    expect((await reviews()).filter(({ subject }) => subject === 'USD of 2026-10-01')).toMatchObject([
      { status: 'open' },
    ])
    expect((await stored(hmrcRates)).get('2026-10-01')?.['USD']).toBeUndefined()
  })

  it('do without the next month before it is published', async () => {
    const { 'monthly_csv_2026-12.csv': _, ...published } = MONTHS
    expect(await run(hmrcRates, published)).toMatchObject({ outcome: 'applied', error: null })
    expect((await stored(hmrcRates)).size).toBe(3)
  })

  it.each<[string, Published, RegExp]>([
    ['missing', { ...csv(november), status: 404 }, /answered 404/],
    ['of another month', csv(october), /asked for another month/],
    [
      'with two rates for a currency',
      csv(changed(november, 'Dubai,Dirham,AED,4.8012', 'Dubai,Dirham,AED,4.9')),
      /two rates for AED/,
    ],
    [
      'without the euro',
      csv(changed(november, /^Eurozone.*\n/m, '')),
      /EUR on 2026-11-01 is missing|is missing/,
    ],
    ['with other columns', csv(changed(november, 'Currency Units per £1', 'Rate')), /looked for a table/],
    ['of half a month', csv(november.replaceAll('30/11/2026', '15/11/2026')), /days of a month/],
    ['with the dollar upside down', csv(changed(november, '1.3071', '0.7651')), /out of bounds/],
  ])('change nothing if the file of this month is %s', async (_, document, says) => {
    const { outcome, error } = await run(hmrcRates, {
      'monthly_csv_2026-11.csv': document,
      'monthly_csv_2026-10.csv': csv(october),
    })
    expect(['quarantined', 'failed']).toContain(outcome)
    expect(error).toMatch(says)
    expect((await stored(hmrcRates)).size).toBe(0)
  })
})

describe('the rates that a release ships', () => {
  const september = { day: '2026-09-01', rates: { EUR: 1_168_100, USD: 1_355_400 } }
  const october = { day: '2026-10-01', rates: { EUR: 1_166_500, USD: 1_345_600 } }
  const RELEASED = new Date('2026-10-15T00:00:00.000Z')
  const rates = async () =>
    (
      await readRatesOfDays(env.DB, 'hmrc', [september.day, october.day], { direction: 'later', days: 0 })
    ).map(({ day, rates: found }) => ({ day, rates: found }))
  const rows = () => env.DB.prepare('SELECT count(*) AS n FROM published_rates').first<number>('n')

  it('convert sales until a collector reads the months, and then never again', async () => {
    await storeShippedRates(env.DB, 'hmrc', [september, october], RELEASED)
    expect(await rates()).toEqual([september, october])
    expect(await run(hmrcRates, MONTHS)).toMatchObject({ outcome: 'applied', error: null })
    const collected = await rates()
    expect(collected).not.toEqual([september, october])
    await storeShippedRates(env.DB, 'hmrc', [september, october], TOMORROW)
    expect(await rates()).toEqual(collected)
  })

  it('are written once, and again only where a later release corrects them', async () => {
    await storeShippedRates(env.DB, 'hmrc', [september, october], RELEASED)
    await storeShippedRates(env.DB, 'hmrc', [september, october], RELEASED)
    expect(await rows()).toBe(2)
    const corrected = { ...october, rates: { ...october.rates, USD: 1_345_700 } }
    await storeShippedRates(env.DB, 'hmrc', [september, corrected], TOMORROW)
    expect(await rates()).toEqual([september, corrected])
    expect(await rows()).toBe(3)
  })
})

describe('the daily rates of the Bank of Canada', () => {
  const valet = (text: string): Published => ({ body: text, type: 'application/json' })

  it('are read as Canadian dollars for one unit, without the days that have none', async () => {
    const { outcome, error } = await run(boc, { 'valet.json': valet(canada) })
    expect({ outcome, error }).toEqual({ outcome: 'applied', error: null })
    const days = await stored(boc)
    expect([...days.keys()].at(0)).toBe('2026-10-26')
    expect(days.has('2026-11-11')).toBe(false)
    expect(days.get('2026-11-20')).toMatchObject({ USD: 1_407_800, JPY: 8_940, IDR: 84 })
  })

  it('leave out a currency and a day without a value', async () => {
    const bare = changed(canada, '"FXUSDCAD":{"v":"1.4078"}}', '"FXUSDCAD":{"v":1.4078}}')
    const empty = changed(bare, '"FXTRYCAD":{"v":"0.03321"}', '"FXTRYCAD":{}')
    const { outcome, error } = await run(boc, { 'valet.json': valet(empty) })
    expect({ outcome, error }).toEqual({ outcome: 'applied', error: null })
    const newest = (await stored(boc)).get('2026-11-20')
    expect(newest).toMatchObject({ USD: 1_407_800 })
    expect(newest?.['TRY']).toBeUndefined()
  })

  it.each<[string, string, RegExp]>([
    ['no JSON', `<html>${'Not here. '.repeat(60)}</html>`, /is not JSON/],
    ['another document', `{"observation": "${'x'.repeat(300)}"}`, /looked for observations/],
    ['of US dollars for one Canadian', changed(canada, '"v":"1.4078"', '"v":"0.7103"'), /out of bounds/],
    ['with other series', canada.replaceAll('FXUSDCAD', 'FXCADUSD'), /does not understand the series/],
    ['with a comma in a rate', changed(canada, '1.4078', '1,4078'), /does not understand the rate/],
  ])('change nothing if the document is %s', async (_, text, says) => {
    const { outcome, error } = await run(boc, { 'valet.json': valet(text) })
    expect(['quarantined', 'failed']).toContain(outcome)
    expect(error).toMatch(says)
    expect((await stored(boc)).size).toBe(0)
  })
})
