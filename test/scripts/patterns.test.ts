import { describe, expect, it } from 'vitest'
import { patternsOf, slownessOf } from '../../scripts/checks/patterns.ts'

describe('the check of patterns', () => {
  it('finds each pattern of a source, not of its texts', () => {
    const source = "const of = (text: string) => text.replace(/a+$/g, '/b+/') // /c+/\n"
    expect([...patternsOf(new Map([['one.ts', source]]))]).toEqual(['/a+$/g'])
  })

  it.each([
    ['the Content-Type of before', String.raw`/^application\/json *(; *charset="?utf-8"?)? *$/i`],
    ['the formula of before', String.raw`/(^|[;\t\r\n])([\s"]*[=+\-@|\t\r\0])/g`],
    ['an exponential pattern', '/^(a+)+$/'],
  ])('refuses %s', (_, pattern) => {
    expect(slownessOf(pattern)).toMatch(/polynomial|exponential/)
  })

  it.each([String.raw`/^application\/json *(?:; *charset="?utf-8"? *)?$/i`, '/^[A-Z]{2}$/'])(
    'lets %s pass',
    (pattern) => {
      expect(slownessOf(pattern)).toBeNull()
    },
  )
})
