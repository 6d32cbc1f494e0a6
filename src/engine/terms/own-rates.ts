import { MILLION } from '../arithmetic/rounding.ts'
import { atStart } from '../book/names.ts'
import type { Rate } from '../book/facts.ts'
import type { LayerTreatment, TaxLayer } from '../book/layer.ts'
import type { Supplied, Terms, Walk } from '../found/found.ts'
import { OWN_RATE } from '../ground/own-rate.ts'
import type { Place, TaxedSupply, UntaxedSupply } from '../regimes/regime.ts'
import type { Product } from '../sale/lines.ts'
import type { OwnRate } from '../sale/sale.ts'
import { taxedTerms } from './terms.ts'
import type { TreatedProduct } from './treated.ts'

/**
 * The terms by a rate of the seller's own, where none is on file; null: it has none, or is not asked. Few
 * sellers have one, so an account that does brings these functions.
 */
export function ownTermsOf(walk: Walk, product: Product, supplied: Supplied): Terms | null {
  const { supply } = supplied
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
 * The rate of the seller's own for a product at a place that the data does not cover: that of the product,
 * else the general one. A sale that a marketplace makes, and one that the request says bears no tax of the
 * seller, has none.
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
  const { tax_type, rate_millionths } = own
  const layer: TaxLayer = {
    tax_type,
    jurisdiction_id,
    rules_from: jurisdiction_id,
    checked_from: own.valid_from,
  }
  const taxed = rate_millionths > 0
  const category = taxed ? 'standard' : 'zero'
  const rate = recordOf(jurisdiction_id, category, own)
  const treatment: LayerTreatment = {
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
    rate,
    standard: null,
  }
  const note =
    `${atStart(name)} is not in the data for this sale, so the seller’s own rate of ` +
    `${rate_millionths / 10_000} % was used${own.source === null ? '' : ` (${own.source})`}`
  return { treatments: [treatment], rule: 'uncertain', buyer: 'other', alternatives: [], notes: [note] }
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
