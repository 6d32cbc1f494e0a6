import fc from 'fast-check'
import { fromString, fromUUIDBytes, toUUIDBytes } from 'typeid-js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { firstIdAt, momentOf, newId, repeatableId } from '../../../src/platform/database/ids.ts'

const FROM_2000 = Date.parse('2000-01-01')
const UNTIL_2100 = Date.parse('2100-01-01')

afterEach(() => vi.restoreAllMocks())

/** 1,000 ids of a clock that stands still. */
function idsAt(msecs: number): string[] {
  vi.spyOn(Date, 'now').mockReturnValue(msecs)
  return Array.from({ length: 1_000 }, () => newId('req'))
}

/** Whether each id is larger than the one before it. */
function ascend(ids: readonly string[]): boolean {
  return ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id)
}

describe('a new id', () => {
  it('is one that the library reads, and would write the same', () => {
    fc.assert(
      fc.property(fc.constantFrom('req' as const, 'txn' as const, 'acct' as const), (prefix) => {
        const id = newId(prefix)
        const bytes = toUUIDBytes(fromString(id))
        expect(fromUUIDBytes(prefix, bytes)).toBe(id)
        // The version and the variant of RFC 9562.
        expect([(bytes[6] ?? 0) >> 4, (bytes[8] ?? 0) >> 6]).toEqual([7, 2])
      }),
      { numRuns: 2_000 },
    )
  })

  it('is larger than all before it, and contains its moment', () => {
    const before = Date.now()
    const ids = Array.from({ length: 2_000 }, () => newId('req'))
    expect(ascend(ids)).toBe(true)
    expect(momentOf(ids[0] ?? '').getTime()).toBeGreaterThanOrEqual(before)
  })

  it('is larger than all before it in one millisecond, whose first id is asked for too', () => {
    // Later than the ids of tests that set the clock ahead in this process.
    const msecs = Date.now() + 10_000
    const ids = idsAt(msecs)
    expect(firstIdAt('req', new Date(msecs)) < (ids[0] ?? '')).toBe(true)
    expect(ascend([...ids, ...idsAt(msecs)])).toBe(true)
    expect(ids.map((id) => momentOf(id).getTime())).toEqual(ids.map(() => msecs))
    // Two processes count from elsewhere, and 43 bits are random.
    expect(new Set(ids.map((id) => id.slice(-8))).size).toBeGreaterThan(990)
  })

  it('is larger than all before it if the clock goes back a little, and has the time of a clock that was set', () => {
    const msecs = Date.now() + 20_000
    expect(ascend([...idsAt(msecs), ...idsAt(msecs - 5_000), ...idsAt(msecs + 1)])).toBe(true)
    expect(momentOf(idsAt(msecs - 60_000)[0] ?? '').getTime()).toBe(msecs - 60_000)
  })
})

describe('an id of a moment', () => {
  const owner = Uint8Array.from({ length: 16 }, (_, index) => 255 - index * 7)

  it('is the same as ever: stored ids were made so', () => {
    const msecs = 1_764_324_672_345
    expect(firstIdAt('aud', new Date('2026-11-28T10:11:12.345Z'))).toBe('aud_01m8gt6btse008000000000000')
    expect(repeatableId('ret', msecs, 77, owner)).toBe('ret_01kb4z40tse00800k9pant97cp')
    expect(repeatableId('ret', msecs, 0x7fff_fffe, owner)).toBe('ret_01kb4z40tsfzzvzzzhpant97cp')
  })

  it('tells its moment, and sorts by it', () => {
    const moment = fc.integer({ min: FROM_2000, max: UNTIL_2100 })
    fc.assert(
      fc.property(moment, moment, fc.nat(0x7fff_ffff), (first, second, seq) => {
        const id = repeatableId('txn', first, seq, owner)
        expect(momentOf(id).getTime()).toBe(first)
        expect(fromUUIDBytes('txn', toUUIDBytes(fromString(id)))).toBe(id)
        if (first < second) expect(id < firstIdAt('txn', new Date(second))).toBe(true)
      }),
    )
  })
})
