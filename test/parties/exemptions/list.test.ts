import { keepAccountsIn } from '../../support/shards.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { daysAfter } from '../../../src/platform/kit/calendar.ts'
import { exemptionsStatements } from '../../../src/parties/exemptions/list-store.ts'
import { EXEMPTIONS_BY } from '../../../src/parties/customers/exemption-search-store.ts'
import { EXEMPTION_STATES, stateOn } from '../../../src/parties/exemptions/state.ts'
import { todayIn } from '../../../src/platform/kit/time-zone.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

const { books } = keepAccountsIn(1)

await loadTestData()
afterEach(() => void vi.useRealTimers())

const Page = z.looseObject({
  exemptions: z.array(z.looseObject({ certificate_number: z.string() })),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
})

async function list(key: string, query: string) {
  const answer = await call('GET', `/v1/exemptions?${query}`, { key })
  expect(answer.status, answer.text).toBe(200)
  const page = Page.parse(answer.body)
  return { ...page, numbers: page.exemptions.map(({ certificate_number }) => certificate_number) }
}

/** An account with two customers, each with certificates, newest last. */
async function accountWithCertificates(): Promise<string> {
  const { key } = await newAccount()
  for (const [name, numbers] of [
    ['Acme', ['A-1', 'A-2']],
    ['Bolt', ['B-1']],
  ] as const) {
    const customer = await call('POST', '/v1/customers', { key, body: { name, external_id: `crm-${name}` } })
    for (const certificate_number of numbers)
      await call('POST', `/v1/customers/${String(customer.body['id'])}/exemptions`, {
        key,
        body: {
          jurisdiction_id: 'US-WA',
          exemption_type: 'resale',
          certificate_number,
          valid_from: '2026-01-01',
        },
      })
  }
  return key
}

describe('GET /v1/exemptions', () => {
  it('lists the certificates of all customers of the account, newest first, with their customers', async () => {
    const key = await accountWithCertificates()
    await accountWithCertificates()
    const all = await list(key, '')
    expect(all).toMatchObject({ numbers: ['B-1', 'A-2', 'A-1'], has_more: false, next_cursor: null })
    expect(all.exemptions[0]).toMatchObject({ customer_name: 'Bolt', customer_external_id: 'crm-Bolt' })
    const first = await list(key, 'limit=2')
    expect(first).toMatchObject({ numbers: ['B-1', 'A-2'], has_more: true })
    expect((await list(key, `limit=2&cursor=${first.next_cursor}`)).numbers).toEqual(['A-1'])
  })

  it('is filtered by status', async () => {
    const key = await accountWithCertificates()
    const [newest] = (await list(key, '')).exemptions
    const path = `/v1/customers/${String(newest?.['customer_id'])}/exemptions/${String(newest?.['id'])}`
    await call('PUT', path, { key, body: { status: 'verified' } })
    expect((await list(key, 'status=pending')).numbers).toEqual(['A-2', 'A-1'])
    expect((await list(key, 'status=verified')).numbers).toEqual(['B-1'])
    const refused = await call('GET', '/v1/exemptions?status=good', { key })
    expect(refused.status).toBe(400)
  })

  const TODAY = { today: '2026-11-26' }
  it.each([
    [TODAY, ['exemptions_of_account']],
    [{ ...TODAY, status: 'pending' as const }, ['exemptions_by_status']],
    ...EXEMPTION_STATES.map((state) => [
      { ...TODAY, state },
      [state === 'pending' || state === 'rejected' ? 'exemptions_by_status' : 'exemptions_by_end'],
    ]),
  ] as [Parameters<typeof exemptionsStatements>[0], string[]][])(
    '%o is read by the index %s, in its order',
    async (filter, [index]) => {
      const { page, values, begun } = exemptionsStatements(filter)
      const { results } = await books
        .prepare(`EXPLAIN QUERY PLAN ${page}`)
        .bind('acc_1', ...values, ...begun, 10)
        .all<{ id: number; parent: number; detail: string }>()
      const read = results.filter(({ detail }) => / exemptions /.test(detail))
      expect(read.length).toBeGreaterThan(0)
      for (const { detail } of read) expect(detail).toMatch(new RegExp(`SEARCH exemptions USING .*${index}`))
      // The customers of the page are looked up: the account may have many more.
      const of = (table: string) => results.findIndex(({ detail }) => detail.includes(` ${table} `))
      expect(of('exemption')).toBeGreaterThanOrEqual(0)
      expect(of('exemption')).toBeLessThan(of('customer'))
      // Only the rows of the page are sorted: those of the index are in its order.
      const parents = new Set(read.map(({ parent }) => parent))
      for (const { detail, parent } of results)
        if (parents.has(parent)) expect(detail).not.toContain('TEMP B-TREE')
    },
  )
})

