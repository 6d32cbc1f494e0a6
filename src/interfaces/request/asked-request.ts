import type { Context as HonoContext } from 'hono'
import type { Reader } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import type { App } from '../../platform/http/validate.ts'
import { laterOf } from './reader.ts'
import { urlOf } from './request-url.ts'

/** A request before it is read. */
export type AskedRequest = Reader & {
  c: HonoContext<App>
  request_id: string
  url: string
  headers: Headers
}

/** Each access to a property of a request is a call into the platform, so URL and headers are read once. */
export function askedRequest(c: HonoContext<App>): AskedRequest {
  const request = c.req.raw
  return {
    c,
    env: c.env,
    now: new Date(),
    later: laterOf(c),
    request_id: newId('req'),
    url: urlOf(request),
    headers: request.headers,
  }
}
