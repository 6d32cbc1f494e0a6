export { dayBefore } from '../../../src/platform/kit/calendar.ts'

/** The day so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

/** How many days a day is later than another one. */
export function daysBetween(earlier: string, later: string): number {
  return (Date.parse(later) - Date.parse(earlier)) / 86_400_000
}
