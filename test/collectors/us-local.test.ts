import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { collectState } from '../../collectors/us-local/collect-state.ts'
import type { LocalOptions } from '../../collectors/us-local/state-reading.ts'
import { dueStates, listFiles, queueDueStates } from '../../collectors/us-local/due.ts'
import { readEditions } from '../../src/tax-data/status/local-editions-store.ts'
import { loadZip4 } from '../../src/tax-data/records/current-local-book.ts'
import { applyLocalData } from '../../scripts/shipped-data/apply-local-data.ts'
import { type LocalBook, type LocalData, localRateOn } from '../../src/engine/regimes/us-local/local-book.ts'
import { localTaxAt } from '../../src/engine/regimes/us-local/local-tax-at.ts'
import { localBookAt } from '../support/books.ts'
import { SOURCE_HOST, type Published } from '../support/source-server.ts'
import { LAW } from '../support/local-data.ts'
import { zipOf } from '../support/zip-file.ts'
import { toBase64 } from '../../src/platform/kit/base64.ts'
import { events, publish, reviews, shipData } from './collecting.ts'
import { addressRecord, zipRecord } from './us-local/boundary-records.ts'
import { forgetAll } from '../../src/platform/kit/memory.ts'

const NOW = new Date('2026-10-03T05:20:00Z')
const LATER = new Date('2026-11-03T05:20:00Z')

const place = (id: string, type: 'county' | 'city', name: string, rate: number) => ({
  id: `US-${id}`,
  state: id.slice(0, 2),
  type,
  code: id.slice(3),
  name,
  county_fips: type === 'county' ? `20${id.slice(3)}` : null,
  rates: [{ rate_millionths: rate, from: null, to: null }],
  also: [],
  zips: [],
  source: 'shipped',
  as_of: '2026-08-18',
})

/** Kansas and California with few places. */
const SHIPPED: LocalData = {
  version: '',
  states: { KS: LAW, FL: { ...LAW, city: 'none' } },
  jurisdictions: [
    place('KS-177', 'county', 'Shawnee County', 11_500),
    place('KS-045', 'county', 'Douglas County', 12_500),
    place('KS-71000', 'city', 'Topeka', 15_000),
    place('KS-38900', 'city', 'Lawrence', 16_000),
  ],
  zips: { '666': '04 20177:1000' },
  boundaries: {},
  zip4: {},
}

const RATES = `20,45,20,0.06500,0.06500,0.00000,0.00000,20230101,20991231
20,00,177,0.01350,0.01350,0.01350,0.01350,20230401,20991231
20,00,177,0.01150,0.01150,0.01150,0.01150,20051001,20230331
20,00,045,0.01250,0.01250,0.01250,0.01250,20190401,20991231
20,01,71000,0.01500,0.01500,0.01500,0.01500,20091001,20991231
20,01,38900,0.01600,0.01600,0.01600,0.01600,20250401,20991231
20,63,21215,0.02000,0.02000,0.02000,0.02000,20260101,20991231
20,79,11KAN,0.09350,0.09350,0.09350,0.09350,20260101,20991231
`
const BOUNDARIES = [
  zipRecord('66604', { county: '177' }),
  zipRecord('66044', { county: '045' }),
  addressRecord('66604', '1908', { county: '177', place: '71000' }),
  addressRecord('66604', '1777', { county: '177' }),
  addressRecord('66044', '3259', { county: '045', place: '38900', districts: ['ST', '21215', '63'] }),
  '',
].join('\n')

const RATE_FILE = 'KSR2026Q4AUG19.csv'
const BOUNDARY_FILE = 'KSB2026Q4AUG19.zip'

type Files = Record<string, Published>

const csv = (body: string): Published => ({ body, type: 'text/csv' })
const listing = (names: readonly string[]): Published => ({
  body: `<html><body>${names.map((name) => `<A HREF="/ratesandboundry/${name}">${name}</A><br>`).join('\n')}${' '.repeat(200)}</body></html>`,
  type: 'text/html',
})
const archive = async (text: string, name = 'KSB2026Q4AUG19.csv'): Promise<Published> => ({
  body: toBase64(await zipOf({ [name]: text }, { descriptor: true })),
  base64: true,
  type: 'application/x-zip-compressed',
})

