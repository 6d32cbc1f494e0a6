import type { Region } from './book/facts.ts'
import { treatProduct } from './book/product-rules.ts'
import { type RateBook, inForce } from './book/rate-book.ts'
import { MILLION, multiplyAndDivide, multiplyAndDivideBig } from './arithmetic/rounding.ts'
import type { Sale } from './sale.ts'
import { supplyKind } from './book/product-types.ts'

/** How the goods of a sale compare with a limit that is set in another currency, perhaps. */
export type LimitComparison = {
  within: boolean
  /** How the value came into the currency of the limit. Without a rate it is taken as within. */
  exchange: 'none_needed' | 'indicative' | 'no_rate'
}

/**
 * Whether the intrinsic value of the goods, without shipping and tax, is within the limit up to which
 * consignments from abroad are taxed at the sale: 150 EUR (Directive 2006/112/EC, art. 369l), 135 GBP (VATA
 * 1994, s. 7(5A)), 1,000 AUD (GST Act 1999, s. 84-79).
 */
export function compareConsignment(
  book: RateBook,
  sale: Sale,
  region: Region,
  destination: string,
): LimitComparison {
  const limit = book.consignment_limits.get(region)?.find((candidate) => inForce(candidate, sale.day))
  if (limit === undefined) return { within: false, exchange: 'none_needed' }
  const value = Math.abs(valueOfGoods(book, sale, destination))
  if (sale.currency === limit.currency) return { within: value <= limit.amount, exchange: 'none_needed' }
  const converted = convertIndicatively(book, value, sale.currency, limit.currency)
  return converted === null
    ? { within: true, exchange: 'no_rate' }
    : { within: converted <= limit.amount, exchange: 'indicative' }
}

/**
 * Minor units of one currency in another's, at the indicative rates of the data; null when one of them is not
 * known.
 */
export function convertIndicatively(book: RateBook, amount: number, from: string, to: string): number | null {
  const source = book.exchange_rates.get(from)
  const target = book.exchange_rates.get(to)
  if (source === undefined || target === undefined) return null
  const numerator = BigInt(target.per_euro_millionths) * 10n ** BigInt(target.exponent)
  const denominator = BigInt(source.per_euro_millionths) * 10n ** BigInt(source.exponent)
  return multiplyAndDivideBig(BigInt(amount), numerator, denominator)
}

function valueOfGoods(book: RateBook, sale: Sale, destination: string): number {
  let value = 0
  for (const line of sale.lines) {
    if (supplyKind(line.product_type) !== 'goods') continue
    const price = Math.abs(line.amount) - line.discount
    value +=
      Math.sign(line.amount) *
      (line.tax_behavior === 'inclusive'
        ? withoutTax(book, price, destination, line.product_type, sale.day)
        : price)
  }
  return value
}

function withoutTax(
  book: RateBook,
  price: number,
  destination: string,
  product_type: string,
  day: string,
): number {
  let rate = 0
  for (const treatment of treatProduct(book, destination, product_type, false, day))
    if (treatment.taxed) rate += treatment.rate_millionths
  return multiplyAndDivide(price, MILLION, MILLION + rate)
}
