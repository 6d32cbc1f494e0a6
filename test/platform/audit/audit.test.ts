import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sealAuditEvents, sealStragglers } from '../../../src/platform/audit/seal.ts'
import { verifyAudit } from '../../../scripts/verify/audit.ts'
import { throughDoor } from '../../../src/platform/database/doors.ts'
import { pruneAuditEvents } from '../../../src/platform/database/history-store.ts'
import { newAccount } from '../../support/account.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()
const shard = keepAccountsIn(0)

type Body = Record<string, unknown>
type Shown = { id: string; action: string; values: Body | null; seal: Body | null }

const later = () => new Date(Date.now() + 60_000)
const seal = () => sealAuditEvents(shard, later())
const verify = (account_id: string) => verifyAudit(env.DB, account_id, later())
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()

/** Changes protected rows as an attacker with access to the database can. */
const behindTheDoor = (account_id: string, sql: string, ...values: unknown[]) =>
  env.DB.batch(throughDoor(env.DB, account_id, 'test', [env.DB.prepare(sql).bind(...values)]))

async function shown(key: string): Promise<{ audit_events: Shown[]; last_seals: Body[] }> {
  const { body, status, text } = await call('GET', '/v1/audit-events', { key })
  expect(status, text).toBe(200)
  return body as { audit_events: Shown[]; last_seals: Body[] }
}

/** An account with a registration, a customer, a sale and its refund: four audit events. */
async function withHistory() {
  const account = await newAccount()
  const { key } = account
  const post = async (path: string, body: object) => {
    const answer = await call('POST', path, { key, body })
    expect(answer.status, answer.text).toBeLessThan(300)
    return String(answer.body['id'])
  }
  await post('/v1/registrations', { jurisdiction_id: 'DE', valid_from: '2026-01-01' })
  const customer = await post('/v1/customers', { name: 'Ada', email: 'ada@example.com' })
  const sale = await created(key)
  await post(`/v1/transactions/${sale}/refund`, { amount: 119, reason: 'returned' })
  return { ...account, customer, sale }
}

describe('the values of an audit event', () => {
  it('are those before and after, and hashes of personal data', async () => {
    const { key, customer } = await withHistory()
    const put = (body: object) => call('PUT', `/v1/customers/${customer}`, { key, body })
    await put({ name: 'Grace', address: { country: 'FR' } })
    await put({ name: 'Ada' })
    const { audit_events } = await shown(key)
    const [again, changed, refunded, recorded, added] = audit_events
    const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
    expect(changed?.values).toEqual({
      name: { old: hash, new: hash },
      country: { old: null, new: 'FR' },
    })
    expect(JSON.stringify(audit_events)).not.toMatch(/Grace|Ada|ada@example/)
    const name = (event: Shown | undefined) => event?.values?.['name'] as { old: string; new: string }
    expect(name(again)).toEqual({ old: name(changed).new, new: name(changed).old })
    expect(name(changed).old).toBe(name(added).new)
    expect(refunded?.values).toEqual({
      status: { old: 'completed', new: 'refunded' },
      amount_refunded: { old: 0, new: 119 },
      tax_refunded: { old: 0, new: 19 },
    })
    expect(recorded?.values).toBeNull()
  })

  it('cannot be guessed after the customer is erased, because the salt is gone', async () => {
    const { key, customer } = await withHistory()
    const salts = () => env.DB.prepare('SELECT audit_salt FROM customers WHERE id = ?').bind(customer).all()
    expect((await salts()).results).toEqual([{ audit_salt: expect.stringMatching(/^[0-9a-f]{32}$/) }])
    await call('DELETE', `/v1/customers/${customer}`, { key })
    expect((await salts()).results).toEqual([])
  })

  it('contain neither the address of a webhook nor the number of a certificate', async () => {
    const { key, customer } = await withHistory()
    const certificate = {
      jurisdiction_id: 'US-CA',
      exemption_type: 'resale',
      certificate_number: 'CERT-77',
      valid_from: '2026-01-01',
    }
    await call('POST', `/v1/customers/${customer}/exemptions`, { key, body: certificate })
    const url = 'https://hooks.example.com/token-77'
    const webhook = await call('POST', '/v1/webhooks', { key, body: { url, events: ['rate.updated'] } })
    await call('DELETE', `/v1/webhooks/${String(webhook.body['id'])}`, { key })
    const { audit_events } = await shown(key)
    expect(JSON.stringify(audit_events)).not.toMatch(/-77|whsec/)
    expect(audit_events.find(({ action }) => action === 'exemption.created')?.values).toMatchObject({
      exemption_type: { old: null, new: 'resale' },
      status: { old: null, new: 'pending' },
    })
    expect(audit_events.find(({ action }) => action === 'webhook.deleted')?.values).toMatchObject({
      status: { old: 'active', new: null },
    })
  })
})