async function files(): Promise<Files> {
  return {
    'rates/': listing(['KSR2026Q3MAY19.csv', RATE_FILE]),
    'boundaries/': listing([BOUNDARY_FILE, 'GAB2026Q4AUG20.zip']),
    [`rates/${RATE_FILE}`]: csv(RATES),
    [`boundaries/${BOUNDARY_FILE}`]: await archive(BOUNDARIES),
  }
}

/** Publishes files and reads the state. */
async function collect(
  published: Files,
  options: Partial<LocalOptions> = {},
  state = 'KS',
): Promise<Awaited<ReturnType<typeof collectState>>['reading']> {
  const folder = `https://${SOURCE_HOST}/${crypto.randomUUID()}`
  for (const [name, document] of Object.entries(published)) await publish(`${folder}/${name}`, document)
  const all: LocalOptions = {
    now: NOW,
    addresses: {
      SOURCE_US_LOCAL_RATES: `${folder}/rates/`,
      SOURCE_US_LOCAL_BOUNDARIES: `${folder}/boundaries/`,
      SOURCE_US_LOCAL_FL: `${folder}/fl.pdf`,
    },
    boundaries: true,
    pause_ms: 1,
    timeout_ms: 5_000,
    ...options,
  }
  await listFiles(env, all)
  return (await collectState(env, state, all)).reading
}

async function book(): Promise<LocalBook> {
  forgetAll()
  const found = await localBookAt(env, NOW)
  if (found === null) throw new Error('there is no local book')
  return found
}

async function rateAt(zip5: string, zip4: string | null, city: string | null = null): Promise<number | null> {
  const local = await book()
  await loadZip4(env, local, `KS:${zip5.slice(0, 3)}`)
  const found = localTaxAt(local, {
    state: 'KS',
    address: { zip5, zip4, city },
    day: '2026-10-03',
    fallback: null,
  })
  return found?.stack.rate ?? null
}

/** All that answers are made of. */
async function parts() {
  const { results } = await env.DB.prepare('SELECT part, content, recorded_at FROM local_parts').all()
  return results
}

beforeEach(async () => {
  await shipData()
  for (const table of ['local_parts', 'local_editions']) await env.DB.prepare(`DELETE FROM ${table}`).run()
  await env.KV.delete('localbook2:current')
  await applyLocalData(env, SHIPPED, new Date('2026-09-01T00:00:00Z'))
})

