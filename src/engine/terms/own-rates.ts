import { MILLION } from '../arithmetic/rounding.ts'
import { atStart, placeInSentence, taxInWords } from '../book/names.ts'
import { percentInWords } from '../book/figures-in-words.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { Rate } from '../book/facts.ts'
import type { LayerTreatment, TaxLayer } from '../book/layer.ts'
import type { Supplied, Terms, Walk } from '../found/found.ts'
import { OWN_RATE } from '../ground/own-rate.ts'
import type { Place, TaxedSupply, UntaxedSupply } from '../regimes/regime.ts'
import type { Product } from '../sale/lines.ts'
import type { OwnRate } from '../sale/sale.ts'
import { taxedTerms, termsOfTaxed, treatedSold } from './terms.ts'
import type { TreatedProduct } from './treated.ts'

/**
 * The terms by a rate of the seller's own, where none is on file or the seller replaces it; null: it has
 * none, or is not asked. Few sellers have one, so an account that does brings these functions.
 */
export function ownTermsOf(walk: Walk, product: Product, supplied: Supplied): Terms | null {
  const { supply } = supplied
  if (supply.kind === 'taxed') return replacedTermsOf(walk, product, supplied, supply)
  if (supply.kind !== 'untaxed') return null
  const id = supply.reason === 'not_supported' ? supply.place : supply.uncovered?.place
  const own = id === undefined ? null : ownRateOf(walk, id, product.product_type)
  if (own === null) return null
  const place = walk.customer.jurisdiction_id === id ? walk.customer : supplied.place
  const taxed = suppliedAtOwnRate(supplied, supply, { place, own })
  const treated = treatedByOwnRate(place, product.product_type, own)
  const terms = taxedTerms({
    walk,
    product,
    supplied: taxed,
    supply: taxed.supply,
    place,
    treated,
    local: null,
  })
  if (terms.reason !== null && terms.reason !== 'zero_rated') return terms
  return {
    ...terms,
    reason: 'own_rate',
    detail: terms.charges.length > 0 ? null : (treated.notes[0] ?? null),
  }
}

/**
 * The terms where the seller replaces the rate of a tax in the data: the law of the place decides all else,
 * such as who accounts for the tax and which customers are exempt. Null: it replaces none of these taxes.
 */
function replacedTermsOf(
  walk: Walk,
  product: Product,
  supplied: Supplied,
  supply: TaxedSupply,
): Terms | null {
  const { places = [] } = walk.sale.seller.own_rates ?? {}
  const replaced = places.filter(({ until }) => until !== undefined)
  if (replaced.length === 0) return null
  const { product_type } = product
  const isReplaced = (id: string) => replaced.some(({ jurisdiction_id }) => jurisdiction_id === id)
  const notes: string[] = []
  const general = treatedSold(walk, supplied.place, product)
  const treatments = general.treatments.map((treatment) => {
    const { layer } = treatment
    const at = replaced.find(({ jurisdiction_id }) => jurisdiction_id === layer.jurisdiction_id)
    const own = at === undefined || layer.on_top ? null : ownRateOf(walk, at.jurisdiction_id, product_type)
    if (own === null) return treatment
    notes.push(noteOnReplaced(walk.book, treatment, own, at?.until ?? ''))
    const { compound, standard } = treatment
    return { ...treatmentByOwnRate(layer, product_type, own), compound, standard }
  })
  if (notes.length === 0) return null
  const treated: TreatedProduct = {
    ...general,
    treatments,
    rule: 'uncertain',
    alternatives: [],
    notes: [...notes, ...general.notes],
  }
  const terms = termsOfTaxed(walk, product, supplied, supply, treated)
  const { charges, reason } = terms
  const used = charges.length === 0 || charges.some((charge) => isReplaced(charge.jurisdiction_id))
  if (!used || (reason !== null && !BY_RATE.has(reason))) return terms
  return { ...terms, reason: 'own_rate', detail: terms.charges.length > 0 ? null : (notes[0] ?? null) }
}

/** What a rate decides; other reasons are of the sale or of the customer. */
const BY_RATE: ReadonlySet<string> = new Set([
  'reduced_rated',
  'zero_rated',
  'product_exempt',
  'portion_product_exempt',
  'taxable_basis_reduced',
])

