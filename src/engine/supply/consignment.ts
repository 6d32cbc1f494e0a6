import type { Region } from '../book/regions.ts'
import type { LimitComparison, Walk } from '../found/found.ts'
import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'
import { convertIndicatively, findConsignmentLimit, isOfItem, type RateBook } from '../book/rate-book.ts'
import type { ConsignmentLimit } from '../book/facts.ts'
import { treatProduct } from '../book/product-rules.ts'
import { supplyKind } from '../book/product-types.ts'
import { linesWithin, piecesOf } from '../sale/lines.ts'
import type { Place } from '../regimes/regime.ts'
import type { Sale, SaleLine, Turnover } from '../sale/sale.ts'

/** The limits that the law of one supply asks for. Each is compared once. */
export type Limits = {
  /** Whether the item is within the limit of the customer's region; null: it has no limit by item. */
  readonly item_within: boolean | null
  /** Whether goods from abroad are within the value up to which a region taxes them at the sale. */
  readonly within: (region: Region) => boolean
  /** The answers so far, in the order of the questions. */
  readonly compared: readonly LimitComparison[]
}

function limitAtCustomer({ book, customer, sale }: Walk): ConsignmentLimit | null {
  const { id } = customer.law
  return id === 'uncovered' ? null : findConsignmentLimit(book, id, sale.day)
}

/** Whether the customer's region taxes goods of a type at the border, whatever their value. */
export function isAlwaysAtBorder(walk: Walk, product_type: string): boolean {
  const limit = limitAtCustomer(walk)
  return limit !== null && isExcluded(limit, product_type)
}

/** Whether the law of the customer's place looks at each item of goods, so goods have terms by line. */
export function isLimitedByItem({ book, customer: { law } }: Walk): boolean {
  return law.id !== 'uncovered' && book.limited_by_item.has(law.id)
}

/** The limits for goods of a type in a line; null: only the type is known. */
export function limitsOf(walk: Walk, product_type: string, line: SaleLine | null): Limits {
  const own = limitAtCustomer(walk)
  const compared: LimitComparison[] = []
  const compare = (limit: ConsignmentLimit): boolean => {
    const comparison = compareWithLimit(walk, limit, product_type, line)
    compared.push(comparison)
    return comparison.within
  }
  const item_within = own !== null && isOfItem(own) ? compare(own) : null
  const within = (region: Region): boolean => {
    const known = compared.find((each) => each.region === region)
    if (known !== undefined) return known.within
    const limit = findConsignmentLimit(walk.book, region, walk.sale.day)
    return limit !== null && compare(limit)
  }
  return { item_within, within, compared }
}

/**
 * Whether the intrinsic value of goods, without shipping and tax, is within the limit up to which they are
 * taxed at the sale. A limit by consignment (150 EUR, Directive 2006/112/EC, art. 369l; 135 GBP, VATA 1994,
 * s. 7(5A); 1,000 AUD, GST Act 1999, s. 84-79) counts all goods of the sale; a limit by item counts `line`
 * alone.
 */
function compareWithLimit(
  walk: Walk,
  limit: ConsignmentLimit,
  product_type: string,
  line: SaleLine | null,
): LimitComparison {
  const { book, sale, customer } = walk
  if (isExcluded(limit, product_type)) return { region: limit.region, within: false, note: null }
  if (
    customer.law.supply.excise_takes_parcel === true &&
    sale.lines.flatMap(linesWithin).some((each) => isExcluded(limit, each.product_type))
  )
    return { region: limit.region, within: false, note: EXCISE_IN_CONSIGNMENT }
  const value =
    limit.per === 'item'
      ? valueOfItem(book, sale, customer, line)
      : valueOfGoods(book, sale, customer, sale.lines)
  const magnitude = Math.abs(value)
  const compared = compareValue(book, sale, limit, magnitude)
  if (limit.per === 'item' && line !== null && isFromAbroad(walk)) piecesOf(sale, line, compared.within)
  return compared
}

/** Whether the goods of a sale together, without shipping and tax, are worth at most a sum. */
export function goodsAreWorth({ book, sale, customer }: Walk, most: Turnover): boolean {
  const value = Math.abs(valueOfGoods(book, sale, customer, sale.lines))
  const same = sale.currency === most.currency
  const compared = same ? value : convertIndicatively(book, value, sale.currency, most.currency)
  return compared === null || compared <= most.amount
}

/** Goods of the same country pass no border, so no limit decides about them. */
export function isFromAbroad({ origin, customer }: Walk): boolean {
  return origin?.law.id !== customer.law.id
}

function compareValue(
  book: RateBook,
  sale: Sale,
  limit: ConsignmentLimit,
  magnitude: number,
): LimitComparison {
  const { region } = limit
  if (sale.currency === limit.currency) return { region, within: isWithinLimit(limit, magnitude), note: null }
  const converted = convertIndicatively(book, magnitude, sale.currency, limit.currency)
  if (converted === null) return { region, within: true, note: noExchangeRate(sale.currency) }
  return { region, within: isWithinLimit(limit, converted), note: COMPARED_INDICATIVELY }
}

/** Whether the law taxes goods of a type at the border, whatever their value. */
function isExcluded({ excludes }: ConsignmentLimit, product_type: string): boolean {
  return (excludes ?? '').split(' ').includes(product_type)
}

const EXCISE_IN_CONSIGNMENT =
  'Goods under excise duty, and everything that is sent with them, are taxed at the border. Record ' +
  'what is sent separately as a separate sale'

/** Above 3,000 NOK and at it, goods are taxed at the border (NO); at 400 SGD, at the sale (SG). */
function isWithinLimit({ amount, test }: ConsignmentLimit, value: number): boolean {
  return test === 'below' ? value < amount : value <= amount
}

const COMPARED_INDICATIVELY =
  'The value of the consignment was compared with a limit in another currency at an indicative exchange rate'

function noExchangeRate(currency: string): string {
  return (
    `The exchange rate of ${currency} is unknown, ` +
    'so the value of the consignment counts as within the limit'
  )
}

/**
 * The price of one item; fractions of a minor unit count as a whole one, so they are never lost. If the
 * number of items is unknown, the most that one can cost: the whole line.
 */
function valueOfItem(book: RateBook, sale: Sale, destination: Place, line: SaleLine | null): number {
  if (line === null) return 0
  const items = Number.isInteger(line.quantity) ? line.quantity : 1
  return Math.ceil(Math.abs(valueOfGoods(book, sale, destination, [line])) / items)
}

function valueOfGoods(book: RateBook, sale: Sale, destination: Place, lines: readonly SaleLine[]): number {
  let value = 0
  for (const line of lines.flatMap(linesWithin)) {
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
