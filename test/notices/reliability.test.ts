import { keepAccountsIn } from '../support/shards.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { insertNamedEvents } from '../../src/notices/events/named-events-store.ts'
import { announceExpiring } from '../../src/parties/exemptions/expire.ts'
import { beginAttempt } from '../../src/notices/delivery/attempt.ts'
import { resealSecrets } from '../../src/notices/subscriptions/reseal.ts'
import { isOldKeyKept, openSecret } from '../../src/notices/delivery/kept-keys.ts'
import { decryptSecret, encryptSecret, keyIdOf } from '../../src/notices/delivery/secrets.ts'
import { pruneDeliveries } from '../../src/notices/delivery/sweep.ts'
import { fanOut } from '../../src/notices/delivery/fan-out.ts'
import { newAccount } from '../support/account.ts'
import { interceptedDatabase } from '../support/intercepted-database.ts'
import { listening } from '../support/queues.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
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

await loadTestData()

const NOW = new Date(Date.now() + 3_600_000)
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)

beforeEach(async () => {
  for (const table of ['webhook_attempts', 'webhook_deliveries', 'webhooks', 'events'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

/** Attempts everything that is due, moment by moment, until nothing waits. */
async function deliverAll(hook: Subscription, from: number, seconds: number): Promise<void> {
  for (let second = from; second <= from + seconds; second += 1) {
    const due = (await deliveriesOf(hook.id)).filter(
      (row) => row.status === 'pending' && row.next_attempt_at <= at(second).toISOString(),
    )
    await Promise.all(due.map(({ id }) => attempt(id, at(second))))
  }
}

describe('a burst', () => {
  it('of 20 events at a receiver that is down for a second arrives whole, and the webhook stays active', async () => {
    const hook = await subscribe(['*'], [{ status: 503 }])
    for (let count = 0; count < 20; count += 1) await happen(SYNCED, NOW)
    const rows = await deliveriesOf(hook.id)
    await Promise.all(rows.map(({ id }) => attempt(id, NOW)))
    const refused = (await letters(hook.host)).length
    expect(await webhookOf(hook)).toMatchObject({ status: 'active', consecutive_failures: 1 })
    await behave(hook.host, [{}])
    await deliverAll(hook, 1, 90)
    const arrived = new Set(
      (await letters(hook.host)).slice(refused).map(({ headers }) => headers['webhook-id']),
    )
    expect(arrived.size).toBe(20)
    expect(await webhookOf(hook)).toMatchObject({ status: 'active', consecutive_failures: 0 })
  })
})

describe('an attempt', () => {
  it('whose lease was taken over writes nothing, and undoes no success', async () => {
    const hook = await subscribe(['*'], [{ status: 500 }, {}])
    await happen(SYNCED, NOW)
    const [row] = await deliveriesOf(hook.id)
    const id = String(row?.id)
    let trips = 0
    const stalling = interceptedDatabase(env.DB, async (trip) => {
      trips += 1
      // Before the failure is recorded, another worker takes the lease over and succeeds.
      if (trips === 2) await attempt(id, at(61))
      return trip()
    })
    await (
      await beginAttempt(env, { number: 0, books: stalling }, id, () => NOW)
    )?.ended
    expect(await deliveriesOf(hook.id)).toMatchObject([{ status: 'succeeded', attempts: 1 }])
    expect(await webhookOf(hook)).toMatchObject({ consecutive_failures: 0 })
    expect(await letters(hook.host)).toHaveLength(2)
  })

  it('that never ends is given up after twenty leases', async () => {
    const hook = await subscribe()
    await happen(SYNCED, NOW)
    const [row] = await deliveriesOf(hook.id)
    await env.DB.prepare('UPDATE webhook_deliveries SET leases = 20 WHERE id = ?').bind(row?.id).run()
    await attempt(String(row?.id), at(1))
    expect(await letters(hook.host)).toHaveLength(0)
    await pruneDeliveries(env.DB, at(2))
    expect(await deliveriesOf(hook.id)).toMatchObject([{ status: 'failed' }])
  })

  it('waits as long as a busy receiver asks, if that is longer than the schedule', async () => {
    const hook = await subscribe(['*'], [{ status: 503, headers: { 'Retry-After': '900' } }])
    await happen(SYNCED, NOW)
    const [row] = await deliveriesOf(hook.id)
    await attempt(String(row?.id), NOW)
    expect(await deliveriesOf(hook.id)).toMatchObject([{ next_attempt_at: at(900).toISOString() }])
  })
})

describe('Standard Webhooks', () => {
  const verified = (secret: string, letter: { headers: Record<string, string>; body: string } | undefined) =>
    new Webhook(secret).verify(letter?.body ?? '', letter?.headers ?? {})
  const sent = async (hook: Subscription) => {
    // The library compares the timestamp with the clock, so the attempt is made now.
    await happen(SYNCED, new Date(Date.now() + 5))
    await attempt(String((await deliveriesOf(hook.id)).at(-1)?.id), new Date(Date.now() + 1_000))
    return (await letters(hook.host)).at(-1)
  }

  it('verifies what is sent, and refuses another id', async () => {
    const hook = await subscribe()
    const letter = await sent(hook)
    expect(verified(hook.secret, letter)).toMatchObject({
      id: letter?.headers['x-service-event-id'],
      event: 'sync.completed',
    })
    const forged = { body: letter?.body ?? '', headers: { ...letter?.headers, 'webhook-id': 'evt_other' } }
    expect(() => verified(hook.secret, forged)).toThrow('No matching signature')
  })

  it('refuses a second overlap while it has promised one, and ends both secrets without one', async () => {
    const hook = await subscribe()
    const rotate = (body?: object) =>
      call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { key: hook.key, body })
    const { previous_secret_until: until, secret } = (await rotate({ grace_hours: 24 })).body
    const refused = await rotate({ grace_hours: 24 })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'grace_hours' }] } })
    expect(JSON.stringify(refused.body)).toContain(`still signs until ${String(until)}`)
    verified(hook.secret, await sent(hook))
    const leaked = await rotate()
    expect(leaked).toMatchObject({ status: 200, body: { previous_secret_until: null } })
    const letter = await sent(hook)
    verified(String(leaked.body['secret']), letter)
    for (const old of [hook.secret, String(secret)])
      expect(() => verified(old, letter)).toThrow('No matching signature')
    expect((await rotate({ grace_hours: 24 })).status).toBe(200)
  })

  it('keeps the promise of one of two rotations at once', async () => {
    const hook = await subscribe()
    const rotate = () =>
      call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { key: hook.key, body: { grace_hours: 24 } })
    const rotated = await Promise.all([rotate(), rotate()])
    expect(new Set(rotated.map(({ status }) => status))).toEqual(new Set([200, 400]))
    verified(hook.secret, await sent(hook))
  })

  it('verifies with both secrets while a rotation overlaps, and with the new one alone afterwards', async () => {
    const hook = await subscribe()
    const rotate = (body?: object) =>
      call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { key: hook.key, body })
    const rotated = (await rotate({ grace_hours: 1 })).body
    const secret = String(rotated['secret'])
    const letter = await sent(hook)
    verified(hook.secret, letter)
    verified(secret, letter)
    expect(letter?.headers['x-service-signature']).toBe(
      await signed(secret, `${letter?.headers['x-service-timestamp']}.${letter?.body}`),
    )
    const until = new Date(Date.now() - 1_000).toISOString()
    await env.DB.prepare('UPDATE webhooks SET previous_secret_until = ? WHERE id = ?')
      .bind(until, hook.id)
      .run()
    const later = await sent(hook)
    verified(secret, later)
    expect(() => verified(hook.secret, later)).toThrow('No matching signature')
    const last = String((await rotate()).body['secret'])
    expect(() => verified(secret, undefined)).toThrow()
    verified(last, await sent(hook))
  })
})

