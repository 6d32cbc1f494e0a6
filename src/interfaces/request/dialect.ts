import type { Principal } from '../../platform/context.ts'

/** Of an answer without headers of its own. Such answers share one object of headers. */
export const NO_HEADERS: Record<string, string> = {}

/**
 * An answer before it becomes a Response. The Response gets all headers at once, which is the fastest way.
 */
export type RouteReply = {
  body: string | ReadableStream | null
  status: number
  headers: Record<string, string>
  /** The ETag of an answer that has no other headers of its own. */
  etag?: string
  /** The reason of an error, or a note on an answer: for the log line. */
  reason: string | null
}

/** A request as far as an error names it. */
export type AskedRoute = { method: string; path: string; request_id: string }

/**
 * The form in which routes of another service are asked and answered. All else is as for our own routes: key,
 * limits, scope, body, log line.
 */
export type Dialect = {
  /** The key in our own form: `Bearer <key>`. */
  authorization: (request: Request) => string | null | Promise<string | null>
  /** Throws if the account does not allow this form. */
  admit: (principal: Principal) => void
  reply: (answer: object, status: number) => RouteReply
  fault: (thrown: unknown, asked: AskedRoute) => RouteReply
}
