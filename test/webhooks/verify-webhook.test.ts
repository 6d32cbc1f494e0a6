import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../client/verify-webhook.ts'
import { postEvent } from '../../src/webhooks/post.ts'
import { RECEIVER_DOMAIN } from '../support/receiver-server.ts'
import { behave, letters } from './subscribing.ts'

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY'
const NOW = new Date('2026-11-21T12:00:00Z')
const BODY = JSON.stringify({
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
    expect(await verifyWebhook(await delivered(), SECRET, NOW)).toEqual(JSON.parse(BODY))
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

  it('takes what is five minutes old', async () => {
    await verifyWebhook(await delivered(), SECRET, new Date(NOW.getTime() + 300_000))
  })
})
