import type { Context as HonoContext, Hono } from 'hono'
import { authenticate, heldPrincipal } from '../accounts/authenticate.ts'
import { allows } from '../http/scopes.ts'
import type { Bindings } from '../bindings.ts'
import type { Context, Principal } from '../context.ts'
import { newId } from '../database/ids.ts'
import { ApiError } from '../errors.ts'
import { parseBody, readBody } from '../http/body.ts'
import { errorBody, statusOf, toApiError } from '../http/error-response.ts'
import { answerOfWinner, claimIdempotency } from '../database/idempotency.ts'
import {
  countFailure,
  endRefusal,
  limitAccount,
  limitAddress,
  rateLimitPolicy,
  refuseGuessing,
} from './rate-limit.ts'
import { logRequest } from './request-log.ts'
import type { AnyInput, Route } from '../http/route.ts'
import { type App, type QueryValidator, queryValidator, validate } from '../http/validate.ts'

/**
 * An answer before it is put on the wire: all its headers are given to the Response at once, which is the
 * quickest way.
 */
type RouteReply = {
  body: string | ReadableStream | null
  status: number
  headers: Record<string, string>
  reason: string | null
}

const NO_HEADERS: Record<string, string> = {}
const REPLAYED = { 'Idempotent-Replayed': 'true' }

/**
 * Serves a route behind a key: authenticate → rate limit → scope → body → idempotency → validate → handle →
 * answer.
 */
export function serve(app: Hono<App>, route: Route): void {
  const method = route.method.toUpperCase()
  const validateQuery = queryValidator(route.query)
  app.on(method, route.path, (c) => answerRequest(c, route, method, validateQuery))
}

async function answerRequest(
  c: HonoContext<App>,
  route: Route,
  method: string,
  validateQuery: QueryValidator,
): Promise<Response> {
  const now = new Date()
  const request_id = newId('req')
  // Asked for once: each look at a property of a request is a call into the platform.
  const { headers } = c.req.raw
  let principal: Principal | null = null
  let reply: RouteReply
  try {
    // What need not wait does not: each await costs as much as a rule of tax law.
    principal =
      heldPrincipal(headers.get('Authorization'), now, route.scope === 'tax:read') ??
      (await identify(c.env, headers, route, now))
    if (c.env.RATE_LIMITS !== 'off') await limitAccount(c.env, principal)
    // Behind the limit: a request that may not be is counted as any other.
    requireScope(principal, route)
    const text =
      route.body === null
        ? ''
        : (await readBody(c.req.raw, headers, route.body_optional)) || nothingFor(route)
    const context = { env: c.env, principal, now, request_id, idempotency: null }
    const body = text === '' ? {} : parseBody(text)
    const query = c.req.raw.url.includes('?') ? await validateQuery(c) : emptyQuery(route)
    const replied = route.idempotent
      ? handleOnce(c, route, context, text, () => inputOf(c, route, headers, query, body))
      : handle(route, context, inputOf(c, route, headers, query, body))
    reply = replied instanceof Promise ? await replied : replied
  } catch (thrown) {
    reply = failure(thrown, request_id, principal)
  }
  logRequest(method, route.path, reply.status, now, request_id, principal?.account_id ?? null, reply.reason)
  return respond(reply, request_id)
}

/** What a public page answers: an object goes out as JSON, a text as the HTML that it is. */
export type PublicAnswer = { body: object | string; status: number }

/**
 * Serves a GET that needs no key, 60 times a minute for each address, with the headers and the log line of
 * any other request.
 */
export function servePublic(
  app: Hono<App>,
  path: string,
  answer: (env: Bindings, now: Date, c: HonoContext<App>) => Promise<PublicAnswer>,
): void {
  app.get(path, async (c) => {
    const now = new Date()
    const request_id = newId('req')
    let reply: RouteReply
    try {
      await limitAddress(c.env, path, c.req.raw.headers)
      const { body, status } = await answer(c.env, now, c)
      reply = typeof body === 'string' ? page(body, status) : success(JSON.stringify(body), status)
    } catch (thrown) {
      reply = failure(thrown, request_id, null)
    }
    logRequest(c.req.method, path, reply.status, now, request_id, null, reply.reason)
    return respond(reply, request_id)
  })
}

/** What a request is answered that no route takes. Its path is not logged: it may hold anything. */
export function answerUnrouted(method: string, thrown: unknown): Response {
  const request_id = newId('req')
  const reply = failure(thrown, request_id, null)
  logRequest(method, '(none)', reply.status, new Date(), request_id, null, reply.reason)
  return respond(reply, request_id)
}

