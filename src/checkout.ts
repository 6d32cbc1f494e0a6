import { Hono } from 'hono'
import type { Bindings } from './bindings.ts'
import { calculationRoutes } from './calculation/routes.ts'
import { pathOf } from './server/request-url.ts'
import { FixedPathsFirst } from './server/router.ts'
import { answerUnrouted } from './server/serve-public.ts'
import { serve } from './server/serve.ts'

/** The app of all routes. */
export type Office = () => Promise<Pick<typeof import('./app.ts'), 'app'>>

/**
 * Serves the routes that a checkout calls while a buyer waits. The office serves all others. It is imported
 * at its first request, so that a cold isolate evaluates a third of the code before it answers a checkout. It
 * has the routes of a checkout too: once it is there, each request goes to it at once.
 */
export function checkout(office: Office): Pick<Hono<{ Bindings: Bindings }>, 'fetch'> {
  const app = new Hono<{ Bindings: Bindings }>({ router: new FixedPathsFirst(), getPath: pathOf })
  let opened: Awaited<ReturnType<Office>>['app'] | null = null
  for (const route of calculationRoutes) serve(app, route)
  app.notFound(async (c) => {
    opened ??= (await office()).app
    return opened.fetch(c.req.raw, c.env, c.executionCtx)
  })
  app.onError((thrown, c) => answerUnrouted(c.req, thrown))
  return { fetch: (request, env, context) => (opened ?? app).fetch(request, env, context) }
}