describe('a disabled webhook', () => {
  it("is told to the account's other webhooks alone, and stands under attention", async () => {
    const hook = await subscribe(['rate.updated'], [{ status: 500 }])
    const stranger = await subscribe(['*'])
    const other = await call('POST', '/v1/webhooks', {
      key: hook.key,
      body: { url: `https://${stranger.host}/other`, events: ['*'] },
    })
    await env.DB.prepare('UPDATE webhooks SET consecutive_failures = 4 WHERE id = ?').bind(hook.id).run()
    await happen(
      {
        type: 'rate.updated',
        data: {
          jurisdiction_id: 'DE',
          jurisdiction_name: 'Germany',
          tax_type: 'VAT',
          category: 'standard',
          old_rate: 0.19,
          new_rate: 0.2,
          effective_from: '2027-01-01',
        },
      },
      NOW,
    )
    const { queue, heard } = listening()
    const [row] = await deliveriesOf(hook.id)
    await (
      await beginAttempt({ ...env, WEBHOOK_EVENTS: queue }, shardOf(env, 0), String(row?.id), () => NOW)
    )?.ended
    expect(await webhookOf(hook)).toMatchObject({ status: 'disabled' })
    expect(heard).toMatchObject([{ kind: 'event' }])
    await fanOut(env, shardOf(env, 0), String(heard[0]?.id), at(1))
    const told = await env.DB.prepare(`SELECT webhook_id FROM webhook_deliveries WHERE event_id = ?`)
      .bind(heard[0]?.id)
      .all()
    expect(told.results).toEqual([{ webhook_id: other.body['id'] }])
    const account = await call('GET', '/v1/account', { key: hook.key })
    expect(account.body['attention']).toMatchObject([{ reason: 'webhook_disabled', resource_id: hook.id }])
    const told_event = env.DB.prepare('SELECT account_pending FROM events WHERE id = ?').bind(heard[0]?.id)
    expect(await told_event.first('account_pending')).toBeNull()
  })

  it('gets what it missed by recover, and each event once', async () => {
    const hook = await subscribe()
    const put = (status: string) =>
      call('PUT', `/v1/webhooks/${hook.id}`, { key: hook.key, body: { status } })
    await put('disabled')
    const since = new Date(Date.now() - 1_000).toISOString()
    for (let count = 0; count < 3; count += 1) await happen(SYNCED, new Date(Date.now() + 5))
    expect(await deliveriesOf(hook.id)).toEqual([])
    const recover = () => call('POST', `/v1/webhooks/${hook.id}/recover`, { key: hook.key, body: { since } })
    expect((await recover()).body).toMatchObject({ reason: 'webhook_disabled' })
    await put('active')
    expect((await recover()).body).toMatchObject({ recovered: 3, has_more: false })
    expect((await recover()).body).toMatchObject({ recovered: 0 })
    for (const { id } of await deliveriesOf(hook.id)) await attempt(id, NOW)
    expect(await letters(hook.host)).toHaveLength(3)
  })
})

