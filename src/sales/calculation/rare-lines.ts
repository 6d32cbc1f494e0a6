import { fieldError } from '../../platform/errors.ts'
import type { AskedLine } from './asked-calculation.ts'

export { sellingInOrder } from '../../engine/parts/deposits.ts'
export { termsOfNoSupply } from '../../engine/terms/no-supply.ts'

/** Throws invalid_request for a line without its reason, a reason without its line, or facts of a product. */
export function refuseWrongReason(asked: AskedLine, index: number): void {
  const { supply, supply_reason } = asked
  const refusal = (field: string, detail: string) =>
    fieldError('invalid_request', `line_items[${index}].${field}`, detail)
  if (supply && supply_reason !== null) throw refusal('supply_reason', 'goes with supply: false')
  if (supply) return
  if (supply_reason === null) throw refusal('supply_reason', 'is required with supply: false')
  const wrong = factsOfProduct(asked)
  if (wrong !== undefined) throw refusal(wrong, 'does not go with supply: false')
}

/** What pays for no supply has no product, buyer or price whose tax a fact could change. */
function factsOfProduct(asked: AskedLine): string | undefined {
  const { taxable, bundle, exemption, trade_in, discount_funded_by, live, business_only, hs_code } = asked
  const given = {
    taxable,
    bundle: bundle.length > 0,
    exemption: exemption !== null,
    trade_in: trade_in !== 0,
    discount_funded_by: discount_funded_by !== 'seller',
    live,
    business_only,
    hs_code: hs_code !== null,
  }
  return Object.entries(given).find(([, isGiven]) => isGiven)?.[0]
}
