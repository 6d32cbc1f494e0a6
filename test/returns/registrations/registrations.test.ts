import { keepAccountsIn } from '../../support/shards.ts'
import { env } from 'cloudflare:workers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

keepAccountsIn(0)

await loadTestData()

const add = async (key: string, body: object) => call('POST', '/v1/registrations', { key, body })

it('adds, shows, changes, lists and deletes a registration', async () => {
  const { key } = await newAccount()
  const added = await add(key, {
    jurisdiction_id: 'us-ca',
    registration_number: '102-345678',
    valid_from: '2024-02-29',
  })
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject({
    jurisdiction_id: 'US-CA',
    scheme: null,
    valid_from: '2024-02-29',
    valid_to: null,
  })
  const path = `/v1/registrations/${String(added.body['id'])}`
  expect((await call('PUT', path, { key, body: { valid_to: '2026-12-31' } })).body).toMatchObject({
    jurisdiction_id: 'US-CA',
    valid_to: '2026-12-31',
  })
  expect((await call('GET', path, { key })).body).toMatchObject({
    registration_number: '102-345678',
    valid_to: '2026-12-31',
  })
  const second = await add(key, { scheme: 'ioss', valid_from: '2025-01-01' })
  expect((await call('GET', '/v1/registrations?limit=1', { key })).body).toMatchObject({
    registrations: [{ id: second.body['id'] }],
    total: 2,
    has_more: true,
  })
  expect((await call('DELETE', path, { key })).body).toMatchObject({ id: added.body['id'], deleted: true })
  expect((await call('GET', path, { key })).status).toBe(404)
  expect((await call('DELETE', path, { key })).status).toBe(404)
})

it('reads EL and UK as GR and GB', async () => {
  const { key } = await newAccount()
  expect((await add(key, { jurisdiction_id: 'EL', valid_from: '2025-01-01' })).body['jurisdiction_id']).toBe(
    'GR',
  )
  expect((await add(key, { jurisdiction_id: 'uk', valid_from: '2025-01-01' })).body['jurisdiction_id']).toBe(
    'GB',
  )
})

it.each([
  ['neither jurisdiction nor scheme', { valid_from: '2025-01-01' }, 'jurisdiction_id'],
  ['both', { jurisdiction_id: 'DE', scheme: 'oss_union', valid_from: '2025-01-01' }, 'jurisdiction_id'],
  [
    'a jurisdiction that does not exist',
    { jurisdiction_id: 'DE-XX', valid_from: '2025-01-01' },
    'jurisdiction_id',
  ],
  [
    'a jurisdiction named like a property',
    { jurisdiction_id: 'constructor', valid_from: '2025-01-01' },
    'jurisdiction_id',
  ],
  ['an unknown scheme', { scheme: 'moss', valid_from: '2025-01-01' }, 'scheme'],
  ['no beginning', { scheme: 'ioss' }, 'valid_from'],
  ['a day that the calendar lacks', { scheme: 'ioss', valid_from: '2026-02-30' }, 'valid_from'],
  [
    'an end before the beginning',
    { scheme: 'ioss', valid_from: '2026-02-01', valid_to: '2026-01-31' },
    'valid_to',
  ],
  [
    'a number that is not text',
    { scheme: 'ioss', valid_from: '2026-02-01', registration_number: 7 },
    'registration_number',
  ],
])('refuses %s', async (_, body, path) => {
  const { key } = await newAccount()
  const refused = await add(key, body)
  expect(refused.status).toBe(400)
  expect(refused.body['errors']).toMatchObject([{ path }])
})

it('shows nothing of another account: its id is answered like one that never existed', async () => {
  const { key: owner } = await newAccount()
  const { key } = await newAccount()
  const id = String((await add(owner, { scheme: 'oss_union', valid_from: '2025-01-01' })).body['id'])
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', { valid_to: '2030-01-01' }],
    ['DELETE', undefined],
  ] as const) {
    const foreign = await call(method, `/v1/registrations/${id}`, { key, body })
    const unknown = await call(method, '/v1/registrations/reg_00000000000000000000000000', { key, body })
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  }
  expect((await call('GET', '/v1/registrations', { key })).body['total']).toBe(0)
  expect((await call('GET', `/v1/audit-events?resource_id=${id}`, { key })).body['audit_events']).toEqual([])
  expect((await call('GET', `/v1/registrations/${id}`, { key: owner })).body['valid_to']).toBeNull()
})

