import { RETRY_AFTER_MAX_S } from './delivery-policy.ts'
import { signatureOf, standardSignatureOf } from './secrets.ts'

/**
 * The outcome of an attempt. `error` is a word that reveals nothing about the receiver's network.
 * `retry_after_s`: how long a busy receiver asks to wait.
 */
export type PostOutcome = {
  ok: boolean
  response_status: number | null
  error: string | null
  duration_ms: number
  retry_after_s: number | null
}

/** `previous_secret` also signs for Standard Webhooks while a rotation overlaps. */
type OutgoingEvent = {
  url: string
  secret: string
  previous_secret: string | null
  event_id: string
  attempt: number
  body: string
  /** The text that the answer must have; null: any. */
  expected: string | null
}

/** The outcome of an attempt that was refused before it was sent. */
export const NOT_SENT: PostOutcome = {
  ok: false,
  response_status: null,
  error: 'connection_failed',
  duration_ms: 0,
  retry_after_s: null,
}

const TIMEOUT_MS = 10_000
const RESPONSE_BYTES_MAX = 4_096

/**
 * Posts an event, with a signature over exactly the bytes that are sent. A 2xx within ten seconds is a
 * success, if the answer has the text that is expected. Redirects are not followed. Never throws.
 */
export async function postEvent(
  { url, secret, previous_secret, event_id, attempt, body, expected }: OutgoingEvent,
  now: Date,
): Promise<PostOutcome> {
  const bytes = new TextEncoder().encode(body)
  // The time of the attempt: receivers reject a timestamp older than five minutes.
  const timestamp = Math.floor(now.getTime() / 1_000)
  const secrets = [secret, ...(previous_secret === null ? [] : [previous_secret])]
  const headers = async () => ({
    'X-Service-Signature': await signatureOf(secret, timestamp, bytes),
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Event-Id': event_id,
    'X-Service-Delivery-Attempt': String(attempt),
    'webhook-id': event_id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await standardSignatures(secrets, event_id, timestamp, bytes),
  })
  return postBytes(url, { bytes, headers, expected }, now)
}

/** Posts JSON without a signature, for a receiver that knows the sender by its secret address. */
export async function postJson(url: string, body: string, now: Date): Promise<PostOutcome> {
  const bytes = new TextEncoder().encode(body)
  return postBytes(url, { bytes, headers: () => Promise.resolve({}), expected: null }, now)
}

type Outgoing = {
  bytes: Uint8Array
  headers: () => Promise<Record<string, string>>
  expected: string | null
}

async function postBytes(
  url: string,
  { bytes, headers, expected }: Outgoing,
  now: Date,
): Promise<PostOutcome> {
  const started = Date.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'tax-compliance-service/1 (webhooks)',
        ...(await headers()),
      },
      body: bytes,
    })
    const text = await readStart(response)
    const { status } = response
    const answered = expected === null || text.trim() === expected
    return {
      ok: response.ok && answered,
      response_status: status,
      error: response.ok ? (answered ? null : 'challenge_not_answered') : `http_${status}`,
      duration_ms: Date.now() - started,
      retry_after_s: status === 429 || status === 503 ? retryAfterOf(response, now) : null,
    }
  } catch (thrown) {
    const timedOut =
      thrown instanceof Error && (thrown.name === 'TimeoutError' || thrown.name === 'AbortError')
    return {
      ok: false,
      response_status: null,
      error: timedOut ? 'timeout' : 'connection_failed',
      duration_ms: Date.now() - started,
      retry_after_s: null,
    }
  }
}

/** The signatures of all secrets, with a space between them. */
async function standardSignatures(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: Uint8Array,
): Promise<string> {
  const signatures = await Promise.all(
    secrets.map((secret) => standardSignatureOf(secret, id, timestamp, body)),
  )
  return signatures.join(' ')
}

/** The seconds of Retry-After, which is a number or a date, at most a day. Null if it is missing or wrong. */
function retryAfterOf({ headers }: Response, now: Date): number | null {
  const text = (headers.get('Retry-After') ?? '').slice(0, 64)
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : Math.ceil((Date.parse(text) - now.getTime()) / 1_000)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_S) : null
}

/**
 * Reads a short answer to its end, so that its connection can be reused; a long one is cut off. Except for a
 * challenge, the status alone decides the outcome.
 */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  if (reader === undefined) return text
  try {
    let bytes = 0
    while (bytes < RESPONSE_BYTES_MAX) {
      const { done, value } = await reader.read()
      if (done) return text
      bytes += value.byteLength
      text += decoder.decode(value, { stream: true })
    }
    await reader.cancel()
  } catch {
    // If the body breaks off, the status is still valid.
  }
  return text
}
