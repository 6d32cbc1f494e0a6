/** The key lives here and nowhere else: a reload forgets it. */
let key = ''

/** @type {(failure: Failure) => void} */
let onRefusedKey = () => {}

/** What went wrong, in the words of the service. */
export class Failure extends Error {
  /**
   * @param {number} status 0 when there was no answer
   * @param {{ message: string, reason: string, errors?: { path: string, message: string }[], request_id?: string }} answer
   */
  constructor(status, answer) {
    super(answer.message)
    this.status = status
    this.reason = answer.reason
    this.errors = answer.errors ?? []
    this.request_id = answer.request_id ?? null
  }
}

/**
 * @param {string} given an empty text forgets the key
 * @param {(failure: Failure) => void} [refused] called when the service no longer takes the key
 */
export function useKey(given, refused = () => {}) {
  key = given
  onRefusedKey = refused
}

/**
 * Calls the API and gives its answer. Throws a Failure.
 * @template T
 * @param {'GET' | 'POST' | 'PUT'} method
 * @param {string} path
 * @param {{ query?: Record<string, string | null>, body?: object, idempotency_key?: string }} [options] null leaves a part of the query out
 * @returns {Promise<T>} the shape that the caller names; the tests of the API hold its answers against their schemas
 */
export async function call(method, path, { query = {}, body, idempotency_key } = {}) {
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
  const response = await send(asked.size === 0 ? path : `${path}?${asked}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(idempotency_key && { 'Idempotency-Key': idempotency_key }),
    },
    body: body ? JSON.stringify(body) : null,
  })
  const answer = await response.json().catch(() => null)
  if (response.ok && answer !== null) return answer
  const failure = new Failure(
    response.status,
    answer ?? { message: `The service answered ${response.status}`, reason: 'unreadable_answer' },
  )
  if (response.status === 401) onRefusedKey(failure)
  throw failure
}

/** A key for one intent: the same one goes with each attempt, so that a second press does nothing twice. */
export function newIdempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/**
 * @param {string} path
 * @param {RequestInit} request
 */
async function send(path, request) {
  try {
    return await fetch(path, {
      ...request,
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(30_000),
    })
  } catch {
    throw new Failure(0, { message: 'The service did not answer. Try again.', reason: 'no_answer' })
  }
}
