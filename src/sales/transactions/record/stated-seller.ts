import { isOtherSeller } from './other-seller.ts'
import type { Principal } from '../../../platform/context.ts'
import type { TransactionBody } from '../sale/schemas.ts'
import type { SoldBy } from './sold-by.ts'

/**
 * The seller that the request of a sale of a day states. It keeps what says who that is. Its town and its
 * turnover are left out, because a seller may be a person.
 */
export function statedSeller(
  principal: Principal,
  given: NonNullable<TransactionBody['seller']>,
  day: string,
): SoldBy {
  const { country, region, registrations, small_business, vat_id, reference } = given
  const is_other = isOtherSeller(principal, given, day)
  return {
    seller: {
      country,
      region: region || undefined,
      registrations,
      small_business,
      vat_id: vat_id || undefined,
      reference: reference || undefined,
    },
    of_other_seller: is_other ? 1 : 0,
    numbered: is_other ? { ...given, registrations: registrations ?? [] } : given,
  }
}
