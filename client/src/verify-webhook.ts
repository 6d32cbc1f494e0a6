import type { webhooks } from './schema.ts'

const TOLERANCE_SECONDS = 300

/** The data of each type of event. */
export type EventData = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json']['data']
}

/**
 * A verified event of a webhook. `switch (event.type)` narrows `event.data`. The id is the same in all
 * deliveries of the event. A newer service may send types that are not in this union, if the webhook
 * subscribes to `*`.
 */
export type WebhookEvent = {
  [Type in keyof EventData]: { id: string; type: Type; timestamp: string; data: EventData[Type] }
}[keyof EventData]

/** The request did not come from the service, or is a copy of an old request. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** The parts of a delivery, for servers without the Request of the Web platform. `body` is the raw body. */
export type Delivered = {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  body: Uint8Array | string
}

/**
 * Verifies a request that the service sent to a webhook, and returns its event. It reads the body. Throws
 * WebhookVerificationError if the signature does not match the secret, or if the request is more than five
 * minutes old. It only needs the Web platform, so it runs in Workers, Node, Deno and browsers.
 */
export async function verifyWebhook(
  request: Request | Delivered,
  secret: string,
  now: Date = new Date(),
): Promise<WebhookEvent> {
  const signature = headerOf(request, 'X-Service-Signature')
  const timestamp = headerOf(request, 'X-Service-Timestamp')
  // Only digits: otherwise `1.0` with a body, and `1` with the body `0...`, would have the same signature.
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError(
      'X-Service-Timestamp is missing or not a Unix time: pass on the headers of the original request',
    )
  const body = await rawBodyOf(request)
  if (!(await isSignedBy(secret, timestamp, body, signature)))
    throw new WebhookVerificationError(
      'The signature does not match: pass the raw body, not one that was parsed, and the secret of ' +
        'this webhook',
    )
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError(
      'X-Service-Timestamp is more than five minutes from now: the request is an old copy, or this clock ' +
        'is wrong',
    )
  return readEvent(body)
}

function headerOf({ headers }: Request | Delivered, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1]
  return typeof found === 'string' ? found : (found?.[0] ?? '')
}

async function rawBodyOf(request: Request | Delivered): Promise<Uint8Array> {
  if ('arrayBuffer' in request) return new Uint8Array(await request.arrayBuffer())
  const { body } = request
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  // Programs without types often pass a parsed body.
  throw new WebhookVerificationError(
    'The body is not raw: pass the bytes of the request, e.g. of express.raw()',
  )
}

/** crypto.subtle.verify compares in constant time. */
async function isSignedBy(
  secret: string,
  timestamp: string,
  body: Uint8Array,
  signature: string,
): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const head = encoder.encode(`${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  return crypto.subtle.verify('HMAC', key, bytes, signed)
}

/** The service signed the body, so it has this form. */
function readEvent(body: Uint8Array): WebhookEvent {
  const { event, ...rest }: { event: string } = JSON.parse(new TextDecoder().decode(body))
  return { ...rest, type: event } as WebhookEvent
}
