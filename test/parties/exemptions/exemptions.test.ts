import { keepAccountsIn } from '../../support/shards.ts'
import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { type Answer, call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

const EXEMPTION = {
  jurisdiction_id: 'US-CA',
  exemption_type: 'resale',
  certificate_number: 'CA-1',
  valid_from: '2026-01-01',
  valid_to: '2026-12-31',
}
const NONE = '00000000000000000000000000'

async function newCustomer(): Promise<{ key: string; account_id: string; customer: string; path: string }> {
  const { key, account_id } = await newAccount()
  const customer = String((await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })).body['id'])
  return { key, account_id, customer, path: `/v1/customers/${customer}/exemptions` }
}
const add = async (key: string, path: string, body: object = {}) =>
  call('POST', path, { key, body: { ...EXEMPTION, ...body } })
const pathsOf = ({ body }: Answer) =>
  Array.isArray(body['errors']) ? [...new Set(body['errors'].map((error) => error.path))] : []

it('adds a pending exemption, and shows it in the list and with its customer', async () => {
  const { key, customer, path } = await newCustomer()
  const added = await add(key, path, {
    jurisdiction_id: 'us-ca',
    certificate_url: 'https://example.com/c.pdf',
  })
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject({
    ...EXEMPTION,
    certificate_url: 'https://example.com/c.pdf',
    status: 'pending',
    verification_notes: null,
  })
  expect(added.body['id']).toMatch(/^exm_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  const second = await add(key, path, { jurisdiction_id: 'EL', valid_to: null })
  expect(second.body).toMatchObject({ jurisdiction_id: 'GR', valid_to: null, certificate_url: null })
  const both = [{ id: second.body['id'] }, { id: added.body['id'] }]
  expect((await call('GET', path, { key })).body).toMatchObject({
    exemptions: both,
    total: 2,
    limit: 50,
    offset: 0,
    has_more: false,
  })
  expect((await call('GET', `${path}?limit=1&offset=1`, { key })).body).toMatchObject({
    exemptions: both.slice(1),
    has_more: false,
  })
  expect((await call('GET', `/v1/customers/${customer}`, { key })).body['exemptions']).toMatchObject(both)
})

it.each([
  ['an unknown jurisdiction', { jurisdiction_id: 'US-ZZ' }, 'jurisdiction_id'],
  ['a jurisdiction named like a property', { jurisdiction_id: 'constructor' }, 'jurisdiction_id'],
  ['an unknown type', { exemption_type: 'church' }, 'exemption_type'],
  ['an empty certificate number', { certificate_number: '' }, 'certificate_number'],
  ['a certificate number that is no text', { certificate_number: 7 }, 'certificate_number'],
  ['a long certificate number', { certificate_number: 'x'.repeat(101) }, 'certificate_number'],
  ['a certificate over http', { certificate_url: 'http://example.com/c.pdf' }, 'certificate_url'],
  ['a certificate that is a script', { certificate_url: 'javascript:alert(1)' }, 'certificate_url'],
  [
    'a certificate with credentials',
    { certificate_url: 'https://user:secret@example.com/' },
    'certificate_url',
  ],
  ['a certificate that is no URL', { certificate_url: 'https://' }, 'certificate_url'],
  ['a day that the calendar lacks', { valid_from: '2026-02-30' }, 'valid_from'],
  ['a time instead of a day', { valid_from: '2026-02-01T00:00:00Z' }, 'valid_from'],
  ['an end before the beginning', { valid_from: '2026-02-01', valid_to: '2026-01-31' }, 'valid_to'],
  ['a chosen id', { id: 'exm_1' }, 'id'],
  ['another customer', { customer_id: 'cust_1' }, 'customer_id'],
  ['another account', { account_id: 'acct_1' }, 'account_id'],
])('refuses %s, in a new exemption and in a change', async (_, body, field) => {
  const { key, path } = await newCustomer()
  const { id } = (await add(key, path)).body
  for (const refused of [
    await add(key, path, body),
    await call('PUT', `${path}/${String(id)}`, { key, body }),
  ]) {
    expect(refused.status).toBe(400)
    expect(pathsOf(refused)).toEqual([field])
  }
  expect((await call('GET', path, { key })).body).toMatchObject({
    exemptions: [{ id, ...EXEMPTION, status: 'pending' }],
    total: 1,
  })
})

it.each([
  ['a status', { status: 'verified' }, 'status'],
  ['notes', { verification_notes: 'x' }, 'verification_notes'],
  ['no jurisdiction', { jurisdiction_id: undefined }, 'jurisdiction_id'],
  ['no type', { exemption_type: undefined }, 'exemption_type'],
  ['no certificate number', { certificate_number: undefined }, 'certificate_number'],
  ['no beginning', { valid_from: undefined }, 'valid_from'],
])('refuses a new exemption with %s', async (_, body, field) => {
  const { key, path } = await newCustomer()
  const refused = await add(key, path, body)
  expect(refused.status).toBe(400)
  expect(pathsOf(refused)).toEqual([field])
})

const MOVES: Record<string, readonly string[]> = {
  pending: ['verified', 'rejected', 'expired'],
  verified: ['rejected', 'expired'],
  rejected: ['pending'],
  expired: ['pending'],
}
const STATUSES = Object.keys(MOVES)

it.each(
  STATUSES.flatMap((from) =>
    STATUSES.map((to) => ({ from, to, allowed: from === to || MOVES[from]?.includes(to) })),
  ),
)('answers a move from $from to $to: allowed is $allowed', async ({ from, to, allowed }) => {
  const { key, path } = await newCustomer()
  const { id } = (await add(key, path)).body
  const move = async (status: string) =>
    call('PUT', `${path}/${String(id)}`, { key, body: { status, verification_notes: `now ${status}` } })
  if (from !== 'pending') expect((await move(from)).status).toBe(200)
  const moved = await move(to)
  if (allowed) expect(moved.body).toMatchObject({ ...EXEMPTION, status: to, verification_notes: `now ${to}` })
  else {
    expect(moved.status).toBe(400)
    expect(moved.body).toMatchObject({
      error_code: 'VALIDATION_ERROR',
      reason: 'illegal_status_change',
      errors: [{ path: 'status' }],
    })
    expect((await call('GET', path, { key })).body['exemptions']).toMatchObject([{ status: from }])
  }
})

it('refuses a status that is none', async () => {
  const { key, path } = await newCustomer()
  const { id } = (await add(key, path)).body
  for (const status of ['approved', 'toString', '', null, 1])
    expect(pathsOf(await call('PUT', `${path}/${String(id)}`, { key, body: { status } }))).toEqual(['status'])
})

it('changes what is given, clears what is null, and holds the dates together', async () => {
  const { key, path } = await newCustomer()
  const { id } = (await add(key, path, { certificate_url: 'https://example.com/' })).body
  const change = async (body: object) => call('PUT', `${path}/${String(id)}`, { key, body })
  expect((await change({ exemption_type: 'government', certificate_number: 'G-2' })).body).toMatchObject({
    ...EXEMPTION,
    exemption_type: 'government',
    certificate_number: 'G-2',
    certificate_url: 'https://example.com/',
  })
  expect(pathsOf(await change({ valid_from: '2027-01-01' }))).toEqual(['valid_to'])
  expect(
    (await change({ valid_from: '2027-01-01', valid_to: null, certificate_url: null })).body,
  ).toMatchObject({
    valid_from: '2027-01-01',
    valid_to: null,
    certificate_url: null,
  })
  expect(pathsOf(await change({ jurisdiction_id: null }))).toEqual(['jurisdiction_id'])
})

it('deletes an exemption once', async () => {
  const { key, path } = await newCustomer()
  const id = String((await add(key, path)).body['id'])
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => call('DELETE', `${path}/${id}`, { key })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(9)
  expect((await call('PUT', `${path}/${id}`, { key, body: {} })).status).toBe(404)
  const log = await call('GET', `/v1/audit-events?resource_id=${id}`, { key })
  expect(log.body['audit_events']).toMatchObject([
    { action: 'exemption.deleted' },
    { action: 'exemption.created' },
  ])
  expect(log.text).not.toContain('CA-1')
})

it('belongs to its customer: through another one it is not found', async () => {
  const { key, path } = await newCustomer()
  const id = String((await add(key, path)).body['id'])
  const other = String((await call('POST', '/v1/customers', { key, body: { name: 'Grace' } })).body['id'])
  for (const method of ['PUT', 'DELETE'])
    expect(
      (
        await call(method, `/v1/customers/${other}/exemptions/${id}`, {
          key,
          body: method === 'PUT' ? {} : undefined,
        })
      ).status,
    ).toBe(404)
})

it('shows and changes nothing of another account: its ids are answered like those that never existed', async () => {
  const { customer, key: owner, path } = await newCustomer()
  const id = String((await add(owner, path)).body['id'])
  const { key, path: own } = await newCustomer()
  for (const [method, foreign, unknown, body] of [
    ['POST', path, `/v1/customers/cust_${NONE}/exemptions`, EXEMPTION],
    ['GET', path, `/v1/customers/cust_${NONE}/exemptions`, undefined],
    [
      'GET',
      `${path}/check?jurisdiction_id=US`,
      `/v1/customers/cust_${NONE}/exemptions/check?jurisdiction_id=US`,
      undefined,
    ],
    ['PUT', `${path}/${id}`, `${path}/exm_${NONE}`, { status: 'verified' }],
    ['DELETE', `${path}/${id}`, `${path}/exm_${NONE}`, undefined],
    ['PUT', `${own}/${id}`, `${own}/exm_${NONE}`, { status: 'verified' }],
    ['DELETE', `${own}/${id}`, `${own}/exm_${NONE}`, undefined],
  ] as const) {
    const answer = await call(method, foreign, { key, body })
    const none = await call(method, unknown, { key, body })
    expect(answer.status).toBe(404)
    expect({ ...answer.body, request_id: '' }).toEqual({ ...none.body, request_id: '' })
  }
  expect((await call('GET', `/v1/customers/${customer}`, { key: owner })).body['exemptions']).toMatchObject([
    { id, status: 'pending' },
  ])
})

it('adds one exemption for 10 requests at once with one Idempotency-Key', async () => {
  const { key, path } = await newCustomer()
  const send = async () =>
    call('POST', path, { key, body: EXEMPTION, headers: { 'Idempotency-Key': 'once' } })
  const answers = await Promise.all(Array.from({ length: 10 }, send))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect((await call('GET', path, { key })).body['total']).toBe(1)
})

it('leaves no exemption behind when its customer is erased at the same moment', async () => {
  const { key, account_id, customer, path } = await newCustomer()
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) =>
      n === 10 ? call('DELETE', `/v1/customers/${customer}`, { key }) : add(key, path),
    ),
  )
  expect(answers.every(({ status }) => [200, 201, 404].includes(status))).toBe(true)
  expect(
    await books
      .prepare('SELECT count(*) AS n FROM exemptions WHERE account_id = ?')
      .bind(account_id)
      .first('n'),
  ).toBe(0)
})

it('moves only as allowed when two requests at once decide differently', async () => {
  const { key, path } = await newCustomer()
  const id = String((await add(key, path)).body['id'])
  const answers = await Promise.all(
    ['verified', 'rejected', 'verified', 'rejected'].map(async (status) =>
      call('PUT', `${path}/${id}`, { key, body: { status } }),
    ),
  )
  // verified → rejected is a move, rejected → verified is none: whoever rejects first has the last word.
  expect((await call('GET', path, { key })).body['exemptions']).toMatchObject([{ status: 'rejected' }])
  for (const { status, body } of answers)
    if (status !== 200) expect(body['reason']).toBe('illegal_status_change')
})
