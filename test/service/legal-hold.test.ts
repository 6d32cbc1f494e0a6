import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { eraseAccount } from '../../scripts/manage-account/erase.ts'
import { holdAccount } from '../../scripts/manage-account/manage-account.ts'
import { pruneIdempotencyKeys } from '../../src/platform/writes/idempotency.ts'
import { newId } from '../../src/platform/database/ids.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
import { pruneDeliveries } from '../../src/notices/delivery/sweep.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { move, ownerIn } from './shards/moving.ts'

await loadTestData()

const tools = {
  control: env.DB,
  shardOf: (number: number) => shardOf(env, number),
  clock: () => new Date(),
}

it('a legal hold lets nothing of an account be erased, expire or move until it ends', async () => {
  const owner = await ownerIn(1)
  const { key, account_id } = owner
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const made = await call('POST', '/v1/customers', { key, headers, body: { name: 'Ada' } })
  const path = `/v1/customers/${String(made.body['id'])}`
  const body = {
    jurisdiction_id: 'US-TX',
    exemption_type: 'resale',
    certificate_number: 'C-1',
    valid_from: '2026-01-01',
  }
  const { body: exemption } = await call('POST', `${path}/exemptions`, { key, body })
  const { books } = shardOf(env, 1)
  const answers = async () => {
    await pruneIdempotencyKeys(books, new Date(Date.now() + 100_000_000))
    return books
      .prepare('SELECT count(*) AS n FROM idempotency_keys WHERE account_id = ?')
      .bind(account_id)
      .first('n')
  }

  const events = async () => {
    await books
      .prepare('UPDATE events SET fanned_out_at = created_at WHERE owner_account_id = ?')
      .bind(account_id)
      .run()
    await pruneDeliveries(books, new Date(Date.now() + 400 * 86_400_000))
    return books
      .prepare('SELECT count(*) AS n FROM events WHERE owner_account_id = ?')
      .bind(account_id)
      .first('n')
  }
  const evented = await books
    .prepare(
      `INSERT INTO events (id, owner_account_id, type, data, created_at)
       VALUES (?, ?, 'return.due', '{}', '2026-01-01T00:00:00.000Z')`,
    )
    .bind(newId('evt'), account_id)
    .run()
  expect(evented.meta.changes).toBe(1)

  await holdAccount(tools, account_id, true)
  for (const refused of [`${path}/exemptions/${String(exemption['id'])}`, path]) {
    const answer = await call('DELETE', refused, { key })
    expect([answer.status, answer.body['reason']]).toEqual([400, 'legal_hold'])
  }
  expect(await answers()).toBe(1)
  expect(await events()).toBe(1)
  await expect(eraseAccount(tools, account_id)).rejects.toThrow('legal hold')
  await expect(move(owner, 2)).rejects.toThrow('legal hold')
  // The account goes on to work.
  expect((await call('POST', '/v1/customers', { key, body: { name: 'Grace' } })).status).toBe(201)

  await holdAccount(tools, account_id, false)
  expect(await answers()).toBe(0)
  expect(await events()).toBe(0)
  expect((await call('DELETE', path, { key })).status).toBe(200)
})
