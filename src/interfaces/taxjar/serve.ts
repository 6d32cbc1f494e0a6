import type { Hono } from 'hono'
import * as z from 'zod'
import type { App } from '../../platform/http/validate.ts'
import { type AskedRoute, type Dialect, NO_HEADERS, type RouteReply } from '../request/dialect.ts'
import { serve } from '../request/serve.ts'
import { TAXJAR_ROUTES, VERIFY } from './routes.ts'
import { ApiError } from '../../platform/errors.ts'
import { annotationOf } from './annotations.ts'
import { faultOf } from './errors.ts'
import { readHeader } from '../../platform/kit/header.ts'

/** A plugin of WooCommerce sends its key in this form. */
const TOKEN = /^Token token="?([^"\s]+)"?$/i

const FORM_BYTES_MAX = 4_096

/** How TaxJar is asked and answers, for all routes but the check of a key. */
const taxjarDialect: Dialect = {
  authorization: ({ headers }) => bearerOf(readHeader(headers, 'Authorization')),
  admit: ({ taxjar }) => {
    if (taxjar === null) throw new ApiError('taxjar_api_off')
  },
  reply,
  fault,
}

/** The check of a key, which is in the form that was posted. Without one it is in the header. */
const verifyDialect: Dialect = {
  ...taxjarDialect,
  authorization: async (request) => {
    const token = await postedToken(request)
    return token === null ? bearerOf(readHeader(request.headers, 'Authorization')) : `Bearer ${token}`
  },
}

function bearerOf(authorization: string | null): string | null {
  if (authorization === null || authorization.startsWith('Bearer ')) return authorization
  const [, token] = TOKEN.exec(authorization) ?? []
  return token === undefined ? authorization : `Bearer ${token}`
}

async function postedToken(request: Request): Promise<string | null> {
  const { headers } = request
  if (!(readHeader(headers, 'Content-Type') ?? '').startsWith('application/x-www-form-urlencoded'))
    return null
  const length = readHeader(headers, 'Content-Length')
  if (length === null || Number(length) > FORM_BYTES_MAX) throw new ApiError('body_too_large')
  const text = new TextDecoder().decode(await request.arrayBuffer())
  return new URLSearchParams(text).get('token')
}

function reply(answer: object, status: number): RouteReply {
  const { headers, note = null } = annotationOf(answer)
  const own = headers === undefined ? NO_HEADERS : { ...headers }
  return { body: JSON.stringify(answer), status, headers: own, reason: note }
}

function fault(thrown: unknown, asked: AskedRoute): RouteReply {
  const { fault: body, reason } = faultOf(thrown, asked)
  return { body: JSON.stringify(body), status: body.status, headers: {}, reason }
}

/** WooCommerce Tax asks below this path, other clients at the root. */
const PREFIXES = ['', '/taxjar']

/** The form of the errors of a path that no route has: TaxJar's below its paths, else null for our own. */
export function dialectOfPath(path: string): Dialect | null {
  const below = PREFIXES.some((prefix) => path === `${prefix}/v2` || path.startsWith(`${prefix}/v2/`))
  return below ? taxjarDialect : null
}

/** Clients send parameters that mean nothing here, such as `street`. */
const ANY_QUERY = z.object({})

/** Serves all routes in the form of TaxJar, at both of their paths. */
export function serveTaxJar(app: Hono<App>): void {
  for (const route of TAXJAR_ROUTES)
    for (const prefix of PREFIXES) {
      const served = { ...route, path: prefix + route.path, query: route.query ?? ANY_QUERY }
      serve(app, served, route === VERIFY ? verifyDialect : taxjarDialect)
    }
}