/** Whose key it is. Failed attempts count against the client's address, never against an account. */
async function identify(env: Bindings, headers: Headers, route: Route, now: Date): Promise<Principal> {
  let looked_up = false
  try {
    return await authenticate(env, headers.get('Authorization'), now, {
      only_calculates: route.scope === 'tax:read',
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

function requireScope({ scopes }: Principal, { scope }: Route): void {
  if (!allows(scopes, scope))
    throw new ApiError('missing_scope', { message: `The API key lacks the scope ${scope}`, detail: scope })
}

/**
 * Handles a request that writes, unless its Idempotency-Key was answered before: then that answer is the
 * answer.
 */
async function handleOnce(
  c: HonoContext<App>,
  route: Route,
  context: Context,
  text: string,
  readInput: () => AnyInput,
): Promise<RouteReply> {
  const claimed = await claimIdempotency(context, c.req.raw, route.status, text)
  if (claimed.kind === 'replay') return success(claimed.answer, claimed.status, REPLAYED)
  const { claim } = claimed
  const input = readInput()
  if (claim === null) return handle(route, context, input)
  try {
    return await handle(route, { ...context, idempotency: claim }, input)
  } catch (thrown) {
    // Whatever made this one fail may be what the request that won has done: its answer is the answer.
    const stored = await answerOfWinner(context, claim, thrown)
    if (stored === null) throw thrown
    return success(stored.answer, stored.status, REPLAYED)
  }
}

function inputOf(
  c: HonoContext<App>,
  route: Route,
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

function handle(route: Route, context: Context, input: AnyInput): RouteReply | Promise<RouteReply> {
  const handled = route.handle(context, input)
  return handled instanceof Promise
    ? handled.then((answer) => replyOf(answer, route, context))
    : replyOf(handled, route, context)
}

function replyOf(answer: object, route: Route, { now }: Context): RouteReply {
  if (answer instanceof Response)
    return {
      body: answer.body,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      reason: null,
    }
  return success(JSON.stringify({ ...answer, queried_at: now.toISOString() }), route.status)
}

/**
 * What an empty body is read as: nothing where none is needed, else a text that is no JSON. `Content-Length:
 * 0` looks like a body till it is read.
 */
function nothingFor(route: Route): string {
  return route.body_optional ? '' : ' '
}

/** The query of a URL without one, which most requests are: nothing has to be awaited. */
function emptyQuery({ query }: Route): unknown {
  return query === null ? {} : validate(query, {})
}

function success(json: string, status: number, headers: Record<string, string> = NO_HEADERS): RouteReply {
  return { body: json, status, headers, reason: null }
}

/**
 * A page takes style sheets of its own origin and nothing else: whatever text it shows, no script can run.
 */
function page(html: string, status: number): RouteReply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=60',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  }
  return { body: html, status, headers, reason: null }
}

/**
 * An error as an answer, with the headers that belong to its code. Where nobody is known yet, it is the
 * address that is limited.
 */
function failure(thrown: unknown, request_id: string, principal: Principal | null): RouteReply {
  const error = toApiError(thrown)
  const { reason } = error
  if (reason === 'internal_error')
    console.error(JSON.stringify({ level: 'error', request_id, error: describeFault(thrown) }))
  const headers = {
    ...(reason === 'invalid_api_key' && { 'WWW-Authenticate': 'Bearer' }),
    ...(reason === 'rate_limited' && {
      'Retry-After': String(Math.max(1, 60 - new Date().getUTCSeconds())),
      'RateLimit-Policy': rateLimitPolicy(principal),
    }),
  }
  return { body: JSON.stringify(errorBody(error, request_id)), status: statusOf(error), headers, reason }
}

/**
 * Only what an answer behind a key needs; pages bring a policy for their content. Copied as a whole, which
 * costs less than giving each anew.
 */
const COMMON_HEADERS = new Headers({
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
})

function respond({ body, status, headers }: RouteReply, request_id: string): Response {
  COMMON_HEADERS.set('X-Request-Id', request_id)
  return new Response(body, { status, headers: headers === NO_HEADERS ? COMMON_HEADERS : withOwn(headers) })
}

function withOwn(headers: Record<string, string>): Headers {
  const all = new Headers(COMMON_HEADERS)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  return all
}

function describeFault(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown'
}
