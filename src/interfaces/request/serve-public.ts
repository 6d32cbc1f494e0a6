import type { Context as HonoContext, Hono } from 'hono'
import type { Reader } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import type { ApiError } from '../../platform/errors.ts'
import { toApiError } from '../../platform/http/error-response.ts'
import type { PublicRoute } from '../../platform/http/route.ts'
import type { App } from '../../platform/http/validate.ts'
import type { AskedRoute, Dialect, RouteReply } from './dialect.ts'
import { limitAddress } from './rate-limit.ts'
import { readerOf } from './reader.ts'
import { errorReply, jsonReply, pageReply } from './replies.ts'
import { respond } from './respond.ts'
import { refuseLong } from '../../platform/kit/header.ts'

/**
 * The answer of a public page: an object is sent as JSON, a text as HTML, or as its own media type.
 * `secret`: its address is a secret, so no cache keeps it and no link tells it.
 */
export type PublicAnswer =
  | { body: object | string; status: number; secret?: true }
  | { body: string; status: number; media_type: string }

/** The page for a person whose request failed. */
type FaultPage = (error: ApiError, request_id: string) => string

/**
 * Serves a GET, or other methods, without a key, at most 60 times a minute per address, with the usual
 * headers and log line. A browser gets `faultPage` instead of an error as JSON.
 */
export function servePublic(
  app: Hono<App>,
  path: string,
  answer: (reader: Reader, c: HonoContext<App>) => Promise<PublicAnswer>,
  faultPage: FaultPage | null = null,
  methods: readonly string[] = ['GET'],
): void {
  app.on([...methods], path, async (c) => {
    const now = new Date()
    const request_id = newId('req')
    let reply: RouteReply
    try {
      refuseLong('URL', c.req.url)
      await limitAddress(c.env, path, c.req.raw.headers)
      reply = publicReply(await answer(readerOf(c, now), c))
    } catch (thrown) {
      const error = errorReply(thrown, request_id)
      reply =
        faultPage !== null && wantsPage(c.req.raw)
          ? pageOfError(faultPage(toApiError(thrown), request_id), error)
          : error
    }
    return respond({ request_id, now }, { method: c.req.method, path }, null, reply)
  })
}

/** Serves routes that need no key. */
export function servePublicRoutes(app: Hono<App>, routes: readonly PublicRoute[]): void {
  for (const { path, handle } of routes) servePublic(app, path, ({ env, now }) => handle(env, now))
}

function publicReply(answer: PublicAnswer): RouteReply {
  const { body, status } = answer
  if (typeof body !== 'string') return jsonReply(JSON.stringify(body), status)
  if (!('media_type' in answer)) {
    const page = pageReply(body, status)
    return answer.secret === true ? { ...page, headers: { ...page.headers, ...SECRET } } : page
  }
  return { body, status, headers: { 'content-type': answer.media_type }, reason: null }
}

const SECRET = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }

/**
 * The answer to a request that matches no route: the error as JSON, in the form of another service below its
 * paths, or a page for a browser. The path is not logged, because it may contain anything.
 */
export function answerUnrouted(
  { method, path }: Pick<AskedRoute, 'method' | 'path'>,
  thrown: unknown,
  { page = null, dialect = null }: { page?: string | null; dialect?: Dialect | null } = {},
): Response {
  const request_id = newId('req')
  const error = errorReply(thrown, request_id)
  const reply = page === null ? error : pageOfError(page, error)
  const inForm = dialect === null ? reply : faultInForm(dialect, error, thrown, { method, path, request_id })
  return respond({ request_id, now: new Date() }, { method, path: '(none)' }, null, inForm)
}

/** The error of a request in the form of another service, with the headers that our own form has. */
export function faultInForm(
  dialect: Dialect,
  own: RouteReply,
  thrown: unknown,
  asked: AskedRoute,
): RouteReply {
  const reply = dialect.fault(thrown, asked)
  return { ...reply, headers: { ...own.headers, ...reply.headers } }
}

/** A page in place of an error's JSON, with its status and headers. No cache keeps it. */
function pageOfError(page: string, { status, headers: own, reason }: RouteReply): RouteReply {
  const { body, headers } = pageReply(page, status)
  return { body, status, headers: { ...own, ...headers, 'Cache-Control': 'no-store' }, reason }
}

/** Whether a browser asks for a page. Paths of the API are always answered with JSON. */
export function wantsPage({ method, headers, url }: Request): boolean {
  if (method !== 'GET' || !headers.get('Accept')?.includes('text/html')) return false
  return !/^\/(taxjar\/)?v\d+(\/|$)/i.test(new URL(url).pathname)
}
