import type { TaxabilityReason } from './assessment.ts'
import { dutyToRegister } from './duty-to-register.ts'
import { findExemption } from './exemptions.ts'
import { explainDetail, explainUnregistered } from './explain.ts'
import type { ProductRule } from './book/facts.ts'
import { findPlace } from './place.ts'
import { placeOfDestination, placeOfPerformance, placeOfSupply } from './place-of-supply.ts'
import { type LayerTreatment, treatProduct } from './book/product-rules.ts'
import { type SupplyKind, supplyKind } from './book/product-types.ts'
import { findRate } from './book/rate-book.ts'
import { Refusal } from './refusal.ts'
import type { Supply } from './regimes/regime.ts'
import { isRegisteredFor } from './registration.ts'
import { MILLION } from './arithmetic/rounding.ts'
import type { Exemption } from './sale.ts'
import { addOnce, type Charge, record, type Terms, type Walk } from './walk.ts'

/** The terms of a product type in this sale: steps 2 to 6 of the order of work. */
export function termsOf(walk: Walk, product_type: string, path: string): Terms {
  const known = walk.terms.get(product_type)
  if (known !== undefined) return known
  const kind = supplyKind(product_type)
  if (kind === undefined)
    throw new Refusal(
      'unknown_product_type',
      `${path}.product_type`,
      `product_type ${JSON.stringify(product_type)} is not known`,
    )
  // Shipping beside goods follows them (shipping.ts); alone it is a service.
  const terms = settle(walk, product_type, kind, supplyOf(walk, kind === 'shipping' ? 'service' : kind))
  walk.terms.set(product_type, terms)
  return terms
}

/**
 * The terms of shipping that follows goods: theirs, unless the law of the place has another rule for
 * shipping.
 */
export function termsOfShipping(walk: Walk, goods: Terms, product_type: string): Terms {
  const { supply } = goods
  const plain = { ...goods, price_rule: null }
  if (supply.kind !== 'taxed' || goods.charges.length + goods.uncollected.length === 0) return plain
  const treatments = treatProduct(walk.book, supply.place, product_type, walk.business, walk.sale.day)
  use(walk, treatments)
  const exempt = new Set(
    treatments.filter((treatment) => !treatment.taxed).map((treatment) => treatment.layer.tax_type),
  )
  const isTaxed = (charge: Charge): boolean => !exempt.has(charge.tax_type)
  const [charges, uncollected] = [goods.charges.filter(isTaxed), goods.uncollected.filter(isTaxed)]
  // What is said of the goods' own rule does not hold for the shipping; what is said of the seller does.
  const ofGoods = notesOn(goods.treatments)
  const notes = [...notesOn(treatments), ...goods.notes.filter((note) => !ofGoods.includes(note))]
  const followed = { ...plain, charges, uncollected, treatments, notes }
  return goods.charges.length > 0 && charges.length === 0
    ? untaxed(
        followed,
        treatments.some((treatment) => treatment.zero_rated) ? 'zero_rated' : 'product_exempt',
      )
    : followed
}

/** The same terms with the product left untaxed. */
export function untaxed(terms: Terms, reason: 'product_exempt' | 'zero_rated', detail?: string): Terms {
  return {
    ...terms,
    charges: [],
    uncollected: [],
    reason,
    detail: detail ?? explainDetail(reason, terms.supply, terms.treatments),
  }
}

function supplyOf(walk: Walk, kind: 'goods' | 'digital' | 'service' | 'on_site'): Supply {
  const known = walk.supplies.get(kind)
  if (known !== undefined) return known
  const supply = decideSupply(walk, kind)
  walk.supplies.set(kind, supply)
  record(
    walk,
    'place_of_supply',
    `${kind}: ${supply.detail}`,
    `${supply.kind} in ${supply.place}`,
    supply.basis,
  )
  return supply
}

function decideSupply(walk: Walk, kind: 'goods' | 'digital' | 'service' | 'on_site'): Supply {
  const { book, sale, seller, customer, business, registrations } = walk
  if (kind === 'on_site') {
    const place =
      sale.supply_address === null
        ? (seller ?? customer)
        : findPlace(book, sale.supply_address, 'supply_address')
    if (place.jurisdiction_id === 'US' || place.jurisdiction_id === 'CA') {
      throw new Refusal(
        'region_required',
        'supply_address',
        'what is taxed where it takes place needs supply_address, or the region of the seller',
      )
    }
    return placeOfPerformance(place, seller, business)
  }
  if (seller === null) return placeOfDestination(customer)
  return placeOfSupply({
    kind,
    seller,
    customer,
    business,
    vat_id: sale.customer.vat_id,
    over_eu_threshold: sale.seller.over_eu_threshold,
    holds: (registration) => registrations.assumed || registrations.holds(registration),
    withinConsignmentLimit: walk.withinConsignmentLimit,
  })
}

