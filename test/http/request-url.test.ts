import { expect, it } from 'vitest'
import { pathOf, urlOf } from '../../src/server/request-url.ts'

it('takes a path with a slash at its end as the one without it', () => {
  const paths = ['/', '/v1/rates/', '/v1/rates/?date=2026-01-01', '/v1/rates//']
  expect(paths.map((path) => pathOf(new Request(`https://tax.example${path}`)))).toEqual([
    '/',
    '/v1/rates',
    '/v1/rates',
    '/v1/rates/',
  ])
})

it('gives each of several requests its own URL, in any order', () => {
  const one = new Request('https://tax.example/v1/rates?jurisdiction=FR')
  const other = new Request('https://tax.example/v1/calculate')
  expect([one, other, one, one, other].map((request) => [pathOf(request), urlOf(request)])).toEqual(
    [one, other, one, one, other].map(({ url }) => [new URL(url).pathname, url]),
  )
})
