import { expect, it } from 'vitest'
import { z } from 'zod'
import { ROUTES } from '../../src/routes.ts'
import { CalculateRequest } from '../../src/calculation/schemas.ts'

const bodies = ROUTES.flatMap(({ method, path, body }) =>
  body === null ? [] : [{ name: `${method.toUpperCase()} ${path}`, body }],
)

it('compiles the schema of the hot path, so that no part of it falls back to the slow parser as a whole', () => {
  expect(() => z.compile(CalculateRequest, { strict: true })).not.toThrow()
  expect(ROUTES.find(({ path }) => path === '/v1/calculate')?.body).toBe(CalculateRequest)
})

it.each(bodies)('validates the body of $name in one synchronous step', ({ body }) => {
  // A schema with an asynchronous check throws here instead of answering.
  expect(body.safeParse({}).success).toBeTypeOf('boolean')
  expect(body.safeParse(null).success).toBe(false)
})
