import type { EventData, SignedWebhook } from './webhook-event.ts'
import { secretsOf, serviceMac, standardMac } from './webhook-signature.ts'

/** An event for a test. Without `id` and `timestamp` it is a new event of now. */
export type TestEvent = {
  [Type in keyof EventData]: { type: Type; data: EventData[Type]; id?: string; timestamp?: string }
}[keyof EventData]

/**
 * Signs an event as the service does, to test a receiver: `fetch(url, await signWebhook(event, secret))`, or
 * send `headers` and `body` by a tool of yours. `now` is the time of the signature.
 */
export async function signWebhook(
  { type, data, id = `evt_${crypto.randomUUID()}`, timestamp }: TestEvent,
  secret: string | undefined,
  now: Date = new Date(),
): Promise<SignedWebhook> {
  const [key = ''] = secretsOf(secret)
  const body = JSON.stringify({ id, event: type, timestamp: timestamp ?? now.toISOString(), data })
  const bytes = new TextEncoder().encode(body)
  const seconds = String(Math.floor(now.getTime() / 1_000))
  const standard = await standardMac(key, id, seconds, bytes)
  if (standard === null) throw new TypeError('The secret is not one of the service: whsec_ and base64')
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Signature': hex(await serviceMac(key, seconds, bytes)),
      'X-Service-Timestamp': seconds,
      'X-Service-Event-Id': id,
      'X-Service-Delivery-Attempt': '1',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
    },
    body,
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
