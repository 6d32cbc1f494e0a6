import { expect, it } from 'vitest'
import { dayAtPace } from '../../../src/sales/nexus/pace.ts'

const YEAR = { from: '2026-01-01', to: '2026-07-01' }

it.each([
  ['half of it in half of the year: at its end', YEAR, 500_000, '2026-12-30'],
  ['nearly all of it: some days later', YEAR, 990_000, '2026-07-03'],
  ['less than half: not in this year', YEAR, 498_000, null],
  ['nothing', YEAR, 0, null],
  ['a little', YEAR, 1, null],
  ['all of it: it is passed', YEAR, 1_000_000, null],
  ['four weeks', { from: '2026-01-01', to: '2026-01-28' }, 500_000, '2026-02-25'],
  ['three weeks say too little', { from: '2026-01-01', to: '2026-01-21' }, 500_000, null],
  ['a period that moves with the day', { from: '2025-07-02', to: '2026-07-01' }, 900_000, null],
])('the day on which sales reach a threshold at their pace: %s', (_name, window, ratio, day) => {
  expect(dayAtPace(window, ratio, window.to)).toBe(day)
})

it('a year that has ended goes on no more', () => {
  expect(dayAtPace({ from: '2025-01-01', to: '2025-12-31' }, 900_000, '2026-07-01')).toBeNull()
})
