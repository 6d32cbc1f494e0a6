import type { z } from 'zod'
import type { Exemption } from '../../src/exemptions/schemas.ts'
import type { Customer } from '../customers/customer.ts'

/** A certificate of a customer. */
export type Certificate = Customer['exemptions'][number]

/** What decides whether a certificate still frees sales. */
export type Ending = Pick<z.output<typeof Exemption>, 'valid_to' | 'status'>

type CertificateState = 'to review' | 'active' | 'expires soon' | 'expired' | 'rejected'

/** From how many days before its end a certificate is marked. */
const SOON_DAYS = 30
const DAY_MS = 86_400_000

/** The state of a certificate for people: one that was verified and has ended frees no sale any more. */
export function stateOf({ valid_to, status }: Ending): CertificateState {
  if (status === 'pending') return 'to review'
  if (status !== 'verified') return status
  if (valid_to === null) return 'active'
  if (valid_to < dayIn(0)) return 'expired'
  return valid_to <= dayIn(SOON_DAYS) ? 'expires soon' : 'active'
}

/** The day that is so many days from now. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
}
