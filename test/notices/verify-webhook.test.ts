import { describe, expect, it } from 'vitest'
import {
  signWebhook,
  type TestEvent,
  verifyWebhook,
  WebhookVerificationError,
} from '../../client/src/verify-webhook.ts'
import { postEvent } from '../../src/notices/delivery/post.ts'
import { RECEIVER_DOMAIN } from '../support/receiver-server.ts'
import { behave, letters } from './subscribing.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY'
const NOW = new Date('2026-11-21T12:00:00Z')
const BODY = JSON.stringify({
  id: 'evt_1',
  event: 'sync.completed',
  timestamp: NOW.toISOString(),
  data: { region: 'Å🦘\u2028' },
})

type Change = {
  headers?: Record<string, string>
  body?: string
  without?: RegExp
  previous_secret?: string
}

/** A request as a receiver gets it from the service; `without` names headers that are lost on the way. */
async function delivered(change: Change = {}): Promise<Request> {
  const host = `v-${crypto.randomUUID()}.${RECEIVER_DOMAIN}`
  await behave(host, [{}])
  await postEvent(
    {
      url: `https://${host}/`,
      secret: SECRET,
      previous_secret: change.previous_secret ?? null,
      event_id: 'evt_1',
      attempt: 1,
      body: BODY,
      expected: null,
    },
    NOW,
  )
  const [letter] = await letters(host)
  const sent = Object.entries(letter?.headers ?? {}).filter(([name]) => !change.without?.test(name))
  return new Request('https://shop.example/', {
    method: 'POST',
    headers: { ...Object.fromEntries(sent), ...change.headers },
    body: change.body ?? letter?.body ?? '',
  })
}

