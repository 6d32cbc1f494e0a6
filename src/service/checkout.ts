import { type Context as HonoContext, Hono } from 'hono'
import type { Bindings } from '../platform/bindings.ts'
import { CALCULATE, CALCULATE_BATCH } from '../sales/calculation/served.ts'
import { servedRoute } from '../platform/http/route.ts'
import type { App } from '../platform/http/validate.ts'
import { isFor, pathOf } from '../interfaces/request/request-url.ts'
import { FixedPathsFirst } from '../interfaces/request/router.ts'
import { answerUnrouted } from '../interfaces/request/serve-public.ts'
import { answererOf, serve } from '../interfaces/request/serve.ts'
import type { RouteGroup } from './route-groups.ts'

type Fetching = {
  fetch: (
    request: Request,
    env: Bindings,
    executionCtx: HonoContext['executionCtx'],
  ) => Promise<Response> | Response
}

/** The app of all routes. */
export type Office = () => Promise<Pick<typeof import('./app.ts'), 'app'>>

/**
 * Serves the routes that a checkout calls while a buyer waits. Groups serve others, and the office serves
 * all. Each is imported at its first request, so a cold isolate evaluates a fifth of the code before it
 * answers a checkout. The routes of a group are added to those that are served already. The office takes the
 * place of them all: once it is there, each request goes to it at once.
 */
export function checkout(groups: readonly RouteGroup[], office: Office): Fetching {
  const app = new Hono<App>({ router: new FixedPathsFirst(), getPath: pathOf })
  for (const route of [servedRoute(CALCULATE), servedRoute(CALCULATE_BATCH)]) serve(app, route)
  const added = new Set<RouteGroup>()
  let serving: Fetching = app
  const groupOf = ({ method, path }: { method: string; path: string }) =>
    groups.find(({ serves }) => serves.test(`${method} ${path}`))
  app.notFound(async (c) => {
    const group = groupOf(c.req)
    if (group === undefined || added.has(group)) serving = (await office()).app
    else {
      const addTo = await group.load()
      // Another request may have added them meanwhile.
      if (!added.has(group)) addTo(app)
      added.add(group)
    }
    return serving.fetch(c.req.raw, c.env, c.executionCtx)
  })
  app.onError(async (thrown, c) => {
    const formOf = await groupOf(c.req)?.formOf?.()
    return answerUnrouted(c.req, thrown, { dialect: formOf?.(c.req.path) ?? null })
  })
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
