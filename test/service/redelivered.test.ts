import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { insertSharedEvents } from '../../src/notices/events/events.ts'
import type { QueueMessage } from '../../src/platform/queue/messages.ts'
import { consumeBatch } from '../../src/service/consume.ts'
import {
  dueAt,
  addPerson,
  disabled,
  mailbox,
  newTeller,
  put,
  record,
  withMail,
} from '../notices/messages/telling.ts'
import { deliveriesOf, letters, subscribe, SYNCED } from '../notices/subscribing.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
await loadTestData()

const EVENTS = 4

/** How often each message comes in a round, in which order, and in batches of how many. */
const rounds = fc.record({
  times: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 40, maxLength: 40 }),
  order: fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
  batch: fc.integer({ min: 1, max: 10 }),
})
type Round = typeof rounds extends fc.Arbitrary<infer Value> ? Value : never

/** The messages of a round as the queue hands them over. */
function shuffled(messages: readonly QueueMessage[], { times, order, batch }: Round): QueueMessage[][] {
  const all = messages
    .flatMap((message, index) => Array.from({ length: times[index % times.length] ?? 1 }, () => message))
    .map((message, index) => ({ message, at: order[index % order.length] ?? 0 }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ message }) => message)
  return Array.from({ length: Math.ceil(all.length / batch) }, (_, index) =>
    all.slice(index * batch, (index + 1) * batch),
  )
}

async function world() {
  const { mails, MAIL } = mailbox()
  const bindings = withMail(MAIL)
  const hooks = [await subscribe(['sync.completed']), await subscribe(['sync.completed'])]
  const own = await newTeller()
  const recipients = [await addPerson(own.account_id, 'a@example.com')]
  expect((await put(bindings, own, { recipients })).status).toBe(200)
  const now = new Date(Date.now() + 3_600_000)
  await dueAt(own, now.toISOString())
  await record(own, disabled(own), new Date(now.getTime() - 3_000_000).toISOString())
  const check = await call('POST', '/v1/vat/checks', { key: own.key, body: { vat_ids: ['x1', 'x2', 'x3'] } })
  for (let count = 0; count < EVENTS; count += 1)
    await env.DB.batch(insertSharedEvents(env.DB, [SYNCED], new Date(now.getTime() + count)))
  return { mails, bindings, hooks, own, now, check_id: String(check.body['id']) }
}

/** What the service would send now, and what it had sent before: a queue may hand that over again. */
async function messagesOf(hooks: Awaited<ReturnType<typeof world>>['hooks'], check_id: string) {
  const events = await env.DB.prepare("SELECT id FROM events WHERE type = 'sync.completed'").all<{
    id: string
  }>()
  const deliveries = (await Promise.all(hooks.map(({ id }) => deliveriesOf(id)))).flat()
  return [
    ...events.results.map(({ id }): QueueMessage => ({ kind: 'event', id, shard: 0 })),
    ...deliveries.map(({ id }): QueueMessage => ({ kind: 'delivery', id, shard: 0 })),
    { kind: 'vat_check', id: check_id, shard: 0 },
    { kind: 'daily_messages', id: 'rest', shard: 0 },
    { kind: 'thresholds', id: '', shard: 0 },
    { kind: 'jobs', id: '*/5 * * * *', shard: 0 },
  ] satisfies QueueMessage[]
}

it('does each thing once when a queue hands its messages over in any order, and again', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, rounds, rounds, async (...all) => {
      for (const table of ['webhook_attempts', 'webhook_deliveries', 'webhooks', 'events'])
        await env.DB.prepare(`DELETE FROM ${table}`).run()
      const { mails, bindings, hooks, own, now, check_id } = await world()
      for (const [index, round] of all.entries())
        for (const bodies of shuffled(await messagesOf(hooks, check_id), round)) {
          const batch = createMessageBatch<unknown>(
            'webhook-events',
            bodies.map((body, number) => ({ id: String(number), timestamp: now, attempts: 1, body })),
          )
          const ctx = createExecutionContext()
          const clock = () => new Date(now.getTime() + index * 60_000)
          const none = () => Promise.reject(new Error('no collector runs here'))
          await consumeBatch(batch, { env: bindings, ctx, clock, collect: none, collectLocal: none })
          expect((await getQueueResult(batch, ctx)).retryMessages).toEqual([])
        }
      for (const { host, id } of hooks) {
        const got = (await letters(host)).map(({ headers }) => headers['webhook-id'])
        expect(new Set(got).size).toBe(EVENTS)
        expect(got).toHaveLength(EVENTS)
        expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual(got.map(() => 'succeeded'))
      }
      expect(mails.filter(({ to }) => to === 'a@example.com')).toHaveLength(1)
      const { body } = await call('GET', `/v1/vat/checks/${check_id}`, { key: own.key })
      expect(body).toMatchObject({ state: 'finished', counts: { pending: 0 } })
    }),
    { numRuns: 5, endOnFailure: true },
  )
})
