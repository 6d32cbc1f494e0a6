import { expect, it } from 'vitest'
import { ROUTES } from '../../../src/interfaces/routes.ts'

const bodies = ROUTES.flatMap(({ method, path, body }) =>
  body === null ? [] : [{ name: `${method.toUpperCase()} ${path}`, body }],
)

it.each(bodies)('validates the body of $name in one synchronous step', ({ body }) => {
  // A schema with an asynchronous check throws here instead of answering.
  expect(body.safeParse({}).success).toBeTypeOf('boolean')
  expect(body.safeParse(null).success).toBe(false)
})
