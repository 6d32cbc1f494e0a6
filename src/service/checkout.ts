import { type Context as HonoContext, Hono } from 'hono'
import type { Bindings } from '../platform/bindings.ts'
import { CALCULATE, CALCULATE_BATCH } from '../sales/calculation/served.ts'
import { type ServedRoute, servedRoute } from '../platform/http/route.ts'
import type { App } from '../platform/http/validate.ts'
import { isFor, pathOf } from '../interfaces/request/request-url.ts'
import { FixedPathsFirst } from '../interfaces/request/router.ts'
import { answerUnrouted } from '../interfaces/request/serve-public.ts'
import { answererOf, serve } from '../interfaces/request/serve.ts'

type Fetching = {
  fetch: (
    request: Request,
    env: Bindings,
    executionCtx: HonoContext['executionCtx'],
  ) => Promise<Response> | Response
}

/** The app of all routes. */
export type Office = () => Promise<Pick<typeof import('./app.ts'), 'app'>>

/** Groups of routes that are imported at the first request for one of their paths. */
export type RouteGroups = Readonly<Record<GroupName, () => Promise<readonly ServedRoute[]>>>
type GroupName = 'rules' | 'sales'

/** The paths of the rules that a calculation follows. */
const RULES: ReadonlySet<string> = new Set([
  '/v1/rates',
  '/v1/thresholds',
  '/v1/decision/collect',
  '/v1/metadata/product-types',
])

/** The group of a path. Its routes of another method are those of the office, as all other routes are. */
function groupOf(method: string, path: string): GroupName | null {
  if (RULES.has(path)) return 'rules'
  return method === 'POST' && path.startsWith('/v1/transactions') ? 'sales' : null
}

/**
 * Serves the routes that a checkout calls while a buyer waits. A group serves some others, and the office
 * serves all. Each is imported at its first request, so a cold isolate evaluates a fifth of the code before
 * it answers a checkout. The routes of a group are added to those that are served already. The office takes
 * the place of them all: once it is there, each request goes to it at once.
 */
export function checkout(groups: RouteGroups, office: Office): Fetching {
  const app = new Hono<App>({ router: new FixedPathsFirst(), getPath: pathOf })
  const add = (routes: readonly ServedRoute[]) => routes.forEach((route) => serve(app, route))
  add([servedRoute(CALCULATE), servedRoute(CALCULATE_BATCH)])
  const added = new Set<GroupName>()
  let serving: Fetching = app
  app.notFound(async (c) => {
    const group = groupOf(c.req.method, c.req.path)
    if (group === null || added.has(group)) serving = (await office()).app
    else {
      const routes = await groups[group]()
      // Another request may have added them meanwhile.
      if (!added.has(group)) add(routes)
      added.add(group)
    }
    return serving.fetch(c.req.raw, c.env, c.executionCtx)
  })
  app.onError((thrown, c) => answerUnrouted(c.req, thrown))
  const calculate = answererOf(servedRoute(CALCULATE))
  return {
    // The usual request goes past Hono.
    fetch: (request, env, executionCtx) =>
      request.method === 'POST' && isFor(request, CALCULATE.path)
        ? calculate(request, { env, executionCtx }, null).catch(answerFault)
        : serving.fetch(request, env, executionCtx),
  }
}

function answerFault(thrown: unknown): Response {
  return answerUnrouted({ method: 'POST', path: CALCULATE.path }, thrown)
}
