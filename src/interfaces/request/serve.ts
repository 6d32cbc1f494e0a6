import type { Context as HonoContext, Hono } from 'hono'
import type * as z from 'zod'
import { invariant } from '../../engine/ground/invariant.ts'
import { forgetPrincipals } from '../../parties/accounts/authenticate.ts'
import { UnreadableBook } from '../../tax-data/records/held-book.ts'
import type { Context, Principal } from '../../platform/context.ts'
import { answerOfWinner, claimIdempotency } from '../../platform/writes/idempotency.ts'
import { shardOf } from '../../platform/database/shards.ts'
import { ApiError } from '../../platform/errors.ts'
import { parseBody, readBody } from '../../platform/http/body.ts'
import type { FileBytes } from '../../platform/http/file-body.ts'
import type { LongWork } from '../../platform/http/works-at-once.ts'
import { late } from '../../platform/kit/late.ts'
import { refuseLong } from '../../platform/kit/header.ts'
import { type AnyInput, type FileBody, longWorkOf, type ServedRoute } from '../../platform/http/route.ts'
import { allows } from '../../platform/database/values/scopes.ts'
import { checkBySchema, validation } from '../../platform/http/check-body.ts'
import type { App, QueryValidator } from '../../platform/http/validate.ts'
import { hasShards, homeOfRead, principalAfterMove, principalAfterRead } from './after-move.ts'
import { type AskedRequest, askedRequest } from './asked-request.ts'
import type { Dialect, RouteReply } from './dialect.ts'
import { type Caller, findCaller } from './find-caller.ts'
import { limitAccount } from './rate-limit.ts'
import { answerWithETag, repeatedAnswer } from './repeated-answers.ts'
import { errorReply, jsonReply } from './replies.ts'
import { faultInForm } from './serve-public.ts'
import type { Invocation } from './reader.ts'
import { pathOf } from './request-url.ts'
import { respond } from './respond.ts'

const FILES = late(() => import('../../platform/http/file-body.ts'))
const WORKS = late(() => import('../../platform/http/works-at-once.ts'))

const REPLAYED = { 'Idempotent-Replayed': 'true' }

/**
 * Serves a route that needs a key: authenticate → rate limit → scope → body → idempotency → validate → handle
 * → answer. A dialect is the form of another service; null: our own.
 */
export function serve(app: Hono<App>, route: ServedRoute, dialect: Dialect | null = null): void {
  const answer = answererOf(route, dialect)
  app.on(route.method.toUpperCase(), route.path, (c) => answer(c.req.raw, c, c))
}

/** The same for a request that was routed otherwise: without Hono, to a fixed path without a query. */
export function answererOf(route: ServedRoute, dialect: Dialect | null = null): Answerer {
  const inForm = {
    ...route,
    dialect,
    method: route.method.toUpperCase(),
    long_work: longWorkOf(route),
    validateQuery: null,
  }
  return (request, invocation, hono) => answerRequest(inForm, request, invocation, hono)
}

type Answerer = (request: Request, invocation: Invocation, hono: HonoContext<App> | null) => Promise<Response>

/** `method` is in capitals. */
type RouteInForm = Omit<ServedRoute, 'method'> & {
  dialect: Dialect | null
  method: string
  long_work: LongWork | null
  /** Null: no request had a query yet. */
  validateQuery: QueryValidator | null
}

/** What is asked: the body is JSON, and the query is validated. */
type ReadRequest = Readonly<{ text: string; query: unknown; body: unknown; file: FileBytes }>

const NO_FILE = new Uint8Array(0)

/**
 * Answers a request in stages: who asks, whether it may, what it asks, and the answer. A stage returns a
 * promise only if it has to wait, because each await costs as much as a rule of tax law.
 */