describe('the files of a member state', () => {
  it('replace the shipped rates, with their history, and place them by ZIP+4', async () => {
    const reading = await collect(await files())
    expect(reading.faults).toEqual([])
    expect(await rateAt('66604', '1908')).toBe(28_500)
    expect(await rateAt('66604', '1777')).toBe(13_500)
    expect(await rateAt('66044', '3259')).toBe(48_500)
    expect(await rateAt('66604', null)).toBe(13_500)
    expect(await rateAt('66604', null, 'Topeka')).toBe(28_500)
    const county = (await book()).state('KS')?.jurisdictions.get('US-KS-177')
    expect(county?.name).toBe('Shawnee County')
    expect(county === undefined ? null : localRateOn(county, '2023-03-31')).toBe(11_500)
  })

  it('tell the subscribers once for a state and day', async () => {
    await collect(await files())
    const changed = {
      ...(await files()),
      [`rates/${RATE_FILE}`]: csv(RATES.replace('0.01600,0.01600', '0.01550,0.01550')),
    }
    await collect(changed)
    const told = (await events()).filter(({ type }) => type === 'local_rates.updated')
    expect(told).toHaveLength(1)
    expect(told[0]?.data).toMatchObject({ jurisdiction_id: 'US-KS', changed: 2 })
    expect((await collect(await files(), { now: LATER })).faults).toEqual([])
    expect((await events()).filter(({ type }) => type === 'local_rates.updated')).toHaveLength(2)
  })

  it('change nothing if they say the same again', async () => {
    await collect(await files())
    const before = await book()
    const reading = await collect(await files(), { now: LATER })
    expect(reading.changes).toEqual([])
    expect(Object.fromEntries((await book()).zip4)).toEqual(Object.fromEntries(before.zip4))
  })

  it('are not read again before the directory or a day of theirs changes', async () => {
    await collect(await files())
    const editions = await readEditions(env.DB)
    const due = (now: Date) => dueStates(editions, { now, boundaries: true }).includes('KS')
    expect(due(LATER)).toBe(false)
    const changing = editions.map((each) => ({ ...each, next_change: '2026-11-01' }))
    expect(dueStates(changing, { now: LATER, boundaries: true })).toContain('KS')
  })

  it('wait for the command line if the worker may not read boundaries', async () => {
    const reading = await collect(await files(), { boundaries: false })
    expect(reading).toMatchObject({ after: null, faults: [{ kind: 'rates', outcome: 'quarantined' }] })
    expect(reading.faults[0]?.error).toMatch(/differ in 2 places .* wait for the boundary file/)
    expect(await rateAt('66604', null, 'Topeka')).toBe(26_500)
  })

  it('apply nothing of the rates if there are districts and no boundary file', async () => {
    const before = await parts()
    const { 'boundaries/': _, ...without } = await files()
    const reading = await collect({ ...without, 'boundaries/': listing(['GAB2026Q4AUG20.zip']) })
    expect(reading).toMatchObject({ after: null, changes: [], faults: [{ outcome: 'quarantined' }] })
    expect(await parts()).toEqual(before)
    expect(await events()).toEqual([])
  })

  it('keep a place that they no longer name, and ask a person', async () => {
    await collect(await files())
    const fewer = { ...(await files()), [`rates/${RATE_FILE}`]: csv(RATES.replace(/^20,01,38900.*\n/m, '')) }
    const { faults, changes, remarks } = await collect(fewer, { now: LATER })
    expect({ faults, changes }).toEqual({ faults: [], changes: [] })
    expect(remarks).toMatchObject([{ text: expect.stringMatching(/lacks 1 places .* Lawrence/) }])
    expect(await rateAt('66044', '3259')).toBe(48_500)
    expect(await reviews()).toMatchObject([{ subject: 'KS rates', status: 'open' }])
    const accepted = await collect(fewer, { now: LATER, accept: true })
    expect(accepted.changes).toMatchObject([{ name: 'Lawrence', after: null }])
  })

  it('lose no tax because half of them is missing, whoever accepts it', async () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `20,01,8${1_000 + index},.01,.01,.01,.01,20200101,20991231`,
    )
    const whole = { ...(await files()), [`rates/${RATE_FILE}`]: csv(`${RATES}${many.join('\n')}\n`) }
    expect((await collect(whole, { accept: true })).faults).toEqual([])
    const before = await parts()
    const half = { ...whole, [`rates/${RATE_FILE}`]: csv(`${RATES}${many.slice(30).join('\n')}\n`) }
    for (const accept of [false, true]) {
      const { faults, after } = await collect(half, { now: LATER, accept })
      expect(faults[0]?.error).toMatch(/lacks 30 of \d+ places with a tax/)
      expect(after).toBeNull()
    }
    expect(await parts()).toEqual(before)
  })

  it('lose one odd row alone, and tell it', async () => {
    const many = Array.from(
      { length: 120 },
      (_, index) => `20,01,8${1_000 + index},.01,.01,.01,.01,20200101,20991231`,
    )
    const odd = many.with(60, many[60]?.replace('.01,.01', 'x,x') ?? '')
    const whole = { ...(await files()), [`rates/${RATE_FILE}`]: csv(`${RATES}${odd.join('\n')}\n`) }
    const { faults, remarks } = await collect(whole, { accept: true })
    expect(faults).toEqual([])
    expect(remarks[0]?.text).toMatch(/left out 1 of 128 records/)
    expect((await readEditions(env.DB, 'KS'))[1]).toMatchObject({ kind: 'rates', outcome: 'applied' })
    expect(await reviews()).toMatchObject([{ subject: 'KS rates', status: 'open' }])
  })

  it('keep the boundaries of the quarter before', async () => {
    await collect(await files())
    const next = await files()
    next['boundaries/'] = listing(['KSB2027Q1NOV19.zip'])
    next['boundaries/KSB2027Q1NOV19.zip'] = await archive(
      BOUNDARIES.replace(',045,38900,', ',045,,').replaceAll('A,20051001', 'A,20270101'),
    )
    const { faults } = await collect(next, { now: new Date('2027-01-02T05:20:00Z') })
    expect(faults).toEqual([])
    const editions = (await book()).state('KS')?.boundaries ?? []
    expect(editions.map(({ from }) => from)).toEqual(['2027-01-01', '2026-10-01'])
  })
})