function settle(walk: Walk, product_type: string, kind: SupplyKind, supply: Supply): Terms {
  if (supply.kind === 'reverse_charge')
    return nothingCharged(kind, supply, [], 'reverse_charge', supply.detail)
  if (supply.kind === 'untaxed') return nothingCharged(kind, supply, [], supply.reason, supply.detail)
  const treatments = treatProduct(walk.book, supply.place, product_type, walk.business, walk.sale.day)
  use(walk, treatments)
  if (treatments.every((treatment) => treatment.standard.rate_millionths === 0))
    return nothingCharged(
      kind,
      supply,
      treatments,
      'not_subject_to_tax',
      explainDetail('not_subject_to_tax', supply, treatments),
    )
  return collect(
    walk,
    nothingCharged(kind, supply, treatments, null, null, notesOn(treatments)),
    supply,
    product_type,
  )
}

function nothingCharged(
  kind: SupplyKind,
  supply: Supply,
  treatments: readonly LayerTreatment[],
  reason: TaxabilityReason | null,
  detail: string | null,
  notes: readonly string[] = [],
): Terms {
  return {
    kind,
    supply,
    charges: [],
    uncollected: [],
    reason,
    detail,
    registered: false,
    exemption: null,
    price_rule: null,
    notes,
    treatments,
  }
}

/**
 * Steps 4 to 6: which of the taxes the seller may charge, which of them fall on the product, which the
 * customer is free of.
 */
function collect(walk: Walk, terms: Terms, supply: Supply & { kind: 'taxed' }, product_type: string): Terms {
  const { treatments } = terms
  const due = treatments.filter((treatment) => treatment.taxed)
  const held = treatments.filter((treatment) =>
    isRegisteredFor(treatment.layer, supply, walk.seller, walk.registrations),
  )
  if (walk.trace !== null)
    record(
      walk,
      'registration',
      `${product_type}: the seller is registered in ${supply.place}`,
      held.length > 0 ? 'yes' : 'no',
      null,
    )
  if (held.length === 0) return notCollecting(walk, terms, supply, treatments, due)
  if (walk.trace !== null)
    record(walk, 'product_rule', product_type, treatments.map(describe).join(', '), null)
  if (due.length === 0)
    return untaxed(
      { ...terms, registered: true },
      treatments.some((treatment) => treatment.zero_rated) ? 'zero_rated' : 'product_exempt',
    )
  const collected = due.filter((treatment) => held.includes(treatment))
  if (collected.length === 0) return notCollecting(walk, terms, supply, due, due)
  const notes =
    collected.length === due.length
      ? terms.notes
      : [...terms.notes, ...due.filter((treatment) => !held.includes(treatment)).map(notCollected)]
  return exempt(
    walk,
    { ...terms, registered: true, notes, reason: reasonOf(treatments), price_rule: priceRule(collected) },
    collected,
  )
}

/** What would be charged is what a registered seller would charge this customer for this product. */
function notCollecting(
  walk: Walk,
  terms: Terms,
  supply: Supply & { kind: 'taxed' },
  missing: readonly LayerTreatment[],
  due: readonly LayerTreatment[],
): Terms {
  const detail = explainUnregistered(walk, terms.kind, supply, dutyToRegister(walk, supply, missing))
  const { charges } = chargesAfterExemptions(walk, terms.kind, due)
  return { ...terms, reason: 'not_collecting', detail, uncollected: charges, price_rule: priceRule(due) }
}

/**
 * Step 6. A provincial exemption leaves the federal part, so that an exemption may free all, a part, or
 * nothing.
 */
function chargesAfterExemptions(
  walk: Walk,
  kind: SupplyKind,
  treatments: readonly LayerTreatment[],
): { charges: Charge[]; exemption: Exemption | null } {
  const charges: Charge[] = []
  let exemption: Exemption | null = null
  for (const treatment of treatments) {
    const found = findExemption(
      walk.book,
      walk.sale.exemptions,
      treatment.layer.jurisdiction_id,
      kind,
      walk.sale.day,
    )
    const left = found === null ? treatment.rate_millionths : federalPart(walk, treatment, found)
    if (left !== null) charges.push(chargeOf(treatment, left))
    if (left !== treatment.rate_millionths) exemption ??= found
  }
  return { charges, exemption }
}