async function answerRequest(
  route: RouteInForm,
  request: Request,
  invocation: Invocation,
  hono: HonoContext<App> | null,
): Promise<Response> {
  const asked = askedRequest(request, invocation, hono)
  let caller: Caller
  try {
    refuseLong('URL', asked.url)
    refuseDuringMaintenance(asked, route)
    const found = findCaller(asked, route)
    caller = found instanceof Promise ? await found : found
  } catch (thrown) {
    return respond(asked, route, null, faultReply(asked, route, thrown))
  }
  const { principal } = caller
  let endWork: (() => void) | null = null
  try {
    if (asked.env.RATE_LIMITS !== 'off') await limitAccount(asked, route, principal)
    // After the rate limit, so that a request without the scope is counted too.
    admit(principal, route)
    const repeated =
      route.repeats === null ? null : repeatedAnswer(asked, principal, asked.url, asked.headers)
    if (repeated !== null) return respond(asked, route, principal, repeated)
    const works = route.long_work === null ? null : await WORKS.load()
    if (works !== null && route.long_work !== null)
      endWork = await works.takePlace(principal.account_id, route.long_work, asked.now, asked.later)
    const text = route.checkBody === null ? '' : await bodyText(asked, route, caller)
    const body = text === '' && isEmptyAllowed(route) ? {} : parseBody(text)
    const file = route.file === null ? NO_FILE : await fileOf(asked, route.file)
    const given = asked.url.includes('?') ? validQuery(asked, route) : emptyQuery(route)
    const query = given instanceof Promise ? await given : given
    const answered = answerFromBooks(asked, route, caller, { text, query, body, file })
    const reply = answered instanceof Promise ? await answered : answered
    // Nobody reads the body of the answer to a HEAD.
    if (
      works === null ||
      endWork === null ||
      !(reply.body instanceof ReadableStream) ||
      asked.request.method === 'HEAD'
    )
      return respond(asked, route, principal, reply)
    const file_body = works.endAfter(reply.body, lengthOf(reply), endWork, asked.later)
    endWork = null
    return respond(asked, route, principal, { ...reply, body: file_body })
  } catch (thrown) {
    // The primary said that the key in memory has ended.
    if (thrown instanceof ApiError && thrown.reason === 'invalid_api_key')
      forgetPrincipals(principal.account_id)
    return respond(asked, route, principal, faultReply(asked, route, thrown))
  } finally {
    endWork?.()
  }
}

/**
 * Throws maintenance while data is being restored, except for calculations: a checkout goes on. Keys are not
 * looked up before, because they may be those of the past.
 */
function refuseDuringMaintenance({ env }: AskedRequest, { scope }: RouteInForm): void {
  if (env.MAINTENANCE === 'on' && scope !== 'tax:read') throw new ApiError('maintenance')
}

/** Throws account_suspended, missing_scope, and an error of the dialect if the account does not allow it. */
function admit(principal: Principal, { scope, dialect }: RouteInForm): void {
  if (principal.suspended) throw new ApiError('account_suspended')
  if (scope !== null && !allows(principal.scopes, scope))
    throw new ApiError('missing_scope', { message: lacking(principal, scope), detail: scope })
  dialect?.admit(principal)
}

function lacking({ person }: Principal, scope: string): string {
  return person === null
    ? `The API key lacks the scope ${scope}`
    : `The role ${person.role} lacks the scope ${scope}`
}

function bodyText(asked: AskedRequest, route: RouteInForm, { ahead }: Caller): Promise<string> {
  return ahead?.text ?? readBody(asked.request, asked.headers, route.body_optional)
}

async function fileOf({ request, headers }: AskedRequest, { bytes_max }: FileBody): Promise<FileBytes> {
  const { readFileBody } = await FILES.load()
  return readFileBody(request, headers, bytes_max)
}

function lengthOf({ headers }: RouteReply): number | null {
  const { 'content-length': length } = headers
  return length === undefined ? null : Number(length)
}

/** A request with `Content-Length: 0` seems to have a body until it is read. */
function isEmptyAllowed({ checkBody, body_optional }: RouteInForm): boolean {
  return checkBody === null || body_optional
}

/** Answers what was asked, if need be once more without a text of tax data that cannot be read. */
function answerFromBooks(
  asked: AskedRequest,
  route: RouteInForm,
  caller: Caller,
  read: ReadRequest,
): RouteReply | Promise<RouteReply> {
  const answerAgain = (thrown: unknown) => {
    if (!(thrown instanceof UnreadableBook)) throw thrown
    return answerRead(asked, route, caller, read)
  }
  try {
    const answered = answerRead(asked, route, caller, read)
    return answered instanceof Promise ? answered.catch(answerAgain) : answered
  } catch (thrown) {
    return answerAgain(thrown)
  }
}

/** Answers what was asked, if need be from the shard to which the books of the account moved meanwhile. */
function answerRead(
  asked: AskedRequest,
  route: RouteInForm,
  caller: Caller,
  read: ReadRequest,
): RouteReply | Promise<RouteReply> {
  const { principal, authorization } = caller
  const answered = answerFor(asked, route, principal, read)
  if (!(answered instanceof Promise)) return answered
  const home = readsBooks(asked, route) ? homeOfRead(asked, principal) : null
  const answerOf = async (reply: RouteReply) => {
    const moved = home === null ? null : await principalAfterRead(asked, authorization, principal, home)
    return moved === null ? reply : answerFor(asked, route, moved, read)
  }
  const answerFailed = async (thrown: unknown) => {
    const moved = await principalAfterMove(asked, authorization, principal, thrown)
    if (moved === null) throw thrown
    return answerFor(asked, route, moved, read)
  }
  return answered.then(answerOf, answerFailed)
}

