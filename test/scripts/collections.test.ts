import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { httpFile } from '../../scripts/collections/http-file.ts'
import { postmanCollection } from '../../scripts/collections/postman.ts'
import { sampleRequests, variablesOf } from '../../scripts/collections/requests.ts'
import { DOCUMENT } from './built.ts'

/** An object of the Postman format 2.1: it has these fields, and no others. `?` marks those that may be left out. */
function object(fields: Record<string, object>): object {
  const names = Object.keys(fields)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), fields[name]])),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  }
}
const text = { type: 'string' }
const filled = { type: 'string', minLength: 1 }
const list = (items: object, minItems = 0) => ({ type: 'array', items, minItems })

/** The used part of https://schema.getpostman.com/json/collection/v2.1.0/collection.json, in our own words. */
const POSTMAN = object({
  info: object({
    name: filled,
    'description?': text,
    schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  }),
  auth: object({
    type: { const: 'bearer' },
    bearer: list(object({ key: { const: 'token' }, value: text, type: { const: 'string' } }), 1),
  }),
  variable: list(object({ key: filled, value: text }), 1),
  item: list(
    object({
      name: filled,
      item: list(
        object({
          name: filled,
          request: object({
            method: { enum: ['GET', 'POST', 'PUT', 'DELETE'] },
            'description?': text,
            'auth?': object({ type: { const: 'noauth' } }),
            header: list(object({ key: filled, value: filled })),
            'body?': object({
              mode: { const: 'raw' },
              raw: filled,
              options: object({ raw: object({ language: { const: 'json' } }) }),
            }),
            url: object({
              raw: { type: 'string', pattern: '^\\{\\{url\\}\\}/' },
              host: { const: ['{{url}}'] },
              path: list(filled, 1),
              'query?': list(
                object({ key: filled, value: text, 'description?': text, 'disabled?': { const: true } }),
                1,
              ),
            }),
          }),
          response: list(object({})),
          'event?': list(
            object({
              listen: { const: 'test' },
              script: object({ type: { const: 'text/javascript' }, exec: list(filled, 1) }),
            }),
            1,
          ),
        }),
        1,
      ),
    }),
    1,
  ),
})

describe('the collections', () => {
  it('have every operation of the document', () => {
    const operations = Object.values(DOCUMENT.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    const requests = sampleRequests(DOCUMENT)
    expect(requests.map(({ id }) => id).toSorted()).toEqual(operations.toSorted())
    const file = httpFile(requests)
    expect([...file.matchAll(/^# @name (\w+)$/gm)].map(([, id]) => id)).toEqual(requests.map(({ id }) => id))
  })

  it('have the form of Postman 2.1', () => {
    const validate = new Ajv({ strict: true, allErrors: true }).compile(POSTMAN)
    const shipped: unknown = JSON.parse(JSON.stringify(postmanCollection('x', sampleRequests(DOCUMENT))))
    validate(shipped)
    expect(validate.errors ?? []).toEqual([])
    expect(validate({ ...Object(shipped), item: [{ name: 'x' }] })).toBe(false)
  })

  it('declare each variable that a request uses', () => {
    const collection = JSON.stringify(postmanCollection('x', sampleRequests(DOCUMENT)))
    const used = new Set([...collection.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))
    const declared = [...variablesOf(sampleRequests(DOCUMENT)).keys(), 'url', 'key']
    expect([...used].toSorted()).toEqual(declared.toSorted())
  })
})

describe('a request of a collection', () => {
  const GET = {
    operationId: 'getThings',
    summary: 'Things',
    description: '',
    tags: ['Reports'],
    responses: {},
  }
  const samples = (path: string, parameters: object[] = []) => {
    const paths = { [path]: { get: { ...GET, parameters } } } as typeof DOCUMENT.paths
    return sampleRequests({ ...DOCUMENT, paths })
  }
  const query = (name: string, required: boolean) => ({
    name,
    in: 'query',
    description: '',
    required,
    schema: {},
  })

  it('has a variable in place of each id, named after its resource', () => {
    expect(samples('/v1/customers/{id}/exemptions/{exemption_id}')[0]?.path).toBe(
      '/v1/customers/{customer_id}/exemptions/{exemption_id}',
    )
  })

  it('has the required parameters, and others only switched off', () => {
    const found = samples('/v1/x', [query('from_date', true), query('other', false)])
    expect(httpFile(found)).toContain('GET {{url}}/v1/x?from_date=2026-01-01\n')
    const [folder] = postmanCollection('x', found).item
    expect(folder?.item[0]?.request.url.query?.map(({ key, disabled }) => [key, disabled])).toEqual([
      ['from_date', undefined],
      ['other', true],
    ])
  })

  it('cannot be made without a value of a required parameter, or a variable for an id', () => {
    expect(() => samples('/v1/x', [query('other', true)])).toThrow('add a value of other to SAMPLES')
    expect(() => samples('/v1/things/{id}')).toThrow('add the variable after things to VARIABLES')
  })
})
