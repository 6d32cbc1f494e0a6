import type { Hono } from 'hono'
import * as z from 'zod'
import type { App } from '../../platform/http/validate.ts'
import type { Dialect } from '../request/dialect.ts'
import { serve } from '../request/serve.ts'
import { taxjarDialect, verifyDialect } from './dialect.ts'
import { TAXJAR_ROUTES, VERIFY } from './routes.ts'

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
