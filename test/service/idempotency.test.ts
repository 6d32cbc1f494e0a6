import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'

afterEach(() => {
  vi.useRealTimers()
})

const registration = { scheme: 'oss_union', valid_from: '2026-01-01', registration_number: 'EU1' }
const add = async (key: string, idempotency: string, body: object = registration) =>
  call('POST', '/v1/registrations', { key, body, headers: { 'Idempotency-Key': idempotency } })
const count = async (table: string, account_id: string) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`).bind(account_id).first('n')

it('answers a repeat with the stored answer, byte for byte, and does nothing twice', async () => {
  const { key, account_id } = await newAccount()
  const first = await add(key, 'order-1')
  const second = await add(key, 'order-1')
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.text).toBe(first.text)
  expect([first.headers.get('Idempotent-Replayed'), second.headers.get('Idempotent-Replayed')]).toEqual([
    null,
    'true',
  ])
  expect([await count('registrations', account_id), await count('audit_events', account_id)]).toEqual([1, 1])
})

it('has one effect when 100 requests with one key come at once', async () => {
  const { key, account_id } = await newAccount()
  const answers = await Promise.all(Array.from({ length: 100 }, () => add(key, 'race')))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === null)).toHaveLength(1)
  expect([await count('registrations', account_id), await count('audit_events', account_id)]).toEqual([1, 1])
})

it('refuses the key with another body, and takes it in another account and on another path', async () => {
  const { key, key_id } = await newAccount()
  const { key: other } = await newAccount()
  await add(key, 'k')
  expect((await add(key, 'k', { ...registration, registration_number: 'EU2' })).body['reason']).toBe(
    'idempotency_key_reused',
  )
  expect((await add(other, 'k')).headers.get('Idempotent-Replayed')).toBeNull()
  const rotated = await call('POST', `/v1/api-keys/${key_id}/rotate`, {
    key,
    body: {},
    headers: { 'Idempotency-Key': 'k' },
  })
  expect(rotated.status).toBe(201)
})

it('stores no failure: the corrected body is accepted', async () => {
  const { key } = await newAccount()
  expect((await add(key, 'fix', { scheme: 'oss_union' })).status).toBe(400)
  expect((await add(key, 'fix')).status).toBe(201)
})

it('replays a key that was made without the secret, which it does not keep', async () => {
  const { key } = await newAccount()
  const ask = () =>
    call('POST', '/v1/api-keys', {
      key,
      body: { scopes: ['tax:read'] },
      headers: { 'Idempotency-Key': 'new-key' },
    })
  const first = await ask()
  const second = await ask()
  expect(first.body['key']).toMatch(/^tcs_live_/)
  expect(second.body).toMatchObject({ id: first.body['id'], key: null })
})

it('replays under another key of the account, but never to one without the scope', async () => {
  const { key } = await newAccount({ account: 'Replay' })
  const { key: reader } = await newAccount({ account: 'Replay', scopes: ['registrations:read'] })
  const { key: writer } = await newAccount({ account: 'Replay', scopes: ['registrations:write'] })
  const first = await add(key, 'shared')
  expect((await add(writer, 'shared')).text).toBe(first.text)
  expect((await add(reader, 'shared')).status).toBe(403)
})

it('forgets after 24 hours', async () => {
  const { key } = await newAccount()
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(start)
  const first = await add(key, 'day')
  vi.setSystemTime(start + 86_399_000)
  expect((await add(key, 'day')).text).toBe(first.text)
  vi.setSystemTime(start + 86_401_000)
  expect((await add(key, 'day')).body['id']).not.toBe(first.body['id'])
})

it.each(['', 'x'.repeat(256), 'with space', 'ümlaut'])(
  'refuses the Idempotency-Key %j',
  async (idempotency) => {
    const { key } = await newAccount()
    expect((await add(key, idempotency)).body['reason']).toBe('idempotency_key_invalid')
  },
)

it('takes a key of 255 characters', async () => {
  const { key } = await newAccount()
  expect((await add(key, '~'.repeat(255))).status).toBe(201)
})
