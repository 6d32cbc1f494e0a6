const TOLERANCE_SECONDS = 300

/** The event of a webhook that was verified. */
export type WebhookEvent = { event: string; timestamp: string; data: Record<string, unknown> }

/** The request did not come from the service, or is a copy of an old one. */
export class WebhookVerificationError extends Error {}

/**
 * Verifies a request that a webhook of the service sent, and returns its event. Reads the body. Throws
 * WebhookVerificationError if the signature is not that of the secret, or the request is more than five
 * minutes old. Needs nothing but the Web platform: runs in Workers, Node, Deno and browsers.
 */
export async function verifyWebhook(
  request: Request,
  secret: string,
  now: Date = new Date(),
): Promise<WebhookEvent> {
  const signature = request.headers.get('X-Service-Signature') ?? ''
  const timestamp = request.headers.get('X-Service-Timestamp') ?? ''
  // Digits alone: `1.0` and a body, and `1` and the body `0...`, would have one signature.
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('X-Service-Timestamp is not a Unix time')
  const body = new Uint8Array(await request.arrayBuffer())
  if (!(await isSignedBy(secret, timestamp, body, signature)))
    throw new WebhookVerificationError('The signature is not right')
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('The request is too old')
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

/** What was signed by the service has this form. */
function readEvent(body: Uint8Array): WebhookEvent {
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
}
