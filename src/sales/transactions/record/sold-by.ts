import { fieldError } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/context.ts'
import { late } from '../../../platform/kit/late.ts'
import type { CreditedSale } from '../give-back/credited-sales.ts'
import type { Settlement } from '../give-back/settle.ts'
import type { TransactionRow } from '../sale/rows.ts'
import { type KeptSeller, readSaleContext } from '../sale/sale-context.ts'
import type { TransactionBody } from '../sale/schemas.ts'

/**
 * Whose sale it is. `seller` is kept with the sale; undefined: the request states none. `numbered` is the
 * seller whose registrations decide the tax and whose numbers the invoice has: another seller has none of the
 * account.
 */
export type SoldBy = {
  seller: KeptSeller | undefined
  of_other_seller: number
  numbered: TransactionBody['seller']
}

/** Tells a caller who did not mean it why reports lack the sale. */
export const NOTE_OF_OTHER_SELLER =
  'This sale is of another seller than the account: no return, threshold or report total counts it'

const stated = late(() => import('./stated-seller.ts'))

/** Whose a sale of a day is. A credit note is of the seller of its sale, whatever the request says. */
export async function soldBy(
  principal: Principal,
  given: TransactionBody['seller'],
  { credited = null, is_own }: { credited?: CreditedSale | null; is_own?: true },
  day: string,
): Promise<SoldBy> {
  if (credited !== null) return { ...sellerOfSale(credited.row), numbered: given }
  if (given === undefined || is_own) return { seller: undefined, of_other_seller: 0, numbered: given }
  const { statedSeller } = stated.held() ?? (await stated.load())
  return statedSeller(principal, given, day)
}

type KnownSeller = Pick<SoldBy, 'seller' | 'of_other_seller'>

function sellerOfSale({ facts, of_other_seller }: TransactionRow): KnownSeller {
  return { seller: readSaleContext(facts).seller, of_other_seller }
}

/** Throws invalid_request if a final sale settles a sale of another seller than its own. */
export function refuseOtherSellers(final: SoldBy, settlements: readonly Settlement[]): void {
  settlements.forEach(({ settled }, index) => {
    if (nameOf(sellerOfSale(settled.row)) === nameOf(final)) return
    const detail = 'is a sale of another seller: a final sale settles sales of its own seller'
    throw fieldError('invalid_request', `settles[${index}]`, detail)
  })
}

/** Equal for two sales of one seller. All sales of the account are of one. */
function nameOf({ seller, of_other_seller }: KnownSeller): string {
  if (of_other_seller === 0 || seller === undefined) return ''
  const number = seller.vat_id?.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return JSON.stringify([seller.country, number, seller.reference])
}
