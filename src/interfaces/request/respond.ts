import type { Principal } from '../../platform/context.ts'
import { RELEASE } from '../../platform/release.ts'
import type { RouteReply } from './dialect.ts'
import { type CountedRoute, isConsoleRead, rateLimitPolicy } from './rate-limit.ts'
import { responseOf } from './replies.ts'

/**
 * Makes the response, and logs the request in one JSON line: ids, routes and reasons, which need no JSON
 * escapes. The log never has a body, a key, an address or a query.
 */
export function respond(
  asked: { request_id: string; now: Date; headers?: Headers },
  route: CountedRoute & { path: string },
  principal: Principal | null,
  reply: RouteReply,
): Response {
  const { request_id, now } = asked
  const { method, path } = route
  logRequest({ request_id, method, path, started: now, principal, reply })
  return responseOf(reply, request_id, rateLimitPolicy(principal, isConsoleRead(asked, route)))
}

/** `path` has `:name` for its parameters. */
type LoggedRequest = {
  request_id: string
  method: string
  path: string
  started: Date
  principal: Principal | null
  reply: RouteReply
}

function logRequest({ request_id, method, path, started, principal, reply }: LoggedRequest): void {
  const { status, reason } = reply
  const duration_ms = Date.now() - started.getTime()
  console.log(
    `{"request_id":"${request_id}","method":"${method}","route":"${path}","status":${status},` +
      `"duration_ms":${duration_ms},"account_id":${quoted(principal?.account_id ?? null)},` +
      `"reason":${quoted(reason)},"release":"${RELEASE}"}`,
  )
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}
