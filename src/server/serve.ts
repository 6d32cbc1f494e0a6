import type { Context as HonoContext, Hono } from 'hono'
import { authenticate, cachedPrincipal } from '../accounts/authenticate.ts'
import { allows } from '../http/scopes.ts'
import type { Context, Principal, Reader } from '../context.ts'
import { newId } from '../database/ids.ts'
import { shardOf } from '../database/shards.ts'
import { ApiError } from '../errors.ts'
import { parseBody, readBody } from '../http/body.ts'
import { answerOfWinner, claimIdempotency } from '../database/idempotency.ts'
import { countFailure, endRefusal, limitAccount, rateLimitPolicy, refuseGuessing } from './rate-limit.ts'
import { principalAfterMove } from './after-move.ts'
import type { Dialect, RouteReply } from './dialect.ts'
import { type ReadAhead, readAhead } from './read-ahead.ts'
import { answerWithETag, repeatedAnswer } from './repeated-answers.ts'
import { laterOf } from './reader.ts'
import { urlOf } from './request-url.ts'
import { errorReply, jsonReply, responseOf } from './replies.ts'
import { logRequest } from './request-log.ts'
import type { AnyInput, Route } from '../http/route.ts'
import { type App, type QueryValidator, queryValidator, validate } from '../http/validate.ts'

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
  | 'etag'
  | 'repeats'
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
  const request = c.req.raw
  const url = urlOf(request)
  // Read once, like the URL: each access to a property of a request is a call into the platform.
  const { headers } = request
  const asked = { env: c.env, now: new Date(), later: laterOf(c), request_id: newId('req') }
  const { now, request_id } = asked
  let principal: Principal | null = null
  let authorization: string | null = null
  let ahead: ReadAhead | null = null
  let read: ReadRequest | null = null
  let reply: RouteReply
  try {
    // Nothing is awaited without need: each await costs as much as a rule of tax law.
    const found = dialect === null ? headers.get('Authorization') : dialect.authorization(request)
    authorization = found instanceof Promise ? await found : found
    principal = cachedPrincipal(asked, authorization, route.scope === 'tax:read')
    if (principal === null) {
      ahead = readAhead(asked, request, authorization, route)
      principal = await identify(asked, headers, authorization, route)
      await ahead.books
    }
    if (asked.env.RATE_LIMITS !== 'off') await limitAccount(asked.env, principal)
    // After the rate limit, so that a request without the scope is counted too.
    requireScope(principal, route)
    dialect?.admit(principal)
    const repeated = route.repeats === null ? null : repeatedAnswer(asked, principal, url, headers)
    if (repeated !== null) reply = repeated
    else {
      const text =
        route.body === null
          ? ''
          : (await (ahead?.text ?? readBody(request, headers, route.body_optional))) || textOfEmptyBody(route)
      const body = text === '' ? {} : parseBody(text)
      const query = url.includes('?') ? await validateQuery(c) : emptyQuery(route)
      read = { c, asked, headers, url, text, query, body }
      const replied = answerFor(principal, route, read)
      reply = replied instanceof Promise ? await replied : replied
    }
  } catch (thrown) {
    const moved =
      principal === null ? null : await principalAfterMove(asked, authorization, principal, thrown)
    reply =
      moved === null || read === null
        ? faultReply(c, dialect, thrown, request_id)
        : await answerAgain(moved, route, read)
  }
  logRequest(method, route.path, reply.status, now, request_id, principal?.account_id ?? null, reply.reason)
  return responseOf(reply, request_id, rateLimitPolicy(principal))
}

/** A request after it was read: its body is JSON, and its query is validated. */
type ReadRequest = {
  c: HonoContext<App>
  asked: Reader & { request_id: string }
  headers: Headers
  url: string
  text: string
  query: unknown
  body: unknown
}

/** Answers a request for a caller. */
function answerFor(
  principal: Principal,
  route: RouteInForm,
  read: ReadRequest,
): RouteReply | Promise<RouteReply> {
  const { asked, url } = read
  const context = contextOf(route, asked, principal)
  if (route.idempotent) return handleOnce(route, context, read)
  const input = inputOf(route, read)
  return route.etag ? answerWithETag(route, context, input, url) : handle(route, context, input)
}

async function answerAgain(caller: Principal, route: RouteInForm, read: ReadRequest): Promise<RouteReply> {
  try {
    return await answerFor(caller, route, read)
  } catch (thrown) {
    return faultReply(read.c, route.dialect, thrown, read.asked.request_id)
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
  { env, now, later, request_id }: ReadRequest['asked'],
  principal: Principal,
): Context {
  const { books } = shardOf(env, principal.shard)
  const written = writes === 'control' ? env.DB : books
  return { env, now, later, request_id, principal, books, written, idempotency: null }
}

/** Handles a request that writes. If its Idempotency-Key has a stored answer, returns that answer instead. */
async function handleOnce(route: RouteInForm, context: Context, read: ReadRequest): Promise<RouteReply> {
  const claimed = await claimIdempotency(context, read.c.req.raw, route.status, read.text)
  if (claimed.kind === 'replay') return jsonReply(claimed.answer, claimed.status, REPLAYED)
  const { claim } = claimed
  const input = inputOf(route, read)
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

function inputOf({ path, body }: RouteInForm, read: ReadRequest): AnyInput {
  return {
    params: path.includes(':') ? read.c.req.param() : {},
    query: read.query,
    body: body === null ? undefined : validate(body, read.body),
    headers: read.headers,
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

/** What an empty query of a schema means: its defaults. */
const emptyQueries = new WeakMap<object, unknown>()

/** The query of a URL without one, which is the usual case. It needs no await, and is validated once. */
function emptyQuery({ query }: RouteInForm): unknown {
  if (query === null) return {}
  const known = emptyQueries.get(query)
  if (known !== undefined) return known
  const empty = Object.freeze(validate(query, {}))
  emptyQueries.set(query, empty)
  return empty
}
