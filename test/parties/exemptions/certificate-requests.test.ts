import { describe, expect, it } from 'vitest'
import { pruneRequests } from '../../../src/parties/certificate-requests/store.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

const { books } = keepAccountsIn(1)
await loadTestData()

const DAY_MS = 86_400_000

async function newCustomer() {
  const account = await newAccount()
  const { key } = account
  const id = String((await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })).body['id'])
  return { ...account, id, path: `/v1/customers/${id}/certificate-request` }
}

const rowsOf = async (account_id: string) =>
  (await books.prepare('SELECT * FROM certificate_requests WHERE account_id = ?').bind(account_id).all())
    .results

describe('a request for a certificate', () => {
  it('has a link that is shown once, and no database has its token', async () => {
    const { key, path, account_id, id } = await newCustomer()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const made = await call('POST', path, { key, body: {}, headers })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({ customer_id: id, state: 'open', used_at: null, exemption_id: null })
    const token = String(made.body['url']).slice('https://service.test/certificate/'.length)
    expect(token).toMatch(/^[0-9a-z]{26}-[\w-]{32}$/)
    const again = await call('POST', path, { key, body: {}, headers })
    expect(again.body).toEqual({ ...made.body, url: null })
    expect((await call('GET', path, { key })).text).not.toContain(token.slice(27))
    const audit = await books
      .prepare('SELECT * FROM audit_events WHERE account_id = ?')
      .bind(account_id)
      .all()
    const kept = await books
      .prepare('SELECT * FROM idempotency_keys WHERE account_id = ?')
      .bind(account_id)
      .all()
    expect(JSON.stringify([await rowsOf(account_id), audit.results, kept.results])).not.toContain(
      token.slice(27),
    )
  })

  it('is open for 30 days, or for 1 to 60', async () => {
    const { key, path } = await newCustomer()
    const daysOf = ({ body }: { body: Record<string, unknown> }) =>
      (Date.parse(String(body['expires_at'])) - Date.parse(String(body['created_at']))) / DAY_MS
    expect(daysOf(await call('POST', path, { key }))).toBe(30)
    expect(daysOf(await call('POST', path, { key, body: { expires_in_days: 60 } }))).toBe(60)
    for (const expires_in_days of [0, 61, 1.5, '3', null])
      expect((await call('POST', path, { key, body: { expires_in_days } })).body).toMatchObject({
        reason: 'invalid_request',
        errors: [{ path: 'expires_in_days' }],
      })
  })

  it('ends the one that was open, so that a customer has one', async () => {
    const { key, path, account_id } = await newCustomer()
    for (let n = 0; n < 3; n += 1) await call('POST', path, { key })
    expect(await rowsOf(account_id)).toHaveLength(1)
    const all = await Promise.all(Array.from({ length: 5 }, () => call('POST', path, { key })))
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(await rowsOf(account_id)).toHaveLength(1)
  })

  it('is revoked once, and told', async () => {
    const { key, path } = await newCustomer()
    expect((await call('GET', path, { key })).body).toMatchObject({ certificate_request: null })
    expect((await call('DELETE', path, { key })).status).toBe(404)
    const made = await call('POST', path, { key })
    expect((await call('DELETE', path, { key })).body).toMatchObject({ id: made.body['id'], deleted: true })
    expect((await call('DELETE', path, { key })).status).toBe(404)
    expect((await call('GET', path, { key })).body).toMatchObject({
      certificate_request: { id: made.body['id'], state: 'revoked' },
    })
  })

  it('goes with its customer, and none is made for a customer of another account', async () => {
    const { key, path, account_id, id } = await newCustomer()
    await call('POST', path, { key })
    const { key: other } = await newAccount()
    for (const method of ['POST', 'GET', 'DELETE'])
      expect((await call(method, path, { key: other })).status).toBe(404)
    expect((await call('DELETE', `/v1/customers/${id}`, { key })).status).toBe(200)
    expect(await rowsOf(account_id)).toEqual([])
    expect((await call('POST', path, { key })).status).toBe(404)
  })

  it('is deleted 90 days after its end, but not under a legal hold', async () => {
    const { key, path, account_id } = await newCustomer()
    const made = await call('POST', path, { key, body: { expires_in_days: 1 } })
    const end = Date.parse(String(made.body['expires_at']))
    await pruneRequests(books, new Date(end + 90 * DAY_MS))
    expect(await rowsOf(account_id)).toHaveLength(1)
    await books.prepare('UPDATE accounts SET held_at = ? WHERE id = ?').bind('2026-01-01', account_id).run()
    await pruneRequests(books, new Date(end + 90 * DAY_MS + 1))
    await call('POST', path, { key })
    expect(await rowsOf(account_id)).toMatchObject([{ revoked_at: expect.any(String) }, { revoked_at: null }])
    await books.prepare('UPDATE accounts SET held_at = NULL WHERE id = ?').bind(account_id).run()
    await pruneRequests(books, new Date(end + 90 * DAY_MS + 1))
    expect(await rowsOf(account_id)).toHaveLength(1)
  })
})
