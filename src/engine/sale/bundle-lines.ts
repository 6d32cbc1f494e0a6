import { shareByWeight } from '../arithmetic/allocation.ts'
import { at } from '../ground/invariant.ts'
import type { SaleLine } from './sale.ts'

/**
 * The lines that a line stands for: one for each product of a bundle, else itself. Their amounts, discounts
 * and trade-ins add up to its own.
 */
export function linesWithin(line: SaleLine): readonly SaleLine[] {
  const { bundle } = line
  if (bundle.length === 0) return [line]
  const amounts = shareByWeight(
    line.amount,
    bundle.map(({ share_millionths }) => share_millionths),
  )
  // By what they reduce and not by the shares: so none is larger than that.
  const sizes = amounts.map(Math.abs)
  const discounts = shareByWeight(line.discount, sizes)
  const funded = shareByWeight(line.funded_discount, discounts)
  const prices = sizes.map((size, index) => size - at(discounts, index))
  const traded = shareByWeight(line.trade_in, prices)
  return bundle.map(({ product_type }, index) => ({
    ...line,
    product_type,
    amount: at(amounts, index),
    discount: at(discounts, index),
    funded_discount: at(funded, index),
    trade_in: at(traded, index),
    bundle: [],
  }))
}
