import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { shardsOf } from '../../../src/platform/database/shards.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

beforeAll(loadTestData)

type Write = readonly [method: string, path: string, body: object | undefined]

/** What a leaked key could leave behind after its end. */
const LASTING: readonly Write[] = [
  ['POST', '/v1/api-keys', { scopes: ['*'] }],
  ['POST', '/v1/obligations/calendar', undefined],
  ['PUT', '/v1/account', { name: 'Mallory' }],
  ['POST', '/v1/registrations', { jurisdiction_id: 'DE', valid_from: '2026-01-01' }],
  ['POST', '/v1/webhooks', { url: 'https://hooks.example.com/x', events: ['transaction.created'] }],
]

const ENDS = {
  revoked: 'UPDATE api_keys SET revoked_at = ? WHERE id = ?',
  expired: 'UPDATE api_keys SET expires_at = ? WHERE id = ?',
}

/** A key that this isolate has in memory, and that ended in the database. */
async function endedKey(shard: number, how: keyof typeof ENDS) {
  keepAccountsIn(shard)
  const owner = await newAccount()
  expect((await call('GET', '/v1/account', { key: owner.key })).status).toBe(200)
  await env.DB.prepare(ENDS[how]).bind(new Date().toISOString(), owner.key_id).run()
  return owner
}

describe.each([0, 1])('a key that ended, with its books in shard %i', (shard) => {
  it.each(LASTING)('%s %s leaves nothing behind', async (method, path, body) => {
    for (const how of ['revoked', 'expired'] as const) {
      const { key, account_id } = await endedKey(shard, how)
      const refused = await call(method, path, { key, ...(body !== undefined && { body }) })
      expect(refused.status, refused.text).toBe(401)
      expect(refused.body['reason']).toBe('invalid_api_key')
      for (const { books } of shardsOf(env))
        expect(
          await books
            .prepare('SELECT action FROM audit_events WHERE account_id = ?')
            .bind(account_id)
            .first(),
        ).toBeNull()
      // The isolate has learned it.
      expect((await call('GET', '/v1/account', { key })).status).toBe(401)
    }
  })

  it('cannot send the events of a webhook to another address, nor take its secret', async () => {
    keepAccountsIn(shard)
    const { key, key_id } = await newAccount()
    const body = { url: 'https://hooks.example.com/mine', events: ['transaction.created'] }
    const made = await call('POST', '/v1/webhooks', { key, body })
    const path = `/v1/webhooks/${String(made.body['id'])}`
    await env.DB.prepare(ENDS.revoked).bind(new Date().toISOString(), key_id).run()
    const moved = await call('PUT', path, { key, body: { url: 'https://hooks.example.com/other' } })
    expect(moved.status).toBe(401)
    expect((await call('POST', `${path}/rotate-secret`, { key })).status).toBe(401)
  })

  it('can revoke itself, and can rotate itself without a pause', async () => {
    keepAccountsIn(shard)
    const { key, key_id } = await newAccount()
    const rotated = await call('POST', `/v1/api-keys/${key_id}/rotate`, { key, body: { grace_hours: 0 } })
    expect(rotated.status).toBe(201)
    const next = { key: String(rotated.body['key']), id: String(rotated.body['id']) }
    expect((await call('DELETE', `/v1/api-keys/${next.id}`, { key: next.key })).status).toBe(200)
  })
})
