import { atStart, placeInSentence } from '../book/names.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { Cut, FoundBundle, LineInParts, Part, PartsOfLine, Terms, Walk } from '../found/found.ts'
import { at } from '../ground/invariant.ts'
import type { PricePart } from '../regimes/regime.ts'
import type { LineProduct } from '../sale/lines.ts'
import type { Exemption, SaleLine } from '../sale/sale.ts'
import { isFromAbroad, isLimitedByItem } from '../supply/consignment.ts'
import { type Shared, termsOfProduct } from '../terms/terms.ts'
import { soldAsBundle } from './bundles.ts'
import { isTaxed, partOfCut, partOfLine } from './part-of-line.ts'
import { cutBySections } from './price-sections.ts'
import { cutByGoods, type Delivered } from './shipping.ts'

/**
 * Splits every line of a sale into parts: goods and services first, then the shipping that follows the goods.
 */
export function partsOf(walk: Walk, products: readonly LineProduct[]): readonly LineInParts[] {
  const shared: Shared = { supplies: new Map(), terms: new Map() }
  const inOrder = products.some(({ nature }) => nature.deposit) ? walk.sale.rare_lines : null
  const sell = inOrder?.sellingInOrder(walk, shared) ?? ((product) => soldOf(walk, product, shared))
  if (!products.some(({ follows_goods }) => follows_goods)) return products.map(sell)
  const sold = products.map((product) => (product.follows_goods ? null : sell(product)))
  const goods = sold.flatMap((each) => each?.goods ?? NONE)
  const delivered = { goods, credits: goods.some(({ amount }) => amount < 0) }
  // Beside deposits alone, shipping follows nothing.
  const ship = goods.length === 0 ? sell : (product: LineProduct) => withGoods(walk, product, delivered)
  return products.map((product, index) => sold[index] ?? ship(product))
}

/** `goods`: the parts that shipping follows. */
export type SoldLine = LineInParts & { goods: readonly Part[] }

/** A line with its parts and the notes on its details. */
export function soldLine(
  walk: Walk,
  { line, price }: LineProduct,
  parts: PartsOfLine,
  goods: readonly Part[],
  bundle: FoundBundle | null,
): SoldLine {
  return { line, price, parts, bundle, notes: notesOnLine(walk, line, parts, bundle), goods }
}

/** Shipping, on the terms of its goods. */
function withGoods(walk: Walk, product: LineProduct, delivered: Delivered): SoldLine {
  return soldLine(walk, product, partsOfCuts(cutByGoods(walk, product, delivered), product.line), NONE, null)
}

/** A line as one product, or as what the law makes of its bundle. */
export function soldOf(walk: Walk, product: LineProduct, shared: Shared): SoldLine {
  const { line } = product
  if (line.bundle.length > 0) return bundleOf(walk, product, shared)
  const whole: WholeLine = [partOfLine(walk, product, termsOfProduct(walk, product, shared))]
  return soldLine(walk, product, bySections(walk, whole, line), product.is_sent ? whole : NONE, null)
}

function bundleOf(walk: Walk, whole: LineProduct, shared: Shared): SoldLine {
  const { line } = whole
  const { sold, bundle } = soldAsBundle(walk, line, shared)
  const [first, ...others] = sold
  const more = others.flatMap(({ part }) => bySections(walk, [part], line))
  const goods = sold.filter(({ product }) => product.nature.shipped).map(({ part }) => part)
  return soldLine(walk, whole, [...bySections(walk, [first.part], line), ...more], goods, bundle)
}

type WholeLine = readonly [Part]

/** A part, cut by the sections of its price if the law of the place has them. */
function bySections(walk: Walk, whole: WholeLine, line: SaleLine): PartsOfLine {
  // By its index: a pattern makes an iterator for each line, which took half as long as all other steps.
  const part = whole[0]
  const sections = part.terms.local?.base.sections ?? null
  return sections === null ? whole : partsOfCuts(cutBySections(walk, part, line, sections), line)
}

/** The parts of a line that was cut at least once. */
export function partsOfCuts(cuts: readonly Cut[], line: SaleLine): PartsOfLine {
  const first = partOfCut(at(cuts, 0), line)
  return cuts.length === 1 ? [first] : [first, ...cuts.slice(1).map((cut) => partOfCut(cut, line))]
}

