import { keepAccountsIn } from '../support/shards.ts'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { EVENTS } from '../../src/notices/events/event-types.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { behave, deliveriesOf, attempt, happen, letters, signed, subscribe, SYNCED } from './subscribing.ts'

keepAccountsIn(0)

const URL_OF = 'https://hooks.example.com/tax'
const { key } = await newAccount()
const create = (body: object, more: object = {}) => call('POST', '/v1/webhooks', { key, body, ...more })

describe('a webhook', () => {
  it('is made with a secret that is shown once and kept encrypted', async () => {
    const { status, body } = await create({
      url: URL_OF,
      events: ['rate.updated'],
      description: 'To the shop',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^wh_[0-9a-z]{26}$/),
      url: URL_OF,
      events: ['rate.updated'],
      status: 'active',
      description: 'To the shop',
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
      consecutive_failures: 0,
      last_failed_at: null,
      last_succeeded_at: null,
    })
    const one = (await call('GET', `/v1/webhooks/${String(body['id'])}`, { key })).body
    expect(one).toMatchObject({ last_failed_at: null })
    expect(one).not.toHaveProperty('secret')
    const list = (await call('GET', '/v1/webhooks', { key })).body
    expect(list).toMatchObject({ total: 1, webhooks: [{ id: body['id'] }] })
    expect(list['webhooks']).not.toEqual([expect.objectContaining({ secret: expect.anything() })])
    expect(JSON.stringify(list)).not.toContain('last_failed_at')
    const rows = JSON.stringify((await env.DB.prepare('SELECT * FROM webhooks').all()).results)
    expect(
      rows + JSON.stringify((await env.DB.prepare('SELECT * FROM audit_events').all()).results),
    ).not.toContain(body['secret'])
  })

  it('replays its making without the secret', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const body = { url: URL_OF, events: ['*'] }
    const first = await create(body, { headers })
    const second = await create(body, { headers })
    expect(second.body).toMatchObject({ id: first.body['id'], secret: null })
    expect(
      JSON.stringify((await env.DB.prepare('SELECT * FROM idempotency_keys').all()).results),
    ).not.toContain(first.body['secret'])
  })

  it.each([
    [{ events: ['*'] }, 'url'],
    [{ url: URL_OF }, 'events'],
    [{ url: URL_OF, events: [] }, 'events'],
    [{ url: URL_OF, events: ['rate.update'] }, 'events[0]'],
    [{ url: URL_OF, events: ['rate.updated', 'rate.updated'] }, 'events'],
    [{ url: URL_OF, events: 'rate.updated' }, 'events'],
    [{ url: URL_OF, events: ['*'], description: 'x'.repeat(501) }, 'description'],
    [{ url: URL_OF, events: ['*'], secret: 'mine' }, 'secret'],
    [{ url: URL_OF, events: ['*'], consecutive_failures: 0 }, 'consecutive_failures'],
    [{ url: 'hooks.example.com', events: ['*'] }, 'url'],
    [{ url: 'http://hooks.example.com/', events: ['*'] }, 'url'],
    [{ url: `https://hooks.example.com/${'x'.repeat(2_030)}`, events: ['*'] }, 'url'],
  ])('is refused as %j, naming %s', async (body, path) => {
    const { status, body: answer } = await create(body)
    expect(status).toBe(400)
    expect(answer).toMatchObject({
      error_code: 'VALIDATION_ERROR',
      errors: expect.arrayContaining([expect.objectContaining({ path })]),
    })
  })

  it('is refused when its name resolves to a private address', async () => {
    const name = `inside-${crypto.randomUUID()}.example.org`
    await fetch(`https://cloudflare-dns.com/dns-query?name=${name}`, {
      method: 'PUT',
      body: '["93.184.215.14", "fd00::1"]',
    })
    const { status, body } = await create({ url: `https://${name}/`, events: ['*'] })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      errors: [{ path: 'url', message: 'must name a host with public addresses' }],
    })
  })

  it('is refused when its name has no address', async () => {
    const name = `nowhere-${crypto.randomUUID()}.example.org`
    await fetch(`https://cloudflare-dns.com/dns-query?name=${name}`, { method: 'PUT', body: '[]' })
    const { status, body } = await create({ url: `https://${name}/`, events: ['*'] })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      errors: [{ path: 'url', message: 'must name a host with an address, and this name has none' }],
    })
  })

  it('takes changes of its fields, and refuses others', async () => {
    const made = await create({ url: URL_OF, events: ['*'] })
    const path = `/v1/webhooks/${String(made.body['id'])}`
    const changed = await call('PUT', path, {
      key,
      body: { url: 'https://hooks.example.com:8443/b', events: ['sync.completed'], description: null },
    })
    expect(changed.body).toMatchObject({
      url: 'https://hooks.example.com:8443/b',
      events: ['sync.completed'],
      status: 'active',
    })
    expect((await call('PUT', path, { key, body: { status: 'disabled' } })).body).toMatchObject({
      status: 'disabled',
    })
    expect((await call('PUT', path, { key, body: { status: 'active' } })).body).toMatchObject({
      status: 'active',
    })
    for (const body of [
      { status: 'paused' },
      { secret: 'x' },
      { url: 'https://127.0.0.1/' },
      { events: ['all'] },
    ])
      expect((await call('PUT', path, { key, body })).status).toBe(400)
  })

  it('is gone with its deliveries after its deletion', async () => {
    const hook = await subscribe()
    await happen(SYNCED, new Date())
    const path = `/v1/webhooks/${hook.id}`
    expect((await call('DELETE', path, { key: hook.key })).body).toMatchObject({ id: hook.id, deleted: true })
    expect((await call('GET', path, { key: hook.key })).status).toBe(404)
    expect((await call('DELETE', path, { key: hook.key })).status).toBe(404)
    expect(await deliveriesOf(hook.id)).toEqual([])
  })

  it('is told of by a list of event types', async () => {
    const { body } = await call('GET', '/v1/webhooks/events/list', { key })
    expect(body).toMatchObject({ total: Object.keys(EVENTS).length })
    expect((body['events'] as { type: string }[]).map(({ type }) => type).slice(0, 4)).toEqual([
      'rate.updated',
      'threshold.updated',
      'jurisdiction.added',
      'sync.completed',
    ])
  })

  it('gives one of two secrets that were asked for at once, and that one works', async () => {
    const hook = await subscribe()
    const rotate = () => call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { key: hook.key })
    const answers = await Promise.all([rotate(), rotate()])
    const secrets = answers.map(({ body }) => String(body['secret']))
    expect(new Set([hook.secret, ...secrets]).size).toBe(3)
    await call('POST', `/v1/webhooks/${hook.id}/test`, { key: hook.key })
    const [letter] = await letters(hook.host)
    const signatures = await Promise.all(
      secrets.map((secret) => signed(secret, `${letter?.headers['x-service-timestamp']}.${letter?.body}`)),
    )
    expect(signatures).toContain(letter?.headers['x-service-signature'])
  })
})

