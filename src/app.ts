import { Hono } from 'hono'
import { accountRoutes } from './accounts/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import type { Bindings } from './bindings.ts'
import { calculationRoutes } from './calculation/routes.ts'
import { newId } from './database/ids.ts'
import { ApiError } from './errors.ts'
import { toApiError } from './http/error-response.ts'
import { openApiDocument } from './http/openapi.ts'
import { limitAddress } from './http/rate-limit.ts'
import { logRequest } from './http/request-log.ts'
import type { Route } from './http/route.ts'
import { errorResponse, publicResponse, serve } from './http/serve.ts'
import { registrationRoutes } from './registrations/routes.ts'
import { HealthAnswer, readHealth } from './status/health.ts'

/** Every route behind a key, feature by feature. */
export const ROUTES: readonly Route[] = [...calculationRoutes, ...accountRoutes, ...registrationRoutes, ...auditRoutes]

export const app = new Hono<{ Bindings: Bindings }>()

for (const route of ROUTES) serve(app, route)

app.get('/health', async (c) => {
  await limitAddress(c.env, 'health', c.req.raw.headers)
  const now = new Date()
  const { healthy, record } = await readHealth(c.env, now)
  return logPublic(c.req.method, '/health', now, publicResponse(record, healthy ? 200 : 503))
})

let document: object | null = null
app.get('/openapi.json', () => {
  document ??= openApiDocument(ROUTES, [
    { path: '/health', summary: 'Health of the service', answers: { 200: HealthAnswer, 503: HealthAnswer } },
  ])
  return publicResponse(document, 200)
})

app.notFound((c) => {
  const methods = ROUTES.filter((route) => matches(route.path, c.req.path)).map((route) => route.method.toUpperCase())
  const response = errorResponse(new ApiError(methods.length > 0 ? 'method_not_allowed' : 'route_not_found'), newId('req'))
  if (methods.length > 0) response.headers.set('Allow', [...new Set(methods)].join(', '))
  return logPublic(c.req.method, 'not found', new Date(), response)
})

app.onError((thrown) => errorResponse(toApiError(thrown), newId('req')))

/** The log line of a request that belongs to no account. The path is left out: anything may stand in it. */
function logPublic(method: string, route: string, started: Date, response: Response): Response {
  logRequest(method, route, response.status, started, response.headers.get('X-Request-Id') ?? '', null, null)
  return response
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const given = path.split('/')
  return expected.length === given.length && expected.every((part, index) => part.startsWith(':') || part === given[index])
}
