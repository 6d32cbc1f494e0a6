import type { Address } from '../sale/sale.ts'
import { MEMBER_STATES } from './eu-member-states.ts'
import type { Place } from './regime.ts'

/** Whether goods may pass a border at which the data knows a customs duty. */
export function passesCustoms(
  to: Pick<Address, 'country'> | null | undefined,
  from: Pick<Address, 'country'> | null | undefined,
): boolean {
  if (!to || !from || to.country === from.country) return false
  return to.country === 'US' || (MEMBER_STATES.includes(to.country) && !MEMBER_STATES.includes(from.country))
}

/** Whether goods stay within one customs territory: the Union has one with the territories of its states. */
export function isOneCustomsArea(customer: Place, origin: Place): boolean {
  if (customer.law.id !== 'EU') return origin.law.id === customer.law.id
  return origin.vat_state !== null || MEMBER_STATES.includes(origin.jurisdiction_id.slice(0, 2))
}
