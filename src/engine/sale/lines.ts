import { shareByWeight } from '../arithmetic/allocation.ts'
import { natureOf, type ProductNature } from '../book/product-types.ts'
import { at } from '../ground/invariant.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Sale, SaleLine } from './sale.ts'

/** A line with its price after the discount: minor units, signed. */
export type PricedLine = { line: SaleLine; price: number }

/** The product whose terms are asked for. What its type says is looked up once. */
export type Product = {
  product_type: string
  nature: ProductNature
  /** Null if only the product is known, not its price. */
  line: SaleLine | null
  /** Shipping beside goods has their terms. */
  follows_goods: boolean
  /** Shipping has the terms of this product. */
  is_sent: boolean
}

/** The product of a line, with the line's price after the discount: minor units, signed. */
export type LineProduct = Product & PricedLine

/** The lines of a sale, its shipping cost last. */
export function linesOf({ lines, shipping }: Sale): readonly SaleLine[] {
  return shipping === null ? lines : lines.concat(shipping)
}

/** How the engine names a line in errors. */
function nameOfLine(sale: Sale, index: number): string {
  return index === sale.lines.length ? 'shipping' : `lines[${index}]`
}

/** The price of a line after its discount. For a credit, too, the discount reduces the magnitude. */
export function discountedAmount({ amount, discount }: Pick<SaleLine, 'amount' | 'discount'>): number {
  return amount < 0 ? amount + discount : amount - discount
}

/**
 * The products of all lines, the shipping last. Throws unknown_product_type, discount_exceeds_amount,
 * amount_out_of_range.
 */
export function productsOf(sale: Sale): LineProduct[] {
  const products = linesOf(sale).map((line, index) => checkedProduct(sale, line, index))
  if (!products.some(isShipping)) return products
  const vouchers = !products.some(isSentByPost) && areVouchersPosted(products)
  if (!vouchers && !products.some(isSentByPost)) return products
  for (const product of products)
    if (isShipping(product)) product.follows_goods = product.line.taxable
    else if (vouchers && product.nature.voucher) product.is_sent = true
  return products
}

/** Whether a delivery can only be of gift cards: beside them are services that nobody posts. */
function areVouchersPosted(products: readonly LineProduct[]): boolean {
  return (
    products.some(({ nature }) => nature.voucher) &&
    products.every((product) => {
      const { voucher, intangible, kind } = product.nature
      if (product.line.bundle.length > 0) return false
      return voucher || intangible || kind === 'digital' || isShipping(product)
    })
  )
}

function checkedProduct(sale: Sale, line: SaleLine, index: number): LineProduct {
  const { product_type, amount, discount, trade_in, bundle } = line
  const nature = natureOf(product_type)
  if (nature === undefined) throw unknownType(sale, index, '', product_type)
  if (bundle.length > 0) refuseUnknownParts(sale, bundle, index)
  if (discount > Math.abs(amount)) {
    const detail = `discount ${discount} is larger than the amount of its line`
    throw new Refusal('discount_exceeds_amount', `${nameOfLine(sale, index)}.discount`, detail)
  }
  if (trade_in > Math.abs(amount) - discount) {
    const detail = `trade_in ${trade_in} is larger than the price of its line`
    throw new Refusal('amount_out_of_range', `${nameOfLine(sale, index)}.trade_in`, detail)
  }
  return productOfLine(line, nature)
}

function refuseUnknownParts(sale: Sale, bundle: SaleLine['bundle'], index: number): void {
  bundle.forEach(({ product_type }, place) => {
    if (natureOf(product_type) === undefined)
      throw unknownType(sale, index, `bundle[${place}].`, product_type)
  })
}

function unknownType(sale: Sale, index: number, part: string, product_type: string): Refusal {
  const detail = `product_type ${JSON.stringify(product_type)} is unknown`
  return new Refusal('unknown_product_type', `${nameOfLine(sale, index)}.${part}product_type`, detail)
}

/** The product of a line, with its price. */
export function productOfLine(line: SaleLine, nature: ProductNature): LineProduct {
  return {
    product_type: line.product_type,
    nature,
    line,
    price: discountedAmount(line),
    follows_goods: false,
    is_sent: nature.shipped,
  }
}

function isShipping({ nature }: LineProduct): boolean {
  return nature.kind === 'shipping'
}

function isSentByPost({ nature, line: { bundle } }: LineProduct): boolean {
  if (bundle.length === 0) return nature.shipped
  return bundle.some(({ product_type }) => natureOf(product_type)?.shipped === true)
}

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

/**
 * The pieces of a line, where the law looks at the price of one. A quantity such as 1.5 kg does not tell how
 * many pieces it is. It is at least one, so `one_settles` says that one piece already has the answer. Throws
 * fractional_quantity.
 */
export function piecesOf(sale: Sale, line: SaleLine, one_settles: boolean): number {
  const { quantity } = line
  if (Number.isInteger(quantity)) return quantity
  if (one_settles) return 1
  const index = linesOf(sale).indexOf(line)
  const name = index < 0 ? 'lines' : nameOfLine(sale, index)
  const detail =
    `the tax here depends on the price of one item, and a quantity of ${quantity} does not say how ` +
    'many items there are: give amount, with the number of items as quantity'
  throw new Refusal('fractional_quantity', `${name}.quantity`, detail)
}
