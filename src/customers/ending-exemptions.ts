import { daysAfter } from '../calendar.ts'
import type { Context } from '../context.ts'
import { listExemptions, type ListedExemption } from '../exemptions/list-store.ts'
import { type HeldExemption, heldByCustomers } from '../exemptions/held-store.ts'
import { todayIn } from '../time-zone.ts'

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
  const [expired, soon] = await Promise.all([
    listExemptions(context, { state: 'expired', today }, LISTED_MAX),
    listExemptions(context, { state: 'expires_soon', today }, LISTED_MAX),
  ])
  const since = daysAfter(today, -ENDED_DAYS)
  const ended = expired.found.filter(
    ({ valid_to: day, ended_on }) =>
      day !== null && day >= since && day < today && (ended_on === null || ended_on >= day),
  )
  const customers = [...ended, ...soon.found].map(({ customer_id }) => customer_id)
  const held = await heldByCustomers(context, new Set(customers), today)
  const isLast = (each: ListedExemption) => !held.some((other) => follows(other, each, today))
  return {
    ended: ended.filter(isLast).slice(0, LISTED_MAX),
    expires_soon: soon.found.filter(isLast).slice(0, LISTED_MAX),
  }
}

/** Whether a certificate covers the place of another one, today or from the day after its end. */
function follows(later: HeldExemption, ending: ListedExemption, today: string): boolean {
  if (later.customer_id !== ending.customer_id || ending.valid_to === null) return false
  const { jurisdiction_id: place } = later
  const covers = place === ending.jurisdiction_id || ending.jurisdiction_id.startsWith(`${place}-`)
  const next = daysAfter(ending.valid_to, 1)
  const from = next > today ? next : today
  return covers && later.valid_from <= from && (later.valid_to === null || later.valid_to >= from)
}