it('is deleted once, and not brought back by an update at the same moment', async () => {
  const { key, account_id } = await newAccount()
  const id = String((await add(key, { scheme: 'oss_union', valid_from: '2025-01-01' })).body['id'])
  const path = `/v1/registrations/${id}`
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? call('DELETE', path, { key })
        : call('PUT', path, { key, body: { valid_to: '2030-01-01' } }),
    ),
  )
  expect(answers.filter(({ body }) => body['deleted'] === true)).toHaveLength(1)
  expect((await call('GET', path, { key })).status).toBe(404)
  const written = answers.filter(({ status }) => status === 200).length
  expect(
    await env.DB.prepare('SELECT count(*) AS n FROM audit_events WHERE account_id = ?')
      .bind(account_id)
      .first('n'),
  ).toBe(1 + written)
})

it.each([
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1.5',
  'limit=%205',
  'limit=5abc',
  'limit=1e2',
  'limit=',
  'offset=-1',
  'offset=9007199254740992',
  'limit=1&limit=2',
])('refuses a list with %s', async (query) => {
  const { key } = await newAccount()
  const refused = await call('GET', `/v1/registrations?${query}`, { key })
  expect(refused.status).toBe(400)
  expect(refused.body['errors']).toMatchObject([{ path: query.split('=')[0] }])
})

it('answers a page beyond the end with no rows and the right total', async () => {
  const { key } = await newAccount()
  await add(key, { scheme: 'oss_union', valid_from: '2025-01-01' })
  expect((await call('GET', '/v1/registrations?offset=7', { key })).body).toMatchObject({
    registrations: [],
    total: 1,
    has_more: false,
  })
})

it('names in the audit events what did change, not what was sent', async () => {
  const { key } = await newAccount()
  const { body: added } = await add(key, {
    scheme: 'ioss',
    registration_number: null,
    valid_from: '2025-01-01',
  })
  for (const body of [{ scheme: 'ioss', valid_to: '2026-12-31' }, { valid_to: '2026-12-31' }])
    await call('PUT', `/v1/registrations/${String(added['id'])}`, { key, body })
  const { body } = await call('GET', `/v1/audit-events?resource_id=${String(added['id'])}`, { key })
  expect(body['audit_events']).toMatchObject([
    { changed: [] },
    { changed: ['valid_to'] },
    { changed: ['scheme', 'valid_from'] },
  ])
})

it('pages the audit log by cursor and refuses a cursor that is none', async () => {
  // The day does not end in the middle.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { key } = await newAccount()
  for (let index = 0; index < 3; index += 1) await add(key, { scheme: 'oss_union', valid_from: '2025-01-01' })
  const first = await call('GET', '/v1/audit-events?limit=2', { key })
  const second = await call('GET', `/v1/audit-events?limit=2&cursor=${String(first.body['next_cursor'])}`, {
    key,
  })
  expect([first.body['has_more'], second.body['has_more'], second.body['next_cursor']]).toEqual([
    true,
    false,
    null,
  ])
  const today = new Date().toISOString().slice(0, 10)
  expect(
    (await call('GET', `/v1/audit-events?from_date=${today}&to_date=${today}`, { key })).body['audit_events'],
  ).toHaveLength(3)
  expect((await call('GET', '/v1/audit-events?to_date=2020-01-01', { key })).body['audit_events']).toEqual([])
  for (const cursor of ['x', "aud_' OR 1=1 --", 'aud_'])
    expect((await call('GET', `/v1/audit-events?cursor=${encodeURIComponent(cursor)}`, { key })).status).toBe(
      400,
    )
})
