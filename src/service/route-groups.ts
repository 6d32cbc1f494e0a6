import type { Hono } from 'hono'
import type { ServedRoute } from '../platform/http/route.ts'
import type { App } from '../platform/http/validate.ts'
import type { Dialect } from '../interfaces/request/dialect.ts'
import { servePublicRoutes } from '../interfaces/request/serve-public.ts'
import { serve } from '../interfaces/request/serve.ts'

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
    serves: / \/v1\/(rates|thresholds|decision\/collect|metadata\/product-types)$/,
    load: async () => listed((await import('../sales/calculation/routes.ts')).calculationRoutes),
  },
  {
    serves: /^POST \/v1\/transactions(\/|$)/,
    load: async () => listed((await import('../sales/transactions/served.ts')).writtenSales),
  },
  {
    serves: / \/v1\/transactions\/(external\/)?[^/]+$/,
    load: async () => listed((await import('../returns/recorded-sale/routes.ts')).recordedSaleRoutes),
  },
  {
    serves: / \/v1\/transactions$/,
    load: async () => listed((await import('../sales/transactions/routes.ts')).transactionRoutes),
  },
  {
    serves: / \/v1\/(customers|exemptions|vat\/validate-customer)(\/|$)/,
    load: async () => {
      const { customerRoutes } = await import('../parties/customers/routes.ts')
      const { exemptionRoutes } = await import('../parties/exemptions/routes.ts')
      const { certificateRequestRoutes } = await import('../parties/certificate-requests/routes.ts')
      return listed([...customerRoutes, ...exemptionRoutes, ...certificateRequestRoutes])
    },
  },
  {
    serves: / \/v1\/vat\/checks(\/|$)/,
    load: async () => listed((await import('../parties/vat-checks/routes.ts')).vatCheckRoutes),
  },
  {
    serves: / \/v1\/vat\//,
    load: async () => listed((await import('../parties/vat/routes.ts')).vatRoutes),
  },
  {
    serves: / \/v1\/addresses\//,
    load: async () => listed((await import('../parties/addresses/routes.ts')).addressRoutes),
  },
  {
    serves: / \/v1\/account\/example-books$/,
    load: async () => listed((await import('../interfaces/example-books/routes.ts')).exampleRoutes),
  },
  {
    serves: / \/v1\/account\/messages(\/|$)/,
    load: async () => listed((await import('../notices/messages/routes.ts')).messageRoutes),
  },
  {
    serves: / \/v1\/(account|api-keys)(\/|$)/,
    load: async () => listed((await import('../interfaces/account-routes.ts')).accountRoutes),
  },
  {
    serves: / \/v1\/people(\/|$)/,
    load: async () => listed((await import('../parties/people/routes.ts')).peopleRoutes),
  },
  {
    serves: / \/v1\/audit-events$/,
    load: async () => listed((await import('../platform/audit/routes.ts')).auditRoutes),
  },
  {
    serves: / \/v1\/registrations(\/|$)/,
    load: async () => listed((await import('../returns/registrations/routes.ts')).registrationRoutes),
  },
  {
    serves: / \/v1\/nexus$/,
    load: async () => listed((await import('../sales/nexus/routes.ts')).nexusRoutes),
  },
  {
    serves: / \/v1\/reports\//,
    load: async () => listed((await import('../returns/reports/routes.ts')).reportRoutes),
  },
  {
    serves: / \/v1\/returns(\/|$)/,
    load: async () => listed((await import('../returns/kept/routes.ts')).returnRoutes),
  },
  {
    serves: / \/v1\/obligations(\/|$)/,
    load: async () => listed((await import('../returns/obligations/routes.ts')).obligationRoutes),
  },
  {
    serves: / \/v1\/overview$/,
    load: async () => listed((await import('../interfaces/overview/routes.ts')).overviewRoutes),
  },
  {
    serves: / \/v1\/metadata\/reviews(\/|$)/,
    load: async () => listed((await import('../tax-data/reviews/routes.ts')).reviewRoutes),
  },
  {
    serves: / \/v1\/(metadata|export)\//,
    load: async () => listed((await import('../tax-data/metadata/routes.ts')).metadataRoutes),
  },
  {
    serves: / \/v1\/(webhooks|events)(\/|$)/,
    load: async () => listed((await import('../notices/subscriptions/routes.ts')).webhookRoutes),
  },
  {
    serves: / \/v1\/saleor\//,
    load: async () => listed((await import('../interfaces/saleor/routes.ts')).saleorRoutes),
  },
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
    serves: / \/(try|status|coverage|changes\.\w+|jurisdictions(\/.*)?)?$/,
    load: async () => (await import('../interfaces/pages/pages.tsx')).servePages,
  },
]
