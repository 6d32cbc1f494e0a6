import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { newId } from '../../../src/platform/database/ids.ts'
import { insertRows } from '../../../src/platform/database/insert-rows.ts'
import { shardOf, shardsOf } from '../../../src/platform/database/shards.ts'
import { insertSharedEvents } from '../../../src/notices/events/events.ts'
import type { QueueMessage } from '../../../src/platform/queue/messages.ts'
import { beginAttempt } from '../../../src/notices/delivery/attempt.ts'
import { fanOut } from '../../../src/notices/delivery/fan-out.ts'
import { resealSecrets } from '../../../src/notices/subscriptions/reseal.ts'
import { countSealedOtherwise } from '../../../src/notices/subscriptions/reseal-store.ts'
import { keyIdOf } from '../../../src/notices/delivery/secrets.ts'
import { sweepWebhooks } from '../../../src/notices/delivery/sweep.ts'
import { moveAccount } from '../../../scripts/move-account/move-account.ts'
import { countingDatabase, interceptedDatabase } from '../../support/intercepted-database.ts'
import { listening } from '../../support/queues.ts'
import { call } from '../../support/service.ts'
import { behave, letters, SYNCED } from '../../notices/subscribing.ts'
import { move, type Owner, ownerIn, tools } from './moving.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)
const NUMBERS = [0, 1, 2]

beforeEach(async () => {
  for (const { books } of shardsOf(env))
    await books.batch(
      ['webhook_attempts', 'webhook_deliveries', 'webhooks', 'events'].map((table) =>
        wholeDb(books).prepare(`DELETE FROM ${table}`),
      ),
    )
})

type Hook = { owner: Owner; id: string; host: string }

async function hookIn(shard: number): Promise<Hook> {
  const owner = await ownerIn(shard)
  const host = `r-${crypto.randomUUID()}.receivers.example`
  await behave(host, [{}])
  const body = { url: `https://${host}/`, events: ['*'] }
  const made = await call('POST', '/v1/webhooks', { key: owner.key, body })
  expect(made.status, made.text).toBe(201)
  return { owner, id: String(made.body['id']), host }
}

/** Puts an event into the outbox of the control database. Returns its id. */
async function happen(): Promise<string> {
  await env.DB.batch(insertSharedEvents(env.DB, [SYNCED], new Date()))
  return (await env.DB.prepare('SELECT max(id) AS id FROM events').first<string>('id')) ?? ''
}

/** Fans an event out in all shards, as the queue does, and returns the messages for deliveries. */
async function fanOutEverywhere(id: string, bindings: Bindings = env): Promise<QueueMessage[]> {
  const [events, deliveries] = [listening(), listening()]
  const heard = { ...bindings, WEBHOOK_EVENTS: events.queue, WEBHOOK_DELIVERIES: deliveries.queue }
  await fanOut(heard, shardOf(heard, 0), id, new Date())
  for (let done = 0; done < events.heard.length; done += 1) {
    const message = events.heard[done] as Extract<QueueMessage, { kind: 'event' }>
    await fanOut(heard, shardOf(heard, message.shard), message.id, new Date())
  }
  return deliveries.heard as QueueMessage[]
}

async function deliveriesIn(shard: number, webhook_id: string): Promise<number> {
  const sql = 'SELECT count(*) AS n FROM webhook_deliveries WHERE webhook_id = ?'
  return (await shardOf(env, shard).books.prepare(sql).bind(webhook_id).first<number>('n')) ?? 0
}

/** Subscribers of one account in a shard, written at once. */
async function subscribers(shard: number, count: number): Promise<void> {
  const { account_id } = await ownerIn(shard)
  const at = '2026-01-01T00:00:00.000Z'
  const rows = Array.from({ length: count }, () => ({
    id: newId('wh'),
    account_id,
    url: 'https://hooks.example.com/',
    events: '["*"]',
    status: 'active' as const,
    secret: 'sealed',
    created_at: at,
    updated_at: at,
  }))
  const { books } = shardOf(env, shard)
  await books.batch(insertRows(books, 'webhooks', rows))
}

function counted(): { bindings: Bindings; trips: () => number[] } {
  const databases = shardsOf(env).map(({ books }) => countingDatabase(wholeDb(books)))
  const [DB, BOOKS_1, BOOKS_2] = databases.map(({ db }) => db)
  if (DB === undefined) throw new Error('no database')
  return { bindings: { ...env, DB, BOOKS_1, BOOKS_2 }, trips: () => databases.map(({ trips }) => trips()) }
}

