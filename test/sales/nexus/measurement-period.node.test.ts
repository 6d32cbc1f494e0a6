import { expect, it } from 'vitest'
import { nextPeriodOf, windowsOf } from '../../../src/sales/nexus/measurement-period.ts'
import type { MeasurementPeriod } from '../../../src/engine/book/facts.ts'

const FROM_APRIL = 'previous_calendar_year from April'
type Period = MeasurementPeriod | typeof FROM_APRIL
const measured = (period: Period | null) =>
  period === FROM_APRIL
    ? ({ measurement_period: 'previous_calendar_year', counts_from_month: 4 } as const)
    : { measurement_period: period }

it.each<[Period, string, string[][]]>([
  ['current_calendar_year', '2026-11-21', [['2026-01-01', '2026-11-21']]],
  ['previous_calendar_year', '2026-11-21', [['2025-01-01', '2025-12-31']]],
  [FROM_APRIL, '2026-11-21', [['2025-01-01', '2025-12-31']]],
  [FROM_APRIL, '2026-04-01', [['2025-01-01', '2025-12-31']]],
  [FROM_APRIL, '2026-03-31', [['2024-01-01', '2024-12-31']]],
  [
    'previous_or_current_calendar_year',
    '2026-01-01',
    [
      ['2025-01-01', '2025-12-31'],
      ['2026-01-01', '2026-01-01'],
    ],
  ],
  ['base_period', '2026-11-21', [['2024-01-01', '2024-12-31']]],
  ['trailing_12_months', '2026-11-21', [['2025-11-22', '2026-11-21']]],
  ['trailing_12_months', '2025-02-28', [['2024-02-29', '2025-02-28']]],
  ['trailing_12_months', '2024-02-29', [['2023-03-01', '2024-02-29']]],
  ['trailing_3_months', '2026-11-21', [['2026-08-22', '2026-11-21']]],
  ['trailing_3_months', '2026-05-31', [['2026-03-01', '2026-05-31']]],
  ['trailing_12_months_tested_quarterly', '2026-11-21', [['2025-10-01', '2026-09-30']]],
  ['trailing_12_months_tested_quarterly', '2026-10-01', [['2025-10-01', '2026-09-30']]],
  ['trailing_12_months_tested_quarterly', '2026-09-30', [['2025-07-01', '2026-06-30']]],
  ['preceding_four_sales_tax_quarters', '2026-11-30', [['2025-09-01', '2026-08-31']]],
  ['preceding_four_sales_tax_quarters', '2026-12-01', [['2025-12-01', '2026-11-30']]],
  ['preceding_four_sales_tax_quarters', '2026-01-15', [['2024-12-01', '2025-11-30']]],
  [
    'four_consecutive_quarters',
    '2026-11-21',
    [
      ['2025-10-01', '2026-09-30'],
      ['2026-10-01', '2026-11-21'],
    ],
  ],
  ['12_months_ending_september_30', '2026-09-30', [['2024-10-01', '2025-09-30']]],
  ['12_months_ending_september_30', '2026-10-01', [['2025-10-01', '2026-09-30']]],
])('measures %s on %s', (period, day, windows) => {
  expect(windowsOf(measured(period), day)).toEqual(windows.map(([from, to]) => ({ from, to })))
})

it.each<[Period, string, [string, string], string]>([
  ['previous_calendar_year', '2026-01-01', ['2026-01-01', '2026-01-01'], '2027-01-01'],
  ['previous_calendar_year', '2026-12-31', ['2026-01-01', '2026-12-31'], '2027-01-01'],
  [FROM_APRIL, '2026-11-21', ['2026-01-01', '2026-11-21'], '2027-04-01'],
  [FROM_APRIL, '2027-03-31', ['2026-01-01', '2026-12-31'], '2027-04-01'],
  [FROM_APRIL, '2027-04-01', ['2027-01-01', '2027-04-01'], '2028-04-01'],
])('%s: on %s, the next period is %s', (period, day, [from, to], obliges_from) => {
  expect(nextPeriodOf(measured(period), day)).toEqual({ window: { from, to }, obliges_from })
})

it('a threshold that looks at the running period has no next one', () => {
  for (const period of ['previous_or_current_calendar_year', 'trailing_12_months', null] as const)
    expect(nextPeriodOf(measured(period), '2026-11-21')).toBeNull()
})
