import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../client/src/verify-webhook.ts'
import { postEvent } from '../../src/webhooks/post.ts'
import { RECEIVER_DOMAIN } from '../support/receiver-server.ts'
import { behave, letters } from './subscribing.ts'

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY'
const NOW = new Date('2026-11-21T12:00:00Z')
const BODY = JSON.stringify({
  id: 'evt_1',
  event: 'sync.completed',
  timestamp: NOW.toISOString(),
  data: { region: 'Å🦘\u2028' },
})

/** A request as a receiver gets it from the service. */
async function delivered(change: { headers?: Record<string, string>; body?: string } = {}): Promise<Request> {
  const host = `v-${crypto.randomUUID()}.${RECEIVER_DOMAIN}`
  await behave(host, [{}])
  await postEvent(
    {
      url: `https://${host}/`,
      secret: SECRET,
      previous_secret: null,
      event_id: 'evt_1',
      attempt: 1,
      body: BODY,
      expected: null,
    },
    NOW,
  )
  const [letter] = await letters(host)
  return new Request('https://shop.example/', {
    method: 'POST',
    headers: { ...letter?.headers, ...change.headers },
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
    ['a changed time', { headers: { 'x-service-timestamp': '1795262401' } }, SECRET, 0],
    [
      'a time that swallows a part of the body',
      { headers: { 'x-service-timestamp': '1795262400.{' } },
      SECRET,
      0,
    ],
    ['no signature', { headers: { 'x-service-signature': '' } }, SECRET, 0],
    ['half a signature', { headers: { 'x-service-signature': 'ab' } }, SECRET, 0],
    ['a copy that comes late', {}, SECRET, 301],
    ['a time in the future', {}, SECRET, -301],
  ])('refuses %s', async (_, change, secret, seconds_later) => {
    const request = await delivered(change)
    await expect(
      verifyWebhook(request, secret, new Date(NOW.getTime() + seconds_later * 1_000)),
    ).rejects.toThrow(WebhookVerificationError)
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
