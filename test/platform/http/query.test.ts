import { Hono } from 'hono'
import { expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { toApiError } from '../../../src/platform/http/error-response.ts'
import { limitField } from '../../../src/platform/http/page.ts'
import { queryValidator } from '../../../src/platform/http/validate.ts'

const Query = z.compile(z.strictObject({ limit: limitField(10), name: z.string().max(3).optional() }))

/** Asks for a query to be validated as a route does it. */
async function read(search: string, schema: z.ZodType | null = Query): Promise<unknown> {
  const validateQuery = queryValidator(schema)
  const app = new Hono<{ Bindings: Bindings }>()
  app.get('/', async (c) => c.json(await validateQuery(c)))
  app.onError((thrown, c) => c.json(toApiError(thrown).errors, 400))
  return (await app.request(`/${search}`)).json()
}

it('returns what the schema makes of a query', async () => {
  expect(await read('?limit=7&name=a+b')).toEqual({ limit: 7, name: 'a b' })
  expect(await read('?name')).toEqual({ name: '' })
})

it.each([
  ['?limit=0', [{ path: 'limit', message: 'must be 1 to 10' }]],
  ['?limit=2&limit=2', [{ path: 'limit', message: 'must not be given more than once' }]],
  ['?nothing=1&nothing=2', [{ path: 'nothing', message: 'must not be given more than once' }]],
  ['?nothing=1', [{ path: 'nothing', message: 'is not a known field' }]],
  ['?__proto__=1', [{ path: '__proto__', message: 'is not a known field' }]],
  ['?constructor=1', [{ path: 'constructor', message: 'is not a known field' }]],
])('refuses %s', async (search, errors) => {
  expect(await read(search)).toEqual(errors)
})

it('names every parameter where a route takes none', async () => {
  expect(await read('?limit=1', null)).toEqual([{ path: 'limit', message: 'is not a known field' }])
})

it('parses at once: an asynchronous parse passes over what was compiled', async () => {
  const later = vi.spyOn(Query, 'safeParseAsync')
  await read('?limit=7')
  expect(later).not.toHaveBeenCalled()
})
