import type * as z from 'zod'
import { isOtherSeller } from '../../../parties/accounts/other-seller.ts'
import type { SellerRequest } from '../../../parties/accounts/seller-field.ts'
import { fieldError } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/context.ts'
import type { CreditedSale } from '../give-back/credited-sales.ts'
import type { Settlement } from '../give-back/settle.ts'
import type { TransactionRow } from '../sale/rows.ts'
import { type KeptSeller, readSaleContext } from '../sale/sale-context.ts'

/** Whose sale it is. `seller` is kept with the sale; undefined: the request states none. */
export type SoldBy = { seller: KeptSeller | undefined; of_other_seller: 0 | 1 }

/** Tells a caller who did not mean it why reports lack the sale. */
export const NOTE_OF_OTHER_SELLER =
  'This sale is of another seller than the account, so no return, threshold or report of the account counts it'

/** The seller of a sale of a day. A credit note is of the seller of its sale, whatever the request says. */
export function soldBy(
  principal: Principal,
  given: z.output<typeof SellerRequest> | undefined,
  credited: CreditedSale | null,
  day: string,
): SoldBy {
  if (credited !== null) return soldByOf(credited.row)
  return {
    seller: given === undefined ? undefined : sellerToKeep(given),
    of_other_seller: isOtherSeller(principal, given, day) ? 1 : 0,
  }
}

function soldByOf({ facts, of_other_seller }: TransactionRow): SoldBy {
  return { seller: readSaleContext(facts).seller, of_other_seller: of_other_seller === 1 ? 1 : 0 }
}

/** What says who the seller is. Its town and its turnover are not kept, because it may be a person. */
function sellerToKeep(given: z.output<typeof SellerRequest>): KeptSeller {
  const { country, region, registrations, small_business, vat_id, reference } = given
  return {
    country,
    region: region || undefined,
    registrations,
    small_business,
    vat_id: vat_id || undefined,
    reference: reference || undefined,
  }
}

/** Throws invalid_request if a final sale settles a sale of another seller than its own. */
export function refuseOtherSellers(final: SoldBy, settlements: readonly Settlement[]): void {
  settlements.forEach(({ settled }, index) => {
    if (nameOf(soldByOf(settled.row)) === nameOf(final)) return
    const detail = 'is a sale of another seller: a final sale settles sales of its own seller'
    throw fieldError('invalid_request', `settles[${index}]`, detail)
  })
}

/** Equal for two sales of one seller. All sales of the account are of one. */
function nameOf({ seller, of_other_seller }: SoldBy): string {
  if (of_other_seller === 0 || seller === undefined) return 'the account'
  return JSON.stringify([seller.country, seller.vat_id, seller.reference])
}