type Break = (good: Files) => Files | Promise<Files>
const rates =
  (change: (text: string) => string): Break =>
  (good) => ({
    ...good,
    [`rates/${RATE_FILE}`]: csv(change(RATES)),
  })
const boundaries =
  (change: (text: string) => string): Break =>
  async (good) => ({ ...good, [`boundaries/${BOUNDARY_FILE}`]: await archive(change(BOUNDARIES)) })
const document =
  (name: string, change: Partial<Published>): Break =>
  (good) => {
    const before = good[name]
    if (before === undefined) throw new Error(`there is no ${name}`)
    return { ...good, [name]: { ...before, ...change } }
  }
const PAGE = `<html><body><h1>Access denied</h1>${' '.repeat(900)}</body></html>`
const BOUNDARY_PATH = `boundaries/${BOUNDARY_FILE}`
const RATE_PATH = `rates/${RATE_FILE}`

async function withWrongChecksum(): Promise<string> {
  const bytes = await zipOf({ 'KSB2026Q4AUG19.csv': BOUNDARIES })
  bytes[14] = (bytes[14] ?? 0) ^ 1
  return toBase64(bytes)
}

describe('a document that is broken', () => {
  it.each<[string, Break, RegExp]>([
    ['half of the rates', rates((text) => text.slice(0, text.length / 2)), /does not understand|lacks/],
    [
      'rates that end after a row',
      rates((text) => text.split('\n').slice(0, 3).join('\n')),
      /lacks 1 counties/,
    ],
    [
      'rates without the row of the state',
      rates((text) => text.replace(/^20,45.*\n/, '')),
      /one row of the state/,
    ],
    ['two rows of the state', rates((text) => text.replace(/^(20,45.*\n)/, '$1$1')), /one row of the state/],
    ['rates of another state', rates((text) => text.replaceAll(/^20,/gm, '29,')), /does not understand/],
    ['percentages', rates((text) => text.replaceAll('0.01350', '1.35')), /does not understand/],
    ['a rate of 13 %', rates((text) => text.replaceAll('0.01500', '0.13')), /above 13.5 %/],
    [
      'a rate that moves by 4 points',
      rates((text) => text.replaceAll('0.01500', '0.055')),
      /more than 3 points/,
    ],
    ['an unknown type', rates((text) => text.replace('20,63', '20,64')), /does not understand/],
    ['a county that is missing', rates((text) => text.replace(/^20,00,045.*\n/m, '')), /lacks 1 counties/],
    ['a page in place of rates', document(RATE_PATH, { body: PAGE }), /does not understand/],
    ['a page of an error', document(RATE_PATH, { body: PAGE, type: 'text/html' }), /answered text\/html/],
    ['no rates', document(RATE_PATH, { body: '' }), /is empty/],
    ['a 404', document(RATE_PATH, { status: 404, type: 'text/html' }), /answered 404/],
    ['a 500', document(RATE_PATH, { status: 500 }), /answered 500/],
    ['a redirect', document(RATE_PATH, { status: 302, location: 'http://169.254.169.254/' }), /answered 302/],
    ['rates cut off on their way', document(RATE_PATH, { stated_length: 100_000 }), /bytes|in time|reached/],
    [
      'half of an archive',
      (good) => document(BOUNDARY_PATH, { body: good[BOUNDARY_PATH]?.body.slice(0, 200) ?? '' })(good),
      /cut off/,
    ],
    [
      'a page in place of an archive',
      document(BOUNDARY_PATH, { body: PAGE, base64: false }),
      /no zip archive/,
    ],
    ['half of the boundaries', boundaries((text) => text.slice(0, text.length - 60)), /does not understand/],
    [
      'boundaries of another state',
      boundaries((text) => text.replaceAll(',20,20,', ',29,29,')),
      /does not understand/,
    ],
    ['boundaries that are over', boundaries((text) => text.replaceAll('29991231', '20261002')), /in force/],
    ['an unknown record', boundaries((text) => text.replace(/^Z/, 'X')), /does not understand/],
    [
      'a checksum that is wrong',
      async (good) => document(BOUNDARY_PATH, { body: await withWrongChecksum() })(good),
      /checksum/,
    ],
  ])('changes nothing: %s', async (_, broken, says) => {
    const before = await parts()
    const reading = await collect(await broken(await files()))
    expect(reading.faults.map(({ error }) => error).join('; ')).toMatch(says)
    expect(reading.after).toBeNull()
    expect(await parts()).toEqual(before)
    expect(await events()).toEqual([])
    const run = await env.DB.prepare(
      `SELECT outcome, error FROM collector_runs WHERE region = 'US-LOCAL'`,
    ).first()
    expect(['quarantined', 'failed']).toContain(run?.['outcome'])
    expect(String(run?.['error'])).toMatch(says)
  })

  it('is a review of its state only, and other states go on', async () => {
    const broken = await rates((text) => text.replaceAll('0.01500', '0.055'))(await files())
    await collect(broken)
    expect(await reviews()).toMatchObject([{ subject: 'KS rates', status: 'open' }])
    const reading = await collect(
      { 'fl.pdf': { body: `%PDF-1.7${' '.repeat(300)}`, type: 'application/pdf' } },
      {},
      'FL',
    )
    expect(reading.faults).toEqual([])
  })

  it('is believed if a person accepts what is unusual, but never what cannot be right', async () => {
    const unusual = await rates((text) => text.replaceAll('0.01500', '0.055'))(await files())
    const reading = await collect(unusual, { accept: true })
    expect(reading.faults).toEqual([])
    expect(await rateAt('66604', '1908')).toBe(68_500)
    const wrong = await rates((text) => text.replaceAll('0.01500', '0.13'))(await files())
    expect((await collect(wrong, { accept: true })).faults).toHaveLength(1)
  })

  it('loses ZIPs: that is for a person', async () => {
    await collect(await files())
    const fewer = await boundaries((text) => text.replaceAll(/^.*66044.*\n/gm, ''))(await files())
    const reading = await collect(fewer, { now: LATER })
    expect(reading.faults[0]?.error).toMatch(/has 1 ZIPs, and the edition before had 2/)
    expect(await rateAt('66044', '3259')).toBe(48_500)
  })
})

