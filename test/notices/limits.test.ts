import { keepAccountsIn } from '../support/shards.ts'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Bindings } from '../../src/platform/bindings.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
import { insertSweptEvents } from '../../src/notices/events/events.ts'
import { beginAttempt } from '../../src/notices/delivery/attempt.ts'
import { fanOut } from '../../src/notices/delivery/fan-out.ts'
import { callWith } from '../faults/faulty.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { deliveriesOf, letters } from './subscribing.ts'
import { forgetAll } from '../../src/platform/kit/memory.ts'

keepAccountsIn(0)

const NOW = new Date(Date.now() + 3_600_000)
const SHARD = shardOf(env, 0)

async function freeAccount(hosts: readonly string[]) {
  forgetAll()
  const owner = await newAccount({ tier: 'free' })
  const ids: string[] = []
  for (const [index, host] of hosts.entries()) {
    const body = { url: `https://${host}/${index}`, events: ['*'] }
    const made = await callWith({ ...env, RATE_LIMITS: 'off' }, owner.key, {
      method: 'POST',
      path: '/v1/webhooks',
      body,
    })
    expect(made.status, made.text).toBe(201)
    ids.push(String(made.body['id']))
  }
  return { ...owner, ids }
}

/** An event of an account, and its deliveries. */
async function tell(bindings: Bindings, account_id: string, at: Date): Promise<string> {
  const data = {
    webhook_id: 'wh_x',
    url: 'https://x.example.com/',
    consecutive_failures: 5,
    last_failed_at: null,
  }
  await env.DB.batch(insertSweptEvents(env.DB, [{ type: 'webhook.disabled', account_id, data }], at))
  const id = await env.DB.prepare('SELECT id FROM events WHERE owner_account_id = ? ORDER BY id DESC')
    .bind(account_id)
    .first<string>('id')
  await fanOut(bindings, SHARD, String(id), at)
  return String(id)
}

describe('the deliveries of a day', () => {
  it('end at the quota of the tier, are shown, and go on the next day', async () => {
    const host = `${crypto.randomUUID()}.receivers.example`
    const { account_id, ids, key } = await freeAccount([host, host])
    const today = new Date()
    const bindings = { ...env, RATE_LIMITS: 'off', QUOTA_FREE_DELIVERIES_A_DAY: '3' }
    for (let count = 0; count < 3; count += 1) await tell(bindings, account_id, today)
    const made = async () => (await Promise.all(ids.map(deliveriesOf))).flat().length
    expect(await made()).toBe(3)
    const ask = (path: string) => callWith(bindings, key, { method: 'GET', path, body: undefined })
    expect((await ask('/v1/account/usage')).body['usage']).toMatchObject({
      deliveries_a_day: { stored: 3, quota: 3 },
    })
    expect((await ask('/v1/account')).body['attention']).toMatchObject([{ reason: 'deliveries_over_quota' }])
    const path = `/v1/webhooks/${ids[0]}/recover`
    const since = new Date(Date.now() - 60_000).toISOString()
    const refused = await callWith(bindings, key, { method: 'POST', path, body: { since } })
    expect([refused.status, refused.body['reason']]).toEqual([403, 'quota_exceeded'])
    expect(await made()).toBe(3)
    await tell(bindings, account_id, new Date(today.getTime() + 86_400_000))
    expect(await made()).toBe(5)
  })

  it('count once, also if two invocations fan out one event at once', async () => {
    const host = `${crypto.randomUUID()}.receivers.example`
    const { account_id, ids } = await freeAccount([host])
    await tell({ ...env, RATE_LIMITS: 'off' }, account_id, NOW)
    const id = await tell({ ...env, RATE_LIMITS: 'off' }, account_id, NOW)
    await Promise.all([fanOut(env, SHARD, id, NOW), fanOut(env, SHARD, id, NOW)])
    expect(await deliveriesOf(String(ids[0]))).toHaveLength(2)
    const used = await env.DB.prepare('SELECT deliveries FROM account_usage WHERE account_id = ?')
      .bind(account_id)
      .first('deliveries')
    expect(used).toBe(2)
  })
})

describe('the POSTs to one host', () => {
  it('are limited over all accounts of a tier, and what waits is no failure', async () => {
    const host = `${crypto.randomUUID()}.receivers.example`
    const counts = new Map<string, number>()
    const limiter: RateLimit = {
      limit: async ({ key }) => {
        counts.set(key, (counts.get(key) ?? 0) + 1)
        return { success: (counts.get(key) ?? 0) <= 3 }
      },
    }
    const owners = [await freeAccount([host, host]), await freeAccount([host, host])]
    const bindings = { ...env, HOST_LIMIT_FREE: limiter }
    for (const { account_id } of owners) await tell(bindings, account_id, NOW)
    const hooks = owners.flatMap(({ ids }) => ids)
    const deliveries = (await Promise.all(hooks.map(deliveriesOf))).flat()
    expect(deliveries).toHaveLength(4)
    for (const { id } of deliveries) await (await beginAttempt(bindings, SHARD, id, () => NOW))?.ended
    expect(await letters(host)).toHaveLength(3)
    const after = (await Promise.all(hooks.map(deliveriesOf))).flat()
    const waiting = after.filter(({ status }) => status === 'pending')
    expect(waiting).toMatchObject([{ attempts: 0, leased_until: null }])
    expect(Date.parse(String(waiting[0]?.next_attempt_at))).toBeGreaterThanOrEqual(NOW.getTime() + 60_000)
    const failures = await env.DB.prepare(
      'SELECT sum(consecutive_failures) AS n FROM webhooks WHERE id IN (SELECT value FROM json_each(?))',
    )
      .bind(JSON.stringify(hooks))
      .first('n')
    expect(failures).toBe(0)
    const test = await callWith(bindings, String(owners[0]?.key), {
      method: 'POST',
      path: `/v1/webhooks/${hooks[0]}/test`,
      body: undefined,
    })
    expect([test.status, test.body['reason']]).toEqual([429, 'rate_limited'])
    expect(await letters(host)).toHaveLength(3)
  })

  it('lets a free account have five webhooks', async () => {
    const hosts = Array.from({ length: 5 }, () => `${crypto.randomUUID()}.receivers.example`)
    const { key } = await freeAccount(hosts)
    const body = { url: 'https://hooks.example.com/sixth', events: ['*'] }
    const refused = await call('POST', '/v1/webhooks', { key, body })
    expect([refused.status, refused.body['reason']]).toEqual([403, 'quota_exceeded'])
  })
})
