import { DAY_MS } from '../../platform/kit/calendar.ts'
import { collectedOf } from '../../platform/regions.ts'

const HOUR_MS = 3_600_000

/** When a region is due again: at its regular time, or an hour after a failure if that is earlier. */
export function nextRunAt(region: string, now: Date, succeeded: boolean): string {
  const collected = collectedOf(region)
  const regular = collected === null ? new Date(now.getTime() + DAY_MS) : nextRegular(collected, now)
  const again = new Date(now.getTime() + HOUR_MS)
  return (succeeded || regular < again ? regular : again).toISOString()
}

function nextRegular(
  { hour, minute, weekday }: { hour: number; minute: number; weekday: number | null },
  now: Date,
): Date {
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute))
  while (next <= now || (weekday !== null && next.getUTCDay() !== weekday))
    next.setTime(next.getTime() + DAY_MS)
  return next
}
