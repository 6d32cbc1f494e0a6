/** Days are `YYYY-MM-DD` and months `YYYY-MM`, in the years 0000 to 9999, so they sort as texts. */

export const DAY_MS = 86_400_000

/** Nearly every request asks for the same day. Keeping the last one saves a call into the runtime. */
let last = { number: Number.NaN, text: '' }

/** The day of a moment in UTC. */
export function dayOf(moment: Date): string {
  const number = Math.floor(moment.getTime() / DAY_MS)
  if (number !== last.number) last = { number, text: moment.toISOString().slice(0, 10) }
  return last.text
}

/** The day `count` days later; a negative count gives an earlier day. */
export function daysAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
}

export function dayBefore(day: string): string {
  return daysAfter(day, -1)
}

export function dayAfter(day: string): string {
  return daysAfter(day, 1)
}

/** Whole days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

export function monthOf(day: string): string {
  return day.slice(0, 7)
}

/** The month `count` months later; a negative count gives an earlier month. */
export function monthsAfter(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count
  const year = String(Math.floor(months / 12)).padStart(4, '0')
  return `${year}-${String((months % 12) + 1).padStart(2, '0')}`
}

export function firstDayOf(month: string): string {
  return `${month}-01`
}

export function lastDayOf(month: string): string {
  // Day 0 of a month is the last day of the one before it. setUTCFullYear takes years below 100 as they are.
  const date = new Date(0)
  date.setUTCFullYear(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)
  return `${month}-${date.getUTCDate()}`
}

/** The same day `count` months earlier, or the last day of that month if it is shorter. */
export function monthsBefore(day: string, count: number): string {
  const month = monthsAfter(monthOf(day), -count)
  const same = `${month}-${day.slice(8)}`
  const end = lastDayOf(month)
  return same > end ? end : same
}

/** `2026-Q3` for `2026-08`. */
export function quarterOf(month: string): string {
  return `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5, 7)) / 3)}`
}

/**
 * The first day of the quarter that contains the day. Quarters begin `shift` months after January, April,
 * July and October.
 */
export function quarterStart(day: string, shift = 0): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
  return firstDayOf(monthsAfter(monthOf(day), -((((months - shift) % 3) + 3) % 3)))
}

/** How often returns are filed. */
export const FILING_FREQUENCIES = ['monthly', 'two_monthly', 'quarterly', 'six_monthly', 'annual'] as const
export type Frequency = (typeof FILING_FREQUENCIES)[number]

/** How an account counts periods: the stagger group of its quarters, and the first month of its year. */
export type PeriodCounting = { uk_stagger: number; fiscal_year_start: number }

/** Calendar quarters and calendar years. */
export const CALENDAR_PERIODS: PeriodCounting = { uk_stagger: 1, fiscal_year_start: 1 }

type ReadPeriod = { kind: 'year' | 'quarter' | 'month' | 'months'; from: string; to: string }

const PERIOD = /^(\d{4})(?:-Q([1-4])|-(0[1-9]|1[0-2])(?:\.\.(\d{4}-(?:0[1-9]|1[0-2])))?)?$/

/**
 * A period of a return: `2026`, `2026-Q3`, `2026-09` or `2026-07..2026-12`. A year has the number of the
 * calendar year in which it ends. Null if the text is not a period.
 */
export function readPeriod(text: string, counting = CALENDAR_PERIODS): ReadPeriod | null {
  const [, year = '', quarter, month, last] = PERIOD.exec(text) ?? []
  if (year === '') return null
  if (quarter !== undefined) {
    const end = monthsAfter(`${year}-12`, Number(quarter) * 3 - 12 + counting.uk_stagger - 1)
    return { kind: 'quarter', from: firstDayOf(monthsAfter(end, -2)), to: lastDayOf(end) }
  }
  if (month !== undefined) {
    const from = `${year}-${month}`
    if (last === undefined) return { kind: 'month', from: firstDayOf(from), to: lastDayOf(from) }
    if (last <= from || last > monthsAfter(from, MONTHS_MAX - 1)) return null
    return { kind: 'months', from: firstDayOf(from), to: lastDayOf(last) }
  }
  const end = monthsAfter(
    `${year}-12`,
    counting.fiscal_year_start === 1 ? 0 : counting.fiscal_year_start - 13,
  )
  return { kind: 'year', from: firstDayOf(monthsAfter(end, -11)), to: lastDayOf(end) }
}

/** The longest period of a return. */
const MONTHS_MAX = 12
