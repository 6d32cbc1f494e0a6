import { keepAccountsIn } from '../../support/shards.ts'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { guarded } from '../../../src/platform/database/guard.ts'
import { commitSystemChange } from '../../../src/platform/writes/system-change.ts'
import { newAccount } from '../../support/account.ts'

keepAccountsIn(0)

const NOW = new Date('2026-11-21T12:00:00Z')
const { account_id, key_id } = await newAccount()
const other = await newAccount()

const rename = (id: string, name: string) =>
  env.DB.prepare('UPDATE api_keys SET name = ? WHERE id = ?').bind(name, id)
const nameOf = async (id: string) =>
  env.DB.prepare('SELECT name FROM api_keys WHERE id = ?').bind(id).first<string | null>('name')
const entry = (account: string, id: string, action: string) => ({
  account_id: account,
  action,
  resource_id: id,
  changed: ['name'],
})

async function audited(action: string) {
  const { results } = await env.DB.prepare(
    `SELECT account_id, key_id, resource_id, changed, request_id, created_at FROM audit_events
     WHERE action = ? ORDER BY account_id`,
  )
    .bind(action)
    .all<{ account_id: string; resource_id: string; request_id: string }>()
  return results
}

it('writes its changes, and an audit event for each resource under one request id', async () => {
  const owners = [
    { account: account_id, id: key_id },
    { account: other.account_id, id: other.key_id },
  ]
  await commitSystemChange(env.DB, NOW, {
    changes: owners.map(({ id }) => rename(id, 'both')),
    audit: owners.map(({ account, id }) => entry(account, id, 'test.both')),
  })
  expect([await nameOf(key_id), await nameOf(other.key_id)]).toEqual(['both', 'both'])
  const events = await audited('test.both')
  expect(events.map((event) => event.resource_id).toSorted()).toEqual([key_id, other.key_id].toSorted())
  for (const event of events)
    expect(event).toMatchObject({ key_id: 'system', changed: '["name"]', created_at: NOW.toISOString() })
  expect(new Set(events.map((event) => event.request_id)).size).toBe(1)
  expect(events[0]?.request_id).toMatch(/^req_/)
})

it('writes neither if a guard fails, and throws its reason', async () => {
  const deed = commitSystemChange(env.DB, NOW, {
    changes: [
      rename(key_id, 'guarded'),
      ...guarded(env.DB, rename('key_none', 'guarded'), 'concurrent_change'),
    ],
    audit: [entry(account_id, key_id, 'test.guarded')],
  })
  await expect(deed).rejects.toMatchObject({ reason: 'concurrent_change' })
  expect(await nameOf(key_id)).not.toBe('guarded')
  expect(await audited('test.guarded')).toEqual([])
})

it('leaves no audit event for a resource for which the condition of the changes fails', async () => {
  const condition = "name IS NOT 'kept'"
  await rename(other.key_id, 'kept').run()
  await commitSystemChange(env.DB, NOW, {
    changes: [key_id, other.key_id].map((id) =>
      env.DB.prepare(`UPDATE api_keys SET name = ? WHERE id = ? AND ${condition}`).bind('changed', id),
    ),
    audit: [
      entry(account_id, key_id, 'test.some'),
      entry(other.account_id, other.key_id, 'test.some'),
      // Of a resource of another account nothing is said.
      entry(account_id, other.key_id, 'test.some'),
    ],
    only_if: {
      sql: `EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = entry.resource_id
              AND api_keys.account_id = entry.account_id AND ${condition})`,
      values: [],
    },
  })
  expect([await nameOf(key_id), await nameOf(other.key_id)]).toEqual(['changed', 'kept'])
  expect((await audited('test.some')).map((event) => event.resource_id)).toEqual([key_id])
})
