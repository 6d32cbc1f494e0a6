import { MILLION, multiplyAndDivide } from './arithmetic/rounding.ts'
import { convertIndicatively } from './book/exchange.ts'
import type { ConsignmentLimit } from './book/facts.ts'
import { treatProduct } from './book/product-rules.ts'
import { supplyKind } from './book/product-types.ts'
import { inForce, type RateBook } from './book/rate-book.ts'
import type { Place } from './regimes/regime.ts'
import type { Sale, SaleLine } from './sale.ts'

/** How the goods of a sale compare with a limit, which may be set in another currency. */
export type LimitComparison = {
  within: boolean
  /**
   * How the value was converted to the currency of the limit. Without a rate it counts as within the limit.
   */
  exchange: 'none_needed' | 'indicative' | 'no_rate'
}

/** The limit of a region on a day, or null. */
export function consignmentLimit(
  book: RateBook,
  region: ConsignmentLimit['region'],
  day: string,
): ConsignmentLimit | null {
  return book.consignment_limits.get(region)?.find((candidate) => inForce(candidate, day)) ?? null
}

/**
 * Whether the intrinsic value of goods, without shipping and tax, is within the limit up to which they are
 * taxed at the sale. A limit by consignment (150 EUR, Directive 2006/112/EC, art. 369l; 135 GBP, VATA 1994,
 * s. 7(5A); 1,000 AUD, GST Act 1999, s. 84-79) counts all goods of the sale; a limit by item counts `line`
 * alone.
 */
export function compareWithLimit(
  book: RateBook,
  sale: Sale,
  limit: ConsignmentLimit,
  destination: Place,
  line: SaleLine | null,
): LimitComparison {
  const value =
    limit.per === 'item'
      ? valueOfItem(book, sale, destination, line)
      : valueOfGoods(book, sale, destination, sale.lines)
  const magnitude = Math.abs(value)
  if (sale.currency === limit.currency) return { within: magnitude <= limit.amount, exchange: 'none_needed' }
  const converted = convertIndicatively(book, magnitude, sale.currency, limit.currency)
  if (converted === null) return { within: true, exchange: 'no_rate' }
  return { within: converted <= limit.amount, exchange: 'indicative' }
}

/** The price of one item; fractions of a minor unit count as a whole one, so they are never lost. */
function valueOfItem(book: RateBook, sale: Sale, destination: Place, line: SaleLine | null): number {
  if (line === null) return 0
  return Math.ceil(Math.abs(valueOfGoods(book, sale, destination, [line])) / line.quantity)
}

function valueOfGoods(book: RateBook, sale: Sale, destination: Place, lines: readonly SaleLine[]): number {
  let value = 0
  for (const line of lines) {
    if (supplyKind(line.product_type) !== 'goods') continue
    const price = Math.abs(line.amount) - line.discount
    const net =
      line.tax_behavior === 'inclusive'
        ? withoutTax(book, price, destination, line.product_type, sale.day)
        : price
    value += Math.sign(line.amount) * net
  }
  return value
}

function withoutTax(
  book: RateBook,
  price: number,
  { taxes }: Place,
  product_type: string,
  day: string,
): number {
  const treatments = treatProduct(book, taxes, product_type, false, day)
  let rate = 0
  for (const treatment of treatments) if (treatment.taxed) rate += treatment.rate_millionths
  return multiplyAndDivide(price, MILLION, MILLION + rate)
}
