import { expect, it } from 'vitest'
import { pathOf, urlOf } from '../../../src/interfaces/request/request-url.ts'

it('gives each of several requests its own URL, in any order', () => {
  const one = new Request('https://tax.example/v1/rates?jurisdiction=FR')
  const other = new Request('https://tax.example/v1/calculate')
  expect([one, other, one, one, other].map((request) => [pathOf(request), urlOf(request)])).toEqual(
    [one, other, one, one, other].map(({ url }) => [new URL(url).pathname, url]),
  )
})
