import { signatureOf } from './secrets.ts'

/** The outcome of an attempt. `error` is a word that reveals nothing about the receiver's network. */
export type PostOutcome = {
  ok: boolean
  response_status: number | null
  error: string | null
  duration_ms: number
}

export type OutgoingEvent = { url: string; secret: string; event_id: string; attempt: number; body: string }

const TIMEOUT_MS = 10_000
const RESPONSE_BYTES_MAX = 4_096

/**
 * Posts an event, with a signature over exactly the bytes that are sent. A 2xx within ten seconds is a
 * success. Redirects are not followed. Never throws.
 */
export async function postEvent(
  { url, secret, event_id, attempt, body }: OutgoingEvent,
  now: Date,
): Promise<PostOutcome> {
  const started = Date.now()
  const bytes = new TextEncoder().encode(body)
  // The time of the attempt: receivers reject a timestamp older than five minutes.
  const timestamp = Math.floor(now.getTime() / 1_000)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'tax-compliance-service/1 (webhooks)',
        'X-Service-Signature': await signatureOf(secret, timestamp, bytes),
        'X-Service-Timestamp': String(timestamp),
        'X-Service-Event-Id': event_id,
        'X-Service-Delivery-Attempt': String(attempt),
      },
      body: bytes,
    })
    await drainResponse(response)
    const { status, ok } = response
    return {
      ok,
      response_status: status,
      error: ok ? null : `http_${status}`,
      duration_ms: Date.now() - started,
    }
  } catch (thrown) {
    const timedOut =
      thrown instanceof Error && (thrown.name === 'TimeoutError' || thrown.name === 'AbortError')
    return {
      ok: false,
      response_status: null,
      error: timedOut ? 'timeout' : 'connection_failed',
      duration_ms: Date.now() - started,
    }
  }
}

/**
 * Reads a short answer to its end, so that its connection can be reused; a long one is cut off. The status
 * alone decides the outcome.
 */
async function drainResponse(response: Response): Promise<void> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    let bytes = 0
    while (bytes < RESPONSE_BYTES_MAX) {
      const { done, value } = await reader.read()
      if (done) return
      bytes += value.byteLength
    }
    await reader.cancel()
  } catch {
    // If the body breaks off, the status is still valid.
  }
}
