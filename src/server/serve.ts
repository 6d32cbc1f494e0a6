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
import { readerOf } from './reader.ts'
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
  const now = new Date()
  const request_id = newId('req')
  // Read once: each access to a property of a request is a call into the platform.
  const { headers } = c.req.raw
  const reader = readerOf(c, now)
  let principal: Principal | null = null
  let authorization: string | null = null
  let ahead: ReadAhead | null = null
  let answerFor: Answerer | null = null
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
    const repeated = route.repeats === null ? null : repeatedAnswer(reader, principal, c.req.raw)
    if (repeated !== null) reply = repeated
    else {
      answerFor = await answererOf(c, route, validateQuery, { ...reader, request_id }, ahead)
      const replied = answerFor(principal)
      reply = replied instanceof Promise ? await replied : replied
    }
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

/** Answers a request for a caller. */
type Answerer = (caller: Principal) => RouteReply | Promise<RouteReply>

/** Reads the body and the query. Throws invalid_request for what is not of their form. */
async function answererOf(
  c: HonoContext<App>,
  route: RouteInForm,
  validateQuery: QueryValidator,
  asked: Reader & { request_id: string },
  ahead: ReadAhead | null,
): Promise<Answerer> {
  const { headers, url } = c.req.raw
  const text =
    route.body === null
      ? ''
      : (await (ahead?.text ?? readBody(c.req.raw, headers, route.body_optional))) || textOfEmptyBody(route)
  const body = text === '' ? {} : parseBody(text)
  const query = url.includes('?') ? await validateQuery(c) : emptyQuery(route)
  const input = () => inputOf(c, route, headers, query, body)
  return (principal) => {
    const context = contextOf(route, { ...asked, principal })
    if (route.idempotent) return handleOnce(c, route, context, text, input)
    return route.etag ? answerWithETag(route, context, input(), url) : handle(route, context, input())
  }
}

async function answerAgain(
  c: HonoContext<App>,
  dialect: Dialect | null,
  caller: Principal,
  answerFor: Answerer,
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
