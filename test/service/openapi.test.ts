import { expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { ROUTES } from '../../src/routes.ts'
import { call } from '../support/service.ts'

type Operation = {
  operationId: string
  summary: string
  description: string
  security?: object[]
  responses: Record<string, unknown>
}

const { body } = await call('GET', '/openapi.json')
const paths = new Map<string, Record<string, Operation>>(Object.entries(Object(body['paths'])))
const documented = [...paths].flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operation,
  })),
)

it('documents every path of the router and no other', () => {
  const pages = ['/openapi.json', '/', '/status', '/jurisdictions', '/jurisdictions/:id']
  const routed = app.routes
    .filter(({ path }) => !pages.includes(path))
    .map(({ method, path }) => `${method} ${path}`)
  expect(documented.map(({ name }) => name).toSorted()).toEqual([...new Set(routed)].toSorted())
})

it('names the scope of every operation behind a key', () => {
  for (const route of ROUTES) {
    const found = documented.find(({ name }) => name === `${route.method.toUpperCase()} ${route.path}`)
    expect(found?.operation.description).toContain(route.scope)
    expect(found?.operation.security).toEqual([{ api_key: [] }])
  }
})

it('gives every operation an id of its own and a summary', () => {
  const ids = documented.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { operation } of documented) expect(operation.summary.length).toBeGreaterThan(5)
})

it('is OpenAPI 3.1', () => {
  expect(body['openapi']).toBe('3.1.0')
})
