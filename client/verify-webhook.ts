const TOLERANCE_SECONDS = 300

/** A verified event of a webhook. */
export type WebhookEvent = { event: string; timestamp: string; data: Record<string, unknown> }

/** The request did not come from the service, or is a copy of an old request. */
export class WebhookVerificationError extends Error {}

/**
 * Verifies a request that the service sent to a webhook, and returns its event. It reads the body. Throws
 * WebhookVerificationError if the signature does not match the secret, or if the request is more than five
 * minutes old. It only needs the Web platform, so it runs in Workers, Node, Deno and browsers.
 */
export async function verifyWebhook(
  request: Request,
  secret: string,
  now: Date = new Date(),
): Promise<WebhookEvent> {
  const signature = request.headers.get('X-Service-Signature') ?? ''
  const timestamp = request.headers.get('X-Service-Timestamp') ?? ''
  // Only digits: otherwise `1.0` with a body, and `1` with the body `0...`, would have the same signature.
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError(
      'X-Service-Timestamp is missing or not a Unix time: pass on the headers of the original request',
    )
  const body = new Uint8Array(await request.arrayBuffer())
  if (!(await isSignedBy(secret, timestamp, body, signature)))
    throw new WebhookVerificationError(
      'The signature does not match: pass the raw body, not one that was parsed, and the secret of ' +
        'this webhook',
    )
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('X')
  return readEvent(body)
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
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
}
