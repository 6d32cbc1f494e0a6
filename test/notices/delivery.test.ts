import { keepAccountsIn } from '../support/shards.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { insertSharedEvents } from '../../src/notices/events/events.ts'
import type { QueueMessage } from '../../src/platform/queue/messages.ts'
import { beginAttempt } from '../../src/notices/delivery/attempt.ts'
import { fanOut } from '../../src/notices/delivery/fan-out.ts'
import { pruneDeliveries, sweepWebhooks } from '../../src/notices/delivery/sweep.ts'
import { countingDatabase, interceptedDatabase } from '../support/intercepted-database.ts'
import { listening } from '../support/queues.ts'
import { call } from '../support/service.ts'
import {
  attempt,
  behave,
  deliveriesOf,
  happen,
  letters,
  signed,
  subscribe,
  type Subscription,
  SYNCED,
  webhookOf,
} from './subscribing.ts'

keepAccountsIn(0)

/** Webhooks are made by the real clock; events happen an hour later, which no slow machine reaches. */
const NOW = new Date(Date.now() + 3_600_000)
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)
const moment = (seconds: number) => at(seconds).toISOString()
const DAY = 86_400

beforeEach(async () => {
  for (const table of ['webhook_attempts', 'webhook_deliveries', 'webhooks', 'events'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

async function onlyDelivery(hook: Subscription) {
  const [row, ...rest] = await deliveriesOf(hook.id)
  expect(rest).toEqual([])
  if (row === undefined) throw new Error('there is no delivery')
  return row
}

describe('an event', () => {
  it('is posted once to each subscriber of its type, signed over the bytes that are sent', async () => {
    const hook = await subscribe(['sync.completed'])
    const other = await subscribe(['rate.updated'])
    const event_id = await happen(
      { type: 'sync.completed', data: { region: 'Å🦘\u2028', records_updated: 0, duration_ms: 1 } },
      NOW,
    )
    const { id } = await onlyDelivery(hook)
    expect(await deliveriesOf(other.id)).toEqual([])
    await attempt(id, at(1))
    const [letter, ...rest] = await letters(hook.host)
    expect(rest).toEqual([])
    expect(letter?.path).toBe('/tax')
    expect(JSON.parse(letter?.body ?? '')).toEqual({
      id: event_id,
      event: 'sync.completed',
      timestamp: NOW.toISOString(),
      data: { region: 'Å🦘\u2028', records_updated: 0, duration_ms: 1 },
    })
    expect(letter?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event-id': event_id,
      'x-service-delivery-attempt': '1',
      'x-service-timestamp': String(Math.floor(at(1).getTime() / 1_000)),
      'x-service-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      'user-agent': expect.stringContaining('tax-compliance-service'),
    })
    expect(await webhookOf(hook)).toMatchObject({
      consecutive_failures: 0,
      last_succeeded_at: moment(1),
      last_failed_at: null,
    })
  })

  it('is told to hundreds of subscribers, page by page, and to nobody twice after a crash', async () => {
    const { account_id } = await subscribe(['rate.updated'])
    const created_at = new Date(NOW.getTime() - 1_000).toISOString()
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 250)
       INSERT INTO webhooks (id, account_id, url, events, status, secret, created_at, updated_at)
       SELECT printf('wh_%026d', i), ?1, 'https://hooks.example.com/', '["*"]', 'active', '', ?2, ?2 FROM n`,
    )
      .bind(account_id, created_at)
      .run()
    await env.DB.batch(insertSharedEvents(env.DB, [SYNCED], NOW))
    const { id } = (await env.DB.prepare('SELECT id FROM events').first<{ id: string }>()) ?? { id: '' }
    const dying = { ...env, WEBHOOK_DELIVERIES: dyingAfter(1) }
    await expect(fanOut(dying, shardOf(env, 0), id, NOW)).rejects.toThrow('killed')
    await fanOut(env, shardOf(env, 0), id, NOW)
    await fanOut(env, shardOf(env, 0), id, NOW)
    const counts = await env.DB.prepare(
      'SELECT count(*) AS deliveries, count(DISTINCT webhook_id) AS webhooks FROM webhook_deliveries',
    ).first()
    expect(counts).toEqual({ deliveries: 250, webhooks: 250 })
  })

  it('is not told to a webhook that is disabled, or was made after it', async () => {
    const disabled = await subscribe()
    await call('PUT', `/v1/webhooks/${disabled.id}`, { key: disabled.key, body: { status: 'disabled' } })
    const early = new Date(Date.now() - 3_600_000)
    const late = await subscribe()
    await happen(SYNCED, early)
    expect(await deliveriesOf(late.id)).toEqual([])
    expect(await deliveriesOf(disabled.id)).toEqual([])
  })
})

/** A queue that takes so many batches before the worker dies. */
function dyingAfter(batches: number): Queue<QueueMessage> {
  let taken = 0
  const sendBatch = () => {
    taken += 1
    // Not a rejection, which would be taken for a queue that is down.
    if (taken > batches) throw new Error('killed')
    return Promise.resolve()
  }
  return { sendBatch } as unknown as Queue<QueueMessage>
}

describe('a failed delivery', () => {
  it('is tried again after 1 min, 5 min, 30 min and 2 h, to the second; the fifth failure disables the webhook', async () => {
    const hook = await subscribe(['*'], [{ status: 500 }])
    const event_id = await happen(SYNCED, NOW)
    const { id } = await onlyDelivery(hook)
    let due = 0
    for (const [index, delay] of [60, 300, 1_800, 7_200].entries()) {
      await attempt(id, at(due))
      expect(await onlyDelivery(hook)).toMatchObject({
        status: 'pending',
        attempts: index + 1,
        next_attempt_at: moment(due + delay),
      })
      await attempt(id, at(due + delay - 1))
      expect(await letters(hook.host)).toHaveLength(index + 1)
      expect(await webhookOf(hook)).toMatchObject({
        status: 'active',
        consecutive_failures: index + 1,
        last_failed_at: moment(due),
      })
      due += delay
    }
    await attempt(id, at(due))
    expect(await webhookOf(hook)).toMatchObject({
      status: 'disabled',
      consecutive_failures: 5,
      last_failed_at: moment(due),
    })
    expect(await onlyDelivery(hook)).toMatchObject({
      status: 'pending',
      attempts: 5,
      next_attempt_at: moment(due + DAY),
    })
    const sent = await letters(hook.host)
    expect(sent.map(({ headers }) => headers['x-service-delivery-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ])
    expect(new Set(sent.map(({ headers }) => headers['x-service-event-id']))).toEqual(new Set([event_id]))
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
    const { results } = await env.DB.prepare(
      "SELECT resource_id FROM audit_events WHERE action = 'webhook.disabled' AND resource_id = ?",
    )
      .bind(hook.id)
      .all()
    expect(results).toHaveLength(1)
  })

  it('is held while the webhook is disabled, and makes the 24 h step after it was enabled again', async () => {
    const hook = await subscribe(['*'], [{ status: 500 }])
    await happen(SYNCED, NOW)
    const { id } = await onlyDelivery(hook)
    let due = 0
    for (const delay of [60, 300, 1_800, 7_200, 0]) {
      await attempt(id, at(due))
      due += delay
    }
    await attempt(id, at(due + DAY))
    expect(await letters(hook.host)).toHaveLength(5)
    expect(
      (await call('PUT', `/v1/webhooks/${hook.id}`, { key: hook.key, body: { status: 'active' } })).body,
    ).toMatchObject({
      status: 'active',
      consecutive_failures: 0,
    })
    await attempt(id, at(due + DAY - 1))
    expect(await letters(hook.host)).toHaveLength(5)
    await attempt(id, at(due + DAY))
    expect(await letters(hook.host)).toHaveLength(6)
    expect(await onlyDelivery(hook)).toMatchObject({ status: 'failed', attempts: 6 })
    expect(await webhookOf(hook)).toMatchObject({ status: 'active', consecutive_failures: 1 })
  })

  it('makes the 24 h step when successes of others came in between', async () => {
    const hook = await subscribe(['*'])
    await happen(SYNCED, NOW)
    const { id } = await onlyDelivery(hook)
    let due = 0
    for (const delay of [60, 300, 1_800, 7_200, DAY]) {
      await behave(hook.host, [{ status: 500 }])
      await attempt(id, at(due))
      await behave(hook.host, [{}])
      await happen(SYNCED, at(due + 1))
      const other = (await deliveriesOf(hook.id)).at(-1)
      await env.DB.prepare('UPDATE webhooks SET paused_until = NULL WHERE id = ?').bind(hook.id).run()
      await attempt(String(other?.id), at(due + 2))
      expect(await webhookOf(hook)).toMatchObject({ consecutive_failures: 0, status: 'active' })
      due += delay
    }
    await attempt(id, at(due - 1))
    await attempt(id, at(due))
    expect((await deliveriesOf(hook.id))[0]).toMatchObject({ id, status: 'succeeded', attempts: 6 })
  })

  it('pauses its webhook: one delivery alone is tried when it is due, and none counts that waits', async () => {
    const hook = await subscribe(['*'], [{ status: 500 }])
    for (let count = 0; count < 7; count += 1) await happen(SYNCED, NOW)
    const rows = await deliveriesOf(hook.id)
    await attempt(String(rows[0]?.id), NOW)
    await Promise.all(rows.map(({ id }) => attempt(id, at(1))))
    expect(await letters(hook.host)).toHaveLength(1)
    await Promise.all(rows.map(({ id }) => attempt(id, at(60))))
    expect(await letters(hook.host)).toHaveLength(2)
    expect(await webhookOf(hook)).toMatchObject({ consecutive_failures: 2 })
    await behave(hook.host, [{}])
    await attempt(String(rows[1]?.id), at(61 + 300))
    await Promise.all(rows.map(({ id }) => attempt(id, at(62 + 300))))
    expect(await webhookOf(hook)).toMatchObject({ consecutive_failures: 0 })
  })

  it('of a burst that fails at once is one failure, and the webhook stays active', async () => {
    const hook = await subscribe(['*'], [{ status: 500 }])
    for (let count = 0; count < 8; count += 1) await happen(SYNCED, NOW)
    const rows = await deliveriesOf(hook.id)
    await Promise.all(rows.map(({ id }) => attempt(id, NOW)))
    expect(await webhookOf(hook)).toMatchObject({ status: 'active', consecutive_failures: 1 })
    expect(await letters(hook.host)).toHaveLength(5)
  })

  it('sets the count to 0 by one success, and needs five more to disable', async () => {
    const hook = await subscribe(
      ['*'],
      [500, 500, 500, 500, 200, 500, 500, 500, 500, 500].map((status) => ({ status })),
    )
    const counts: unknown[] = []
    for (let step = 0; step < 10; step += 1) {
      await happen(SYNCED, at(step * DAY))
      const waiting = (await deliveriesOf(hook.id)).filter(
        ({ status, attempts }) => status === 'pending' && attempts === 0,
      )
      await env.DB.prepare(
        "UPDATE webhook_deliveries SET status = 'expired' WHERE attempts > 0 AND status = 'pending'",
      ).run()
      await attempt(String(waiting.at(-1)?.id), at(step * DAY))
      const { consecutive_failures, status } = await webhookOf(hook)
      counts.push(status === 'active' ? consecutive_failures : status)
    }
    expect(counts).toEqual([1, 2, 3, 4, 0, 1, 2, 3, 4, 'disabled'])
  })

  it.each([
    [{ status: 301, location: 'https://elsewhere.example/' }, 'http_301'],
    [{ status: 304 }, 'http_304'],
    [{ status: 400 }, 'http_400'],
    [{ status: 410 }, 'http_410'],
    [{ status: 429 }, 'http_429'],
    [{ status: 599 }, 'http_599'],
  ])('is what a receiver makes of it that answers %j', async (behaviour, error) => {
    const hook = await subscribe(['*'], [behaviour])
    await happen(SYNCED, NOW)
    await attempt((await onlyDelivery(hook)).id, NOW)
    expect(await webhookOf(hook)).toMatchObject({ consecutive_failures: 1 })
    const { body } = await call('GET', `/v1/webhooks/${hook.id}/deliveries`, { key: hook.key })
    expect(body['deliveries']).toMatchObject([{ attempts: [{ error }] }])
  })

  it.each([{ status: 204 }, { status: 299 }, { large: true }])(
    'is not what a receiver makes of it that answers %j',
    async (behaviour) => {
      const hook = await subscribe(['*'], [behaviour])
      await happen(SYNCED, NOW)
      await attempt((await onlyDelivery(hook)).id, NOW)
      expect(await onlyDelivery(hook)).toMatchObject({ status: 'succeeded' })
    },
  )

  it('is given up on after ten seconds, and holds up no other meanwhile', { timeout: 20_000 }, async () => {
    const slow = await subscribe(['*'], [{ hangs: true }])
    const quick = await subscribe()
    await happen(SYNCED, new Date(Date.now() + 10))
    const ids = [(await onlyDelivery(slow)).id, (await onlyDelivery(quick)).id]
    const finished: string[] = []
    const clock = () => new Date(Date.now() + 60_000)
    await Promise.all(
      ids.map(async (id) => {
        await (
          await beginAttempt(env, shardOf(env, 0), id, clock)
        )?.ended
        finished.push(id)
      }),
    )
    expect(finished).toEqual(ids.toReversed())
    const { body } = await call('GET', `/v1/webhooks/${slow.id}/deliveries`, { key: slow.key })
    expect(body['deliveries']).toMatchObject([{ attempts: [{ error: 'timeout', response_status: null }] }])
  })

  it('is signed with the new secret, and sent to the new address, after they were changed', async () => {
    const hook = await subscribe(['*'], [{ status: 500 }])
    await happen(SYNCED, NOW)
    const { id } = await onlyDelivery(hook)
    await attempt(id, NOW)
    const moved = await subscribe()
    const { body } = await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { key: hook.key })
    await call('PUT', `/v1/webhooks/${hook.id}`, {
      key: hook.key,
      body: { url: `https://${moved.host}/new` },
    })
    await attempt(id, at(60))
    const [letter] = await letters(moved.host)
    expect(letter?.path).toBe('/new')
    expect(letter?.headers['x-service-signature']).toBe(
      await signed(String(body['secret']), `${letter?.headers['x-service-timestamp']}.${letter?.body}`),
    )
  })

  it('is not sent when the name has come to point inside since', async () => {
    const hook = await subscribe()
    await happen(SYNCED, NOW)
    await fetch(`https://cloudflare-dns.com/dns-query?name=${hook.host}`, {
      method: 'PUT',
      body: '["169.254.169.254"]',
    })
    await attempt((await onlyDelivery(hook)).id, NOW)
    expect(await letters(hook.host)).toEqual([])
    expect(await webhookOf(hook)).toMatchObject({ consecutive_failures: 1 })
  })

  it('leaves nothing behind when its webhook is deleted meanwhile', async () => {
    const hook = await subscribe(['*'], [{ status: 500 }])
    await happen(SYNCED, NOW)
    let trips = 0
    const db = interceptedDatabase(env.DB, async (trip) => {
      trips += 1
      // Between the lease and the record of the failure.
      if (trips === 2) await call('DELETE', `/v1/webhooks/${hook.id}`, { key: hook.key })
      return trip()
    })
    const begun = await beginAttempt(env, { number: 0, books: db }, (await onlyDelivery(hook)).id, () => NOW)
    await begun?.ended
    expect(await letters(hook.host)).toHaveLength(1)
    expect(await deliveriesOf(hook.id)).toEqual([])
    expect(await env.DB.prepare('SELECT count(*) AS n FROM webhook_attempts').first('n')).toBe(0)
  })

  it('is left out of the count when its webhook was disabled meanwhile, and a late success does not revive it', async () => {
    const hook = await subscribe()
    await happen(SYNCED, NOW)
    const { id } = await onlyDelivery(hook)
    let ticks = 0
    // The clock is read between the lease and the answer.
    const clock = () => {
      ticks += 1
      return NOW
    }
    const disabling = call('PUT', `/v1/webhooks/${hook.id}`, { key: hook.key, body: { status: 'disabled' } })
    await Promise.all([
      beginAttempt(env, shardOf(env, 0), id, clock).then((begun) => begun?.ended),
      disabling,
    ])
    expect(ticks).toBeGreaterThan(0)
    expect(await webhookOf(hook)).toMatchObject({ status: 'disabled', consecutive_failures: 0 })
  })
})

