import type { Context as HonoContext } from 'hono'
import type { Reader } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import type { App } from '../../platform/http/validate.ts'
import { type Invocation, laterOf } from './reader.ts'
import { urlOf } from './request-url.ts'

/** A request before it is read. `hono`: what routed it; null for a fixed path without a query. */
export type AskedRequest = Reader & {
  request: Request
  hono: HonoContext<App> | null
  request_id: string
  url: string
  headers: Headers
}

/** Each access to a property of a request is a call into the platform, so URL and headers are read once. */
export function askedRequest(
  request: Request,
  invocation: Invocation,
  hono: HonoContext<App> | null,
): AskedRequest {
  return {
    request,
    hono,
    env: invocation.env,
    now: new Date(),
    later: laterOf(invocation),
    request_id: newId('req'),
    url: urlOf(request),
    headers: request.headers,
  }
}