describe('an event for all accounts', () => {
  it('reaches the subscribers of every shard, each once', async () => {
    const hooks = await Promise.all([hookIn(0), hookIn(0)])
    hooks.push(await hookIn(1), await hookIn(2))
    const messages = await fanOutEverywhere(await happen())
    expect(messages.map((message) => ('shard' in message ? String(message.shard) : '')).toSorted()).toEqual([
      '0',
      '0',
      '1',
      '2',
    ])
    for (const message of messages)
      if (message.kind === 'delivery')
        await (
          await beginAttempt(env, shardOf(env, message.shard), message.id, () => new Date())
        )?.ended
    for (const { host } of hooks) expect(await letters(host)).toHaveLength(1)
  })

  it('costs the control database no more trips if other shards have more subscribers', async () => {
    const costs = []
    for (const count of [1, 1_000]) {
      await subscribers(1, count)
      await subscribers(2, count)
      const { bindings, trips } = counted()
      await fanOutEverywhere(await happen(), bindings)
      costs.push(trips())
    }
    const [few, many] = costs
    expect(many?.[0]).toBe(few?.[0])
    // A page of 100 subscribers is one read and one batch; the first trips are the copy and the event.
    expect(many?.[1]).toBeLessThanOrEqual(2 + 2 * 11 + 2)
  })

  it('costs a shard two trips for each delivery, and the control database none', async () => {
    const hook = await hookIn(1)
    const [message] = await fanOutEverywhere(await happen())
    const { bindings, trips } = counted()
    const begun = await beginAttempt(bindings, shardOf(bindings, 1), String(message?.id), () => new Date())
    await begun?.ended
    expect(await letters(hook.host)).toHaveLength(1)
    expect(trips()).toEqual([0, 2, 0])
  })

  it('reaches the other shards while one does not answer, and that one later', async () => {
    const hooks = [await hookIn(0), await hookIn(1), await hookIn(2)]
    const id = await happen()
    const dead = interceptedDatabase(shardOf(env, 1).books, () => Promise.reject(new Error('down')))
    await expect(fanOutEverywhere(id, { ...env, BOOKS_1: dead })).rejects.toThrow('all shards')
    expect(await deliveriesIn(0, hooks[0]?.id ?? '')).toBe(1)
    await fanOutEverywhere(id)
    for (const number of NUMBERS) expect(await deliveriesIn(number, hooks[number]?.id ?? '')).toBe(1)
  })

  it('is found by the sweep of each shard if its message was lost', async () => {
    await hookIn(2)
    const id = await happen()
    await fanOut({ ...env, WEBHOOK_EVENTS: listening().queue }, shardOf(env, 0), id, new Date())
    const { queue, heard } = listening()
    const late = new Date(Date.now() + 120_000)
    await sweepWebhooks({ ...env, WEBHOOK_EVENTS: queue }, shardOf(env, 2), late)
    expect(heard).toEqual([{ kind: 'event', id, shard: 2 }])
  })
})

describe('an event during a move', () => {
  it.each([
    [1, 2],
    [2, 1],
  ])('arrives once, though only shard %i had told its subscribers', async (from, to) => {
    const hook = await hookIn(from)
    const id = await happen()
    const [events, deliveries] = [listening(), listening()]
    const bindings = { ...env, WEBHOOK_EVENTS: events.queue, WEBHOOK_DELIVERIES: deliveries.queue }
    await fanOut(bindings, shardOf(env, 0), id, new Date())
    // The new shard is done before the account comes, and the old one only after it has left.
    await fanOut(bindings, shardOf(env, to), id, new Date())
    await move(hook.owner, to)
    await fanOut(bindings, shardOf(env, from), id, new Date())
    expect(await deliveriesIn(from, hook.id)).toBe(0)
    expect(await deliveriesIn(to, hook.id)).toBe(1)
  })

  it('is not delivered by the old shard, even if its message comes', async () => {
    const hook = await hookIn(1)
    const [message] = await fanOutEverywhere(await happen())
    await move(hook.owner, 2)
    expect(await beginAttempt(env, shardOf(env, 1), String(message?.id), () => new Date())).toBeNull()
    const late = new Date(Date.now() + 120_000)
    for (const number of [1, 2]) {
      const { queue, heard } = listening()
      await sweepWebhooks({ ...env, WEBHOOK_DELIVERIES: queue }, shardOf(env, number), late)
      expect(heard).toHaveLength(number - 1)
    }
    await (
      await beginAttempt(env, shardOf(env, 2), String(message?.id), () => new Date())
    )?.ended
    expect(await letters(hook.host)).toHaveLength(1)
  })

  it('waits for an attempt that has begun, and keeps its result', async () => {
    const hook = await hookIn(1)
    const [message] = await fanOutEverywhere(await happen())
    const begun = await beginAttempt(env, shardOf(env, 1), String(message?.id), () => new Date())
    let waits = 0
    const wait = async () => {
      waits += 1
      await begun?.ended
    }
    await moveAccount(tools({ wait }), hook.owner.account_id, 2)
    expect(waits).toBeGreaterThan(0)
    const sql = "SELECT count(*) AS n FROM webhook_deliveries WHERE status = 'succeeded' AND webhook_id = ?"
    expect(await shardOf(env, 2).books.prepare(sql).bind(hook.id).first('n')).toBe(1)
    expect(await letters(hook.host)).toHaveLength(1)
  })
})

it('the old copies of webhooks that moved do not stop the replacement of the encryption key', async () => {
  const { owner, id } = await hookIn(1)
  await move(owner, 2)
  const rows = await env.BOOKS_1?.prepare('SELECT id FROM webhooks').all<{ id: string }>()
  expect(rows?.results).toEqual([{ id }])
  const next = 'the key after the move'
  const left = async (shard: number) => countSealedOtherwise(shardOf(env, shard).books, await keyIdOf(next))
  expect([await left(1), await left(2)]).toEqual([0, 1])
  await resealSecrets({ ...env, ENCRYPTION_KEY_NEXT: next }, shardOf(env, 2).books)
  expect([await left(1), await left(2)]).toEqual([0, 0])
})