function noteOnReplaced(
  book: RateBook,
  { taxed, rate_millionths, layer }: LayerTreatment,
  own: OwnRate,
  until: string,
): string {
  const known = taxed ? `the rate of ${percentInWords(rate_millionths)}` : 'the exemption'
  const from = own.source === null ? '' : `, by ${own.source}`
  return (
    `Attention: the seller’s own rate of ${percentInWords(own.rate_millionths)} replaces ${known} that the ` +
    `data has for the ${taxInWords(layer.tax_type)} of ${placeInSentence(book, layer.jurisdiction_id)}, ` +
    `until ${until}${from}. Nobody has verified it here`
  )
}

/**
 * The rate of the seller's own for a product at a place: that of the product, else the general one. A sale
 * that a marketplace makes, and one that the request says bears no tax of the seller, has none.
 */
function ownRateOf({ sale, registrations }: Walk, place: string, product_type: string): OwnRate | null {
  const { own_rates } = sale.seller
  if (!own_rates || registrations.stated === false || sale.marketplace === 'facilitated') return null
  const rates = own_rates.places
    .find(({ jurisdiction_id }) => jurisdiction_id === place)
    ?.rates.filter(
      ({ valid_from, valid_to }) => valid_from <= sale.day && (valid_to === null || sale.day <= valid_to),
    )
  const named = (type: string | null) => rates?.find((rate) => rate.product_type === type)
  return named(product_type) ?? named(null) ?? null
}

/** A supply without data, as the seller says that it is taxed. */
function suppliedAtOwnRate(
  supplied: Supplied,
  found: UntaxedSupply,
  { place, own: { source } }: { place: Place; own: OwnRate },
): Supplied & { supply: TaxedSupply } {
  const id = place.jurisdiction_id
  const supply: TaxedSupply = {
    kind: 'taxed',
    place: id,
    registrations: [id],
    established: true,
    basis: source ?? 'Own rate of the seller',
    detail: 'No rate of the place is in the data, so the seller’s own rate was used',
    by_own_rate: true,
    ...(found.uncovered && { at_origin: found.uncovered.at_origin }),
  }
  return { ...supplied, supply, place }
}

/** How a rate of the seller's own treats a product. Nobody has verified it here. */
function treatedByOwnRate(
  { jurisdiction_id, name }: Place,
  product_type: string,
  own: OwnRate,
): TreatedProduct {
  const layer: TaxLayer = {
    tax_type: own.tax_type,
    jurisdiction_id,
    rules_from: jurisdiction_id,
    checked_from: own.valid_from,
  }
  const treatment = treatmentByOwnRate(layer, product_type, own)
  const note =
    `${atStart(name)} is not in the data for this sale, so the seller’s own rate of ` +
    `${percentInWords(own.rate_millionths)} was used${own.source === null ? '' : ` (${own.source})`}`
  return { treatments: [treatment], rule: 'uncertain', buyer: 'other', alternatives: [], notes: [note] }
}

function treatmentByOwnRate(layer: TaxLayer, product_type: string, own: OwnRate): LayerTreatment {
  const { rate_millionths } = own
  const taxed = rate_millionths > 0
  const category = taxed ? 'standard' : 'zero'
  return {
    layer,
    product_type,
    taxed,
    zero_rated: !taxed,
    category,
    rate_millionths,
    fraction_millionths: MILLION,
    compound: false,
    by_default: false,
    rule: null,
    rate: recordOf(layer.jurisdiction_id, category, own),
    standard: null,
  }
}

function recordOf(jurisdiction_id: string, category: Rate['category'], own: OwnRate): Rate {
  return {
    id: `${OWN_RATE} of ${jurisdiction_id}`,
    jurisdiction_id,
    tax_type: own.tax_type,
    category,
    name: 'Own rate of the seller',
    rate_millionths: own.rate_millionths,
    compound: false,
    effective_from: own.valid_from,
    effective_to: own.valid_to,
    source: OWN_RATE,
    source_url: '',
    last_verified_at: null,
    // Not a record as shipped, which people have reviewed.
    verified_by: 'nobody',
    confidence: 'low',
    notes: own.source,
  }
}
