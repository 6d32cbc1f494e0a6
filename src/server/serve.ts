import type { Context as HonoContext, Hono } from 'hono'
import { authenticate, cachedPrincipal } from '../accounts/authenticate.ts'
import { allows } from '../http/scopes.ts'
import type { Context, Principal, Reader } from '../context.ts'
import { newId } from '../database/ids.ts'
import { shardOf } from '../database/shards.ts'
import { ApiError, type Reason } from '../errors.ts'
import { parseBody, readBody } from '../http/body.ts'
import { errorBody, statusOf, toApiError } from '../http/error-response.ts'
import { answerOfWinner, claimIdempotency } from '../database/idempotency.ts'
import {
  ADDRESS_POLICY,
  countFailure,
  endRefusal,
  limitAccount,
  limitAddress,
  rateLimitPolicy,
  refuseGuessing,
} from './rate-limit.ts'
import { principalAfterMove } from './after-move.ts'
import type { Dialect, RouteReply } from './dialect.ts'
import { type ReadAhead, readAhead } from './read-ahead.ts'
import { logRequest } from './request-log.ts'
import type { AnyInput, Route } from '../http/route.ts'
import { type App, type QueryValidator, queryValidator, validate } from '../http/validate.ts'

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const NO_HEADERS: Record<string, string> = {}
const REPLAYED = { 'Idempotent-Replayed': 'true' }

/**
 * Serves a route that needs a key: authenticate → rate limit → scope → body → idempotency → validate → handle
 * → answer. A dialect is the form of another service; null: our own.
 */
export function serve(app: Hono<App>, route: ServedRoute, dialect: Dialect | null = null): void {
  const method = route.method.toUpperCase()
  const validateQuery = queryValidator(route.query)
  const inForm = { ...route, dialect }
  app.on(method, route.path, (c) => answerRequest(c, inForm, method, validateQuery))
}

/** The parts of a route that serving needs. */
export type ServedRoute = Pick<
  Route,
  | 'method'
  | 'path'
  | 'scope'
  | 'query'
  | 'body'
  | 'body_optional'
  | 'status'
  | 'idempotent'
  | 'writes'
  | 'handle'
>
type RouteInForm = ServedRoute & { dialect: Dialect | null }

async function answerRequest(
  c: HonoContext<App>,
  route: RouteInForm,
  method: string,
  validateQuery: QueryValidator,
): Promise<Response> {
  const { dialect } = route
  const now = new Date()
  const request_id = newId('req')
  // Read once: each access to a property of a request is a call into the platform.
  const { headers } = c.req.raw
  const reader = readerOf(c, now)
  let principal: Principal | null = null
  let authorization: string | null = null
  let ahead: ReadAhead | null = null
  let answerFor: ((caller: Principal) => RouteReply | Promise<RouteReply>) | null = null
  let reply: RouteReply
  try {
    // Nothing is awaited without need: each await costs as much as a rule of tax law.
    const found = dialect === null ? headers.get('Authorization') : dialect.authorization(c.req.raw)
    authorization = found instanceof Promise ? await found : found
    principal = cachedPrincipal(reader, authorization, route.scope === 'tax:read')
    if (principal === null) {
      ahead = readAhead(reader, c.req.raw, authorization, route)
      principal = await identify(reader, headers, authorization, route)
      await ahead.books
    }
    if (c.env.RATE_LIMITS !== 'off') await limitAccount(c.env, principal)
    // After the rate limit, so that a request without the scope is counted too.
    requireScope(principal, route)
    dialect?.admit(principal)
    const text =
      route.body === null
        ? ''
        : (await (ahead?.text ?? readBody(c.req.raw, headers, route.body_optional))) || textOfEmptyBody(route)
    const body = text === '' ? {} : parseBody(text)
    const query = c.req.raw.url.includes('?') ? await validateQuery(c) : emptyQuery(route)
    const input = () => inputOf(c, route, headers, query, body)
    answerFor = (caller) => {
      const context = contextOf(route, { ...reader, request_id, principal: caller })
      return route.idempotent ? handleOnce(c, route, context, text, input) : handle(route, context, input())
    }
    const replied = answerFor(principal)
    reply = replied instanceof Promise ? await replied : replied
  } catch (thrown) {
    const moved =
      principal === null ? null : await principalAfterMove(reader, authorization, principal, thrown)
    reply =
      moved === null || answerFor === null
        ? faultReply(c, dialect, thrown, request_id)
        : await answerAgain(c, dialect, moved, answerFor, request_id)
  }
  logRequest(method, route.path, reply.status, now, request_id, principal?.account_id ?? null, reply.reason)
  return responseOf(reply, request_id, rateLimitPolicy(principal))
}