describe('what waits for a webhook that pauses after a failure', () => {
  /** Three deliveries of a webhook that failed twice: one waits for its next attempt, two for the pause. */
  async function paused() {
    const hook = await subscribe()
    const since = new Date(Date.now() - 1_000).toISOString()
    const later = new Date(Date.now() + 7_200_000).toISOString()
    await env.DB.prepare('UPDATE webhooks SET consecutive_failures = 2, paused_until = ? WHERE id = ?')
      .bind(later, hook.id)
      .run()
    for (let count = 0; count < 3; count += 1) await happen(SYNCED, new Date())
    const [first] = await deliveriesOf(hook.id)
    await env.DB.prepare('UPDATE webhook_deliveries SET next_attempt_at = ? WHERE id = ?')
      .bind(later, first?.id)
      .run()
    const arrive = (id: string | undefined) =>
      vi.waitFor(
        async () => {
          await attempt(String(id), new Date(Date.now() + 1_000))
          const row = (await deliveriesOf(hook.id)).find((each) => each.id === id)
          expect(row?.status).toBe('succeeded')
        },
        { timeout: 60_000 },
      )
    const allArrive = async () => {
      for (const { id } of await deliveriesOf(hook.id)) await arrive(id)
    }
    const [, second] = await deliveriesOf(hook.id)
    await attempt(String(second?.id), new Date(Date.now() + 1_000))
    expect(await letters(hook.host)).toHaveLength(0)
    return { hook, since, second, arrive, allArrive, path: `/v1/webhooks/${hook.id}` }
  }

  it('is counted and sent at once by recover', async () => {
    const { hook, since, allArrive, path } = await paused()
    const recover = () => call('POST', `${path}/recover`, { key: hook.key, body: { since } })
    expect((await recover()).body).toMatchObject({ recovered: 3 })
    await allArrive()
    expect(await letters(hook.host)).toHaveLength(3)
  })

  it('is counted and sent at once after a test that arrives', async () => {
    const { hook, allArrive, path } = await paused()
    const test = () => call('POST', `${path}/test`, { key: hook.key, body: {} })
    expect((await test()).body).toMatchObject({ success: true, sent_now: 3 })
    expect((await test()).body).toMatchObject({ success: true, sent_now: 0 })
    await allArrive()
  })

  it('is sent one by one', async () => {
    const { hook, second, arrive, path } = await paused()
    const again = `${path}/deliveries/${String(second?.id)}/redeliver`
    expect((await call('POST', again, { key: hook.key, body: {} })).body).toMatchObject({ status: 'pending' })
    await arrive(second?.id)
  })
})