describe('a message', () => {
  it('that comes twice at the same moment delivers once', async () => {
    const hook = await subscribe()
    await happen(SYNCED, NOW)
    const { id } = await onlyDelivery(hook)
    await Promise.all(Array.from({ length: 10 }, () => attempt(id, NOW)))
    await attempt(id, at(1))
    expect(await letters(hook.host)).toHaveLength(1)
  })

  it('of a worker that died is made up for when its lease is over, and the lost lease is no attempt', async () => {
    const hook = await subscribe()
    await happen(SYNCED, NOW)
    const { id } = await onlyDelivery(hook)
    await env.DB.prepare('UPDATE webhook_deliveries SET leases = 6, leased_until = ? WHERE id = ?')
      .bind(moment(60), id)
      .run()
    await attempt(id, at(59))
    expect(await letters(hook.host)).toHaveLength(0)
    await attempt(id, at(60))
    expect((await letters(hook.host)).map(({ headers }) => headers['x-service-delivery-attempt'])).toEqual([
      '1',
    ])
    expect(await onlyDelivery(hook)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })

  it('that was lost is made up for by the sweep', async () => {
    const hook = await subscribe()
    await env.DB.batch(insertSharedEvents(env.DB, [SYNCED], NOW))
    const events = listening()
    const deliveries = listening()
    const spy = { ...env, WEBHOOK_EVENTS: events.queue, WEBHOOK_DELIVERIES: deliveries.queue }
    await sweepWebhooks(spy, shardOf(env, 0), at(59))
    expect(events.heard).toEqual([])
    await sweepWebhooks(spy, shardOf(env, 0), at(60))
    expect(events.heard).toEqual([{ kind: 'event', id: expect.stringMatching(/^evt_/), shard: 0 }])
    await fanOut(
      { ...env, WEBHOOK_DELIVERIES: listening().queue },
      shardOf(env, 0),
      String(events.heard[0]?.id),
      at(60),
    )
    await sweepWebhooks(spy, shardOf(env, 0), at(120))
    expect(deliveries.heard).toEqual([{ kind: 'delivery', id: (await onlyDelivery(hook)).id, shard: 0 }])
    expect(events.heard).toHaveLength(1)
  })

  it.each([
    ['succeeds', {}],
    ['fails', { status: 500 }],
  ])('about a delivery that %s costs two round trips to the database', async (_, behaviour) => {
    const hook = await subscribe(['*'], [behaviour])
    await happen(SYNCED, NOW)
    const { db, trips } = countingDatabase(env.DB)
    const begun = await beginAttempt(env, { number: 0, books: db }, (await onlyDelivery(hook)).id, () => NOW)
    await begun?.ended
    expect(trips()).toBe(2)
  })

  it('costs no webhook more than five deliveries at a time', async () => {
    const hook = await subscribe(['*'])
    for (let count = 0; count < 8; count += 1) await happen(SYNCED, NOW)
    await env.DB.prepare(
      'UPDATE webhook_deliveries SET leased_until = ? WHERE id IN (SELECT id FROM webhook_deliveries LIMIT 5)',
    )
      .bind(moment(60))
      .run()
    const rows = await deliveriesOf(hook.id)
    await attempt(String(rows.find((row) => row.leased_until === null)?.id), NOW)
    expect(await letters(hook.host)).toHaveLength(0)
  })
})

describe('what is held', () => {
  it('for more than three days is not sent when the webhook is enabled again', async () => {
    const hook = await subscribe()
    const old = new Date(Date.now() - 3 * DAY * 1_000 - 60_000)
    await happen(SYNCED, NOW)
    await happen(SYNCED, NOW)
    const [first, second] = await deliveriesOf(hook.id)
    await env.DB.prepare('UPDATE webhook_deliveries SET created_at = ? WHERE id = ?')
      .bind(old.toISOString(), first?.id)
      .run()
    const put = (status: string) =>
      call('PUT', `/v1/webhooks/${hook.id}`, { key: hook.key, body: { status } })
    await put('disabled')
    await put('active')
    const rows = await deliveriesOf(hook.id)
    expect(rows.find(({ id }) => id === first?.id)).toMatchObject({ status: 'expired' })
    expect(rows.find(({ id }) => id === second?.id)).toMatchObject({ status: 'pending' })
  })

  it('is pruned a month after its end, with its event', async () => {
    const hook = await subscribe()
    await happen(SYNCED, NOW)
    await attempt((await onlyDelivery(hook)).id, NOW)
    await pruneDeliveries(env.DB, at(30 * DAY))
    expect(await deliveriesOf(hook.id)).toHaveLength(1)
    await pruneDeliveries(env.DB, at(30 * DAY + 1))
    expect(await deliveriesOf(hook.id)).toEqual([])
    expect(await env.DB.prepare('SELECT count(*) AS count FROM events').first()).toEqual({ count: 0 })
  })
})