describe('verifyWebhook', () => {
  it('returns the event of a request that the service sent', async () => {
    const { event: type, ...rest } = JSON.parse(BODY)
    expect(await verifyWebhook(await delivered(), SECRET, NOW)).toEqual({ type, ...rest })
  })

  it.each([
    ['another secret', {}, `${SECRET}x`, 0],
    ['a changed body', { body: BODY.replace('sync', 'rate') }, SECRET, 0],
    ['a copy that comes late', {}, SECRET, 301],
    ['a time in the future', {}, SECRET, -301],
  ])('refuses %s', async (_, change, secret, seconds_later) => {
    const request = await delivered(change)
    await expect(
      verifyWebhook(request, secret, new Date(NOW.getTime() + seconds_later * 1_000)),
    ).rejects.toThrow(WebhookVerificationError)
  })

  // The headers of the other form are taken away: a request is genuine if one of its signatures is.
  it.each<[string, string, Record<string, string>]>([
    ['a changed time', 'x-service', { 'x-service-timestamp': '1795262401' }],
    ['a time that swallows a part of the body', 'x-service', { 'x-service-timestamp': '1795262400.{' }],
    ['no signature', 'x-service', { 'x-service-signature': '' }],
    ['half a signature', 'x-service', { 'x-service-signature': 'ab' }],
    ['a changed time', 'webhook', { 'webhook-timestamp': '1795262401' }],
    ['a time that swallows a part of the body', 'webhook', { 'webhook-timestamp': '1795262400.{' }],
    ['another id', 'webhook', { 'webhook-id': 'evt_2' }],
    ['no signature', 'webhook', { 'webhook-signature': '' }],
    ['a signature of another version', 'webhook', { 'webhook-signature': 'v1a,AAAA' }],
    ['a signature that is no base64', 'webhook', { 'webhook-signature': 'v1,*** v1,' }],
  ])('refuses %s of %s', async (_, form, headers) => {
    const without = form === 'webhook' ? /^x-service/ : /^webhook/
    await verifyWebhook(await delivered({ without }), SECRET, NOW)
    const request = await delivered({ without, headers })
    await expect(verifyWebhook(request, SECRET, NOW)).rejects.toThrow(WebhookVerificationError)
  })

  it('accepts the old secret while a rotation overlaps, and the new one', async () => {
    const previous_secret = 'whsec_b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQgb2xkIG9sZCE='
    for (const secret of [previous_secret, SECRET])
      await verifyWebhook(await delivered({ previous_secret }), secret, NOW)
    await expect(verifyWebhook(await delivered(), previous_secret, NOW)).rejects.toThrow(/does not match/)
  })

  it('takes several secrets, of which some may be unset', async () => {
    for (const secrets of [
      [`${SECRET}x`, SECRET],
      [undefined, SECRET],
      [SECRET, ''],
    ])
      expect(await verifyWebhook(await delivered(), secrets, NOW)).toMatchObject({ id: 'evt_1' })
  })

  it('says that the secret is missing', async () => {
    for (const secret of [undefined, '', [], [undefined, '']])
      await expect(verifyWebhook(await delivered(), secret, NOW)).rejects.toThrow(
        new TypeError('The secret of the webhook is missing: is its environment variable set?'),
      )
  })

  it('says that the time is the fault if the signature is right', async () => {
    const later = new Date(NOW.getTime() + 301_000)
    await expect(verifyWebhook(await delivered(), SECRET, later)).rejects.toThrow(/more than five minutes/)
  })

  it('takes the headers and the raw body of servers without a Request', async () => {
    const request = await delivered()
    const headers = Object.fromEntries(request.headers)
    const bytes = new Uint8Array(await request.arrayBuffer())
    for (const body of [bytes, new TextDecoder().decode(bytes)])
      expect(await verifyWebhook({ headers, body }, SECRET, NOW)).toMatchObject({ id: 'evt_1' })
  })

  it('says that a parsed body is not raw', async () => {
    const headers = Object.fromEntries((await delivered()).headers)
    const parsed = JSON.parse(BODY)
    await expect(verifyWebhook({ headers, body: parsed }, SECRET, NOW)).rejects.toThrow(/not raw/)
  })

  it('has the data of its type', async () => {
    const event = await verifyWebhook(await delivered(), SECRET, NOW)
    if (event.type !== 'sync.completed') throw new Error(event.type)
    expect(event.data.region satisfies string).toBe('Å🦘\u2028')
  })

  it('takes what is five minutes old', async () => {
    await verifyWebhook(await delivered(), SECRET, new Date(NOW.getTime() + 300_000))
  })
})

describe('signWebhook', () => {
  const event: TestEvent = { type: 'webhook.test', data: { webhook_id: 'wh_1', message: 'Å🦘' } }

  it('signs an event as the service does', async () => {
    const { id, timestamp, ...rest } = JSON.parse(BODY)
    const signed = await signWebhook({ id, timestamp, type: rest.event, data: rest.data }, SECRET, NOW)
    const sent = await delivered()
    for (const [name, value] of Object.entries(signed.headers))
      expect(sent.headers.get(name), name).toBe(value)
    expect(signed.body).toBe(BODY)
  })

  it('makes a request that each form of signature verifies', async () => {
    const request = () =>
      signWebhook(event, SECRET).then((signed) => new Request('https://a.example', signed))
    expect(await verifyWebhook(await request(), SECRET)).toMatchObject(event)
    for (const without of [/^x-service/, /^webhook/]) {
      const { headers, body } = await signWebhook(event, SECRET)
      const kept = Object.entries(headers).filter(([name]) => !without.test(name.toLowerCase()))
      expect(await verifyWebhook({ headers: Object.fromEntries(kept), body }, SECRET)).toMatchObject(event)
    }
    await expect(verifyWebhook(await request(), `${SECRET}x`)).rejects.toThrow(/does not match/)
  })

  it('needs a secret of the service', async () => {
    await expect(signWebhook(event, undefined)).rejects.toThrow(/secret of the webhook is missing/)
    await expect(signWebhook(event, 'not base64!')).rejects.toThrow(/not one of the service/)
  })
})
