import type { WebhookEvent } from './webhook-event.ts'
import { bytesOfBase64, type Secrets, secretsOf, serviceMac, standardMac } from './webhook-signature.ts'

export { signWebhook, type TestEvent } from './sign-webhook.ts'
export type { EventData, SignedWebhook, WebhookEvent } from './webhook-event.ts'

const TOLERANCE_SECONDS = 300

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
 * Verifies a request that the service sent to a webhook, and returns its event. It reads the body. Both forms
 * of signature count: `X-Service-Signature`, and `webhook-signature`, where an old secret also signs for the
 * hours of grace after its rotation. Give several secrets if you replace one, the old and the new.
 *
 * Throws WebhookVerificationError if no signature matches a secret, or if the request is more than five
 * minutes old; TypeError if no secret is set. It only needs the Web platform, so it runs in Workers, Node,
 * Deno and browsers.
 */
export async function verifyWebhook(
  request: Request | Delivered,
  secret: Secrets,
  now: Date = new Date(),
): Promise<WebhookEvent> {
  const secrets = secretsOf(secret)
  const signatures = signaturesOf(request)
  if (signatures.length === 0)
    throw new WebhookVerificationError(
      'X-Service-Timestamp is missing or not a Unix time: pass on the headers of the original request',
    )
  const body = await rawBodyOf(request)
  const timestamp = await genuineTimestamp(signatures, secrets, body)
  if (timestamp === null)
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

/** The signatures that one scheme gives a request, and how the scheme computes them. */
type Signatures = {
  timestamp: string
  given: (Uint8Array | null)[]
  macOf: (secret: string, body: Uint8Array) => Promise<Uint8Array | null>
}

/** Only digits: otherwise `1.0` with a body, and `1` with the body `0...`, would have the same signature. */
const DIGITS = /^\d{1,12}$/

function signaturesOf(request: Request | Delivered): Signatures[] {
  const sent = headerOf(request, 'X-Service-Timestamp')
  const hex = headerOf(request, 'X-Service-Signature')
  const service: Signatures = {
    timestamp: sent,
    given: [/^[0-9a-f]{64}$/i.test(hex) ? bytesOfHex(hex) : null],
    macOf: (secret, body) => serviceMac(secret, sent, body),
  }
  const id = headerOf(request, 'webhook-id')
  const standard_sent = headerOf(request, 'webhook-timestamp')
  const standard: Signatures = {
    timestamp: standard_sent,
    given: headerOf(request, 'webhook-signature')
      .split(' ')
      .map((each) => (each.startsWith('v1,') ? bytesOfBase64(each.slice(3)) : null)),
    macOf: (secret, body) => standardMac(secret, id, standard_sent, body),
  }
  return [service, standard].filter(({ timestamp }) => DIGITS.test(timestamp))
}

/** The timestamp of a signature that one of the secrets made of this body, or null. */
async function genuineTimestamp(
  signatures: readonly Signatures[],
  secrets: readonly string[],
  body: Uint8Array,
): Promise<string | null> {
  for (const { timestamp, given, macOf } of signatures)
    for (const secret of secrets) {
      const mac = await macOf(secret, body)
      if (mac !== null && given.some((each) => each !== null && areEqual(each, mac))) return timestamp
    }
  return null
}

/** Compares in constant time. */
function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length
  for (const [index, byte] of right.entries()) difference |= byte ^ (left[index] ?? 0)
  return difference === 0
}

function bytesOfHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
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

/** The service signed the body, so it has this form. */
function readEvent(body: Uint8Array): WebhookEvent {
  const { event, ...rest }: { event: string } = JSON.parse(new TextDecoder().decode(body))
  return { ...rest, type: event } as WebhookEvent
}