function exempt(walk: Walk, terms: Terms, collected: readonly LayerTreatment[]): Terms {
  const { charges, exemption } = chargesAfterExemptions(walk, terms.kind, collected)
  if (exemption === null) return { ...terms, charges }
  record(
    walk,
    'exemption',
    `${exemption.exemption_type} exemption for ${exemption.jurisdiction_id}`,
    charges.length === 0 ? 'frees all' : 'frees a part',
    null,
  )
  if (charges.length > 0) return { ...terms, charges, exemption, reason: 'customer_exempt' }
  return {
    ...terms,
    charges,
    exemption,
    reason: 'customer_exempt',
    detail: explainDetail('customer_exempt', terms.supply, terms.treatments),
    price_rule: null,
  }
}

/** A province can free its own part of the HST alone: the federal 5 % remain (ETA, s. 165(1), (2)). */
function federalPart(walk: Walk, treatment: LayerTreatment, exemption: Exemption): number | null {
  if (treatment.layer.tax_type !== 'HST' || exemption.jurisdiction_id === 'CA') return null
  const gst = findRate(walk.book, 'CA', 'GST', 'standard', walk.sale.day)
  return gst === undefined ? null : Math.min(gst.rate_millionths, treatment.rate_millionths)
}

function chargeOf(treatment: LayerTreatment, rate_millionths = treatment.rate_millionths): Charge {
  const { jurisdiction_id, tax_type } = treatment.layer
  return {
    key: `${jurisdiction_id} ${tax_type} ${rate_millionths}`,
    jurisdiction_id,
    tax_type,
    category: treatment.category,
    rate_millionths,
    fraction_millionths: treatment.fraction_millionths,
    compound: treatment.compound,
    standard: rate_millionths === treatment.standard.rate_millionths,
  }
}

function reasonOf(treatments: readonly LayerTreatment[]): TaxabilityReason | null {
  if (treatments.some((treatment) => !treatment.taxed)) return 'portion_product_exempt'
  if (treatments.some((treatment) => treatment.fraction_millionths !== MILLION))
    return 'taxable_basis_reduced'
  return treatments.some((treatment) => treatment.rate_millionths < treatment.standard.rate_millionths)
    ? 'reduced_rated'
    : null
}

function priceRule(treatments: readonly LayerTreatment[]): ProductRule | null {
  for (const { rule } of treatments)
    if (rule !== null && rule.price_rule !== null && rule.price_threshold !== null) return rule
  return null
}

function use(walk: Walk, treatments: readonly LayerTreatment[]): void {
  for (const { rule, rate, standard } of treatments) {
    addOnce(walk.rates_used, rate ?? standard)
    if (rule !== null) addOnce(walk.rules_used, rule)
  }
}

function notesOn(treatments: readonly LayerTreatment[]): string[] {
  const notes: string[] = []
  for (const { rule, layer, rate } of treatments) {
    if (rule === null) continue
    const place = layer.jurisdiction_id
    const more = rule.notes ? ` ${rule.notes}` : ''
    if (
      rule.treatment === 'partially_taxable' &&
      rule.price_rule === null &&
      rule.taxable_fraction_millionths === null
    )
      notes.push(`${place}: only a part may be taxable, tax was computed on the whole.${more}`)
    else if (rule.treatment === 'taxable' && rule.category === null && rule.rate_millionths === null)
      notes.push(`${place}: no rate for ${rule.product_type} is on record, the standard one was used.${more}`)
    else if (rule.confidence === 'low')
      notes.push(`${place}: the rule for ${rule.product_type} is not certain.${more}`)
    if (rule.category !== null && rate !== null && rate.category !== rule.category)
      notes.push(
        `${place}: ${rule.product_type} was taxed at the reduced rate of the territory, for it has none like its country's`,
      )
  }
  return notes
}

function notCollected(treatment: LayerTreatment): string {
  const { jurisdiction_id, tax_type } = treatment.layer
  return `${tax_type} of ${jurisdiction_id} is not collected: the seller is not registered for it`
}

function describe(treatment: LayerTreatment): string {
  const { tax_type, jurisdiction_id } = treatment.layer
  if (!treatment.taxed)
    return `${tax_type} ${jurisdiction_id}: ${treatment.zero_rated ? 'zero-rated' : 'exempt'}`
  return `${tax_type} ${jurisdiction_id}: ${treatment.category} ${treatment.rate_millionths / 10_000} %`
}
