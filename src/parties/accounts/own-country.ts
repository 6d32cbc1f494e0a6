import type { Principal } from '../../platform/context.ts'
import { heldOn } from './established-on.ts'

/** Whether the account sells from a country on a day YYYY-MM-DD. If it has stored none, it may be any. */
export function isOwnCountry(
  { seller, establishments }: Pick<Principal, 'seller' | 'establishments'>,
  country: string,
  day: string,
): boolean {
  if (seller === null || seller.country === country) return true
  return heldOn(establishments, day).some((held) => held.country === country)
}
