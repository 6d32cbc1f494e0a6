import { bearSameTaxes, groupsOfAlike } from './alike.ts'
import { atStart } from '../book/names.ts'
import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'
import type { BundleScope } from '../book/facts.ts'
import { isWithin, natureOf, productInSentence } from '../book/product-types.ts'
import type { Charge, FoundBundle, Part, SoldProduct, SoldProducts, Terms, Walk } from '../found/found.ts'
import { at, invariant } from '../ground/invariant.ts'
import { partOfCut, partOfLine } from './part-of-line.ts'
import type { BundleLaw, FreeBundle, Place } from '../regimes/regime.ts'
import { linesWithin, productOfLine } from '../sale/lines.ts'
import type { SaleLine } from '../sale/sale.ts'
import { isUntaxedProduct } from './shipping.ts'
import { type Shared, termsOfProduct, withoutTax } from '../terms/terms.ts'

/** What is left of a bundle: products of one tax each, and what the law made of it. */
type SoldBundle = { readonly sold: SoldProducts; readonly bundle: FoundBundle }

/**
 * A line with several products for one price. The law of the place splits the price by the shares, or taxes
 * the whole as the product with the most tax, or frees what is small. Where no law is on file, the whole is
 * taxed: nobody is taxed too little in silence.
 */
export function soldAsBundle(walk: Walk, line: SaleLine, shared: Shared): SoldBundle {
  const products = linesWithin(line).map((each) => soldAlone(walk, each, shared))
  const { sold, ...said } = verdictOn(products, line)
  return { sold, bundle: { alone: products.map(({ part }) => part.terms), ...said } }
}

/** A line that is one product, on the terms of that product. */
function soldAlone(walk: Walk, line: SaleLine, shared: Shared): SoldProduct {
  const nature = invariant(natureOf(line.product_type), 'a product of a bundle has a type')
  const product = productOfLine(line, nature)
  return { product, part: partOfLine(walk, product, termsOfProduct(walk, product, shared)) }
}

type BundleVerdict = Omit<FoundBundle, 'alone'> & { readonly sold: SoldProducts }

function verdictOn(products: readonly SoldProduct[], line: SaleLine): BundleVerdict {
  const supplies = [...new Set(products.map(({ part }) => nameOfSupply(part.terms)))]
  const alike = groupsOf(products)
  if (supplies.length > 1)
    return { sold: alike, outcome: 'by share', note: severalSupplies(supplies), certain: false, basis: null }
  const unused = { sold: alike, outcome: 'not used', certain: true, basis: null }
  if (!products.some(bearsTax))
    return { ...unused, note: 'bundle was not used, because no tax falls on the line' }
  if (alike.length === 1)
    return { ...unused, note: 'bundle was not used, because its products are taxed alike' }
  const { place } = at(products, 0).part.terms.supplied
  const types = line.bundle.map(({ product_type }) => product_type)
  const law = bundleLawFor(place, types)
  const taxable_millionths = products.reduce(
    (sum, { part }, index) => (isUntaxedProduct(part) ? sum : sum + at(line.bundle, index).share_millionths),
    0,
  )
  const free = law?.free.find((each) => isFreeBundle(each, types, taxable_millionths))
  if (law !== null && free !== undefined) return freed(products, law, free.up_to_millionths)
  return law?.taxed === 'by_share' ? byShare(alike, law) : asWhole(products, law)
}

function nameOfSupply({ supplied: { supply, place } }: Terms): string {
  const kind = supply.kind === 'untaxed' ? supply.reason : supply.kind
  return `${kind.replaceAll('_', ' ')} in ${place.name}`
}

function severalSupplies(supplies: readonly string[]): string {
  return (
    `The products of the bundle are supplied in several ways (${supplies.join(', ')}). Each was taxed ` +
    'on its share of the price. Send a line for each, so that returns list them separately'
  )
}

function byShare(sold: SoldProducts, { basis, certain }: BundleLaw): BundleVerdict {
  const place = placeOf(sold)
  const doubt = certain ? '' : `. The data does not say whether each tax of ${place} follows that`
  const note =
    `${atStart(place)} taxes each product of the bundle on its share of the price (${basis})${doubt}` +
    '. A product that only serves another has the tax of that other. Then send only the other'
  return { sold, outcome: 'by share', note, certain, basis }
}

/**
 * The whole price on the terms of the product with the most tax. Whether a tax of its own, such as one on
 * lodging, or an exemption of the customer takes in the other products is not on file.
 */
