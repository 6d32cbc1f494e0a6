import type { Exemption } from '../../client/src/schema.ts'
import { daysBetween } from '../../src/platform/kit/calendar.ts'
import { type ExemptionState, stateOn } from '../../src/parties/exemptions/state.ts'
import { linkTo } from '../address.ts'
import { formatDay, todayInZone } from '../format.ts'
import { Badge } from '../parts/parts.tsx'
import { counted } from '../words.ts'

/** What decides whether a certificate makes sales exempt. */
type Ending = Pick<Exemption, 'valid_from' | 'valid_to' | 'status' | 'ended_on'>

const WORDS = {
  pending: 'to review',
  upcoming: 'not yet valid',
  active: 'active',
  expires_soon: 'expires soon',
  expired: 'expired',
  rejected: 'rejected',
} as const satisfies Record<ExemptionState, string>

/** The states in the order of a life, for a filter. */
export const STATES = Object.entries(WORDS).map(([value, name]) => ({ value, name }))

/** The state of a certificate today for people. Only `active` and `expires soon` make sales exempt. */
export function stateOf(certificate: Ending): (typeof WORDS)[ExemptionState] {
  const today = todayInZone()
  const { status, valid_to } = certificate
  // A review of one that has ended would change nothing.
  if (status === 'pending' && valid_to !== null && valid_to < today) return 'expired'
  return WORDS[stateOn(certificate, today)]
}

/** The link to a certificate: its address needs its customer. */
export function linkToCertificate(customer_id: string, id: string, query?: URLSearchParams): string {
  return linkTo('certificates', { id: `${customer_id}~${id}`, ...(query && { query }) })
}

/** The state as a badge. One that ends soon says when: the last day still counts. */
export function StateOf({ of }: { of: Ending }) {
  const state = stateOf(of)
  if (state !== 'expires soon' || of.valid_to === null) return <Badge word={state} />
  const days = daysBetween(todayInZone(), of.valid_to)
  return <Badge word={days === 0 ? 'last day' : `${counted(days, 'day')} left`} tone="warn" />
}

/** The last day of a certificate. */
export function lastDay({ valid_to, ended_on }: Ending): string {
  const last = ended_on ?? valid_to
  return last === null ? 'No end' : formatDay(last)
}