describe('a list that a person keeps', () => {
  it('is reported when it changes, until a person accepts it', async () => {
    const pdf = (text: string): Files => ({
      'fl.pdf': { body: `%PDF-1.7 ${text}${' '.repeat(300)}`, type: 'application/pdf' },
    })
    expect((await collect(pdf('2026'), {}, 'FL')).faults).toEqual([])
    expect((await collect(pdf('2026'), {}, 'FL')).faults).toEqual([])
    expect((await collect(pdf('2027'), {}, 'FL')).faults[0]?.error).toMatch(/correct data\/us-local by hand/)
    expect((await collect(pdf('2027'), { accept: true }, 'FL')).faults).toEqual([])
    expect((await collect(pdf('2027'), {}, 'FL')).faults).toEqual([])
  })
})

describe('the daily run', () => {
  it('queues a message for each state that is due', async () => {
    const folder = `https://${SOURCE_HOST}/${crypto.randomUUID()}`
    for (const [name, document_of] of Object.entries(await files()))
      await publish(`${folder}/${name}`, document_of)
    const sent: unknown[] = []
    const WORK = {
      ...env.WORK,
      sendBatch: async (messages: Iterable<MessageSendRequest<unknown>>) => {
        sent.push(...[...messages].map(({ body }) => body))
        return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
      },
    }
    const addresses = {
      SOURCE_US_LOCAL_RATES: `${folder}/rates/`,
      SOURCE_US_LOCAL_BOUNDARIES: `${folder}/boundaries/`,
    }
    const { run } = await queueDueStates(
      { ...env, WORK },
      { now: NOW, addresses, boundaries: true, pause_ms: 1 },
    )
    expect(run).toMatchObject({ region: 'US-LOCAL', outcome: 'confirmed', error: null })
    expect(sent).toContainEqual({ kind: 'local', id: 'KS' })
    expect(sent).toContainEqual({ kind: 'local', id: 'CA' })
    expect(sent).not.toContainEqual({ kind: 'local', id: 'GA' })
  })
})

describe('shipped data', () => {
  it('never replaces what was read from the files of a state since', async () => {
    await collect(await files())
    await applyLocalData(env, SHIPPED, new Date('2026-10-04T00:00:00Z'))
    expect(await rateAt('66604', '1908')).toBe(28_500)
  })
})