async function answerAgain(
  c: HonoContext<App>,
  dialect: Dialect | null,
  caller: Principal,
  answerFor: (caller: Principal) => RouteReply | Promise<RouteReply>,
  request_id: string,
): Promise<RouteReply> {
  try {
    return await answerFor(caller)
  } catch (thrown) {
    return faultReply(c, dialect, thrown, request_id)
  }
}

function faultReply(
  c: HonoContext<App>,
  dialect: Dialect | null,
  thrown: unknown,
  request_id: string,
): RouteReply {
  const own = errorReply(thrown, request_id)
  if (dialect === null) return own
  const reply = dialect.fault(thrown, { method: c.req.method, path: c.req.path, request_id })
  return { ...reply, headers: { ...own.headers, ...reply.headers } }
}

/** The answer of a public page: an object is sent as JSON, a text as HTML, or as its own media type. */
export type PublicAnswer =
  | { body: object | string; status: number }
  | { body: string; status: number; media_type: string }

/**
 * Serves a GET that needs no key, at most 60 times a minute per address, with the usual headers and log line.
 */
export function servePublic(
  app: Hono<App>,
  path: string,
  answer: (reader: Reader, c: HonoContext<App>) => Promise<PublicAnswer>,
): void {
  app.get(path, async (c) => {
    const now = new Date()
    const request_id = newId('req')
    let reply: RouteReply
    try {
      await limitAddress(c.env, path, c.req.raw.headers)
      reply = publicReply(await answer(readerOf(c, now), c))
    } catch (thrown) {
      reply = errorReply(thrown, request_id)
    }
    logRequest(c.req.method, path, reply.status, now, request_id, null, reply.reason)
    return responseOf(reply, request_id, ADDRESS_POLICY)
  })
}

function publicReply(answer: PublicAnswer): RouteReply {
  const { body, status } = answer
  if (typeof body !== 'string') return jsonReply(JSON.stringify(body), status)
  if (!('media_type' in answer)) return pageReply(body, status)
  return { body, status, headers: { 'content-type': answer.media_type }, reason: null }
}

/**
 * The answer to a request that matches no route: the error as JSON, or a page for a browser. Its path is not
 * logged, because it may contain anything.
 */
export function answerUnrouted(method: string, thrown: unknown, page: string | null = null): Response {
  const request_id = newId('req')
  const error = errorReply(thrown, request_id)
  const reply = page === null ? error : pageOfError(page, error)
  logRequest(method, '(none)', reply.status, new Date(), request_id, null, reply.reason)
  return responseOf(reply, request_id, ADDRESS_POLICY)
}

/** A page in place of an error's JSON, with its status. No cache keeps it. */
function pageOfError(page: string, { status, reason }: RouteReply): RouteReply {
  const { body, headers } = pageReply(page, status)
  return { body, status, headers: { ...headers, 'Cache-Control': 'no-store' }, reason }
}

function readerOf(c: HonoContext<App>, now: Date): Reader {
  return { env: c.env, now, later: (work) => c.executionCtx.waitUntil(work) }
}

/**
 * Returns the owner of the key. Failed attempts count against the client's address, never against an account.
 */
async function identify(
  reader: Reader,
  headers: Headers,
  authorization: string | null,
  { scope }: RouteInForm,
): Promise<Principal> {
  const { env, now } = reader
  let looked_up = false
  try {
    return await authenticate(reader, authorization, {
      only_calculates: scope === 'tax:read',
      beforeLookUp: () => {
        refuseGuessing(headers, now)
        looked_up = true
      },
      afterFound: () => endRefusal(headers),
    })
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.reason === 'invalid_api_key')
      await countFailure(env, headers, now, looked_up)
    throw thrown
  }
}

function requireScope({ scopes }: Principal, { scope }: RouteInForm): void {
  if (!allows(scopes, scope))
    throw new ApiError('missing_scope', { message: `The API key lacks the scope ${scope}`, detail: scope })
}

function contextOf(
  { writes }: RouteInForm,
  caller: Pick<Context, 'env' | 'principal' | 'now' | 'later' | 'request_id'>,
): Context {
  const { env } = caller
  const { books } = shardOf(env, caller.principal.shard)
  return { ...caller, books, written: writes === 'control' ? env.DB : books, idempotency: null }
}

