import { isRegionId, type RegionId } from '../tax-data/regions.ts'

/** When each region is collected, UTC: spread over the night, TAXABILITY on Mondays. */
const SCHEDULE: Readonly<Record<RegionId, { hour: number; minute: number; weekday: number | null }>> = {
  EU: { hour: 1, minute: 10, weekday: null },
  UK: { hour: 1, minute: 40, weekday: null },
  US: { hour: 2, minute: 10, weekday: null },
  'US-TAX': { hour: 2, minute: 40, weekday: null },
  CA: { hour: 3, minute: 10, weekday: null },
  AU: { hour: 3, minute: 40, weekday: null },
  TAXABILITY: { hour: 4, minute: 10, weekday: 1 },
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** When a region is due again: at its own hour, or an hour after a failure, whichever comes first. */
export function nextRunAt(region: string, now: Date, good: boolean): string {
  const regular = isRegionId(region) ? nextRegular(SCHEDULE[region], now) : new Date(now.getTime() + DAY_MS)
  const again = new Date(now.getTime() + HOUR_MS)
  return (good || regular < again ? regular : again).toISOString()
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
