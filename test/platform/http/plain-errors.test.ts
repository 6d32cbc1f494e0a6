import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ApiError } from '../../../src/platform/errors.ts'
import { validate } from '../../../src/platform/http/validate.ts'
import { newAccount } from '../../support/account.ts'
import { call, send } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from '../../interfaces/taxjar/asking.ts'

const ZOD = /Invalid|Too (big|small)|expected|received|Unrecognized/

/** The sentence on a value that a schema refuses. */
function said(schema: z.ZodType, value: unknown): string {
  try {
    validate(z.strictObject({ field: schema }), { field: value })
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown.message
  }
  throw new Error('The schema takes the value')
}

describe('a fault is told in a plain sentence', () => {
  it.each([
    [z.string(), 5, 'must be a text'],
    [z.number(), 'a', 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.array(z.string()), 'a', 'must be a list'],
    [z.strictObject({}), 500, 'must be an object'],
    [z.record(z.string(), z.string()), [], 'must be an object'],
    [z.enum(['resale', 'other']), 'x', 'must be one of resale, other'],
    [z.literal(true), false, 'must be true'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(3), 'a', 'must have at least 3 characters'],
    [z.string().max(2), 'abc', 'must have at most 2 characters'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().gt(1), 1, 'must be more than 1'],
    [z.number().max(1), 2, 'must be at most 1'],
    [z.number().lt(1), 1, 'must be less than 1'],
    [z.array(z.int()).min(1), [], 'must contain at least 1 entries'],
    [z.array(z.int()).max(1), [1, 2], 'must contain at most 1 entries'],
    [z.number().multipleOf(5), 3, 'must be a multiple of 5'],
    [z.iso.date(), 'x', 'must be a date such as 2026-06-15'],
    [z.iso.datetime(), 'x', 'must be a moment with a time zone such as 2026-06-15T12:00:00Z'],
    [z.string().regex(/^a$/), 'b', 'must be a text of the documented form'],
    [z.union([z.string(), z.number()]), true, 'must be a text or a number'],
    [z.union([z.literal(false), z.string()]), 5, 'must be false or a text'],
    [z.string('has words of its own'), 5, 'has words of its own'],
  ])('%#: %s', (schema, value, sentence) => {
    expect(said(schema, value)).toBe(`field: ${sentence}`)
  })

  it('and the whole body too', () => {
    expect(() => validate(z.strictObject({}), 5)).toThrow('body: must be an object')
  })
})

describe('no words of zod', async () => {
  await loadTestData()
  const { key } = await newAccount()
  const { key: shop } = await newShop()
  const sale = {
    currency: 'EUR',
    customer: { address: { country: 'DE' } },
    line_items: [{ amount: 1, product_type: 'saas' }],
  }

  it.each([
    [{ metadata: { a: 5 } }, 'metadata.a', 'must be a text'],
    [{ shipping_cost: 500 }, 'shipping_cost', 'must be an object'],
    [{ line_items: {} }, 'line_items', 'must be a list'],
    [{ line_items: [{ amount: 1, product_type: 5 }] }, 'line_items[0].product_type', 'must be one of GET'],
    [{ customer: 'x' }, 'customer', 'must be an object'],
  ])('are in the answer to %j', async (fault, path, message) => {
    const answer = await call('POST', '/v1/transactions', { key, body: { ...sale, ...fault } })
    expect(answer.status).toBe(400)
    expect(answer.body['errors']).toMatchObject([{ path, message: expect.stringContaining(message) }])
    expect(answer.text).not.toMatch(ZOD)
  })

  it.each([
    [{ to_country: 5 }, 'to_country'],
    [{ to_street: 5 }, 'to_street'],
    [{ to_zip: [] }, 'to_zip'],
    [{ shipping: {} }, 'shipping'],
    [{ line_items: 5 }, 'line_items'],
    [{ line_items: [5] }, 'line_items[0]'],
    [{ customer_id: {} }, 'customer_id'],
    [{ exemption_type: 5 }, 'exemption_type'],
  ])('are in the answer in the form of TaxJar to %j', async (fault, path) => {
    const body = { to_country: 'DE', shipping: 0, amount: 1, ...fault }
    const answer = await ask('POST', '/v2/taxes', { key: shop, body })
    expect(answer.status).toBe(400)
    expect(answer.body['detail']).toContain(`${path} must be`)
    expect(answer.text).not.toMatch(ZOD)
  })
})

it('says of a path with a slash at its end that the slash is the fault', async () => {
  await loadTestData()
  const { key } = await newAccount()
  const answer = await send('GET', '/v1/metadata/product-types/', { key })
  expect(answer.status).toBe(404)
  expect(answer.body['message']).toContain('ends with a slash')
})
