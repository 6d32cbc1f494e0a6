import type * as z from 'zod'
import type { Principal } from '../../platform/context.ts'
import type { SellerRequest } from './seller-field.ts'

export type Numbered = Pick<Principal, 'seller' | 'registrations' | 'vat_id'>
export type GivenSeller = z.output<typeof SellerRequest> | undefined

/** Whether an answer for this seller can name a number: the account has stored one, and is the seller. */
export function hasNumbers(principal: Numbered, given: GivenSeller): boolean {
  const { vat_id, registrations } = principal
  const stored = vat_id !== null || registrations.some(({ number }) => number !== null)
  return stored && isOwnSeller(principal, given)
}

/** Whether the seller of a request is the account, with its own registrations. */
export function isOwnSeller({ seller }: Numbered, given: GivenSeller): boolean {
  return given === undefined || (given.registrations === undefined && given.country === seller?.country)
}