/** Handles a request that writes. If its Idempotency-Key has a stored answer, returns that answer instead. */
async function handleOnce(
  c: HonoContext<App>,
  route: RouteInForm,
  context: Context,
  text: string,
  readInput: () => AnyInput,
): Promise<RouteReply> {
  const claimed = await claimIdempotency(context, c.req.raw, route.status, text)
  if (claimed.kind === 'replay') return jsonReply(claimed.answer, claimed.status, REPLAYED)
  const { claim } = claimed
  const input = readInput()
  if (claim === null) return handle(route, context, input)
  try {
    return await handle(route, { ...context, idempotency: claim }, input)
  } catch (thrown) {
    // Another request with the same key may have caused this failure. If it has finished, return its answer.
    const stored = await answerOfWinner(context, claim, thrown)
    if (stored === null) throw thrown
    return jsonReply(stored.answer, stored.status, REPLAYED)
  }
}

function inputOf(
  c: HonoContext<App>,
  route: RouteInForm,
  headers: Headers,
  query: unknown,
  body: unknown,
): AnyInput {
  return {
    params: route.path.includes(':') ? c.req.param() : {},
    query,
    body: route.body === null ? undefined : validate(route.body, body),
    headers,
  }
}

function handle(route: RouteInForm, context: Context, input: AnyInput): RouteReply | Promise<RouteReply> {
  const handled = route.handle(context, input)
  return handled instanceof Promise
    ? handled.then((answer) => replyOf(answer, route, context))
    : replyOf(handled, route, context)
}

function replyOf(answer: object, route: RouteInForm, { now }: Context): RouteReply {
  if (answer instanceof Response)
    return {
      body: answer.body,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      reason: null,
    }
  if (route.dialect !== null) return route.dialect.reply(answer, route.status)
  return jsonReply(JSON.stringify({ ...answer, queried_at: now.toISOString() }), route.status)
}

/**
 * The text of an empty body: empty if the route allows that, else a space, which fails JSON parsing. A
 * request with `Content-Length: 0` seems to have a body until it is read.
 */
function textOfEmptyBody(route: RouteInForm): string {
  return route.body_optional ? '' : ' '
}

/** The query of a URL without one, which is the usual case. It needs no await. */
function emptyQuery({ query }: RouteInForm): unknown {
  return query === null ? {} : validate(query, {})
}

function jsonReply(json: string, status: number, headers: Record<string, string> = NO_HEADERS): RouteReply {
  return { body: json, status, headers, reason: null }
}

/**
 * The reply for a page. A page loads style sheets and images of its own origin only, so no text that it shows
 * can run as a script.
 */
function pageReply(html: string, status: number): RouteReply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=60',
    'Content-Security-Policy': PAGE_POLICY,
  }
  return { body: html, status, headers, reason: null }
}

/** The reply for an error, with the headers of its code. */
function errorReply(thrown: unknown, request_id: string): RouteReply {
  const error = toApiError(thrown)
  const { reason } = error
  const status = statusOf(error)
  if (reason === 'internal_error')
    console.error(JSON.stringify({ level: 'error', request_id, error: describeFault(thrown) }))
  const headers = {
    ...(reason === 'invalid_api_key' && { 'WWW-Authenticate': 'Bearer' }),
    ...(status === 429 && { 'Retry-After': String(retryAfter(reason)) }),
  }
  return { body: JSON.stringify(errorBody(error, request_id)), status, headers, reason }
}

/** Seconds until a refused request can succeed: the limiter counts minutes, a region cools down. */
function retryAfter(reason: Reason): number {
  if (reason === 'account_moving') return 5
  return reason === 'sync_too_soon' ? 600 : Math.max(1, 60 - new Date().getUTCSeconds())
}

/**
 * The headers that every answer needs; pages add a content policy. Copying the whole object is cheaper than
 * setting each header.
 */
const COMMON_HEADERS = new Headers({
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
})

function responseOf({ body, status, headers }: RouteReply, request_id: string, policy: string): Response {
  COMMON_HEADERS.set('X-Request-Id', request_id)
  COMMON_HEADERS.set('RateLimit-Policy', policy)
  return new Response(body, {
    status,
    headers: headers === NO_HEADERS ? COMMON_HEADERS : withCommonHeaders(headers),
  })
}

function withCommonHeaders(headers: Record<string, string>): Headers {
  const all = new Headers(COMMON_HEADERS)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  return all
}

function describeFault(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown'
}
