import { daysAfter } from '../../platform/kit/calendar.ts'
import type { EXEMPTION_STATUSES } from '../../platform/database/values/exemption-statuses.ts'

/** What a certificate is on a day. The status alone is older: a daily job sets it to expired. */
export const EXEMPTION_STATES = [
  'pending',
  'upcoming',
  'active',
  'expires_soon',
  'expired',
  'rejected',
] as const
export type ExemptionState = (typeof EXEMPTION_STATES)[number]

/** A certificate that ends within so many days expires soon. */
const SOON_DAYS = 30

/** The last day on which a certificate may end to expire soon. */
export function soonUntil(today: string): string {
  return daysAfter(today, SOON_DAYS)
}

type DatedStatus = {
  status: (typeof EXEMPTION_STATUSES)[number]
  valid_from: string
  valid_to: string | null
}

/** Whether a certificate is verified and has not ended before a day: the job that ends it comes later. */
export function isHeld(exemption: DatedStatus, today: string): boolean {
  return exemption.status === 'verified' && stateOn(exemption, today) !== 'expired'
}

/**
 * The state of a certificate on a day in the time zone of the account. The first and the last day count, as
 * in the calculation (findExemption). list-store.ts has the same rule in SQL, and a test compares them.
 */
export function stateOn({ status, valid_from, valid_to }: DatedStatus, today: string): ExemptionState {
  if (status !== 'verified') return status
  if (valid_to !== null && valid_to < today) return 'expired'
  if (valid_from > today) return 'upcoming'
  return valid_to !== null && valid_to <= soonUntil(today) ? 'expires_soon' : 'active'
}
