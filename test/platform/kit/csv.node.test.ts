import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutFormula } from '../../../src/platform/kit/csv.ts'
import { trimEnd } from '../../../src/platform/kit/trim-end.ts'

/** What a formula is, in one pattern. It takes quadratic time, so the service does not use it. */
const FORMULA = /(^|[;\t\r\n])([\s"\p{Cf}]*[=+\-@|\t\r\0\uFF1D\uFF0B\uFF0D\uFF20])/gu

const texts = fc
  .array(fc.constantFrom(';', '\t', '\r', '\n', ' ', '"', '=', '-', '\0', 'a', '\u200B', '\uFF1D'), {
    maxLength: 9,
  })
  .map((characters) => characters.join(''))

describe('a cell of a file', () => {
  it('has an apostrophe wherever a formula begins', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(withoutFormula(text)).toBe(text.replaceAll(FORMULA, "$1'$2"))
      }),
      { numRuns: 3_000 },
    )
  })

  it('takes no more than linear time', () => {
    // Quadratic, this would take minutes.
    expect(withoutFormula(`${'\n'.repeat(1_000_000)}x`)).toHaveLength(1_000_001)
    expect(withoutFormula('\n='.repeat(300_000))).toHaveLength(900_000)
  })
})

it('takes the characters at the end of a text, and no others', () => {
  expect(trimEnd('10.500', '0')).toBe('10.5')
  expect(trimEnd('a.,.b.,', '.,')).toBe('a.,.b')
  expect(trimEnd('000', '0')).toBe('')
})
