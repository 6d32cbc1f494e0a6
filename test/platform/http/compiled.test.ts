import { expect, it } from 'vitest'
import { z } from 'zod'
import { compiled } from '../../../src/platform/http/compiled.ts'
import { ROUTES } from '../../../src/interfaces/routes.ts'
import { TaxesRequest } from '../../../src/interfaces/taxjar/schemas.ts'

const bodies = ROUTES.flatMap(({ method, path, body }) =>
  body === null ? [] : [{ name: `${method.toUpperCase()} ${path}`, body }],
)

it('compiles the schema of a checkout, so that no part of it falls back to the slow parser as a whole', () => {
  expect(() => z.compile(TaxesRequest, { strict: true })).not.toThrow()
})

it('validates what fits with generated code, and leaves the rest to the schema', () => {
  const schema = z.strictObject({ amount: z.int() })
  const fast = compiled(schema)
  expect(fast).not.toBe(schema)
  expect(fast.safeParse({ amount: 1 })).toEqual({ success: true, data: { amount: 1 } })
  const faulty = { amount: 'one', other: true }
  expect(fast.safeParse(faulty).error?.issues).toEqual(schema.safeParse(faulty).error?.issues)
})

it('leaves a schema that cannot be compiled as it is', () => {
  const schema = z.string().refine(async () => true)
  expect(compiled(schema)).toBe(schema)
})

it.each(bodies)('validates the body of $name in one synchronous step', ({ body }) => {
  // A schema with an asynchronous check throws here instead of answering.
  expect(body.safeParse({}).success).toBeTypeOf('boolean')
  expect(body.safeParse(null).success).toBe(false)
})