type Dated = {
  number: string
  place?: string
  valid_from?: string
  valid_to?: string | null
  status?: string
}

/** An account in California with these certificates of one customer, the newest last. */
async function accountWith(certificates: readonly Dated[], name = 'Fern & Oak Inc.') {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { time_zone: 'America/Los_Angeles' } })
  return { key, path: await customerWith(key, certificates, name) }
}

/** The path of the certificates of a new customer. */
async function customerWith(key: string, certificates: readonly Dated[], name: string): Promise<string> {
  const customer = await call('POST', '/v1/customers', { key, body: { name } })
  const path = `/v1/customers/${String(customer.body['id'])}/exemptions`
  for (const {
    number,
    place = 'US-WA',
    valid_from = '2026-01-01',
    valid_to = null,
    status = 'verified',
  } of certificates) {
    const made = await call('POST', path, {
      key,
      body: {
        jurisdiction_id: place,
        exemption_type: 'resale',
        certificate_number: number,
        valid_from,
        valid_to,
      },
    })
    expect(made.status, made.text).toBe(201)
    await call('PUT', `${path}/${String(made.body['id'])}`, { key, body: { status } })
  }
  return path
}

/** Today in California, and the days around it. */
const TODAY = todayIn('America/Los_Angeles', new Date())
const day = (count: number) => daysAfter(TODAY, count)

const BOUNDARIES = [
  { number: 'ENDED-YESTERDAY', valid_to: day(-1) },
  { number: 'ENDS-TODAY', valid_to: day(0) },
  { number: 'SOON', valid_to: day(30) },
  { number: 'LATER', valid_to: day(31) },
  { number: 'OPEN' },
  { number: 'FROM-TODAY', valid_from: day(0) },
  { number: 'FROM-TOMORROW', valid_from: day(1), valid_to: day(20) },
  { number: 'WAITS', valid_to: day(-1), status: 'pending' },
  { number: 'REFUSED', valid_to: day(90), status: 'rejected' },
  { number: 'ENDED-BY-HAND', valid_to: day(90), status: 'expired' },
]

describe('GET /v1/exemptions?state=', () => {
  it.each([
    ['active', ['LATER', 'OPEN', 'FROM-TODAY']],
    ['expires_soon', ['ENDS-TODAY', 'SOON']],
    ['expired', ['ENDED-BY-HAND', 'ENDED-YESTERDAY']],
    ['upcoming', ['FROM-TOMORROW']],
    ['pending', ['WAITS']],
    ['rejected', ['REFUSED']],
  ])('%s is true today in the zone of the account, without the daily job', async (state, numbers) => {
    const { key } = await accountWith(BOUNDARIES)
    expect((await list(key, `state=${state}`)).numbers).toEqual(numbers)
  })

  it.each(['2026-02-28T07:59:00Z', '2026-02-28T08:01:00Z'])(
    'says the same as stateOn and the check at %s, around midnight in California',
    async (at) => {
      vi.useFakeTimers({ now: new Date(at), toFake: ['Date'] })
      const days = ['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-29', '2026-03-30', '2026-03-31']
      const { key, path } = await accountWith(days.map((valid_to) => ({ number: valid_to, valid_to })))
      const today = todayIn('America/Los_Angeles', new Date(at))
      expect(today).toBe(at < '2026-02-28T08' ? '2026-02-27' : '2026-02-28')
      for (const state of EXEMPTION_STATES)
        expect((await list(key, `state=${state}`)).numbers.toSorted(), state).toEqual(
          days.filter(
            (valid_to) =>
              stateOn({ status: 'verified', valid_from: '2026-01-01', valid_to }, today) === state,
          ),
        )
      const check = await call('GET', `${path}/check?jurisdiction_id=US-WA&date=2026-04-01`, { key })
      expect(check.body['is_exempt']).toBe(false)
    },
  )

  it.each(['expired', 'active'])('pages %s by its cursor, each once', async (state) => {
    const ends = [2, 3, 3, 3, 4].map((count, n) => ({
      number: `N${n}`,
      valid_to: day(state === 'active' ? 60 + count : -count),
    }))
    const { key } = await accountWith(ends)
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const page = await list(key, `state=${state}&limit=2${cursor}`)
      seen.push(...page.numbers)
      if (!page.has_more) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(seen).toHaveLength(5)
    expect(new Set(seen)).toEqual(new Set(ends.map(({ number }) => number)))
    expect([seen[0], seen[4]]).toEqual(['N0', 'N4'])
  })

  it('reads at most 2,000 rows for a page, and goes on after them', async () => {
    const { account_id, key } = await newAccount()
    const { body } = await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })
    const numbers = JSON.stringify(Array.from({ length: 2_001 }, (_, n) => n))
    // The first 2,000 by their end have not begun.
    await books
      .prepare(
        `INSERT INTO exemptions (id, account_id, customer_id, jurisdiction_id, exemption_type,
           certificate_number, valid_from, valid_to, status, created_at, updated_at)
         SELECT 'exm_' || substr('00000000000000000000000000' || value, -26), ?1, ?2, 'US', 'other',
           'C-' || value, iif(value < 2000, '9000-01-01', '2026-01-01'), '9000-01-02', 'verified', ?4, ?4
         FROM json_each(?3)`,
      )
      .bind(account_id, String(body['id']), numbers, new Date().toISOString())
      .run()
    const first = await list(key, 'state=active')
    expect(first).toMatchObject({ numbers: [], has_more: true })
    const second = await list(key, `state=active&cursor=${first.next_cursor}`)
    expect(second).toMatchObject({ numbers: ['C-2000'], has_more: false, next_cursor: null })
  })

  it.each([
    ['state=valid', 'state'],
    ['state=active&status=verified', 'state'],
    ['q=', 'q'],
    [`q=${'x'.repeat(101)}`, 'q'],
    ['cursor=exm_1', 'cursor'],
    [`state=active&cursor=exm_${'0'.repeat(26)}`, 'cursor'],
    [`state=pending&cursor=2026-01-01~exm_${'0'.repeat(26)}`, 'cursor'],
  ])('refuses ?%s', async (query, field) => {
    const { key } = await newAccount()
    const refused = await call('GET', `/v1/exemptions?${query}`, { key })
    expect(refused.status, refused.text).toBe(400)
    expect(refused.body['errors']).toMatchObject([{ path: field }])
  })
})

