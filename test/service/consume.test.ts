import { keepAccountsIn } from '../support/shards.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bindings } from '../../src/platform/bindings.ts'
import { insertSharedEvents } from '../../src/notices/events/events.ts'
import { consumeBatch } from '../../src/service/consume.ts'
import { sendMessages } from '../../src/platform/queue/send.ts'
import { EMPTY_RUN } from '../support/collected-weeks.ts'
import { queueDueSyncs } from '../../src/tax-data/status/sync.ts'
import { sweepWebhooks } from '../../src/notices/delivery/sweep.ts'
import worker from '../support/worker.ts'
import { shipData } from '../collectors/collecting.ts'
import { failing, withoutDatabase, withoutTable } from '../faults/faulty.ts'
import { listening } from '../support/queues.ts'
import { deliveriesOf, happen, letters, subscribe, SYNCED } from '../notices/subscribing.ts'

keepAccountsIn(0)

const NOW = new Date(Date.now() + 60_000)

beforeEach(async () => {
  for (const table of ['webhook_attempts', 'webhook_deliveries', 'webhooks', 'events'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
  await shipData()
})

/** What a queue hands over, as one batch. */
function batchOf(queue: string, bodies: readonly unknown[]) {
  return createMessageBatch<unknown>(
    queue,
    bodies.map((body, index) => ({ id: String(index), timestamp: NOW, attempts: 1, body })),
  )
}

async function consume(queue: string, ...bodies: unknown[]) {
  const batch = batchOf(queue, bodies)
  const ctx = createExecutionContext()
  await worker.queue(batch, env, ctx)
  const { explicitAcks, retryMessages } = await getQueueResult(batch, ctx)
  return { acknowledged: explicitAcks, again: retryMessages.map((each) => each.msgId) }
}

const states: string[] = []
const collectLocal = async (_env: Bindings, state: string) => void states.push(state)

/** A collector that only notes for which regions it was run. */
function noting(regions: string[]) {
  return async (_env: Bindings, region: string) => {
    regions.push(region)
    return { run: EMPTY_RUN }
  }
}

describe('a message', () => {
  it('is acknowledged if its row does not exist', async () => {
    const unknown = [
      { kind: 'event', id: 'evt_unknown', shard: 0 },
      { kind: 'delivery', id: 'dlv_unknown', shard: 0 },
      { kind: 'validation', id: 'vat_unknown', shard: 0 },
    ]
    expect(await consume('work', ...unknown)).toEqual({ acknowledged: ['0', '1', '2'], again: [] })
  })

  it('is acknowledged by the dead letters, and changes nothing', async () => {
    const hook = await subscribe()
    await happen(SYNCED, new Date(Date.now() + 5))
    const [delivery] = await deliveriesOf(hook.id)
    expect(
      await consume('webhook-dead-letters', { kind: 'delivery', id: delivery?.id, shard: 0 }, null),
    ).toEqual({
      acknowledged: ['0', '1'],
      again: [],
    })
    expect(await letters(hook.host)).toEqual([])
  })

  it.each([
    ['text'],
    [null],
    [{}],
    [{ id: 'sync:EU' }],
    [{ id: 'vat:vat_1' }],
    [{ id: 'evt_1' }],
    [{ kind: 'event' }],
    [{ kind: 'event', id: 7, shard: 0 }],
    [{ kind: 'sync', id: 'constructor' }],
    [{ kind: 'sync', id: 'XX' }],
    [{ kind: 'from the future', id: 'evt_1' }],
  ])('of the shape %j is logged and acknowledged', async (body) => {
    const logged = vi.spyOn(console, 'error')
    expect(await consume('webhook-events', body)).toEqual({ acknowledged: ['0'], again: [] })
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('unknown message'))
  })

  it('of an earlier version is made up for by the sweep', async () => {
    const hook = await subscribe()
    await env.DB.batch(insertSharedEvents(env.DB, [SYNCED], new Date(Date.now() + 5)))
    const event_id = await env.DB.prepare('SELECT id FROM events').first<string>('id')
    expect(await consume('webhook-events', { id: event_id }, { id: 'sync:EU' })).toMatchObject({
      acknowledged: ['0', '1'],
    })
    expect(await deliveriesOf(hook.id)).toEqual([])
    const [events, work] = [listening(), listening()]
    const bindings = { ...env, WEBHOOK_EVENTS: events.queue, WORK: work.queue }
    await sweepWebhooks(bindings, shardOf(env, 0), new Date(Date.now() + 120_000))
    await queueDueSyncs(bindings, NOW)
    expect(events.heard).toEqual([{ kind: 'event', id: event_id, shard: 0 }])
    expect(work.heard).toContainEqual({ kind: 'sync', id: 'EU' })
  })

  it('about a region runs its collector', async () => {
    const regions: string[] = []
    const batch = batchOf('work', [{ kind: 'sync', id: 'AU' }])
    const ctx = createExecutionContext()
    await consumeBatch(batch, { env, ctx, clock: () => NOW, collect: noting(regions), collectLocal })
    expect(regions).toEqual(['AU'])
    expect(await getQueueResult(batch, ctx)).toMatchObject({ explicitAcks: ['0'] })
  })

  it('about a state reads its files of local taxes', async () => {
    const batch = batchOf('work', [{ kind: 'local', id: 'GA' }])
    const ctx = createExecutionContext()
    await consumeBatch(batch, { env, ctx, clock: () => NOW, collect: noting([]), collectLocal })
    expect(states).toEqual(['GA'])
    expect(await getQueueResult(batch, ctx)).toMatchObject({ explicitAcks: ['0'] })
  })

  it('comes again after a failure, and fails no other of its batch', async () => {
    const logged = vi.spyOn(console, 'error')
    const batch = batchOf('work', [
      { kind: 'delivery', id: 'dlv_1', shard: 0 },
      { kind: 'sync', id: 'AU' },
    ])
    const ctx = createExecutionContext()
    const bindings = { ...env, DB: withoutTable('webhook_deliveries') }
    await consumeBatch(batch, { env: bindings, ctx, clock: () => NOW, collect: noting([]), collectLocal })
    const { explicitAcks, retryMessages } = await getQueueResult(batch, ctx)
    expect({ explicitAcks, again: retryMessages.map(({ msgId }) => msgId) }).toEqual({
      explicitAcks: ['1'],
      again: ['0'],
    })
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('dlv_1'))
  })

  it.each([
    ['event', 60],
    ['delivery', 30],
    ['validation', 60],
  ])('about %s comes again after %d seconds', async (kind, delaySeconds) => {
    const retry = vi.fn()
    const ack = vi.fn()
    const message = { id: '1', timestamp: NOW, attempts: 1, body: { kind, id: 'x' }, retry, ack }
    const batch = { queue: 'work', messages: [message] } as unknown as MessageBatch<unknown>
    const ctx = createExecutionContext()
    await consumeBatch(batch, {
      env: withoutDatabase(),
      ctx,
      clock: () => NOW,
      collect: noting([]),
      collectLocal,
    })
    expect(retry).toHaveBeenCalledExactlyOnceWith({ delaySeconds })
    expect(ack).not.toHaveBeenCalled()
  })
})

describe('sending', () => {
  it('goes by hundreds, each message to arrive when it is due, at most a day later', async () => {
    const sent: (number | undefined)[][] = []
    const sendBatch = async (messages: MessageSendRequest[]) =>
      void sent.push(messages.map((each) => each.delaySeconds))
    const queue = { sendBatch } as unknown as Bindings['WORK']
    const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString()
    const wakes = [null, at(-5), at(90.5), at(200_000), ...Array<null>(97).fill(null)].map((due) => ({
      message: { kind: 'event' as const, id: 'evt_1', shard: 0 },
      at: due,
    }))
    await sendMessages(queue, wakes, NOW)
    expect(sent.map((batch) => batch.length)).toEqual([100, 1])
    expect(sent[0]?.slice(0, 4)).toEqual([0, 0, 91, 86_400])
  })

  it('to a queue that takes nothing is logged, and fails nothing', async () => {
    const logged = vi.spyOn(console, 'error')
    await sendMessages(failing(env.WORK), [{ message: { kind: 'sync', id: 'EU' }, at: null }], NOW)
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"id":"EU"'))
  })
})
