import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { pruneHistory } from '../../../src/platform/database/history-store.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

await loadTestData()
keepAccountsIn(1)

type Body = Record<string, unknown>

async function made(method: string, path: string, key: string, body?: object): Promise<Body> {
  const answer = await call(method, path, { key, ...(body && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** The names of the keys in the history of a resource, the newest first. */
async function namesIn(key: string, resource_id: string): Promise<unknown[]> {
  const { audit_events } = await made('GET', `/v1/audit-events?resource_id=${resource_id}`, key)
  return (audit_events as Body[]).map(({ key_name }) => key_name)
}

it('the audit log names keys, also those that have ended and are deleted', async () => {
  const { key } = await newAccount()
  const scopes = ['customers:read', 'customers:write']
  const first = await made('POST', '/v1/api-keys', key, { name: 'Shop', scopes })
  const customer = String((await made('POST', '/v1/customers', String(first['key']), { name: 'Ada' }))['id'])
  const path = `/v1/customers/${customer}`
  const next = await made('POST', `/v1/api-keys/${String(first['id'])}/rotate`, key, { grace_hours: 0 })
  await made('PUT', path, String(next['key']), { name: 'Ada L.' })
  const nameless = await made('POST', '/v1/api-keys', key, { scopes })
  await made('PUT', path, String(nameless['key']), { name: 'Ada Lovelace' })
  const names = [nameless['prefix'], 'Shop', 'Shop']
  expect(await namesIn(key, customer)).toEqual(names)
  for (const { id } of [next, nameless]) await made('DELETE', `/v1/api-keys/${String(id)}`, key)
  expect(await namesIn(key, customer)).toEqual(names)
  await pruneHistory(env.DB, new Date(Date.now() + 40 * 86_400_000))
  const left = await env.DB.prepare('SELECT count(*) AS n FROM api_keys WHERE id IN (?, ?, ?)')
    .bind(first['id'], next['id'], nameless['id'])
    .first('n')
  expect(left).toBe(0)
  expect(await namesIn(key, customer)).toEqual(names)
})

it('what the service did has no name of a key, nor has a key of another account', async () => {
  const { account_id, key } = await newAccount()
  const other = await newAccount()
  const foreign = await made('POST', '/v1/api-keys', other.key, { name: 'Foreign', scopes: ['tax:read'] })
  const insert = env.DB.prepare(
    `INSERT INTO audit_events (id, account_id, key_id, action, resource_id, changed, request_id, created_at)
     VALUES (?, ?, ?, 'exemption.expired', 'exm_1', '[]', 'req_1', ?)`,
  )
  const at = new Date().toISOString()
  await env.DB.batch([
    insert.bind('aud_00000000000000000000000001', account_id, 'system', at),
    insert.bind('aud_00000000000000000000000002', account_id, String(foreign['id']), at),
  ])
  expect(await namesIn(key, 'exm_1')).toEqual([null, null])
})
