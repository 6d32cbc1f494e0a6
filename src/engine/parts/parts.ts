import type {
  Cut,
  FoundBundle,
  LineInParts,
  LineProduct,
  Part,
  PartsOfLine,
  SoldProduct,
  Terms,
  Walk,
} from '../found/found.ts'
import { type SupplyKind, supplyKind } from '../book/product-types.ts'
import { soldAsBundle } from './bundles.ts'
import { invariant } from '../ground/invariant.ts'
import { notesOnLine } from './line-facts.ts'
import { partOfCut, partOfLine } from './part-of-line.ts'
import { cutBySections } from './price-sections.ts'
import { Refusal } from '../ground/refusal.ts'
import { discountedAmount, linesOf, nameOfLine, type Sale, type SaleLine } from '../sale/sale.ts'
import { cutByGoods, isShipped } from './shipping.ts'
import { nothingShared, type Shared, termsOfProduct } from '../terms/terms.ts'

/**
 * Splits every line of a sale into parts: goods and services first, then the shipping that follows the goods.
 * Throws unknown_product_type, discount_exceeds_amount, amount_out_of_range.
 */
export function partsOf(walk: Walk): LineInParts[] {
  const shared = nothingShared(walk)
  const goods: Part[] = []
  const found = productsOf(walk.sale).map((product) => {
    if (product.follows_goods) return { product, sold: null, bundle: null }
    const { sold, bundle } = soldOf(walk, product, shared)
    for (const each of sold) if (isShipped(each.product.product_type)) goods.push(each.part)
    return { product, sold, bundle }
  })
  return found.map(({ product, sold, bundle }) => {
    const { line, price } = product
    const parts =
      sold === null ? partsOfCuts(cutByGoods(walk, product, goods), line) : partsOfSold(walk, sold, line)
    return { line, price, parts, bundle, notes: notesOnLine(walk, line, parts, bundle) }
  })
}

type SoldLine = { sold: readonly SoldProduct[]; bundle: FoundBundle | null }

/** A line as one product, or as what the law makes of its bundle. */
function soldOf(walk: Walk, product: LineProduct, shared: Shared): SoldLine {
  if (product.line.bundle.length > 0) return soldAsBundle(walk, product.line, shared)
  const part = partOfLine(walk, product, termsOfProduct(walk, product, shared))
  return { sold: [{ product, part }], bundle: null }
}

/** The parts of products, each cut by the sections of its price if the law of the place has them. */
function partsOfSold(walk: Walk, sold: readonly SoldProduct[], line: SaleLine): PartsOfLine {
  const [first, ...others] = sold
  const parts = partsOfProduct(walk, invariant(first, 'a line has a product'), line)
  if (others.length === 0) return parts
  return [...parts, ...others.flatMap((each) => partsOfProduct(walk, each, line))]
}

function partsOfProduct(walk: Walk, { part }: SoldProduct, line: SaleLine): PartsOfLine {
  const sections = part.terms.local?.base.sections ?? null
  return sections === null ? [part] : partsOfCuts(cutBySections(walk, part, line, sections), line)
}

function partsOfCuts(cuts: readonly Cut[], line: SaleLine): PartsOfLine {
  const [first, ...others] = cuts
  const parts = others.map((cut) => partOfCut(cut, line))
  return [partOfCut(invariant(first, 'a line has a part'), line), ...parts]
}

function productsOf(sale: Sale): LineProduct[] {
  const products = linesOf(sale).map((line, index): LineProduct => {
    const kind = kindOf(sale, line, index)
    const price = discountedAmount(line)
    return { product_type: line.product_type, kind, line, price, follows_goods: false }
  })
  if (!products.some(({ kind }) => kind === 'shipping') || !products.some(isSentByPost)) return products
  return products.map((product) =>
    product.kind === 'shipping' && product.line.taxable ? { ...product, follows_goods: true } : product,
  )
}

function isSentByPost({ product_type, line }: LineProduct): boolean {
  if (line.bundle.length > 0) return line.bundle.some((each) => isShipped(each.product_type))
  return isShipped(product_type)
}

function kindOf(sale: Sale, line: SaleLine, index: number): SupplyKind {
  const { product_type, amount, discount, trade_in, bundle } = line
  const name = nameOfLine(sale, index)
  const kind = knownKind(product_type, name)
  for (const [place, part] of bundle.entries()) knownKind(part.product_type, `${name}.bundle[${place}]`)
  if (discount > Math.abs(amount)) {
    const detail = `discount ${discount} is larger than the amount of its line`
    throw new Refusal('discount_exceeds_amount', `${name}.discount`, detail)
  }
  if (trade_in > Math.abs(amount) - discount) {
    const detail = `trade_in ${trade_in} is larger than the price of its line`
    throw new Refusal('amount_out_of_range', `${name}.trade_in`, detail)
  }
  return kind
}

function knownKind(product_type: string, of: string): SupplyKind {
  const kind = supplyKind(product_type)
  if (kind !== undefined) return kind
  const detail = `product_type ${JSON.stringify(product_type)} is unknown`
  throw new Refusal('unknown_product_type', `${of}.product_type`, detail)
}

/** The terms that decided a line: those of its parts, and of a bundle those of its products. */
export function termsLookedAt({ parts, bundle }: LineInParts): readonly Terms[] {
  if (bundle === null) return parts.map(({ terms }) => terms)
  return [...new Set([...bundle.alone, ...parts.map(({ terms }) => terms)])]
}
