import type { Hono } from 'hono'
import type { ServedRoute } from '../platform/http/route.ts'
import type { App } from '../platform/http/validate.ts'
import type { Dialect } from '../interfaces/request/dialect.ts'
import { servePublicRoutes } from '../interfaces/request/serve-public.ts'
import { serve } from '../interfaces/request/serve.ts'
import { FEATURE_GROUPS } from './feature-groups.generated.ts'

/**
 * Routes that are imported at the first request that the pattern matches: a method and a path, such as
 * `GET /v1/customers`. The first pattern that matches counts. All routes that a path could match are in one
 * group, in the order of the office, so that what was loaded before decides nothing. `formOf` gives the form
 * of errors that no route has answered; left out: our own.
 */
export type RouteGroup = {
  serves: RegExp
  load: () => Promise<(app: Hono<App>) => void>
  formOf?: () => Promise<(path: string) => Dialect | null>
}

const listed = (routes: readonly ServedRoute[]) => (app: Hono<App>) =>
  routes.forEach((route) => serve(app, route))

/**
 * The groups of routes, so that a cold isolate evaluates only what it needs of them. The office has all of
 * their routes too, and those of no group.
 */
export const ROUTE_GROUPS: readonly RouteGroup[] = [
  {
    // The rest of the feature needs schemas.
    serves: /^POST \/v1\/transactions(\/|$)/,
    load: async () => listed((await import('../sales/transactions/served.ts')).writtenSales),
  },
  ...FEATURE_GROUPS.map(({ serves, load }) => ({
    serves: new RegExp(` /v1/(${serves})(/|$)`),
    load: async () => listed((await load()).flatMap(({ routes }) => routes)),
  })),
  {
    serves: / \/saleor\//,
    load: async () => (await import('../interfaces/saleor/serve.ts')).serveSaleor,
  },
  {
    serves: / (\/taxjar)?\/v2\//,
    load: async () => (await import('../interfaces/taxjar/serve.ts')).serveTaxJar,
    formOf: async () => (await import('../interfaces/taxjar/serve.ts')).dialectOfPath,
  },
  {
    serves: / (\/health|\/v1\/status)$/,
    load: async () => {
      const { statusRoutes } = await import('../tax-data/status/routes.ts')
      return (app) => servePublicRoutes(app, statusRoutes)
    },
  },
  {
    serves: / \/certificate\//,
    load: async () => (await import('../interfaces/pages/certificate/serve.tsx')).serveCertificatePage,
  },
  {
    serves:
      /^\w+ \/(try|status|coverage|wrong|(changes|robots|sitemap)\.\w+|\.well-known\/.+|jurisdictions(\/.*)?)?$/,
    load: async () => (await import('../interfaces/pages/pages.tsx')).servePages,
  },
]