describe('a test event', () => {
  it('is sent now, and tells how it went', async () => {
    const hook = await subscribe()
    const { body } = await call('POST', `/v1/webhooks/${hook.id}/test`, { key: hook.key })
    expect(body).toMatchObject({ webhook_id: hook.id, success: true, response_status: 200, error: null })
    const [letter] = await letters(hook.host)
    expect(letter?.headers['x-service-event-id']).toBe(body['event_id'])
    expect(JSON.parse(letter?.body ?? '')).toMatchObject({
      event: 'webhook.test',
      data: { webhook_id: hook.id },
    })
  })

  it('does not count when it fails', async () => {
    const hook = await subscribe(['*'], [{ status: 500 }])
    const { status, body } = await call('POST', `/v1/webhooks/${hook.id}/test`, { key: hook.key })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: false, response_status: 500, error: 'http_500' })
    expect((await call('GET', `/v1/webhooks/${hook.id}`, { key: hook.key })).body).toMatchObject({
      consecutive_failures: 0,
      last_failed_at: null,
    })
  })
})

describe('deliveries', () => {
  it('are listed with their attempts, and sent again as the same event', async () => {
    const hook = await subscribe(['sync.completed'], [{ status: 503 }, {}])
    const now = new Date()
    const event_id = await happen(SYNCED, now)
    const [row] = await deliveriesOf(hook.id)
    const id = String(row?.id)
    await attempt(id, now)
    await attempt(id, new Date(now.getTime() + 60_000))
    const path = `/v1/webhooks/${hook.id}/deliveries`
    const { body } = await call('GET', path, { key: hook.key })
    expect(body).toMatchObject({ has_more: false, next_cursor: null })
    expect(body['deliveries']).toEqual([
      expect.objectContaining({
        id,
        event_id,
        event: 'sync.completed',
        status: 'succeeded',
        next_attempt_at: null,
        attempts: [
          expect.objectContaining({ attempt: 1, response_status: 503, error: 'http_503' }),
          expect.objectContaining({ attempt: 2, response_status: 200, error: null }),
        ],
      }),
    ])
    expect((await call('GET', `${path}?status=pending`, { key: hook.key })).body).toMatchObject({
      deliveries: [],
    })
    expect((await call('GET', `${path}?status=late`, { key: hook.key })).status).toBe(400)

    const again = await call('POST', `${path}/${id}/redeliver`, { key: hook.key })
    expect(again.body).toMatchObject({ id, status: 'pending', event_id })
    expect((await call('POST', `${path}/${id}/redeliver`, { key: hook.key })).body).toMatchObject({
      reason: 'delivery_pending',
    })
    await attempt(id, new Date(Date.now() + 1_000))
    expect((await letters(hook.host)).map(({ headers }) => headers['x-service-event-id'])).toEqual([
      event_id,
      event_id,
      event_id,
    ])
  })

  it('are shown one by one with the body that was sent, to their own account alone', async () => {
    const hook = await subscribe()
    const now = new Date()
    const event_id = await happen(SYNCED, now)
    const [row] = await deliveriesOf(hook.id)
    await attempt(String(row?.id), now)
    const path = `/v1/webhooks/${hook.id}/deliveries/${row?.id}`
    const { body } = await call('GET', path, { key: hook.key })
    expect(body).toMatchObject({
      id: row?.id,
      status: 'succeeded',
      attempts: [{ attempt: 1, response_status: 200 }],
      subject: 'AU',
      payload: { id: event_id, event: 'sync.completed', data: SYNCED.data },
    })
    const [letter] = await letters(hook.host)
    expect(JSON.stringify(body['payload'])).toBe(letter?.body)
    const other = await subscribe()
    expect((await call('GET', path, { key: other.key })).status).toBe(404)
    const through = `/v1/webhooks/${other.id}/deliveries/${row?.id}`
    expect((await call('GET', through, { key: other.key })).status).toBe(404)
  })

  it('are not sent again by a disabled webhook, and never by that of another', async () => {
    const hook = await subscribe()
    const now = new Date()
    await happen(SYNCED, now)
    const [row] = await deliveriesOf(hook.id)
    await attempt(String(row?.id), now)
    const path = `/v1/webhooks/${hook.id}/deliveries/${row?.id}/redeliver`
    await call('PUT', `/v1/webhooks/${hook.id}`, { key: hook.key, body: { status: 'disabled' } })
    expect((await call('POST', path, { key: hook.key })).body).toMatchObject({ reason: 'webhook_disabled' })
    const other = await subscribe()
    expect((await call('POST', path, { key: other.key })).status).toBe(404)
    expect(
      (await call('POST', `/v1/webhooks/${other.id}/deliveries/${row?.id}/redeliver`, { key: other.key }))
        .status,
    ).toBe(404)
    await behave(hook.host, [{}])
  })

  it('come a page at a time', async () => {
    const hook = await subscribe(['sync.completed'])
    for (let count = 0; count < 3; count += 1) await happen(SYNCED, new Date())
    const path = `/v1/webhooks/${hook.id}/deliveries`
    const first = (await call('GET', `${path}?limit=2`, { key: hook.key })).body
    expect(first).toMatchObject({ has_more: true, limit: 2 })
    const second = (
      await call('GET', `${path}?limit=2&cursor=${String(first['next_cursor'])}`, { key: hook.key })
    ).body
    expect(second).toMatchObject({ has_more: false, next_cursor: null })
    const ids = [first, second].flatMap((page) =>
      (page['deliveries'] as { id: string }[]).map(({ id }) => id),
    )
    expect(ids).toEqual((await deliveriesOf(hook.id)).map(({ id }) => id).toReversed())
  })
})
