import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { verifyAudit } from '../../../scripts/verify/audit.ts'
import { sealAuditEvents } from '../../../src/platform/audit/seal.ts'
import { ask, newIssuer, person } from '../../support/access.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

await loadTestData()
const shard = keepAccountsIn(0)

type Body = Record<string, unknown>

const later = () => new Date(Date.now() + 60_000)

it('the history names a person, also a removed one, and the chain of an erased one is whole', async () => {
  const { account_id, key } = await newAccount()
  const issuer = await newIssuer()
  const { id, email } = await person(account_id, 'accountant')
  const token = await issuer.token(email)
  const body = { name: 'Ada', address: { country: 'FR' } }
  const added = await ask(issuer.bindings, token, '/v1/customers', { method: 'POST', body })
  expect(added.status, added.text).toBe(201)
  const who = async () => {
    const { body: found, text } = await call('GET', '/v1/audit-events', { key })
    expect(text).not.toContain(email)
    const events = found['audit_events'] as Body[]
    const [own] = events.filter(({ resource_id }) => resource_id === added.body['id'])
    return { key_id: own?.['key_id'], key_name: own?.['key_name'] }
  }
  expect(await who()).toEqual({ key_id: id, key_name: 'Kim Example' })
  await sealAuditEvents(shard, later())
  expect((await call('DELETE', `/v1/people/${id}`, { key })).status).toBe(200)
  expect(await who()).toEqual({ key_id: id, key_name: 'Kim Example' })
  expect((await call('DELETE', `/v1/people/${id}?erase=true`, { key })).status).toBe(200)
  expect(await who()).toEqual({ key_id: id, key_name: null })
  await sealAuditEvents(shard, later())
  expect(await verifyAudit(env.DB, account_id, later())).toMatchObject({ faults: [] })
  const { body: log } = await call('GET', '/v1/audit-events', { key })
  expect(JSON.stringify(log)).not.toContain('Kim Example')
})

it('nobody is named by the people of another account', async () => {
  const [one, other] = [await newAccount(), await newAccount()]
  const { id } = await person(other.account_id, 'owner')
  await env.DB.prepare(
    `INSERT INTO audit_events (id, account_id, key_id, action, resource_id, changed, request_id, created_at)
     VALUES ('aud_00000000000000000000000009', ?, ?, 'customer.created', 'cust_1', '[]', 'req_1', ?)`,
  )
    .bind(one.account_id, id, new Date().toISOString())
    .run()
  const { body } = await call('GET', '/v1/audit-events?resource_id=cust_1', { key: one.key })
  expect(body).toMatchObject({ audit_events: [{ key_id: id, key_name: null }] })
})
