import type { Reason } from '../../platform/errors.ts'
import { RELEASE } from '../../platform/release.ts'
import { errorBody, statusOf, toApiError } from '../../platform/http/error-response.ts'
import { NO_HEADERS, type RouteReply } from './dialect.ts'

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export function jsonReply(
  json: string,
  status: number,
  headers: Record<string, string> = NO_HEADERS,
): RouteReply {
  return { body: json, status, headers, reason: null }
}

/**
 * The reply for a page. A page loads style sheets and images of its own origin only, so no text that it shows
 * can run as a script.
 */
export function pageReply(html: string, status: number): RouteReply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=60',
    'Content-Security-Policy': PAGE_POLICY,
  }
  return { body: html, status, headers, reason: null }
}

/** The reply for an error, with the headers of its code. */
export function errorReply(thrown: unknown, request_id: string): RouteReply {
  const error = toApiError(thrown)
  const { reason } = error
  const status = statusOf(error)
  if (reason === 'internal_error')
    console.error(JSON.stringify({ level: 'error', request_id, error: describeFault(thrown) }))
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...((status === 429 || status === 503) && { 'Retry-After': String(retryAfter(reason)) }),
  }
  return { body: JSON.stringify(errorBody(error, request_id)), status, headers, reason }
}

/** What is over after some seconds. */
const SOON: ReadonlySet<Reason> = new Set([
  'account_moving',
  'too_many_files',
  'too_many_at_once',
  'sign_in_unavailable',
  'database_busy',
])

/** Seconds until a refused request can succeed: the limiter counts minutes, a region cools down. */
function retryAfter(reason: Reason): number {
  if (SOON.has(reason)) return 5
  if (reason === 'maintenance' || reason === 'books_not_here' || reason === 'days_moving') return 60
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
  'X-Release': RELEASE,
})

/** The same for answers with an ETag, which cost no copy either. */
const TAGGED_HEADERS = new Headers(COMMON_HEADERS)

export function responseOf(reply: RouteReply, request_id: string, policy: string): Response {
  const { body, status, headers, etag } = reply
  const shared = etag === undefined ? COMMON_HEADERS : TAGGED_HEADERS
  shared.set('X-Request-Id', request_id)
  shared.set('RateLimit-Policy', policy)
  if (etag !== undefined) shared.set('ETag', etag)
  return new Response(body, {
    status,
    headers: headers === NO_HEADERS ? shared : withOwn(shared, headers),
  })
}

function withOwn(shared: Headers, headers: Record<string, string>): Headers {
  const all = new Headers(shared)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  return all
}

function describeFault(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown'
}
