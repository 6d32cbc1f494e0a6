import { dayBefore, daysAfter } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { idsThatNoneFollows } from '../exemptions/ending-store.ts'
import { listExemptions, type ListedExemption } from '../exemptions/list-store.ts'
import { soonUntil } from '../exemptions/state.ts'
import { todayIn } from '../../platform/kit/time-zone.ts'

/** A certificate that ended longer ago is no news. */
const ENDED_DAYS = 30

const LISTED_MAX = 100

/**
 * The verified certificates that ended by their last day in the last 30 days, the latest first, and those
 * that end in the next 30 days, the first to end first: at most 100 of each. Left out are those whose
 * customer has a verified one of the same place that follows without a gap.
 */
export async function endingExemptions(
  context: Context,
): Promise<{ ended: ListedExemption[]; expires_soon: ListedExemption[] }> {
  const today = todayIn(context.principal.time_zone, context.now)
  const lately = { from: daysAfter(today, -ENDED_DAYS), to: dayBefore(today), order: 'DESC' } as const
  const soon = { status: 'verified', from: today, to: soonUntil(today), order: 'ASC' } as const
  // The job that sets a status to expired comes later than the last day.
  const spans = [{ ...lately, status: 'verified' }, { ...lately, status: 'expired' }, soon] as const
  const [verified = [], expired = [], ending = []] = await idsThatNoneFollows(context, spans, today)
  const list = async (state: 'expired' | 'expires_soon', ids: readonly string[]) =>
    (await listExemptions(context, { state, today, ids }, LISTED_MAX)).found.slice(0, LISTED_MAX)
  const [ended, expires_soon] = await Promise.all([
    list('expired', [...verified, ...expired]),
    list('expires_soon', ending),
  ])
  return { ended, expires_soon }
}
