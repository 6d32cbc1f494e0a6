import type { Cut, LineInParts, LineProduct, Part, PartsOfLine, Terms, Walk } from './found.ts'
import { invariant } from './invariant.ts'
import { isWithin, type SupplyKind, supplyKind } from './book/product-types.ts'
import { notesOnLine } from './line-facts.ts'
import { cutByPrice } from './price-rules.ts'
import { cutBySections } from './price-sections.ts'
import { Refusal } from './refusal.ts'
import { discountedAmount, linesOf, nameOfLine, type PricedLine, type Sale, type SaleLine } from './sale.ts'
import { cutByGoods } from './shipping.ts'
import { taxedPrice } from './taxed-price.ts'
import { nothingShared, termsOfProduct, withoutTax } from './terms.ts'

/**
 * Splits every line of a sale into parts: goods and services first, then the shipping that follows the goods.
 * Throws unknown_product_type, discount_exceeds_amount, amount_out_of_range.
 */
export function partsOf(walk: Walk): LineInParts[] {
  const shared = nothingShared(walk)
  const goods: Part[] = []
  const whole = productsOf(walk.sale).map((product) => {
    if (product.follows_goods) return { product, part: null }
    const part = partOfLine(walk, product, termsOfProduct(walk, product, shared))
    if (isShipped(product)) goods.push(part)
    return { product, part }
  })
  return whole.map(({ product, part }) => {
    const { line, price } = product
    const sections = part?.terms.local?.base.sections ?? null
    if (part !== null && sections === null) return withNotes(walk, { line, price, parts: [part] })
    const cuts =
      part === null || sections === null
        ? cutByGoods(walk, product, goods)
        : cutBySections(walk, part, line, sections)
    return withNotes(walk, { line, price, parts: partsOfCuts(cuts, line) })
  })
}

function withNotes(walk: Walk, { line, price, parts }: Omit<LineInParts, 'notes'>): LineInParts {
  return { line, price, parts, notes: notesOnLine(walk, line, parts) }
}

function partsOfCuts(cuts: readonly Cut[], line: SaleLine): PartsOfLine {
  const [first, ...others] = cuts
  const parts = others.map((cut) => partOfCut(cut, line))
  return [partOfCut(invariant(first, 'a line has a part'), line), ...parts]
}

function partOfCut({ terms, amount, base, notes }: Cut, { tax_behavior }: SaleLine): Part {
  return { terms, amount, taxable: { base, tax_behavior, components: terms.charges }, notes }
}

const NO_NOTES: readonly never[] = []

function productsOf(sale: Sale): LineProduct[] {
  const products = linesOf(sale).map((line, index): LineProduct => {
    const kind = kindOf(sale, line, index)
    const price = discountedAmount(line)
    return { product_type: line.product_type, kind, line, price, follows_goods: false }
  })
  if (!products.some(({ kind }) => kind === 'shipping') || !products.some(isShipped)) return products
  return products.map((product) =>
    product.kind === 'shipping' && product.line.taxable ? { ...product, follows_goods: true } : product,
  )
}

/** Shipping follows goods, and meals that are delivered (CJEU C-349/96). */
function isShipped({ kind, product_type }: Pick<LineProduct, 'kind' | 'product_type'>): boolean {
  return kind === 'goods' || isWithin(product_type, 'prepared_food')
}

function kindOf(sale: Sale, line: SaleLine, index: number): SupplyKind {
  const { product_type, amount, discount, trade_in } = line
  const kind = supplyKind(product_type)
  if (kind === undefined) {
    const detail = `product_type ${JSON.stringify(product_type)} is unknown`
    throw new Refusal('unknown_product_type', `${nameOfLine(sale, index)}.product_type`, detail)
  }
  if (discount > Math.abs(amount)) {
    const detail = `discount ${discount} is larger than the amount of its line`
    throw new Refusal('discount_exceeds_amount', `${nameOfLine(sale, index)}.discount`, detail)
  }
  if (trade_in > Math.abs(amount) - discount) {
    const detail = `trade_in ${trade_in} is larger than the price of its line`
    throw new Refusal('amount_out_of_range', `${nameOfLine(sale, index)}.trade_in`, detail)
  }
  return kind
}

/** A line that is one part, on its own terms. */
export function partOfLine(walk: Walk, { line, price }: PricedLine, terms: Terms): Part {
  if (line.taxable && terms.price_rule !== null)
    return partOfCut(cutByPrice(walk, terms, { line, price }, terms.price_rule), line)
  const own = line.taxable ? terms : withoutTax(terms, 'product_exempt', SAID_UNTAXED)
  const base = taxedPrice(walk, own, line)
  const taxable = { base, tax_behavior: line.tax_behavior, components: own.charges }
  return { terms: own, amount: price, taxable, notes: NO_NOTES }
}

const SAID_UNTAXED = 'The request marks this line as not taxable'