describe('GET /v1/exemptions?q=', () => {
  it.each([
    ['a12-34', ['A12-3456']],
    ['A12-3456', ['A12-3456']],
    ['oak', ['B-1', 'A12-3456']],
    ['FERN', ['B-1', 'A12-3456']],
    ['washing', ['B-1', 'A12-3456']],
    ['us-wa', ['B-1', 'A12-3456']],
    ['a12_', []],
    ['texas', []],
  ])('%s finds by number, customer and place', async (q, numbers) => {
    const { key } = await accountWith([{ number: 'A12-3456' }, { number: 'B-1' }])
    await accountWith([{ number: 'A12-3456' }])
    const found = await list(key, `q=${encodeURIComponent(q)}`)
    expect(found).toMatchObject({ numbers, search_complete: true })
  })

  it('goes with a state and with pages', async () => {
    const { key } = await accountWith(BOUNDARIES)
    expect((await list(key, 'q=fern&state=expires_soon')).numbers).toEqual(['ENDS-TODAY', 'SOON'])
    const first = await list(key, 'q=fern&state=active&limit=2')
    expect(first).toMatchObject({ numbers: ['LATER', 'OPEN'], has_more: true })
    const rest = await list(key, `q=fern&state=active&limit=2&cursor=${first.next_cursor}`)
    expect(rest).toMatchObject({ numbers: ['FROM-TODAY'], has_more: false })
    expect((await list(key, 'q=bolt')).numbers).toEqual([])
  })

  it('says that more match than it takes', async () => {
    const { account_id, key } = await newAccount()
    const { body } = await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })
    await books
      .prepare(
        `INSERT INTO exemptions (id, account_id, customer_id, jurisdiction_id, exemption_type,
           certificate_number, valid_from, valid_to, status, created_at, updated_at)
         SELECT 'exm_found_' || value, ?1, ?2, 'US', 'other', 'C', '2026-01-01', NULL, 'verified', ?4, ?4
         FROM json_each(?3)`,
      )
      .bind(
        account_id,
        String(body['id']),
        JSON.stringify(Array.from({ length: 1_001 }, (_, n) => n)),
        new Date().toISOString(),
      )
      .run()
    expect(await list(key, 'q=ada&limit=1')).toMatchObject({ search_complete: false })
  })

  it.each(Object.entries(EXEMPTIONS_BY))('is answered by an index: %s', async (_, sql) => {
    const plan = await books
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind('acc_1', '[]', ...(sql.includes('?3') ? [''] : []))
      .all<{ detail: string }>()
    expect(plan.results.map(({ detail }) => detail).join('; ')).toMatch(
      /SEARCH exemptions USING .*account_id=\?/,
    )
  })
})

