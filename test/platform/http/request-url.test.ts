import { expect, it } from 'vitest'
import { isFor, pathOf, urlOf } from '../../../src/interfaces/request/request-url.ts'

it('gives each of several requests its own URL, in any order', () => {
  const one = new Request('https://tax.example/v1/rates?jurisdiction=FR')
  const other = new Request('https://tax.example/v1/calculate')
  expect([one, other, one, one, other].map((request) => [pathOf(request), urlOf(request)])).toEqual(
    [one, other, one, one, other].map(({ url }) => [new URL(url).pathname, url]),
  )
})

it('finds a path without Hono only if it is written as it is, and has no query', () => {
  const isForCalculation = (rest: string) => isFor(new Request(`https://tax.example${rest}`), '/v1/calculate')
  expect(isForCalculation('/v1/calculate')).toBe(true)
  expect(isFor(new Request('http://localhost:8787/v1/calculate'), '/v1/calculate')).toBe(true)
  const others = ['?', '?explain=true', '/', '/batch'].map((end) => `/v1/calculate${end}`)
  for (const rest of [...others, '/v1/c%61lculate', '//v1/calculate', '/x/v1/calculate', '/?/v1/calculate'])
    expect(isForCalculation(rest), rest).toBe(false)
})
