import type { z } from 'zod'
import type { Exemption } from '../../src/exemptions/schemas.ts'
import { type ExemptionState, stateOn } from '../../src/exemptions/state.ts'
import type { Customer } from '../customers/customer.ts'
import { todayInZone } from '../format.ts'

/** A certificate of a customer. */
export type Certificate = Customer['exemptions'][number]

/** What decides whether a certificate frees sales. */
export type Ending = Pick<z.output<typeof Exemption>, 'valid_from' | 'valid_to' | 'status' | 'ended_on'>

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

/** The state of a certificate today for people. Only an active one, and one that expires soon, free sales. */
export function stateOf(certificate: Ending): (typeof WORDS)[ExemptionState] {
  return WORDS[stateOn(certificate, todayInZone())]
}