describe('the certificates of GET /v1/overview', () => {
  const numbersOf = (rows: unknown) =>
    (rows as { certificate_number: string }[]).map(({ certificate_number }) => certificate_number)

  it.each<[what: string, of: readonly Dated[], ended: string[], soon: string[]]>([
    [
      'tells those that ended in the last 30 days',
      [
        { number: 'YESTERDAY', valid_to: day(-1) },
        { number: 'THEN', valid_to: day(-30), place: 'US-CA' },
        { number: 'LONG-AGO', valid_to: day(-31), place: 'US-TX' },
        { number: 'BY-HAND', valid_to: day(90), place: 'US-NY', status: 'expired' },
      ],
      ['YESTERDAY', 'THEN'],
      [],
    ],
    ['tells one that ends today', [{ number: 'TODAY', valid_to: day(0) }], [], ['TODAY']],
    ['tells one of the next 30 days', [{ number: 'SOON', valid_to: day(30) }], [], ['SOON']],
    ['leaves out a later one', [{ number: 'LATER', valid_to: day(31) }], [], []],
    [
      'leaves out one that another one follows on the next day',
      [
        { number: 'SOON', valid_to: day(20) },
        { number: 'NEXT', valid_from: day(21) },
      ],
      [],
      [],
    ],
    [
      'tells one that another one follows with a gap',
      [
        { number: 'SOON', valid_to: day(20) },
        { number: 'NEXT', valid_from: day(22) },
      ],
      [],
      ['SOON'],
    ],
    [
      'leaves out one that ended if another one is valid today',
      [{ number: 'YESTERDAY', valid_to: day(-1) }, { number: 'OPEN' }],
      [],
      [],
    ],
    [
      'tells the last one of several that followed each other',
      [
        { number: 'FIRST', valid_to: day(-20) },
        { number: 'SECOND', valid_from: day(-19), valid_to: day(-9) },
        { number: 'THIRD', valid_from: day(-5), valid_to: day(-3) },
      ],
      ['THIRD'],
      [],
    ],
    [
      'does not count one that waits for a review',
      [
        { number: 'YESTERDAY', valid_to: day(-1) },
        { number: 'WAITS', status: 'pending' },
      ],
      ['YESTERDAY'],
      [],
    ],
  ])('%s', async (_what, of, ended, soon) => {
    const { key } = await accountWith(of)
    const { body } = await call('GET', '/v1/overview', { key })
    const found = body['certificates'] as { ended: unknown; expires_soon: unknown }
    expect([numbersOf(found.ended), numbersOf(found.expires_soon)]).toEqual([ended, soon])
  })

  /** Copies of a certificate, with its customer. One that expired was ended by hand. */
  async function copy(of: string, change: { valid_to: string | null; status: string }) {
    await books
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
         INSERT INTO exemptions (id, account_id, customer_id, jurisdiction_id, exemption_type,
           certificate_number, valid_from, valid_to, status, created_at, updated_at, ended_on)
         SELECT id || ?2 || i, account_id, customer_id, jurisdiction_id, exemption_type, 'COPY', valid_from,
           ?2, ?3, created_at, updated_at, iif(?3 = 'expired', '2026-02-01', NULL)
         FROM exemptions, n WHERE certificate_number = ?1`,
      )
      .bind(of, change.valid_to ?? '9999-12-31', change.status)
      .run()
  }

  it('finds those that none follows behind many that are renewed or were ended by hand', async () => {
    const renewed = `RENEWED-${crypto.randomUUID()}`
    const { key } = await accountWith([{ number: renewed }])
    await copy(renewed, { valid_to: day(-1), status: 'verified' })
    await copy(renewed, { valid_to: day(1), status: 'verified' })
    await copy(renewed, { valid_to: null, status: 'expired' })
    await customerWith(key, [{ number: 'ENDED', valid_to: day(-2) }], 'Moss Ltd')
    await customerWith(key, [{ number: 'ENDS', valid_to: day(2) }], 'Reed Ltd')
    const { body } = await call('GET', '/v1/overview', { key })
    const found = body['certificates'] as { ended: unknown; expires_soon: unknown }
    expect([numbersOf(found.ended), numbersOf(found.expires_soon)]).toEqual([['ENDED'], ['ENDS']])
  })
})
