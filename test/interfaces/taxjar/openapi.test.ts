import { expect, it } from 'vitest'
import { app } from '../../../src/service/app.ts'
import { taxjarDocument } from '../../../scripts/openapi/taxjar-document.ts'
import { TAXJAR_ROUTES } from '../../../src/interfaces/taxjar/routes.ts'

const { paths, components } = taxjarDocument(TAXJAR_ROUTES)

it('documents every route in the form of TaxJar, which is served at both paths', () => {
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
  const routed = app.routes
    .filter(({ path }) => path.startsWith('/v2/'))
    .map(({ method, path }) => `${method} ${path}`)
  const aliased = app.routes
    .filter(({ path }) => path.startsWith('/taxjar/v2/'))
    .map(({ method, path }) => `${method} ${path.replace('/taxjar', '')}`)
  expect(documented).toHaveLength(25)
  expect(documented.toSorted()).toEqual(routed.toSorted())
  expect(aliased.toSorted()).toEqual(routed.toSorted())
})

it('gives every operation an id of its own, its body, its answer and its errors', () => {
  const ids = new Set<string>()
  for (const operations of Object.values(paths))
    for (const operation of Object.values(operations)) {
      const shown: { operationId?: string; responses?: object } = operation
      ids.add(shown.operationId ?? '')
      expect(Object.keys(shown.responses ?? {})).toEqual(
        expect.arrayContaining(['400', '401', '403', '404', '406', '422', '429', '500']),
      )
    }
  expect(ids.size).toBe(TAXJAR_ROUTES.length)
  expect(components.schemas.Fault.required).toEqual(['status', 'error', 'detail'])
})