describe('GET /v1/events', () => {
  it("lists shared events and the account's own, page by page, never another account's", async () => {
    const { key, account_id } = await newAccount()
    const { key: stranger } = await newAccount()
    await call('POST', '/v1/webhooks', {
      key,
      body: { url: 'https://hooks.example.com/events', events: ['transaction.created'] },
    })
    await happen(SYNCED, new Date())
    await env.DB.batch(
      insertNamedEvents(
        env,
        shardOf(env, 0),
        [
          {
            type: 'transaction.created',
            account_id,
            data: {
              transaction_id: 'txn_1',
              external_id: null,
              status: 'completed',
              jurisdiction_id: 'DE',
              currency: 'EUR',
              total: 119,
              tax_amount: 19,
            },
          },
        ],
        new Date(),
      ).map(({ statement }) => statement),
    )
    const list = async (asker: string, query = '') =>
      (await call('GET', `/v1/events${query}`, { key: asker })).body
    const types = (body: Record<string, unknown>) =>
      (body['events'] as { type: string }[]).map(({ type }) => type)
    expect(types(await list(key))).toEqual(['sync.completed', 'transaction.created'])
    expect(types(await list(stranger))).toEqual(['sync.completed'])
    const first = await list(key, '?limit=1')
    expect(first).toMatchObject({ has_more: true })
    expect(types(await list(key, `?after=${String(first['next_after'])}`))).toEqual(['transaction.created'])
    expect(types(await list(key, '?type=transaction.created'))).toEqual(['transaction.created'])
    expect(types(await list(key, `?after=${new Date(Date.now() + 60_000).toISOString()}`))).toEqual([])
  })
})

describe('events of transactions', () => {
  const SALE = {
    currency: 'EUR',
    customer: { address: { country: 'DE' } },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  }

  it('are written only where an active webhook names them', async () => {
    const { key } = await newAccount()
    const hook = { url: 'https://hooks.example.com/sales' }
    const events = async () => (await call('GET', '/v1/events', { key })).body['events']
    await call('POST', '/v1/webhooks', { key, body: { ...hook, events: ['*'] } })
    await call('POST', '/v1/transactions', { key, body: SALE })
    expect(await events()).toEqual([])
    await call('POST', '/v1/webhooks', {
      key,
      body: { ...hook, events: ['transaction.created', 'transaction.refunded'] },
    })
    const { body } = await call('POST', '/v1/transactions', { key, body: SALE })
    await call('POST', `/v1/transactions/${String(body['id'])}/refund`, {
      key,
      body: { amount: 100, reason: 'Returned' },
    })
    expect(await events()).toMatchObject([
      { type: 'transaction.created', data: { transaction_id: body['id'] } },
      { type: 'transaction.refunded', data: { transaction_id: body['id'], amount: 100 } },
    ])
  })
})

describe('an exemption that ends', () => {
  it('is announced once, 30 days before', async () => {
    const { key } = await newAccount()
    const { body: customer } = await call('POST', '/v1/customers', { key, body: { name: 'Acme' } })
    const path = `/v1/customers/${String(customer['id'])}/exemptions`
    const valid_to = new Date(Date.now() + 29 * 86_400_000).toISOString().slice(0, 10)
    const { body } = await call('POST', path, {
      key,
      body: {
        jurisdiction_id: 'DE',
        exemption_type: 'other',
        certificate_number: 'c-1',
        valid_from: '2026-01-01',
        valid_to,
      },
    })
    await call('PUT', `${path}/${String(body['id'])}`, { key, body: { status: 'verified' } })
    await announceExpiring(env.DB, new Date())
    await announceExpiring(env.DB, new Date())
    expect((await call('GET', '/v1/events', { key })).body['events']).toMatchObject([
      { type: 'exemption.expiring', data: { exemption_id: body['id'], valid_to } },
    ])
  })
})

