import { daysAfter, daysBetween } from '../../platform/kit/calendar.ts'
import type { Window } from './measurement-period.ts'

/** Fewer days say nothing of a year. */
const DAYS_MIN = 28

/**
 * The day on which sales reach a threshold if they go on as in the days of a window that begins with a
 * calendar year and ends on `day`. Null: the window moves with the day or has ended, it is too short, nothing
 * was sold, the threshold is passed, its ratio is unknown, or the year ends before.
 */
export function dayAtPace({ from, to }: Window, ratio_millionths: number | null, day: string): string | null {
  if (to !== day || from !== `${day.slice(0, 4)}-01-01`) return null
  const days = daysBetween(from, to) + 1
  if (days < DAYS_MIN || ratio_millionths === null || ratio_millionths <= 0 || ratio_millionths >= 1_000_000)
    return null
  const needed = Math.ceil((days * 1_000_000) / ratio_millionths)
  const reached = needed > 366 ? null : daysAfter(from, needed - 1)
  return reached?.slice(0, 4) === from.slice(0, 4) ? reached : null
}
