import type { Hono } from 'hono'
import type { App } from '../http/validate.ts'
import { serve } from '../server/serve.ts'
import { taxjarDialect, verifyDialect } from './dialect.ts'
import { TAXJAR_ROUTES } from './routes.ts'

/** WooCommerce Tax asks below this path, other clients at the root. */
const PREFIXES = ['', '/taxjar']

/** Serves all routes in the form of TaxJar, at both of their paths. */
export function serveTaxJar(app: Hono<App>): void {
  for (const route of TAXJAR_ROUTES)
    for (const prefix of PREFIXES)
      serve(app, { ...route, path: prefix + route.path }, route.key_in_form ? verifyDialect : taxjarDialect)
}
