import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { didYouMean, fieldsAt } from '../../../src/platform/http/did-you-mean.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

describe('the word that was probably meant', () => {
  it.each([
    ['ammount', ['amount', 'currency'], ': did you mean amount?'],
    ['Sass', ['saas', 'books'], ': did you mean saas?'],
    ['x', ['amount'], ''],
    ['colour', ['currency'], ''],
    ['a'.repeat(41), ['a'.repeat(40)], ''],
    ['amount', [], ''],
    ['txcd_30011000', ['txcd_10000000', 'saas'], ''],
    ['20040', ['10040'], ''],
    ['txcd_clothing', ['txcd_10000000'], ''],
    ['zip', ['region', 'postal_code'], ': did you mean postal_code?'],
    ['tax_code', ['tax_behavior', 'product_type'], ': did you mean product_type?'],
    ['unit_price', ['amount', 'unit_amount', 'quantity'], ': did you mean unit_amount?'],
    ['customer_details', ['customer_id', 'customer'], ': did you mean customer?'],
  ])('of %s among %j: %j', (word, known, hint) => {
    expect(didYouMean(word, known)).toBe(hint)
  })
})

it('finds the fields of an object behind lists, optional fields and transformations', () => {
  const Inner = z.strictObject({ c: z.string(), d: z.string() }).transform((value) => value)
  const Schema = z.compile(z.strictObject({ a: z.array(z.strictObject({ b: Inner.nullish() })).optional() }))
  expect(fieldsAt(Schema, [])).toEqual(['a'])
  expect(fieldsAt(Schema, ['a', 0])).toEqual(['b'])
  expect(fieldsAt(Schema, ['a', 0, 'b'])).toEqual(['c', 'd'])
  expect(fieldsAt(Schema, ['x', 'y'])).toEqual([])
})

describe('a refused request', async () => {
  await loadTestData()
  const { key } = await newAccount()
  const refuse = async (body: object) => (await call('POST', '/v1/calculate', { key, body })).body
  const customer = { address: { country: 'DE' } }

  it('says what a misspelt field, value and query were meant to be, and how many more there are', async () => {
    const body = {
      curency: 'EUR',
      currency: 'EUR',
      customer,
      line_items: [{ ammount: 1, product_type: 'sass' }],
    }
    const answer = await refuse(body)
    const messages = Object(answer['errors']).map((each: { path: string; message: string }) => [
      each.path,
      each.message,
    ])
    expect(Object.fromEntries(messages)).toMatchObject({
      curency: 'is not a known field: did you mean currency?',
      'line_items[0].ammount': 'is not a known field: did you mean amount?',
      'line_items[0].product_type': expect.stringMatching(/^must be one of .*: did you mean saas\?$/),
    })
    expect(answer['message']).toMatch(/ \(and 2 more\)$/)
    const query = await call('GET', '/v1/rates?jurisdicton=DE', { key })
    expect(query.body['errors']).toEqual([
      { path: 'jurisdicton', message: 'is not a known field: did you mean jurisdiction?' },
    ])
  })

  it('says what has a place one object deeper, and what is an object', async () => {
    const sale = { currency: 'EUR', line_items: [{ amount: 1, product_type: 'saas' }] }
    const { errors } = await refuse({ ...sale, address: { country: 'DE' }, einvoice: true })
    expect(errors).toEqual(
      expect.arrayContaining([
        { path: 'address', message: 'is not a known field: did you mean address of customer?' },
        { path: 'einvoice', message: 'must be an object, such as {}' },
      ]),
    )
  })

  it('counts all faults, and lists twenty', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`zzz${index}`, 1]))
    const answer = await refuse({
      currency: 'EUR',
      customer,
      line_items: [{ amount: 1, product_type: 'saas' }],
      ...unknown,
    })
    expect(answer['errors']).toHaveLength(20)
    expect(answer['message']).toBe('zzz0: is not a known field (and 99 more)')
  })

  it('names the page of its reason', async () => {
    expect(await refuse({})).toMatchObject({ doc_url: '/docs/errors#invalid_request' })
    const unknown = await call('GET', '/v1/nothing', { key })
    expect(unknown.body['doc_url']).toBe('/docs/errors#route_not_found')
  })
})
