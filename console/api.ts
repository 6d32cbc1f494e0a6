import { Store } from './store.ts'

/** Why a request failed, as the service says it. */
type Refusal = {
  message: string
  reason: string
  errors?: readonly { path: string; message: string }[]
  request_id?: string
}

/** The names and values of a query. Null omits one. */
export type Query = Readonly<Record<string, string | null>>

/** When the service takes requests again; null: it takes them now. */
export const WAITING = new Store<Date | null>(null)

/** How often a request that came too early is sent again. */
const TRIES = 4

/** The key of the requests. session.ts stores it for reloads. */
let key = ''

let onRefusedKey: (failure: Failure) => void = () => {}

/** An error of the service or of the network, with a message for people. `status` is 0 without an answer. */
export class Failure extends Error {
  readonly status: number
  readonly reason: string
  readonly errors: readonly { path: string; message: string }[]
  readonly request_id: string | null

  constructor(status: number, { message, reason, errors = [], request_id }: Refusal) {
    super(message)
    this.status = status
    this.reason = reason
    this.errors = errors
    this.request_id = request_id ?? null
  }
}

/** A Failure of something that the user typed or chose. */
export function mistake(message: string, reason = 'invalid_request'): Failure {
  return new Failure(0, { message, reason })
}

/** An empty key removes it. `refused` is called if the service no longer accepts the key. */
export function setApiKey(given: string, refused: (failure: Failure) => void = () => {}): void {
  key = given
  onRefusedKey = refused
}

/**
 * Calls the API and returns its answer. Throws a Failure. The caller names the type of the answer; tests
 * compare the answers with their schemas.
 */
export async function callApi<Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { query = {}, body, idempotency_key }: { query?: Query; body?: object; idempotency_key?: string } = {},
): Promise<Answer> {
  const response = await send(addressOf(path, query), {
    method,
    headers: {
      ...ownHeaders(),
      ...(body && { 'Content-Type': 'application/json' }),
      ...(idempotency_key && { 'Idempotency-Key': idempotency_key }),
    },
    body: body ? JSON.stringify(body) : null,
  })
  const answer = await response.json().catch(() => null)
  if (response.ok && answer !== null) return answer
  throw refused(response, answer)
}

/** Sends a file as it is, and returns the answer. Throws a Failure. */
export async function sendFile<Answer>(path: string, file: Blob): Promise<Answer> {
  const response = await send(path, { method: 'PUT', headers: ownHeaders(), body: file })
  const answer = await response.json().catch(() => null)
  if (response.ok && answer !== null) return answer
  throw refused(response, answer)
}

/** The reads of the console count apart from the limit of the account's tier. */
function ownHeaders(): Record<string, string> {
  return { Authorization: `Bearer ${key}`, 'X-Client': 'console' }
}

/** The answer to a question; null if the key lacks the scope for it. Throws a Failure. */
export async function ifAllowed<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status === 403) return null
    throw thrown
  }
}

/** Reads a file of the API with the name that the service gives it. Throws a Failure. */
export async function readFile(path: string, query: Query): Promise<{ file: Blob; name: string | null }> {
  const response = await send(addressOf(path, query), {
    method: 'GET',
    headers: ownHeaders(),
  })
  if (!response.ok) throw refused(response, await response.json().catch(() => null))
  const [, name = null] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  return { file: await response.blob(), name }
}

function refused(response: Response, answer: Refusal | null): Failure {
  const { status } = response
  const message =
    status < 500
      ? `The service answered ${status}`
      : `The service has trouble (${status}). Try again in a minute.`
  const unreadable = { message, reason: 'unreadable_answer' }
  const failure = new Failure(response.status, answer ?? unreadable)
  if (response.status === 401) onRefusedKey(failure)
  return failure
}

function addressOf(path: string, query: Query): string {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== null) asked.append(name, value)
  return asked.size === 0 ? path : `${path}?${asked}`
}

/** A key for one action. Every attempt sends the same key, so a second click does nothing twice. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A request that is refused because of the limit did nothing, so it is sent again after the told seconds. */
async function send(path: string, request: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await sendOnce(path, request)
    const seconds = Number(response.headers.get('Retry-After') ?? 'NaN')
    if (response.status !== 429 || !(seconds <= 120) || tries === TRIES) return response
    WAITING.set(new Date(Date.now() + seconds * 1000))
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    WAITING.set(null)
  }
}

async function sendOnce(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, {
      ...request,
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(30_000),
    })
  } catch {
    const why = navigator.onLine ? 'The service did not answer.' : 'You are offline.'
    throw mistake(`${why} Try again.`, 'no_answer')
  }
}
