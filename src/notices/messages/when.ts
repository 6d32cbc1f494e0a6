import { dayAfter } from '../../platform/kit/calendar.ts'
import { dayIn, startOfDay } from '../../platform/kit/time-zone.ts'

const HOUR_MS = 3_600_000

const hours = new Map<string, Intl.DateTimeFormat>()

/** The hour of a moment on a local clock, 0 to 23. */
function hourIn(zone: string, moment: Date): number {
  const format =
    hours.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })
  hours.set(zone, format)
  return Number(format.format(moment))
}

/**
 * The moment of an hour of a local day. If a change of the clock skips the hour, the one after it; if the
 * clock shows it twice, the first time.
 */
function momentOfHour(zone: string, day: string, hour: number): Date {
  const start = Date.parse(startOfDay(zone, day))
  const candidates = [hour - 1, hour, hour + 1].map((hours) => new Date(start + hours * HOUR_MS))
  const found = candidates.find((moment) => dayIn(zone, moment) === day && hourIn(zone, moment) >= hour)
  return found ?? new Date(start + hour * HOUR_MS)
}

/** When the next message is made: at the hour of the first local day after the last one, from now on. */
export function nextMessageAt(zone: string, hour: number, now: Date, last_day: string | null): Date {
  const today = dayIn(zone, now)
  const first = last_day !== null && last_day >= today ? dayAfter(last_day) : today
  const moment = momentOfHour(zone, first, hour)
  return moment > now ? moment : momentOfHour(zone, dayAfter(first), hour)
}
