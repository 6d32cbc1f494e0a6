import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { eraseAccount } from '../../scripts/manage-account/erase.ts'
import { holdAccount } from '../../scripts/manage-account/manage-account.ts'
import { pruneIdempotencyKeys } from '../../src/platform/database/idempotency.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
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

  await holdAccount(tools, account_id, true)
  for (const refused of [`${path}/exemptions/${String(exemption['id'])}`, path]) {
    const answer = await call('DELETE', refused, { key })
    expect([answer.status, answer.body['reason']]).toEqual([400, 'legal_hold'])
  }
  expect(await answers()).toBe(1)
  await expect(eraseAccount(tools, account_id)).rejects.toThrow('legal hold')
  await expect(move(owner, 2)).rejects.toThrow('legal hold')
  // The account goes on to work.
  expect((await call('POST', '/v1/customers', { key, body: { name: 'Grace' } })).status).toBe(201)

  await holdAccount(tools, account_id, false)
  expect(await answers()).toBe(0)
  expect((await call('DELETE', path, { key })).status).toBe(200)
})
