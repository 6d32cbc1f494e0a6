import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseCases, runCase } from '../../scripts/arithmetic-cases.ts'

const shared = parseCases(readFileSync(join(import.meta.dirname, 'arithmetic.json'), 'utf8'))

describe('the shared arithmetic cases', () => {
  it.each(shared.map((each) => [each.id, each] as const))('%s comes to what its source says', (_, each) => {
    const { ok, ...result } = runCase(each)
    expect(result).toMatchObject(each.expected ?? {})
    expect(ok).toBe(true)
  })
})

describe('a file of cases', () => {
  const line = { amount: 100, rates: ['0.0825'], tax_behavior: 'exclusive' }
  const file = (changes: object) =>
    JSON.stringify({ cases: [{ id: 'A', rounding: 'line', lines: [line], ...changes }] })
  const run = (changes: object) => parseCases(file(changes)).map(runCase)

  it('answers null for a case without expectations', () => {
    expect(run({})).toEqual([
      { id: 'A', tax: 8, net: 100, total: 108, line_tax: [8], line_net: [100], ok: null },
    ])
  })

  it('answers false where an expectation differs', () => {
    expect(run({ expected: { tax: 9 } })).toMatchObject([{ tax: 8, ok: false }])
    expect(run({ expected: { tax: 8, line_net: [100, 0] } })).toMatchObject([{ ok: false }])
  })

  it('reads rates as exact decimals', () => {
    const lines = [{ amount: 1_000_000, rates: ['0.000001', '0.07', '1.000001'], tax_behavior: 'exclusive' }]
    expect(run({ lines })).toMatchObject([{ tax: 1 + 70_000 + 1_000_001 }])
  })

  it('is exact for the largest amounts, and credits mirror sales', () => {
    const big = (amount: number) =>
      run({ lines: [{ amount, rates: ['0.09975'], tax_behavior: 'inclusive' }] })
    expect(big(999_999_999_999_999)).toMatchObject([{ tax: 90_702_432_370_993, net: 909_297_567_629_006 }])
    expect(big(-999_999_999_999_999)).toMatchObject([{ tax: -90_702_432_370_993, net: -909_297_567_629_006 }])
  })

  it.each([
    [
      'a rate with 7 decimals',
      { lines: [{ ...line, rates: ['0.0000001'] }] },
      /^cases\[0\]\.lines\[0\]\.rates\[0\]: .*at most 6 decimals/,
    ],
    [
      'a rate as a number',
      { lines: [{ ...line, rates: [0.0825] }] },
      /^cases\[0\]\.lines\[0\]\.rates\[0\]: /,
    ],
    ['a negative rate', { lines: [{ ...line, rates: ['-0.1'] }] }, /^cases\[0\]\.lines\[0\]\.rates\[0\]: /],
    ['an amount above 1e15', { lines: [{ ...line, amount: 1e15 + 1 }] }, /^cases\[0\]\.lines\[0\]\.amount: /],
    ['an amount with a fraction', { lines: [{ ...line, amount: 1.5 }] }, /^cases\[0\]\.lines\[0\]\.amount: /],
    [
      'amounts that add up past what is exact',
      { lines: Array.from({ length: 7 }, () => ({ ...line, amount: 1e15 })) },
      /^cases\[0\]\.lines: /,
    ],
    ['a misspelt expectation', { expected: { taxes: 8 } }, /^cases\[0\]\.expected: /],
    ['another rounding', { rounding: 'none' }, /^cases\[0\]\.rounding: /],
    ['no lines', { lines: [] }, /^cases\[0\]\.lines: /],
  ])('is refused for %s', (_, changes, message) => {
    expect(() => parseCases(file(changes))).toThrow(message)
  })

  it('is refused when it holds no case: there is nothing to run', () => {
    expect(() => parseCases('{"cases":[]}')).toThrow(/^cases: /)
  })

  it('is refused when it is not JSON or not a file of cases', () => {
    expect(() => parseCases('{')).toThrow(/^not JSON: /)
    expect(() => parseCases('[]')).toThrow(/^file: /)
  })
})
