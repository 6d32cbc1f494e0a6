import { keepAccountsIn } from '../support/shards.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Bindings } from '../../src/platform/bindings.ts'
import { beginAttempt } from '../../src/notices/delivery/attempt.ts'
import { pruneDeliveries, sweepWebhooks } from '../../src/notices/delivery/sweep.ts'
import { callWith } from '../faults/faulty.ts'
import { newAccount } from '../support/account.ts'
import { listening } from '../support/queues.ts'
import { move } from '../service/shards/moving.ts'
import { type Behaviour, RECEIVER_DOMAIN } from '../support/receiver-server.ts'
import { behave, deliveriesOf, happen, letters, signed, SYNCED } from './subscribing.ts'

keepAccountsIn(0)

const QUEUE = listening()
const ASKING: Bindings = {
  ...env,
  WEBHOOK_CHALLENGES: 'on',
  RATE_LIMITS: 'off',
  WEBHOOK_DELIVERIES: QUEUE.queue,
  WEBHOOK_EVENTS: listening().queue,
}
const SHARD = shardOf(env, 0)
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000)

type Hook = { key: string; account_id: string; host: string; id: string; secret: string }

beforeEach(async () => {
  for (const table of ['webhook_attempts', 'webhook_deliveries', 'webhooks', 'events'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

async function asked(key: string, method: string, path: string, body?: object, bindings = ASKING) {
  const answer = await callWith(bindings, key, { method, path, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

async function hookAt(url: string, owner: { key: string; account_id: string }): Promise<Hook> {
  const made = await asked(owner.key, 'POST', '/v1/webhooks', { url, events: ['*'] })
  return { ...owner, host: new URL(url).hostname, id: String(made['id']), secret: String(made['secret']) }
}

/** A webhook at a host that was never asked. */
async function newHook(behaviour: readonly Behaviour[]): Promise<Hook> {
  const host = `c-${crypto.randomUUID()}.${RECEIVER_DOMAIN}`
  await behave(host, behaviour)
  return hookAt(`https://${host}/tax`, await newAccount())
}

const show = ({ key, id }: Hook) => asked(key, 'GET', `/v1/webhooks/${id}`)
const test = ({ key, id }: Hook) => asked(key, 'POST', `/v1/webhooks/${id}/test`)

async function attempt(id: string, at: Date): Promise<boolean> {
  const begun = await beginAttempt(ASKING, SHARD, id, () => at)
  await begun?.ended
  return begun !== null
}

async function attemptAll(hook: Hook, at: Date): Promise<void> {
  for (const { id } of await deliveriesOf(hook.id)) await attempt(id, at)
}

const typesAt = async (host: string) =>
  (await letters(host)).map(({ body }) => String(JSON.parse(body).event))

/** The id of the delivery of the challenge that is not answered. */
async function challengeOf({ id }: Hook): Promise<string> {
  const row = env.DB.prepare('SELECT challenge_id AS id FROM webhooks WHERE id = ?').bind(id)
  return String(await row.first<string>('id'))
}

describe('a new host', () => {
  it('gets only a signed challenge until it answers with its text, and then what waited', async () => {
    const hook = await newHook([{ status: 204 }])
    expect(await show(hook)).toMatchObject({ status: 'active', confirmed: false })
    await happen(SYNCED, later(1))
    await attemptAll(hook, later(2))
    expect(await typesAt(hook.host)).toEqual(['webhook.challenge'])
    expect(await show(hook)).toMatchObject({ confirmed: false, consecutive_failures: 1 })
    const { deliveries } = await asked(hook.key, 'GET', `/v1/webhooks/${hook.id}/deliveries`)
    expect(JSON.stringify(deliveries)).toContain('challenge_not_answered')
    await behave(hook.host, [{ confirms: true }])
    QUEUE.heard.length = 0
    expect(await attempt(await challengeOf(hook), later(70))).toBe(true)
    expect(await show(hook)).toMatchObject({ confirmed: true, consecutive_failures: 0 })
    const waiting = (await deliveriesOf(hook.id)).filter(({ status }) => status === 'pending')
    expect(waiting).toHaveLength(1)
    expect(QUEUE.heard).toContainEqual({ kind: 'delivery', id: waiting[0]?.id, shard: 0 })
    await attemptAll(hook, later(71))
    expect(await typesAt(hook.host)).toEqual(['webhook.challenge', 'webhook.challenge', 'sync.completed'])
    const [first] = await letters(hook.host)
    const { 'x-service-timestamp': stamp, 'x-service-signature': signature } = first?.headers ?? {}
    expect(signature).toBe(await signed(hook.secret, `${stamp}.${first?.body}`))
  })

  it('confirms neither by any other text, nor by what it was sent', async () => {
    const hook = await newHook([{ status: 200 }])
    expect(await test(hook)).toMatchObject({ success: false, error: 'challenge_not_answered' })
    await behave(hook.host, [{ echoes: true }])
    expect(await test(hook)).toMatchObject({ success: false, response_status: 200 })
    expect(await show(hook)).toMatchObject({ confirmed: false })
  })

  it('is named by the account, and lists of events leave the challenge out', async () => {
    const hook = await newHook([{}])
    const { attention } = await asked(hook.key, 'GET', '/v1/account')
    expect(attention).toContainEqual({
      reason: 'webhook_unconfirmed',
      resource_id: hook.id,
      message: expect.stringContaining('not answered'),
      since: expect.any(String),
    })
    expect(await asked(hook.key, 'GET', '/v1/events')).toMatchObject({ events: [] })
    await behave(hook.host, [{ confirms: true }])
    await test(hook)
    const since = new Date(Date.now() - 60_000).toISOString()
    const recovered = await asked(hook.key, 'POST', `/v1/webhooks/${hook.id}/recover`, { since })
    expect(recovered).toMatchObject({ recovered: 0 })
  })

  it('confirms by a test at once, and is not asked again for another webhook of the account', async () => {
    const hook = await newHook([{ confirms: true }])
    expect(await test(hook)).toMatchObject({ success: true })
    expect(await show(hook)).toMatchObject({ confirmed: true })
    expect(await deliveriesOf(hook.id)).toEqual([])
    expect(await typesAt(hook.host)).toEqual(['webhook.challenge'])
    await test(hook)
    expect(await typesAt(hook.host)).toEqual(['webhook.challenge', 'webhook.test'])
    const other = await hookAt(`https://${hook.host}/other`, hook)
    expect(await show(other)).toMatchObject({ confirmed: true })
    const port = await hookAt(`https://${hook.host}:8443/tax`, hook)
    expect(await show(port)).toMatchObject({ confirmed: false })
    const stranger = await hookAt(`https://${hook.host}/tax`, await newAccount())
    expect(await show(stranger)).toMatchObject({ confirmed: false })
  })

  it('disables its webhook by five failures, and is asked anew when it is enabled', async () => {
    const hook = await newHook([{ status: 500 }])
    const first = await challengeOf(hook)
    for (const seconds of [1, 70, 400, 2_300, 9_600]) await attempt(first, later(seconds))
    expect(await show(hook)).toMatchObject({ status: 'disabled', confirmed: false })
    await behave(hook.host, [{ confirms: true }])
    await asked(hook.key, 'PUT', `/v1/webhooks/${hook.id}`, { status: 'active' })
    const second = await challengeOf(hook)
    expect(second).not.toBe(first)
    expect((await deliveriesOf(hook.id)).map(({ id }) => id)).toEqual([second])
    await attempt(second, later(9_700))
    expect(await show(hook)).toMatchObject({ status: 'active', confirmed: true })
  })

  it('that never answers lets deliveries expire after three days, and the sweep leaves them alone', async () => {
    const hook = await newHook([{ status: 204 }])
    await happen(SYNCED, later(1))
    QUEUE.heard.length = 0
    await sweepWebhooks(ASKING, SHARD, later(600))
    expect(QUEUE.heard).toEqual([{ kind: 'delivery', id: await challengeOf(hook), shard: 0 }])
    await pruneDeliveries(SHARD.books, later(4 * 86_400))
    const statuses = (await deliveriesOf(hook.id)).map(({ status }) => status)
    expect(statuses).toEqual(['expired', 'expired'])
  })
})

describe('a change of the address', () => {
  it('to another host is asked again, and the answer of the old host counts no more', async () => {
    const hook = await newHook([{ confirms: true }])
    await test(hook)
    const elsewhere = `d-${crypto.randomUUID()}.${RECEIVER_DOMAIN}`
    const old = await newHook([{ confirms: true }])
    const first = await challengeOf(old)
    const moved = { url: `https://${elsewhere}/` }
    expect(await asked(hook.key, 'PUT', `/v1/webhooks/${hook.id}`, moved)).toMatchObject({ confirmed: false })
    expect(await asked(old.key, 'PUT', `/v1/webhooks/${old.id}`, moved)).toMatchObject({ confirmed: false })
    expect(await attempt(first, later(60))).toBe(false)
    expect(await show(old)).toMatchObject({ confirmed: false })
    const same = await asked(old.key, 'PUT', `/v1/webhooks/${old.id}`, { url: `https://${elsewhere}/two` })
    expect(same).toMatchObject({ confirmed: false })
  })

  it('during the challenge does not confirm the new host by the answer of the old one', async () => {
    const hook = await newHook([{ confirms: true }])
    const elsewhere = `https://e-${crypto.randomUUID()}.${RECEIVER_DOMAIN}/`
    const begun = await beginAttempt(ASKING, SHARD, await challengeOf(hook), () => later(1))
    await asked(hook.key, 'PUT', `/v1/webhooks/${hook.id}`, { url: elsewhere })
    await begun?.ended
    expect(await show(hook)).toMatchObject({ url: elsewhere, confirmed: false })
  })
})

describe('no challenge is sent', () => {
  it.each([
    ['if the operator asks no hosts', { WEBHOOK_CHALLENGES: 'off' }],
    ['in development with local webhooks', { ALLOW_LOCAL_WEBHOOKS: 'true' }],
  ])('%s, and enabling ends an earlier one', async (_, change) => {
    const hook = await newHook([{}])
    const body = { url: `https://f.${RECEIVER_DOMAIN}/`, events: ['*'] }
    const bindings = { ...ASKING, ...change }
    expect(await asked(hook.key, 'POST', '/v1/webhooks', body, bindings)).toMatchObject({ confirmed: true })
    const enabled = await asked(hook.key, 'PUT', `/v1/webhooks/${hook.id}`, { status: 'active' }, bindings)
    expect(enabled).toMatchObject({ confirmed: true })
    expect(await deliveriesOf(hook.id)).toEqual([])
  })
})

it('moves to another shard with its challenge, and confirms there', async () => {
  const hook = await newHook([{ confirms: true }])
  const challenge = await challengeOf(hook)
  await move(hook, 1)
  const begun = await beginAttempt(ASKING, shardOf(env, 1), challenge, () => later(1))
  await begun?.ended
  expect(await show(hook)).toMatchObject({ confirmed: true })
})
