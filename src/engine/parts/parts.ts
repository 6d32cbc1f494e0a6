import { atStart, placeInSentence } from '../book/names.ts'
import type { RateBook } from '../book/rate-book.ts'
import type {
  Cut,
  FoundBundle,
  LineInParts,
  Part,
  PartsOfLine,
  SoldProduct,
  SoldProducts,
  Terms,
  Walk,
} from '../found/found.ts'
import { invariant } from '../ground/invariant.ts'
import type { PricePart } from '../regimes/regime.ts'
import type { LineProduct } from '../sale/lines.ts'
import type { Exemption, SaleLine } from '../sale/sale.ts'
import { type Shared, termsOfProduct } from '../terms/terms.ts'
import { soldAsBundle } from './bundles.ts'
import { isTaxed, partOfCut, partOfLine } from './part-of-line.ts'
import { cutBySections } from './price-sections.ts'
import { cutByGoods } from './shipping.ts'

/**
 * Splits every line of a sale into parts: goods and services first, then the shipping that follows the goods.
 */
export function partsOf(walk: Walk, products: readonly LineProduct[]): LineInParts[] {
  const shared: Shared = { supplies: new Map(), terms: new Map() }
  const goods: Part[] = []
  const found = products.map((product) => {
    if (product.follows_goods) return { product, sold: null, bundle: null }
    const { sold, bundle } = soldOf(walk, product, shared)
    for (const each of sold) if (each.product.nature.shipped) goods.push(each.part)
    return { product, sold, bundle }
  })
  return found.map(({ product, sold, bundle }) => {
    const { line, price } = product
    const parts =
      sold === null ? partsOfCuts(cutByGoods(walk, product, goods), line) : partsOfSold(walk, sold, line)
    const notes = notesOnLine(walk, line, parts, bundle)
    return { line, price, parts, bundle, notes, looked_at: termsLookedAt(parts, bundle) }
  })
}

type SoldLine = { sold: SoldProducts; bundle: FoundBundle | null }

/** A line as one product, or as what the law makes of its bundle. */
function soldOf(walk: Walk, product: LineProduct, shared: Shared): SoldLine {
  if (product.line.bundle.length > 0) return soldAsBundle(walk, product.line, shared)
  const part = partOfLine(walk, product, termsOfProduct(walk, product, shared))
  return { sold: [{ product, part }], bundle: null }
}

/** The parts of products, each cut by the sections of its price if the law of the place has them. */
function partsOfSold(walk: Walk, sold: SoldProducts, line: SaleLine): PartsOfLine {
  const parts = partsOfProduct(walk, sold[0], line)
  if (sold.length === 1) return parts
  return [...parts, ...sold.slice(1).flatMap((each) => partsOfProduct(walk, each, line))]
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

/** The terms that decided a line: those of its parts, and of a bundle those of its products. */
function termsLookedAt(parts: PartsOfLine, bundle: FoundBundle | null): LineInParts['looked_at'] {
  const [{ terms }] = parts
  if (parts.length === 1 && bundle === null) return [terms]
  const others = parts.slice(1).map((part) => part.terms)
  if (bundle === null) return [terms, ...others]
  const [first = terms, ...more] = new Set([...bundle.alone, terms, ...others])
  return [first, ...more]
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
  if (exemptions.length === 0 && funded_discount === 0 && trade_in === 0 && bundle === null) return NONE
  const { terms } = parts.find(bearsTax) ?? parts[0]
  const { price_parts } = terms.supplied.place
  return [
    ...(exemptions.length === 0 ? NONE : [noteOnExemption(walk.book, parts)]),
    ...(funded_discount === 0 ? NONE : [noteOnPart(walk, terms, DISCOUNT, price_parts.funded_discount)]),
    ...(trade_in === 0 ? NONE : [noteOnPart(walk, terms, TRADE_IN, price_parts.trade_in)]),
    ...(bundle === null ? NONE : [bundle.note]),
  ]
}

function noteOnExemption(book: RateBook, parts: PartsOfLine): string {
  for (const { terms } of parts) {
    const { exemption } = terms
    if (exemption !== null && exemption.id === null)
      return (
        `The exemption that the request states (${nameOfExemption(book, exemption)}) ` +
        'was applied. Nobody verified it: keep the certificate'
      )
  }
  return 'exemption was not used: it is for no tax that falls on the line'
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
  if (!bearsTax({ terms })) return `${field} was not used: no tax falls on the line`
  const { name } = terms.supplied.place
  if (part === null) return `Whether ${name} taxes ${named} is not on file, so it was taxed`
  const verb = isTaxed(part, sale.customer) ? 'taxes' : 'does not tax'
  return `${atStart(name)} ${verb} ${named} (${part.basis})`
}

function bearsTax({ terms }: { terms: Terms }): boolean {
  return terms.charges.length + terms.uncollected.length > 0
}
