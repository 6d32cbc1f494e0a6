import { expect, it } from 'vitest'
import { PRODUCT_TYPE_IDS } from '../../src/engine/book/product-types.ts'
import { coverageOf, taxedPlaces } from '../../src/engine/answer/coverage.ts'
import { book } from './sale.ts'

it('never calls a default sure: the rule of a similar product says nothing of this one', () => {
  const cells = taxedPlaces(book).flatMap((place) =>
    PRODUCT_TYPE_IDS.map((product) => coverageOf(book, place, product, '2026-11-27')),
  )
  const defaults = cells.filter(({ status }) => status === 'default')
  expect(defaults.length).toBeGreaterThan(100)
  expect(defaults.filter(({ confidence, last_verified_at }) => confidence ?? last_verified_at)).toEqual([])
})
