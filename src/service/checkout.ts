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
type NotFound = (c: HonoContext<App>) => Promise<Response>

/** The app of all routes. */
export type Office = () => Promise<Pick<typeof import('./app.ts'), 'app'>>

/** The routes of a calculation, and those of the rules that it follows. */
export type Rules = () => Promise<Pick<typeof import('../sales/calculation/routes.ts'), 'calculationRoutes'>>

/** The paths of the rules. */
const RULES: ReadonlySet<string> = new Set([
  '/v1/rates',
  '/v1/thresholds',
  '/v1/decision/collect',
  '/v1/metadata/product-types',
])

/**
 * Serves the routes that a checkout calls while a buyer waits. The rules serve some others, and the office
 * serves all. Each is imported at its first request, so a cold isolate evaluates a quarter of the code before
 * it answers a checkout. Each has the routes of the part before it too: once it is there, each request goes
 * to it at once.
 */
export function checkout(rules: Rules, office: Office): Fetching {
  const calculate = answererOf(servedRoute(CALCULATE))
  let serving: Fetching = appOf([servedRoute(CALCULATE), servedRoute(CALCULATE_BATCH)], (c) =>
    RULES.has(c.req.path) ? askRules(c) : askOffice(c),
  )
  const ask = (part: Fetching, c: HonoContext<App>) => {
    serving = part
    return part.fetch(c.req.raw, c.env, c.executionCtx)
  }
  const askOffice: NotFound = async (c) => ask((await office()).app, c)
  const askRules: NotFound = async (c) => ask(appOf((await rules()).calculationRoutes, askOffice), c)
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

function appOf(routes: readonly ServedRoute[], notFound: NotFound): Hono<App> {
  const app = new Hono<App>({ router: new FixedPathsFirst(), getPath: pathOf })
  for (const route of routes) serve(app, route)
  app.notFound(notFound)
  app.onError((thrown, c) => answerUnrouted(c.req, thrown))
  return app
}
