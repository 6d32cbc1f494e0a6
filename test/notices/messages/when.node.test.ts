import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextMessageAt } from '../../../src/notices/messages/when.ts'
import { dayAfter } from '../../../src/platform/kit/calendar.ts'
import { dayIn } from '../../../src/platform/kit/time-zone.ts'

const next = (zone: string, hour: number, now: string, last: string | null = null) =>
  nextMessageAt(zone, hour, new Date(now), last).toISOString()

describe('the next message', () => {
  it('is at the hour on the clock of the account, in summer and in winter', () => {
    expect(next('Europe/Berlin', 8, '2026-01-15T00:00:00Z')).toBe('2026-01-15T07:00:00.000Z')
    expect(next('Europe/Berlin', 8, '2026-07-15T00:00:00Z')).toBe('2026-07-15T06:00:00.000Z')
    expect(next('Asia/Kathmandu', 8, '2026-07-15T00:00:00Z')).toBe('2026-07-15T02:15:00.000Z')
    expect(next('UTC', 0, '2026-07-15T12:00:00Z')).toBe('2026-07-16T00:00:00.000Z')
  })

  it('is after a skipped hour, and the first of two', () => {
    expect(next('Europe/Berlin', 2, '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
    expect(next('Europe/Berlin', 2, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00:00.000Z')
    expect(next('Europe/Berlin', 8, '2026-10-25T00:00:00Z')).toBe('2026-10-25T07:00:00.000Z')
    expect(next('America/New_York', 1, '2026-11-01T00:00:00Z')).toBe('2026-11-01T05:00:00.000Z')
  })

  it('is not on a day that had one', () => {
    expect(next('Europe/Berlin', 20, '2026-07-15T10:00:00Z', '2026-07-15')).toBe('2026-07-16T18:00:00.000Z')
    expect(next('Europe/Berlin', 20, '2026-07-15T10:00:00Z', '2026-07-14')).toBe('2026-07-15T18:00:00.000Z')
  })

  it('comes once on each local day of a year', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo')
    fc.assert(
      fc.property(zones, fc.nat(23), (zone, hour) => {
        let at = new Date('2026-01-01T00:00:00Z')
        let last = dayIn(zone, at)
        for (let days = 0; days < 366; days += 1) {
          at = nextMessageAt(zone, hour, at, last)
          expect(dayIn(zone, at), `${zone} ${hour}`).toBe(dayAfter(last))
          last = dayIn(zone, at)
        }
      }),
      { numRuns: 12 },
    )
  })
})
