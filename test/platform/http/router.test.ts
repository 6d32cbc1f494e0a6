import { describe, expect, it } from 'vitest'
import { FixedPathsFirst } from '../../../src/interfaces/request/router.ts'

describe('the router', () => {
  it('takes a fixed name before a parameter, whichever was added first', () => {
    const router = new FixedPathsFirst<string>()
    router.add('GET', '/v1/things/:id', 'one')
    router.add('GET', '/v1/things/all', 'all')
    expect(router.match('GET', '/v1/things/all')[0].map(([handler]) => handler)).toEqual(['all'])
    expect(router.match('GET', '/v1/things/7')[0].map(([handler]) => handler)).toEqual(['one'])
    expect(router.match('POST', '/v1/things/all')[0]).toEqual([])
  })

  it('refuses middleware, which the look-up would pass over', () => {
    const router = new FixedPathsFirst<string>()
    expect(() => router.add('ALL', '/v1/things', 'x')).toThrow('accepts no middleware')
    expect(() => router.add('GET', '/v1/*', 'x')).toThrow('accepts no middleware')
  })
})