/**
 * Whether the answer may come from the books of an account. After a move, an isolate has the old shard in
 * memory for a minute, and a list of the old copy lacks what was recorded since.
 */
function readsBooks({ env }: AskedRequest, { method, scope }: RouteInForm): boolean {
  return method === 'GET' && scope !== 'tax:read' && hasShards(env)
}

function answerFor(
  asked: AskedRequest,
  route: RouteInForm,
  principal: Principal,
  read: ReadRequest,
): RouteReply | Promise<RouteReply> {
  const context = contextOf(asked, route, principal)
  if (route.idempotent) return handleOnce(context, asked, route, read)
  const input = inputOf(asked, route, read)
  return input instanceof Promise
    ? input.then((checked) => answerInput(asked, route, context, checked))
    : answerInput(asked, route, context, input)
}

function answerInput(
  { url }: AskedRequest,
  route: RouteInForm,
  context: Context,
  input: AnyInput,
): RouteReply | Promise<RouteReply> {
  return route.etag ? answerWithETag(route, context, input, url) : replyOfHandler(route, context, input)
}

function faultReply(
  { request, request_id }: AskedRequest,
  { dialect, method }: RouteInForm,
  thrown: unknown,
): RouteReply {
  const own = errorReply(thrown, request_id)
  if (dialect === null) return own
  return faultInForm(dialect, own, thrown, { method, path: pathOf(request), request_id })
}

function contextOf(
  { env, now, later, request_id }: AskedRequest,
  { writes }: RouteInForm,
  principal: Principal,
): Context {
  const { books } = shardOf(env, principal.shard)
  const written = writes === 'control' ? env.DB : books
  return { env, now, later, request_id, principal, books, written, idempotency: null }
}

/** Handles a request that writes. If its Idempotency-Key has a stored answer, returns that answer instead. */
async function handleOnce(
  context: Context,
  asked: AskedRequest,
  route: RouteInForm,
  read: ReadRequest,
): Promise<RouteReply> {
  const claimed = await claimIdempotency(context, asked.request, route.status, read.text)
  if (claimed.kind === 'replay') return jsonReply(claimed.answer, claimed.status, REPLAYED)
  const { claim } = claimed
  const input = await inputOf(asked, route, read)
  if (claim === null) return replyOfHandler(route, context, input)
  try {
    return await replyOfHandler(route, { ...context, idempotency: claim }, input)
  } catch (thrown) {
    // Another request with the same key may have caused this failure. If it has finished, return its answer.
    const stored = await answerOfWinner(context, claim, thrown)
    if (stored === null) throw thrown
    return jsonReply(stored.answer, stored.status, REPLAYED)
  }
}

/** A promise: what checks the body has to be imported first. */
function inputOf(
  { hono, headers, url }: AskedRequest,
  { path, checkBody }: RouteInForm,
  read: ReadRequest,
): AnyInput | Promise<AnyInput> {
  const params = path.includes(':') ? routedBy(hono).req.param() : {}
  const { query, file } = read
  const body = checkBody === null ? undefined : checkBody(read.body)
  return body instanceof Promise
    ? body.then((checked) => ({ params, query, body: checked, headers, url, file }))
    : { params, query, body, headers, url, file }
}

function replyOfHandler(
  route: RouteInForm,
  context: Context,
  input: AnyInput,
): RouteReply | Promise<RouteReply> {
  const handled = route.handle(context, input)
  return handled instanceof Promise
    ? handled.then((answer) => replyOfAnswer(answer, route, context))
    : replyOfAnswer(handled, route, context)
}

function replyOfAnswer(answer: object, route: RouteInForm, { now }: Context): RouteReply {
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

/** What an empty query of a schema means: its defaults. */
const emptyQueries = new WeakMap<object, unknown>()

/** The query of a URL without one, which is the usual case. It is validated once, and then needs no await. */
function emptyQuery({ query }: RouteInForm): unknown {
  if (query === null) return {}
  return emptyQueries.get(query) ?? validateEmpty(query)
}

async function validateEmpty(query: z.ZodType): Promise<unknown> {
  const empty = Object.freeze(await checkBySchema(query, {}))
  emptyQueries.set(query, empty)
  return empty
}

/** The query of a URL. A start does not evaluate what validates it. */
async function validQuery({ hono }: AskedRequest, route: RouteInForm): Promise<unknown> {
  if (route.validateQuery === null) {
    const { queryValidator } = await validation.load()
    route.validateQuery ??= queryValidator(route.query)
  }
  return route.validateQuery(routedBy(hono))
}

function routedBy(hono: HonoContext<App> | null): HonoContext<App> {
  return invariant(hono, 'a path with parameters, or a query, was routed by Hono')
}
