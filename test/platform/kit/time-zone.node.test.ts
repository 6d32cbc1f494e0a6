import { expect, it } from 'vitest'
import { dayIn, endOfDay, isTimeZone, startOfDay } from '../../../src/platform/kit/time-zone.ts'

it.each([
  ['UTC', '2026-07-01T00:00:00.000Z', '2026-07-01'],
  ['Australia/Sydney', '2026-06-30T14:00:00.000Z', '2026-07-01'],
  ['Australia/Sydney', '2026-06-30T13:59:59.999Z', '2026-06-30'],
  ['America/Los_Angeles', '2026-07-01T06:59:59.999Z', '2026-06-30'],
  ['Pacific/Kiritimati', '2026-06-30T10:00:00.000Z', '2026-07-01'],
])('in %s, %s is a moment of %s', (zone, moment, day) => {
  expect(dayIn(zone, new Date(moment))).toBe(day)
})

it.each([
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  // The clock skips midnight: the day begins at one o'clock.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
])('in %s, %s lasts from %s to %s', (zone, day, start, end) => {
  expect([startOfDay(zone, day), endOfDay(zone, day)]).toEqual([start, end])
})

it('keeps the ends of the calendar in their texts', () => {
  expect(startOfDay('Australia/Sydney', '0000-01-01')).toBe('0000-01-01T00:00:00.000Z')
  expect(endOfDay('Europe/Berlin', '9999-12-31') > '9999-12-31T23:59:59.999Z').toBe(true)
})

it('knows time zones by their full name', () => {
  expect(['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia'].map(isTimeZone)).toEqual([true, true, true])
  expect(['Mars/Olympus', '+02:00', 'CET', ''].map(isTimeZone)).toEqual([false, false, false, false])
})