function asWhole(products: readonly SoldProduct[], given: BundleLaw | null): BundleVerdict {
  const taxed = products.filter(bearsTax)
  const carrier = taxed.reduce((most, each) => (rateOf(each) > rateOf(most) ? each : most))
  const { product_type } = carrier.product
  const named = productInSentence(product_type)
  const law = products.every(isPlain) ? given : null
  const place = placeOf(products)
  const note =
    law === null
      ? `The data does not say how ${place} taxes a bundle of these products, so the whole price was ` +
        `taxed as ${named}, the product with the most tax`
      : `${atStart(place)} taxes the whole price of the bundle as its product with the most tax, ` +
        `${named} (${law.basis})`
  return {
    sold: [merged(products, carrier.part.terms)],
    outcome: `whole, as ${product_type}`,
    note,
    certain: law?.certain ?? false,
    basis: law?.basis ?? null,
  }
}

/** The taxable products of the bundle are so few that the law does not tax them. */
function freed(
  products: readonly SoldProduct[],
  { basis, certain }: BundleLaw,
  up_to: number,
): BundleVerdict {
  const place = placeOf(products)
  const why = `the taxable products of the bundle are no more than ${up_to / 10_000} % of its price`
  const detail = `Exempt in ${place}: ${why} (${basis})`
  const taxable = products.filter(({ part }) => !isUntaxedProduct(part))
  const others = products.filter(({ part }) => isUntaxedProduct(part))
  const sold = [...taxable.map((each) => spared(each, detail)), ...others]
  return { sold: groupsOf(sold), outcome: 'free', note: detail, certain, basis }
}

/** If nothing is collected anyway, the reason stays. */
function spared({ product, part }: SoldProduct, detail: string): SoldProduct {
  const { terms, amount, base, notes } = part
  const free =
    terms.charges.length === 0 ? { ...terms, uncollected: [] } : withoutTax(terms, 'product_exempt', detail)
  return { product, part: partOfCut({ terms: free, amount, base, notes }, product.line) }
}

/** Products on equal terms are one part, so that their tax is rounded once. */
function groupsOf(products: readonly SoldProduct[]): SoldProducts {
  const groups = groupsOfAlike(products, areTaxedAlike)
  const [first, ...others] = groups.map((group) => merged(group, at(group, 0).part.terms))
  return [invariant(first, 'a bundle has a product'), ...others]
}

function areTaxedAlike({ part: { terms } }: SoldProduct, { part: other }: SoldProduct): boolean {
  return bearSameTaxes(terms, other.terms) && hasSections(terms) === hasSections(other.terms)
}

function hasSections({ local }: Terms): boolean {
  return (local?.base.sections ?? null) !== null
}

function merged(products: readonly SoldProduct[], terms: Terms): SoldProduct {
  const first = at(products, 0)
  if (products.length === 1 && terms === first.part.terms) return first
  let amount = 0
  let base = 0
  for (const { part } of products) {
    amount += part.amount
    base += part.base
  }
  const notes = [...new Set(products.flatMap(({ part }) => part.notes))]
  const { product } = products.find((each) => each.product.nature.shipped) ?? first
  return { product, part: partOfCut({ terms, amount, base, notes }, product.line) }
}

/** Whether only the general tax falls on the product, and no exemption of the customer frees it. */
function isPlain({ part: { terms } }: SoldProduct): boolean {
  return (
    terms.exemption === null && !terms.treatments.some(({ layer, rule }) => layer.on_top || rule?.levied_as)
  )
}

/** Whether the product bears a tax, or would if the seller were registered. */
function bearsTax({ part: { terms } }: { part: Part }): boolean {
  return chargesOf(terms).length > 0
}

function chargesOf({ charges, uncollected }: Terms): readonly Charge[] {
  return charges.length > 0 ? charges : uncollected
}

function rateOf({ part: { terms } }: SoldProduct): number {
  return chargesOf(terms).reduce(
    (sum, { rate_millionths, fraction_millionths }) =>
      sum + multiplyAndDivide(rate_millionths, fraction_millionths, MILLION),
    0,
  )
}

function placeOf(products: readonly SoldProduct[]): string {
  return at(products, 0).part.terms.supplied.place.name
}

/** The law of a place on a bundle of these product types; null: it is not on file. */
function bundleLawFor({ bundles }: Place, types: readonly string[]): BundleLaw | null {
  return bundles !== null && isBundleOf(bundles.of, types) ? bundles : null
}

/** Whether the law frees a bundle because its taxable products are a small part of it. */
function isFreeBundle(
  { of, up_to_millionths }: FreeBundle,
  types: readonly string[],
  taxable_millionths: number,
): boolean {
  return taxable_millionths <= up_to_millionths && isBundleOf(of, types)
}

const FOOD = ['groceries', 'luxury_food', 'candy', 'snacks', 'soft_drinks', 'dietary_supplements']
const MEDICAL = ['prescription_drugs', 'otc_drugs', 'medical_devices']

function isBundleOf(scope: BundleScope, types: readonly string[]): boolean {
  if (scope === 'all') return true
  if (!types.every((type) => natureOf(type)?.kind === 'goods')) return false
  if (scope === 'goods') return true
  const named = scope === 'food' ? FOOD : MEDICAL
  return types.some((type) => named.some((broad) => isWithin(type, broad)))
}