describe('the chain of audit events', () => {
  it('gets each new event once, in order, and is shown', async () => {
    const { key, account_id } = await withHistory()
    expect((await shown(key)).audit_events.map((event) => event.seal)).toEqual([null, null, null, null])
    await seal()
    await created(key)
    await seal()
    await seal()
    await sealStragglers(shard, later())
    const { audit_events, last_seals } = await shown(key)
    expect(audit_events.map((event) => event.seal?.['position'])).toEqual([5, 4, 3, 2, 1])
    expect(last_seals).toEqual([audit_events[0]?.seal])
    const {
      heads: [head],
      faults,
    } = await verify(account_id)
    expect(head).toMatchObject({ position: 5, hash: last_seals[0]?.['hash'] })
    expect(faults).toEqual([])
  })

  it('leaves the events of the last seconds for the next tick', async () => {
    const { key } = await withHistory()
    await sealAuditEvents(shard, new Date())
    expect((await shown(key)).last_seals).toEqual([])
  })

  it('finds an event that was written late with an older id', async () => {
    const { key, account_id } = await withHistory()
    const [newest] = (await shown(key)).audit_events
    const hidden = await env.DB.prepare('SELECT * FROM audit_events WHERE id = ?')
      .bind(newest?.id)
      .first<Body>()
    await behindTheDoor(account_id, 'DELETE FROM audit_events WHERE id = ?', newest?.id)
    await created(key)
    await seal()
    const names = Object.keys(hidden ?? {})
    await run(
      `INSERT INTO audit_events (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      ...Object.values(hidden ?? {}),
    )
    await seal()
    expect((await verify(account_id)).heads[0]?.position).toBe(5)
    expect((await verify(account_id)).faults).toEqual([])
  })

  it('cannot be changed or deleted', async () => {
    const { account_id } = await withHistory()
    await seal()
    const where = 'WHERE account_id = ?'
    for (const table of ['audit_events', 'audit_seals'])
      await expect(run(`DELETE FROM ${table} ${where}`, account_id)).rejects.toThrow('cannot be deleted')
    await expect(run(`UPDATE audit_events SET key_id = '' ${where}`, account_id)).rejects.toThrow('changed')
    await expect(run(`UPDATE audit_seals SET hash = '' ${where}`, account_id)).rejects.toThrow('changed')
    expect((await verify(account_id)).faults).toEqual([])
  })
})

describe('npm run verify-audit', () => {
  async function tampered(sql: string) {
    const account = await withHistory()
    await seal()
    const { audit_events } = await shown(account.key)
    const second = audit_events.at(-2)
    await behindTheDoor(account.account_id, sql, second?.id)
    return { ...account, second: second?.id, verdict: await verify(account.account_id) }
  }

  it.each([
    ['changed', "UPDATE audit_events SET action = 'x' WHERE id = ?", 'was changed'],
    ['changed in its values', 'UPDATE audit_events SET field_values = NULL WHERE id = ?', 'was changed'],
    ['removed', 'DELETE FROM audit_events WHERE id = ?', 'was removed'],
    ['sealed anew', "UPDATE audit_seals SET hash = 'x' WHERE audit_id = ?", 'was changed'],
    ['without its seal', 'DELETE FROM audit_seals WHERE audit_id = ?', 'are missing'],
    ['said to be erased', "UPDATE audit_seals SET erased_at = 'x' WHERE audit_id = ?", 'the log records 0'],
  ])('finds an event that is %s', async (_how, sql, message) => {
    const { verdict } = await tampered(sql)
    expect(verdict.faults[0]?.message).toContain(message)
  })

  it('names the changed event alone', async () => {
    const { verdict, second } = await tampered("UPDATE audit_events SET key_id = 'x' WHERE id = ?")
    expect(verdict.faults).toEqual([{ audit_id: second, message: 'The event or its seal was changed' }])
  })

  it('finds a chain that was cut or written anew, by a seal that was noted down', async () => {
    const { account_id } = await withHistory()
    await seal()
    const {
      heads: [head],
    } = await verify(account_id)
    const cut = (from: number) =>
      behindTheDoor(
        account_id,
        'DELETE FROM audit_seals WHERE account_id = ? AND position >= ?',
        account_id,
        from,
      )
    await cut(4)
    const faults = async () => (await verifyAudit(env.DB, account_id, later(), head)).faults
    expect(await faults()).toMatchObject([{ message: 'The chain ends before position 4' }])
    await behindTheDoor(account_id, "UPDATE audit_events SET action = 'x' WHERE account_id = ?", account_id)
    await cut(1)
    await sealStragglers(shard, later())
    expect((await verify(account_id)).faults).toEqual([])
    expect(await faults()).toMatchObject([{ message: 'Its seal is not the one that was noted down' }])
  })

  it('finds an event of more than a day without a seal', async () => {
    const { account_id } = await withHistory()
    const tomorrow = new Date(Date.now() + 2 * 86_400_000)
    const { faults } = await verifyAudit(env.DB, account_id, tomorrow)
    expect(faults.map(({ message }) => message)).toContain('The event has no seal')
  })
})

it('erases audit events beyond the maximum through the door, and the chain still holds', async () => {
  const { account_id, key } = await withHistory()
  await seal()
  await run('UPDATE account_usage SET audit_events = 1000002 WHERE account_id = ?', account_id)
  await pruneAuditEvents(env.DB, new Date())
  const { audit_events } = await shown(key)
  expect(audit_events.map(({ action }) => action)).toEqual([
    'audit.pruned',
    'transaction.refunded',
    'transaction.created',
  ])
  expect(audit_events[0]?.values).toEqual({ events: { old: 2, new: 0 } })
  await seal()
  expect(await verify(account_id)).toMatchObject({ heads: [{ position: 5 }], erased: 2, faults: [] })
  const { results } = await env.DB.prepare('SELECT * FROM open_doors').all()
  expect(results).toEqual([])
})

it('erases none only because sales were sealed, and those if their events were put away', async () => {
  const { account_id, key } = await withHistory()
  await seal()
  await run('UPDATE account_usage SET audit_events = 1000002 WHERE account_id = ?', account_id)
  for (const number of [1, 2])
    await run(
      `INSERT INTO chests (account_id, number, state, lines, after_date, after_id, last_date, last_id, planned_at)
       VALUES (?, ?, 'sealed', 150000, '', '', '', '', '')`,
      account_id,
      number,
    )
  const putAway = (first_id: string) =>
    run(
      `INSERT INTO audit_chests (account_id, first_id, last_id, events, object, content, sha256,
         previous_sha256, sealed_at) VALUES (?, ?, 'aud_9', 250000, '', '', '', '', '')`,
      account_id,
      first_id,
    )
  await putAway('aud_0')
  await pruneAuditEvents(env.DB, new Date())
  expect((await shown(key)).audit_events[0]?.action).not.toBe('audit.pruned')
  await putAway('aud_1')
  await putAway('aud_2')
  await pruneAuditEvents(env.DB, new Date())
  expect((await shown(key)).audit_events[0]?.values).toEqual({ events: { old: 2, new: 0 } })
})

it('erases those of the next account if all events of the largest one have to stay', async () => {
  const { account_id, key } = await withHistory()
  await seal()
  // Events without a seal stay.
  const largest = await withHistory()
  await run('UPDATE account_usage SET audit_events = 1000002 WHERE account_id = ?', account_id)
  await run('UPDATE account_usage SET audit_events = 2000002 WHERE account_id = ?', largest.account_id)
  await pruneAuditEvents(env.DB, new Date())
  expect((await shown(key)).audit_events[0]?.values).toEqual({ events: { old: 2, new: 0 } })
})
