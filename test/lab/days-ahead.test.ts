import { expect, it } from 'vitest'
import { testDay, testDays } from '../../lab/days-ahead.ts'

const of = (now: string) =>
  testDays(new Date(now)).map(({ what, at, zone }) => [what, at.toISOString().slice(0, 16), zone])

it('takes the tests to the ends of a quarter, of a year and of a long February, and a year on', () => {
  expect(of('2026-11-29T09:00:00Z')).toEqual([
    ['tomorrow', '2026-11-30T23:10', 'UTC'],
    ['end of a quarter', '2027-03-31T10:10', 'Pacific/Auckland'],
    ['end of a year', '2027-01-01T07:10', 'America/Los_Angeles'],
    ['29 February', '2028-02-29T22:10', 'Europe/Berlin'],
    ['a year later', '2027-11-30T17:40', 'Asia/Kolkata'],
  ])
})

it('takes them to days that come, also on such a day itself', () => {
  for (const now of ['2027-12-31T23:59:59Z', '2028-02-29T23:30:00Z', '2028-01-01T00:00:00Z'])
    for (const { at } of testDays(new Date(now))) expect(at.getTime()).toBeGreaterThan(Date.parse(now))
})

it('refuses a moment that is none', () => {
  expect(() => testDay('as asked', 'tomorrow', 'UTC')).toThrow('is no moment')
})
