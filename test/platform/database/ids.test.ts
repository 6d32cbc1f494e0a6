import fc from 'fast-check'
import { fromString, fromUUIDBytes, toUUIDBytes } from 'typeid-js'
import { expect, it } from 'vitest'
import { momentOf, newId } from '../../../src/platform/database/ids.ts'

it('makes ids that the library reads, and would write the same', () => {
  fc.assert(
    fc.property(fc.constantFrom('req' as const, 'txn' as const, 'acct' as const), (prefix) => {
      const id = newId(prefix)
      expect(fromUUIDBytes(prefix, toUUIDBytes(fromString(id)))).toBe(id)
    }),
    { numRuns: 2_000 },
  )
})

it('makes ids that sort by their creation and contain its moment', () => {
  const before = Date.now()
  const ids = Array.from({ length: 2_000 }, () => newId('req'))
  const after = Date.now()
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  // The library may be ahead of the clock by some milliseconds, so that ids stay in order.
  const made = momentOf(ids[0] ?? '').getTime()
  expect(made).toBeGreaterThanOrEqual(before)
  expect(made).toBeLessThanOrEqual(after + 10_000)
})
