import type { Terms, Walk } from '../found/found.ts'
import type { PricePart } from '../regimes/regime.ts'
import type { CustomerStatus, SaleLine } from '../sale/sale.ts'

/**
 * The price of a line that the law of the place taxes, minor units, signed. It contains what a third party
 * pays for a discount, and not what a trade-in counts for, as the law says. What is not on file is taxed.
 */
export function taxedPrice({ sale }: Walk, { supplied: { place } }: Terms, line: SaleLine): number {
  const { amount, discount, funded_discount, trade_in } = line
  let price = Math.abs(amount) - discount
  if (funded_discount !== 0 && isTaxed(place.price_parts.funded_discount, sale.customer))
    price += funded_discount
  if (trade_in !== 0 && !isTaxed(place.price_parts.trade_in, sale.customer)) price -= trade_in
  return amount < 0 ? 0 - price : price
}

/** Whether the law taxes a part of the price. */
export function isTaxed(part: PricePart | null, { type, vat_id }: CustomerStatus): boolean {
  if (part === null) return true
  const business = type === 'business' || vat_id?.good === true
  return part.for_consumers === true && business ? !part.taxed : part.taxed
}
