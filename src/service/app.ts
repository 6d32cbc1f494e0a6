import { Hono } from 'hono'
import type { Bindings } from '../platform/bindings.ts'
import { ApiError } from '../platform/errors.ts'
import { late } from '../platform/kit/late.ts'
import { calendarAt } from '../returns/obligations/feed.ts'
import { stopFault, stopPage } from '../interfaces/pages/stop-page.tsx'
import { pathOf } from '../interfaces/request/request-url.ts'
import { FixedPathsFirst } from '../interfaces/request/router.ts'
import {
  answerUnrouted,
  servePublic,
  servePublicRoutes,
  wantsPage,
} from '../interfaces/request/serve-public.ts'
import { serve } from '../interfaces/request/serve.ts'
import { dialectOfPath, serveTaxJar } from '../interfaces/taxjar/serve.ts'
import { serveSaleor } from '../interfaces/saleor/serve.ts'
import { serveCertificatePage } from '../interfaces/pages/certificate/serve.tsx'
import { servePages, unknownPage } from '../interfaces/pages/pages.tsx'
import { PUBLIC_ROUTES, ROUTES } from '../interfaces/routes.ts'

export const app = new Hono<{ Bindings: Bindings }>({ router: new FixedPathsFirst(), getPath: pathOf })

for (const route of ROUTES) serve(app, route)

serveTaxJar(app)

servePublicRoutes(app, PUBLIC_ROUTES)

servePages(app)

serveCertificatePage(app)

servePublic(app, '/calendar/:file', async ({ env, now }, c) => {
  if (env.MAINTENANCE === 'on') throw new ApiError('maintenance')
  const body = await calendarAt(env, c.req.param('file') ?? '', now)
  return { body, status: 200, media_type: 'text/calendar; charset=utf-8' }
})

// A mail program stops messages by a POST of its own.
servePublic(
  app,
  '/messages/stop/:token',
  async (reader, c) => {
    if (reader.env.MAINTENANCE === 'on') throw new ApiError('maintenance')
    return stopPage(reader, c.req.param('token') ?? '', { stops: c.req.method === 'POST' })
  },
  stopFault,
  ['GET', 'POST'],
)

// Its code is evaluated at its first message.
const mcp = late(() => import('../interfaces/mcp/answer.ts'))
app.on(['POST', 'GET', 'DELETE'], '/mcp', async (c) => {
  const { answerMcp } = await mcp.load()
  return answerMcp(c.req.raw, c, (request) => app.fetch(request, c.env, c.executionCtx))
})

// Nor is that of a sign-in before somebody signs in.
const signIn = late(() => import('../interfaces/pages/sign-in.tsx'))
app.on('GET', ['/sign-in', '/sign-in/way', '/sign-in/callback'], async (c) =>
  (await signIn.load()).answerSignIn(c),
)
app.post('/sign-in/end', async (c) => (await signIn.load()).answerSignIn(c))

serveSaleor(app)

app.notFound((c) => {
  const methods = app.routes.filter((route) => matches(route.path, c.req.path)).map((route) => route.method)
  const response = answerUnrouted(
    c.req,
    methods.length > 0 ? new ApiError('method_not_allowed') : unknownPath(c.req.path),
    {
      page: methods.length === 0 && wantsPage(c.req.raw) ? unknownPage() : null,
      dialect: dialectOfPath(c.req.path),
    },
  )
  if (methods.length > 0) response.headers.set('Allow', [...new Set(methods)].join(', '))
  return response
})

app.onError((thrown, c) => answerUnrouted(c.req, thrown, { dialect: dialectOfPath(c.req.path) }))

/** A slash at the end is not ignored: mostly it stands where an empty id was, and the list is not meant. */
function unknownPath(path: string): ApiError {
  if (path === '/' || !path.endsWith('/')) return new ApiError('route_not_found')
  const message = 'Unknown path: it ends with a slash. Leave that out, or give the id that the path lacks'
  return new ApiError('route_not_found', { message })
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const given = path.split('/')
  return (
    expected.length === given.length &&
    expected.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  )
}
