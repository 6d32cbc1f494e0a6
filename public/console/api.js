/** The key of the requests. session.js stores it for reloads. */
let key = ''

/** @type {(failure: Failure) => void} */
let onRefusedKey = () => {}

/** An error of the service or of the network, with a message for people. */
export class Failure extends Error {
  /**
   * @param {number} status 0 if there was no answer
   * @param {{
   *   message: string, reason: string, errors?: { path: string, message: string }[], request_id?: string
   * }} answer
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
 * @param {string} given an empty text removes the key
 * @param {(failure: Failure) => void} [refused] called if the service no longer accepts the key
 */
export function setApiKey(given, refused = () => {}) {
  key = given
  onRefusedKey = refused
}

/**
 * Calls the API and returns its answer. Throws a Failure.
 * @template T
 * @param {'GET' | 'POST' | 'PUT' | 'DELETE'} method
 * @param {string} path
 * @param {{
 *   query?: Record<string, string | null>, body?: object, idempotency_key?: string
 * }} [options] null omits a part of the query
 * @returns {Promise<T>} the type that the caller names; tests compare the answers with their schemas
 */
export async function callApi(method, path, { query = {}, body, idempotency_key } = {}) {
  const response = await send(addressOf(path, query), {
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
  throw refused(response, answer)
}

/**
 * Reads a file of the API with the name that the service gives it. Throws a Failure.
 * @param {string} path
 * @param {Record<string, string | null>} query null omits a part
 */
export async function readFile(path, query) {
  const response = await send(addressOf(path, query), {
    method: 'GET',
    headers: { Authorization: `Bearer ${key}` },
  })
  if (!response.ok) throw refused(response, await response.json().catch(() => null))
  const [, name = null] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  return { file: await response.blob(), name }
}

/**
 * @param {Response} response
 * @param {ConstructorParameters<typeof Failure>[1] | null} answer
 */
function refused(response, answer) {
  const failure = new Failure(
    response.status,
    answer ?? { message: `The service answered ${response.status}`, reason: 'unreadable_answer' },
  )
  if (response.status === 401) onRefusedKey(failure)
  return failure
}

/**
 * @param {string} path
 * @param {Record<string, string | null>} query
 */
function addressOf(path, query) {
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
  return asked.size === 0 ? path : `${path}?${asked}`
}

/** A key for one action. Every attempt sends the same key, so a second click does nothing twice. */
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