/** The terms that decided a line: those of its parts, and of a bundle those of its products. */
export function termsLookedAt({ parts, bundle }: Pick<LineInParts, 'parts' | 'bundle'>): readonly Terms[] {
  const ofParts = parts.map(({ terms }) => terms)
  return bundle === null ? ofParts : [...new Set([...bundle.alone, ...ofParts])]
}

const NONE: readonly never[] = []

/** What the details that the request states of one line did to its tax, or that they did nothing. */
function notesOnLine(
  walk: Walk,
  line: SaleLine,
  parts: PartsOfLine,
  bundle: FoundBundle | null,
): readonly string[] {
  const { exemptions, funded_discount, trade_in } = line
  const credit = line.amount < 0 ? noteOnCredit(walk, line, parts) : NONE
  if (exemptions.length === 0 && funded_discount === 0 && trade_in === 0 && bundle === null) return credit
  const { terms } = parts.find(bearsTax) ?? parts[0]
  const { price_parts } = terms.supplied.place
  return [
    ...credit,
    ...(exemptions.length === 0 ? NONE : [noteOnExemption(walk.book, parts)]),
    ...(funded_discount === 0 ? NONE : [noteOnPart(walk, terms, DISCOUNT, price_parts.funded_discount)]),
    ...(trade_in === 0 ? NONE : [noteOnPart(walk, terms, TRADE_IN, price_parts.trade_in)]),
    ...(bundle === null ? NONE : [bundle.note]),
  ]
}

/**
 * A negative line may be a coupon on another line or goods that come back, and does not say which. So where
 * the tax depends on the price of one item, it lessens no price, and says it.
 */
function noteOnCredit(walk: Walk, line: SaleLine, parts: PartsOfLine): readonly string[] {
  const { terms } = parts[0]
  const by_item =
    (terms.price_rule !== null && terms.price_rule.price_rule !== 'total_up_to_takes_rate') ||
    (terms.local?.base.sections ?? null) !== null ||
    (terms.kind === 'goods' && isLimitedByItem(walk) && isFromAbroad(walk))
  const { product_type } = line
  if (!by_item || !walk.sale.lines.some((other) => other.amount > 0 && other.product_type === product_type))
    return NONE
  return [
    'The tax here depends on the price of one item, but a negative line does not reduce the price ' +
      'of an item. ' +
      'Send a coupon as the discount of its line',
  ]
}

function noteOnExemption(book: RateBook, parts: PartsOfLine): string {
  for (const { terms } of parts) {
    const { exemption } = terms
    if (exemption !== null && exemption.id === null)
      return (
        `The exemption that the request states (${nameOfExemption(book, exemption)}) ` +
        'was applied. It is not verified, so keep the certificate'
      )
  }
  return 'exemption was not used, because it covers no tax on the line'
}

function nameOfExemption(book: RateBook, { exemption_type, jurisdiction_id }: Exemption): string {
  return `${exemption_type.replaceAll('_', ' ')}, ${placeInSentence(book, jurisdiction_id)}`
}

/** A part of the price that is not the customer's money: its field, and how a sentence names it. */
type NamedPart = { field: string; named: string }

const DISCOUNT: NamedPart = {
  field: 'discount_funded_by',
  named: 'what a third party pays for a discount',
}
const TRADE_IN: NamedPart = { field: 'trade_in', named: 'what a trade-in counts for' }

function noteOnPart(
  { sale }: Walk,
  terms: Terms,
  { field, named }: NamedPart,
  part: PricePart | null,
): string {
  if (!bearsTax({ terms })) return `${field} was not used, because no tax falls on the line`
  const { name } = terms.supplied.place
  if (part === null) return `The data does not say whether ${name} taxes ${named}, so it was taxed`
  const verb = isTaxed(part, sale.customer) ? 'taxes' : 'does not tax'
  return `${atStart(name)} ${verb} ${named} (${part.basis})`
}

function bearsTax({ terms }: { terms: Terms }): boolean {
  return terms.charges.length + terms.uncollected.length > 0
}
