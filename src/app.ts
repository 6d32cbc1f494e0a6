import { Hono } from 'hono'
import { accountRoutes } from './accounts/routes.ts'
import { addressRoutes } from './addresses/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import type { Bindings } from './bindings.ts'
import { calculationRoutes } from './calculation/routes.ts'
import { customerRoutes } from './customers/routes.ts'
import { ApiError } from './errors.ts'
import { exemptionRoutes } from './exemptions/routes.ts'
import { openApiDocument } from './http/openapi.ts'
import { FixedPathsFirst } from './http/router.ts'
import type { Route } from './http/route.ts'
import { answerUnrouted, serve, servePublic } from './http/serve.ts'
import { servePages } from './pages/pages.tsx'
import { metadataRoutes } from './metadata/routes.ts'
import { nexusRoutes } from './nexus/routes.ts'
import { registrationRoutes } from './registrations/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { vatRoutes } from './vat/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { HealthAnswer, readHealth } from './status/health.ts'
import { readStatus, StatusAnswer } from './status/status.ts'

/** Every route behind a key, feature by feature. */
export const ROUTES: readonly Route[] = [
  ...calculationRoutes,
  ...accountRoutes,
  ...registrationRoutes,
  ...transactionRoutes,
  ...reportRoutes,
  ...nexusRoutes,
  ...metadataRoutes,
  ...vatRoutes,
  ...addressRoutes,
  ...webhookRoutes,
  ...auditRoutes,
  ...customerRoutes,
  ...exemptionRoutes,
]

export const app = new Hono<{ Bindings: Bindings }>({ router: new FixedPathsFirst() })

for (const route of ROUTES) serve(app, route)

servePublic(app, '/health', async (env, now) => {
  const { healthy, record } = await readHealth(env, now)
  return { body: record, status: healthy ? 200 : 503 }
})

servePublic(app, '/v1/status', async (env, now) => ({ body: await readStatus(env, now), status: 200 }))

let document: object | null = null
servePublic(app, '/openapi.json', async () => {
  document ??= openApiDocument(ROUTES, [
    { path: '/health', summary: 'Health of the service', answers: { 200: HealthAnswer, 503: HealthAnswer } },
    {
      path: '/v1/status',
      summary: 'How fresh the tax data of each region is',
      answers: { 200: StatusAnswer },
    },
  ])
  return { body: document, status: 200 }
})

servePages(app)

app.notFound((c) => {
  const methods = app.routes.filter((route) => matches(route.path, c.req.path)).map((route) => route.method)
  const response = answerUnrouted(
    c.req.method,
    new ApiError(methods.length > 0 ? 'method_not_allowed' : 'route_not_found'),
  )
  if (methods.length > 0) response.headers.set('Allow', [...new Set(methods)].join(', '))
  return response
})

app.onError((thrown, c) => answerUnrouted(c.req.method, thrown))

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const given = path.split('/')
  return (
    expected.length === given.length &&
    expected.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  )
}
