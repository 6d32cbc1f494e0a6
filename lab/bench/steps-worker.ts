import { Hono } from 'hono'
import type { Bindings } from '../../src/platform/bindings.ts'
import { calculationRoutes } from '../../src/sales/calculation/routes.ts'
import type { Route } from '../../src/platform/http/route.ts'
import type { Dialect } from '../../src/interfaces/request/dialect.ts'
import { errorReply, jsonReply } from '../../src/interfaces/request/replies.ts'
import { pathOf } from '../../src/interfaces/request/request-url.ts'
import { FixedPathsFirst } from '../../src/interfaces/request/router.ts'
import { serve } from '../../src/interfaces/request/serve.ts'
import { at, invariant } from '../../src/engine/ground/invariant.ts'

/**
 * The service with fewer steps of a calculation: a step that is taken away works once, and then repeats its
 * result. Each path takes one more step away. Send requests to one path only, so that V8 optimises that way.
 */
export const PATHS = {
  service: '/v1/calculate',
  without_engine: '/without/engine',
  without_writing: '/without/engine/writing',
  without_validation: '/without/engine/writing/validation',
} as const

const calculate = invariant(
  calculationRoutes.routes.find(({ path }) => path === PATHS.service),
  'the service has a route for calculations',
)
const withoutEngine: Route = { ...calculate, path: PATHS.without_engine, handle: repeated(calculate.handle) }
const withoutWriting: Route = { ...withoutEngine, path: PATHS.without_writing }
const withoutValidation: Route = {
  ...withoutEngine,
  path: PATHS.without_validation,
  checkBody: repeated(invariant(calculate.checkBody, 'a calculation has a body')),
}

/** The same form as our own, but the text of an answer is written once. */
const WRITTEN_ONCE: Dialect = {
  authorization: ({ headers }) => headers.get('Authorization'),
  admit: () => undefined,
  reply: repeated((answer, status) =>
    jsonReply(JSON.stringify({ ...answer, queried_at: new Date().toISOString() }), status),
  ),
  fault: (thrown, { request_id }) => errorReply(thrown, request_id),
}

const app = new Hono<{ Bindings: Bindings }>({ router: new FixedPathsFirst(), getPath: pathOf })
serve(app, calculate)
serve(app, withoutEngine)
serve(app, withoutWriting, WRITTEN_ONCE)
serve(app, withoutValidation, WRITTEN_ONCE)

export default app

/**
 * A function that repeats its first result. It keeps no promise: that waits for a book that is not read yet.
 */
function repeated<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const kept: Result[] = []
  return (...args) => {
    if (kept.length > 0) return at(kept, 0)
    const result = work(...args)
    if (!(result instanceof Promise)) kept.push(result)
    return result
  }
}
