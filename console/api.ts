import type { paths } from '../client/src/schema.ts'
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

/**
 * Who sends the requests: a key, which session.ts stores for reloads, or the person of the browser's cookie,
 * in an account (null: the first one). `refused` is called if the service does not accept it any more.
 */
type Sender = ({ key: string } | { account_id: string | null }) & {
  refused?: (failure: Failure) => void
}

const NOBODY: Sender = { key: '' }

/** It can change while an answer is on its way. */
let sender: Sender = NOBODY

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

/** Without a sender, nobody sends. */
export function setSender(given: Sender = NOBODY): void {
  sender = given
}

export function isSender(given: Sender): boolean {
  return sender === given
}

/** What a request has. A file is sent as it is. */
type Sent = { query?: Query; body?: object; file?: Blob; idempotency_key?: string }

/**
 * Calls the API and returns its answer. Throws a Failure. The caller names the type of the answer; tests
 * compare the answers with their schemas.
 */
export async function callApi<Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { query = {}, body, file, idempotency_key }: Sent = {},
): Promise<Answer> {
  const by = sender
  const response = await send(by, addressOf(path, query), {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(idempotency_key && { 'Idempotency-Key': idempotency_key }),
    },
    body: body ? JSON.stringify(body) : (file ?? null),
  })
  const answer = await response.json().catch(() => null)
  if (response.ok && answer !== null) return answer
  throw refused(by, response, answer)
}

type Answers = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: { 'application/json': infer Found } } } }
  }
    ? Found
    : never
}

/** What a path answers, by the OpenAPI document. */
type Answer<Path extends keyof paths> = Answers[Path]

/**
 * Reads a path of the API. A value that braces in the path name is put there, and the others are the query.
 * Throws a Failure.
 */
export function read<Path extends keyof paths>(path: Path, given: Query = {}): Promise<Answer<Path>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const query = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given[name] ?? ''))
  return callApi('GET', filled, { query })
}

/**
 * The reads of the console count apart from the limit of the account's tier. A page of another origin cannot
 * send X-Client, so it cannot use the cookie of a person.
 */
function headersOf(by: Sender): Record<string, string> {
  const client = { 'X-Client': 'console' }
  if ('key' in by) return { ...client, Authorization: `Bearer ${by.key}` }
  return { ...client, ...(by.account_id !== null && { 'X-Account': by.account_id }) }
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

/** A file of the API. `by_hand`: what it lacks, a line for each. */
type ReadFile = { file: Blob; name: string | null; by_hand: string[] }

/** Reads a file of the API with the name that the service gives it. Throws a Failure. */
export async function readFile(path: string, query: Query): Promise<ReadFile> {
  const by = sender
  const response = await send(by, addressOf(path, query), {})
  if (!response.ok) throw refused(by, response, await response.json().catch(() => null))
  const [, name = null] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  const by_hand = response.headers.get('X-To-Type')?.split('; ') ?? []
  return { file: await response.blob(), name, by_hand }
}

const SIGN_IN_ENDED = {
  message: 'Your sign-in has ended. Sign in again.',
  reason: 'invalid_sign_in',
}

function refused(by: Sender, response: Response, answer: Refusal | null): Failure {
  const is_elsewhere = response.type === 'opaqueredirect'
  const status = is_elsewhere ? 401 : response.status
  const trouble = `The service has trouble (${status}). Try again in a minute.`
  const message = status < 500 ? `The service answered ${status}` : trouble
  const failure = new Failure(
    status,
    answer ?? (is_elsewhere ? SIGN_IN_ENDED : { message, reason: 'unreadable_answer' }),
  )
  if (status === 401 || failure.reason === 'not_a_member') by.refused?.(failure)
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

type Asked = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

/** A request that is refused because of the limit did nothing, so it is sent again after the told seconds. */
async function send(by: Sender, path: string, request: Asked): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await sendOnce(by, path, request)
    const seconds = Number(response.headers.get('Retry-After') ?? 'NaN')
    if (response.status !== 429 || !(seconds <= 120) || tries === TRIES) return response
    WAITING.set(new Date(Date.now() + seconds * 1000))
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    WAITING.set(null)
  }
}