describe('ENCRYPTION_KEY', () => {
  const OLD = { ENCRYPTION_KEY: 'a key for tests' }
  const BOTH = { ...OLD, ENCRYPTION_KEY_NEXT: 'the next key' }
  const NEW = { ENCRYPTION_KEY: 'the next key' }

  it('is replaced without a pause: both keys open, then the new one alone', async () => {
    const hook = await subscribe()
    await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { key: hook.key, body: { grace_hours: 2 } })
    const stored = async () =>
      (await env.DB.prepare('SELECT secret, previous_secret FROM webhooks WHERE id = ?')
        .bind(hook.id)
        .first<{ secret: string; previous_secret: string }>()) ?? { secret: '', previous_secret: '' }
    const before = await decryptSecret(OLD, hook.id, (await stored()).secret)
    await resealSecrets({ ...env, ...BOTH }, env.DB)
    const { secret, previous_secret } = await stored()
    expect(secret.endsWith(`.${await keyIdOf('the next key')}`)).toBe(true)
    for (const keys of [BOTH, NEW]) {
      expect(await decryptSecret(keys, hook.id, secret)).toBe(before)
      expect(await decryptSecret(keys, hook.id, previous_secret)).toBe(hook.secret)
    }
    await expect(decryptSecret(OLD, hook.id, secret)).rejects.toThrow('under another key')
  })

  it('opens what a restore brings back from before the last two replacements, for 35 days', async () => {
    const LAST = { ENCRYPTION_KEY: 'the key after that' }
    const sealed = await encryptSecret(OLD, 'wh_1', 'whsec_x')
    await resealSecrets({ ...env, ...BOTH }, env.DB)
    expect(await isOldKeyKept(env.KV, await keyIdOf('the next key'))).toBe(true)
    expect(await openSecret({ ...env, ...NEW }, 'wh_1', sealed)).toBe('whsec_x')
    await resealSecrets({ ...env, ...NEW, ENCRYPTION_KEY_NEXT: LAST.ENCRYPTION_KEY }, env.DB)
    for (const from of [sealed, await encryptSecret(NEW, 'wh_1', 'whsec_x')])
      expect(await openSecret({ ...env, ...LAST }, 'wh_1', from)).toBe('whsec_x')
    const other = { ...env, ENCRYPTION_KEY: 'another key' }
    await expect(openSecret(other, 'wh_1', sealed)).rejects.toThrow()
    const { keys } = await env.KV.list({ prefix: 'encryption-key:' })
    expect(keys.map(({ expiration = 0 }) => Math.round((expiration - Date.now() / 1_000) / 86_400))).toEqual([
      35, 35,
    ])
  })

  it('opens a secret from before keys had ids', async () => {
    const sealed = await encryptSecret(OLD, 'wh_1', 'whsec_x')
    expect(await decryptSecret(BOTH, 'wh_1', sealed.split('.').slice(0, 2).join('.'))).toBe('whsec_x')
  })
})

describe('pruning', () => {
  it('removes more than one slice in one run, with the events', async () => {
    const hook = await subscribe()
    const old = '2026-01-01T00:00:00.000Z'
    await env.DB.batch([
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
         INSERT INTO events (id, type, data, created_at, fanned_out_at)
         SELECT printf('evt_%026d', i), 'sync.completed', '{}', ?1, ?1 FROM n`,
      ).bind(old),
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
         INSERT INTO webhook_deliveries (id, account_id, webhook_id, event_id, status, next_attempt_at,
           created_at, updated_at)
         SELECT printf('dlv_%026d', i), ?1, ?2, printf('evt_%026d', i), 'succeeded', ?3, ?3, ?3 FROM n`,
      ).bind(hook.account_id, hook.id, old),
    ])
    await pruneDeliveries(env.DB, NOW)
    for (const table of ['webhook_deliveries', 'events'])
      expect(await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first('n'), table).toBe(0)
  })
})
