import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  lastDayOf,
  monthsBefore,
  quarterOf,
  quarterStart,
  readPeriod,
} from '../../../src/platform/kit/calendar.ts'
import { rangesOfPeriod } from '../../../src/sales/transactions/sums/totals-ranges.ts'

const DAY = 86_400_000
const iso = (time: number) => new Date(time).toISOString().slice(0, 10)
const day = fc
  .integer({ min: Date.UTC(1999, 0, 1) / DAY, max: Date.UTC(2033, 0, 1) / DAY })
  .map((count) => iso(count * DAY))

function daysOf({ span, from, to }: { span: string; from: string; to: string }): string[] {
  const days: string[] = []
  const first = Date.parse(span === 'month' ? `${from}-01` : from)
  for (let time = first; ; time += DAY) {
    const text = iso(time)
    if ((span === 'month' ? text.slice(0, 7) : text) > to) return days
    days.push(text)
  }
}

it('makes up any stretch of days, none twice and none left out', () => {
  fc.assert(
    fc.property(day, day, (a, b) => {
      const [from = a, to = b] = [a, b].toSorted()
      expect(rangesOfPeriod(from, to).flatMap(daysOf)).toEqual(daysOf({ span: 'day', from, to }))
      expect(rangesOfPeriod(from, to).length).toBeLessThanOrEqual(3)
    }),
    { numRuns: 200 },
  )
})

it.each([
  ['2026-01-01', '2026-12-31', [{ span: 'month', from: '2026-01', to: '2026-12' }]],
  ['2024-02-01', '2024-02-29', [{ span: 'month', from: '2024-02', to: '2024-02' }]],
  ['2024-02-01', '2024-02-28', [{ span: 'day', from: '2024-02-01', to: '2024-02-28' }]],
  ['0001-01-01', '9999-12-31', [{ span: 'month', from: '0001-01', to: '9999-12' }]],
  ['2026-02-02', '2026-02-01', []],
])('reads %s to %s', (from, to, ranges) => {
  expect(rangesOfPeriod(from, to)).toEqual(ranges)
})

it.each([
  ['2026-Q3', { kind: 'quarter', from: '2026-07-01', to: '2026-09-30' }],
  ['2024-02', { kind: 'month', from: '2024-02-01', to: '2024-02-29' }],
  ['2026', { kind: 'year', from: '2026-01-01', to: '2026-12-31' }],
  ['2026-Q5', null],
  ['2026-13', null],
  ['2026-Q', null],
  ['26', null],
  ['2026-09-01', null],
])('understands the period %s', (text, expected) => {
  expect(readPeriod(text)).toEqual(expected)
})

it('knows the quarter of a month', () => {
  expect(['2026-01', '2026-03', '2026-04', '2026-12'].map(quarterOf)).toEqual([
    '2026-Q1',
    '2026-Q1',
    '2026-Q2',
    '2026-Q4',
  ])
})

it.each([
  ['2024-02', '2024-02-29'],
  ['2100-02', '2100-02-28'],
  ['2000-02', '2000-02-29'],
  ['0001-12', '0001-12-31'],
])('knows the last day of %s', (month, expected) => {
  expect(lastDayOf(month)).toBe(expected)
})

it.each([
  ['2026-03-31', 1, '2026-02-28'],
  ['2024-02-29', 12, '2023-02-28'],
  ['2026-01-15', 1, '2025-12-15'],
])('counts back from %s by %i months', (from, count, expected) => {
  expect(monthsBefore(from, count)).toBe(expected)
})

it.each([
  ['2026-08-15', 0, '2026-07-01'],
  ['2026-02-28', 2, '2025-12-01'],
  ['2026-03-01', 2, '2026-03-01'],
])('begins the quarter of %s, shifted by %i months', (from, shift, expected) => {
  expect(quarterStart(from, shift)).toBe(expected)
})
