import { dayAfter, dayBefore, monthsBefore, quarterStart } from '../../platform/kit/calendar.ts'
import type { MeasurementPeriod, Threshold } from '../../engine/book/facts.ts'

/** A period of days, both ends included. */
export type Window = { from: string; to: string }

/**
 * The periods in which a threshold measures sales, as of a day, the earliest first. Sales pass the threshold
 * if they pass it in any of them. Without a measurement period: the previous and the current year.
 */
export function windowsOf(measured: ThresholdPeriod, day: string): Window[] {
  const { measurement_period } = measured
  return WINDOWS[measurement_period ?? 'previous_or_current_calendar_year'](
    countsYet(measured, day) ? day : yearEarlier(day),
  )
}

/** What of a threshold says when sales count. */
export type ThresholdPeriod = Pick<Threshold, 'measurement_period' | 'counts_from_month'>

/**
 * Whether the year before counts already. In Pennsylvania a calendar year counts for the twelve months from
 * the next April (bulletin 2019-01).
 */
function countsYet({ counts_from_month }: ThresholdPeriod, day: string): boolean {
  return Number(day.slice(5, 7)) >= (counts_from_month ?? 1)
}

const WINDOWS: Readonly<Record<MeasurementPeriod, (day: string) => Window[]>> = {
  current_calendar_year: (day) => [currentYear(day)],
  previous_calendar_year: (day) => [previousYear(day)],
  previous_or_current_calendar_year: eitherYear,
  trailing_12_months: (day) => [trailingYear(day)],
  trailing_3_months: (day) => [{ from: dayAfter(monthsBefore(day, 3)), to: day }],
  current_or_projected_12_months: (day) => [trailingYear(day)],
  trailing_12_months_tested_quarterly: (day) => [yearBefore(quarterStart(day))],
  preceding_four_quarters: (day) => [yearBefore(quarterStart(day))],
  // New York's sales tax quarters end with February, May, August and November.
  preceding_four_sales_tax_quarters: (day) => [yearBefore(quarterStart(day, 2))],
  // Excise Tax Act, s. 148: four quarters together, or the running one alone.
  four_consecutive_quarters: (day) => [yearBefore(quarterStart(day)), { from: quarterStart(day), to: day }],
  '12_months_ending_september_30': (day) => [yearToSeptember(day)],
  // Consumption Tax Act (JP), art. 2(1)(14): the year before the last decides on the whole year.
  base_period: (day) => [previousYear(yearEarlier(day))],
  // Accounting years count as calendar years.
  accounting_period: eitherYear,
  seller_accounting_year: eitherYear,
  none: (day) => [{ from: '0001-01-01', to: day }],
}

/** A period whose sales oblige only later: its days so far, and the first day of the duty. */
type NextPeriod = { window: Window; obliges_from: string }

/**
 * The period that a threshold does not look at yet, although its sales will oblige the seller; null: the
 * threshold looks at the running period too.
 */
export function nextPeriodOf(measured: ThresholdPeriod, day: string): NextPeriod | null {
  if (measured.measurement_period !== 'previous_calendar_year') return null
  const year = Number(day.slice(0, 4))
  const first = `${String(measured.counts_from_month ?? 1).padStart(2, '0')}-01`
  return countsYet(measured, day)
    ? { window: currentYear(day), obliges_from: `${year + 1}-${first}` }
    : { window: previousYear(day), obliges_from: `${year}-${first}` }
}

/** The same month of the year before. */
function yearEarlier(day: string): string {
  return monthsBefore(day, 12)
}

function currentYear(day: string): Window {
  return { from: `${day.slice(0, 4)}-01-01`, to: day }
}

function previousYear(day: string): Window {
  const year = Number(day.slice(0, 4)) - 1
  return { from: `${year}-01-01`, to: `${year}-12-31` }
}

function eitherYear(day: string): Window[] {
  return [previousYear(day), currentYear(day)]
}

/** The last twelve months. */
export function trailingYear(day: string): Window {
  return { from: dayAfter(monthsBefore(day, 12)), to: day }
}

/** The twelve months before a day. */
function yearBefore(start: string): Window {
  return { from: monthsBefore(start, 12), to: dayBefore(start) }
}

/** The last year to 30 September that has ended. */
function yearToSeptember(day: string): Window {
  const year = Number(day.slice(0, 4))
  const end = day > `${year}-09-30` ? year : year - 1
  return { from: `${end - 1}-10-01`, to: `${end}-09-30` }
}