/** The cookie of a person is sent only if no key is. Access answers with its own page if it has ended. */
async function sendOnce(by: Sender, path: string, request: Asked): Promise<Response> {
  const cookie: RequestInit =
    'key' in by ? { credentials: 'omit' } : { credentials: 'same-origin', redirect: 'manual' }
  const headers = { ...request.headers, ...headersOf(by) }
  try {
    const signal = AbortSignal.timeout(30_000)
    return await fetch(path, { ...request, ...cookie, headers, cache: 'no-store', signal })
  } catch {
    const why = navigator.onLine ? 'The service did not answer.' : 'You are offline.'
    throw mistake(`${why} Try again.`, 'no_answer')
  }
}

/** As many rows of a list are read at once. */
const PAGE = '100'

/** A page of the lists of the API that take an offset. */
type Counted = { total: number; has_more: boolean }

/** Reads pages of such a list. `rowsOf` finds the rows in an answer. */
export function byOffset<Path extends keyof paths, Row>(path: Path, rowsOf: (answer: Answer<Path>) => Row[]) {
  return async ({ limit, cursor }: PageQuery): Promise<PageOfRows<Row>> => {
    const offset = cursor ?? '0'
    const query = { limit, offset }
    const answer = await callApi<Answer<Path> & Counted>('GET', path, { query })
    const rows = rowsOf(answer)
    const next = String(Number(offset) + rows.length)
    return { rows, total: answer.total, next_cursor: answer.has_more ? next : null }
  }
}

/** All rows of such a list, of at most `pages_max` pages, and the answer of the first page. */
export async function readAll<Path extends keyof paths, Row>(
  path: Path,
  query: Query,
  rowsOf: (answer: Answer<Path>) => Row[],
  pages_max: number,
): Promise<{ first: Answer<Path>; rows: Row[] }> {
  const readAt = (offset: number) => {
    const asked = { limit: PAGE, ...query, offset: String(offset) }
    return callApi<Answer<Path> & Counted>('GET', path, { query: asked })
  }
  const first = await readAt(0)
  const rows = [...rowsOf(first)]
  let { has_more } = first
  for (let page = 1; page < pages_max && has_more; page += 1) {
    const answer = await readAt(rows.length)
    rows.push(...rowsOf(answer))
    has_more = answer.has_more && rowsOf(answer).length > 0
  }
  return { first, rows }
}

/** What asks for a page of a list. */
export type PageQuery = { limit: string; cursor: string | null }

/** `total` is null if the list is not counted. `note` stands below the rows. */
export type PageOfRows<Row> = {
  rows: readonly Row[]
  total: number | null
  next_cursor: string | null
  note?: string | undefined
}

/**
 * Saves a file of the API. The key is sent in a header: it is never part of an address. `name` is that of the
 * file, if the service gives it none. Throws a Failure.
 */
export async function download(path: string, query: Query, name: string): Promise<void> {
  const { file, name: given } = await readFile(path, query)
  saveFile(file, given ?? name)
}

/** Gives a file to the user, as a download. */
export function saveFile(file: Blob, name: string): void {
  follow(file, { download: name })
}

/**
 * Opens a PDF of the API in a tab of its own. A script in a PDF can show messages: Chromium's viewer runs it,
 * and does not start in a sandboxed frame. So the console frames no PDF. The new tab has no way back to the
 * console, and the type is set here: whatever the file contains, it is never a page. Throws a Failure.
 */
export async function openPdf(path: string): Promise<void> {
  const { file } = await readFile(path, {})
  const pdf = new Blob([file], { type: 'application/pdf' })
  follow(pdf, { target: '_blank', rel: 'noopener noreferrer' })
}

function follow(file: Blob, attributes: Partial<HTMLAnchorElement>): void {
  const url = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: url, ...attributes }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
