import { expect, it } from 'vitest'
import * as z from 'zod'
import { route } from '../../../src/platform/http/route.ts'

const Answer = z.strictObject({
  id: z.string(),
  status: z.enum(['on', 'off']),
  tags: z.array(z.string()),
  queried_at: z.string(),
})
const shared = {
  method: 'get',
  operation: 'getThing',
  client: 'things.get',
  scope: 'tax:read',
  tag: 'Metadata',
  summary: 'A thing',
} as const
const thing = { id: '1', status: 'on', tags: [] } as const

it('types path parameters from the path, and the answer from its schema', () => {
  const made = route({
    ...shared,
    path: '/v1/things/:id/parts/:partId',
    params: { id: 'The thing', partId: 'The part' },
    answer: Answer,
    handle: (_, { params }) => ({ ...thing, id: params.id + params.partId }),
  })
  expect(made.params).toEqual({ id: 'The thing', partId: 'The part' })
})

// The compiler is what tests the rest: each of these lines has to be an error, or `npm run check` fails.
it('refuses what does not fit, before it runs', () => {
  const path = '/v1/things/:id'
  const params = { id: 'The thing' }
  route({
    ...shared,
    path,
    params,
    answer: Answer,
    // @ts-expect-error The path has no parameter of this name.
    handle: (_, input) => ({ ...thing, id: input.params.partId }),
  })
  // @ts-expect-error The parameter is not described.
  route({ ...shared, path, answer: Answer, handle: () => thing })
  // @ts-expect-error The path has no parameters to describe.
  route({ ...shared, path: '/v1/things', params, answer: Answer, handle: () => thing })
  // @ts-expect-error A field is missing.
  route({ ...shared, path: '/v1/things', answer: Answer, handle: () => ({ id: '1', status: 'on' }) })
  // @ts-expect-error The enum has no such word.
  route({ ...shared, path: '/v1/things', answer: Answer, handle: () => ({ ...thing, status: 'of' }) })
  // @ts-expect-error A file is written as a Response.
  route({ ...shared, path: '/v1/things', answer: { 'text/csv': z.string() }, handle: () => thing })
  // @ts-expect-error The method of the client has no name.
  route({ ...shared, client: undefined, path: '/v1/things', answer: Answer, handle: () => thing })
  // @ts-expect-error The name of the operation begins with no verb.
  route({ ...shared, operation: 'thing', path: '/v1/things', answer: Answer, handle: () => thing })
  // @ts-expect-error There is no such tag.
  route({ ...shared, tag: 'Metdata', path: '/v1/things', answer: Answer, handle: () => thing })
  expect(route({ ...shared, path: '/v1/things', answer: Answer, handle: () => thing }).status).toBe(200)
})
