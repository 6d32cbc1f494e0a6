import type { Charge, Duty, Product, Taxed, Terms, Walk } from './found.ts'
import { MILLION } from './arithmetic/rounding.ts'
import type { TaxabilityReason } from './assessment.ts'
import type { ProductRule } from './book/facts.ts'
import { type LayerTreatment, type TaxLayer, treatProduct } from './book/product-rules.ts'
import { supplyKind } from './book/product-types.ts'
import { chargesAfterExemptions, isTaxedLocally } from './charges.ts'
import { dutyFor } from './duty.ts'
import { explainReason, explainUnregistered } from './explain.ts'
import { localNotes, localNotesWithoutState, localTaxOf } from './local-tax.ts'
import type { Place, Supply, TaxedSupply } from './regimes/regime.ts'
import { isTaxablePerson } from './regimes/taxable-person.ts'
import { isRegisteredFor } from './registration.ts'
import { isOwedAnyway, placeOfTaxed, supplyOf } from './supply-of-product.ts'
import { notesOn } from './treatment-notes.ts'
import { addOnce, isWithinLimit, recordStep } from './walk.ts'

/** The terms of a product in this sale: steps 2 to 6 of the assessment. Lines on equal terms share them. */
export function termsOf(walk: Walk, product: Product): Terms {
  const key = keyOf(walk, product)
  const known = walk.terms.get(key)
  if (known !== undefined) return known
  // Shipping follows goods (termsOfShipping). Shipping without goods is a service.
  const live = product.line?.live ?? false
  const kind = live ? 'digital' : product.kind === 'shipping' ? 'service' : product.kind
  const terms = termsForSupply(walk, product, supplyOf(walk, kind, product))
  walk.terms.set(key, terms)
  return terms
}

/** Goods have terms by line if the law of the place looks at each item. */
function keyOf(walk: Walk, { product_type, kind, line }: Product): string {
  if (line?.live) return `${product_type} live`
  if (walk.item_limit === null || kind !== 'goods') return product_type
  return `${product_type} ${isWithinLimit(walk, walk.item_limit.region, line)}`
}

const NONE: readonly never[] = []

function termsForSupply(walk: Walk, { product_type, kind }: Product, supply: Supply): Terms {
  if (supply.kind !== 'taxed') {
    const reason = supply.kind === 'untaxed' ? supply.reason : 'reverse_charge'
    return freeTerms({ kind, supply, treatments: NONE, reason, detail: supply.detail, notes: NONE })
  }
  const place = placeOfTaxed(walk, supply)
  const treatments = treatAndRecordRates(walk, place, product_type)
  if (!treatments.some(mayBeTaxed)) {
    const reason = 'not_subject_to_tax'
    const detail = explainReason(reason, supply, treatments)
    const local = localTaxOf(walk, place, { kind, product_type }, supply)
    const notes = localNotesWithoutState(local, supply)
    return freeTerms({ kind, supply, treatments, reason, detail, notes })
  }
  const { law } = place
  const held = treatments.filter(
    ({ layer }) =>
      isRegisteredFor(law, layer, supply, walk.seller, walk.registrations) &&
      !isFreedAsSmall(walk, place, supply, layer),
  )
  if (walk.trace !== null) {
    const rule = `${product_type}: the seller is registered in ${supply.place}`
    recordStep(walk, 'registration', rule, held.length > 0 ? 'yes' : 'no', null)
  }
  const local = localTaxOf(walk, place, { kind, product_type }, supply)
  const due = treatments.filter((treatment) => treatment.taxed || isTaxedLocally(treatment, local))
  const collected = due.filter((treatment) => held.includes(treatment))
  const found = {
    walk,
    law,
    kind,
    supply,
    treatments,
    due,
    collected,
    local: due.length === 0 ? null : local,
  }
  if (held.length === 0 || (due.length > 0 && collected.length === 0)) return uncollectedTerms(found)
  if (walk.trace !== null)
    recordStep(walk, 'product_rule', product_type, treatments.map(describeTreatment).join(', '), null)
  return due.length === 0 ? untaxedTerms(found) : chargedTerms(found)
}

/** Whether the place has a general tax, or a tax of its own on the product. */
function mayBeTaxed({ standard, taxed, rate_millionths }: LayerTreatment): boolean {
  return (standard !== null && standard.rate_millionths !== 0) || (taxed && rate_millionths !== 0)
}

/** A small business at home owes the tax of its province only, if it is registered for that. */
function isFreedAsSmall(walk: Walk, place: Place, { established }: TaxedSupply, layer: TaxLayer): boolean {
  const small = walk.sale.seller.small_business && established && place.law.small_business !== null
  return small && !isOwedAnyway(walk, place, layer)
}

type FreeTerms = Pick<Terms, 'kind' | 'supply' | 'treatments' | 'reason' | 'detail' | 'notes'>

/** Terms on which no seller charges tax. All fields are written out: a spread costs more time than a rule. */
function freeTerms({ kind, supply, treatments, reason, detail, notes }: FreeTerms): Terms {
  return {
    kind,
    supply,
    treatments,
    registered: false,
    charges: NONE,
    uncollected: NONE,
    duties: NONE,
    reason,
    detail,
    exemption: null,
    price_rule: null,
    notes,
    local: null,
  }
}

/** A taxed supply with its product rules and the seller's registrations. */
type Found = Taxed & {
  supply: TaxedSupply
  treatments: readonly LayerTreatment[]
  /** The taxes that fall on the product. */
  due: readonly LayerTreatment[]
  /** Those of them that the seller may charge. */
  collected: readonly LayerTreatment[]
}

/** Step 4: nothing is charged. `uncollected` is what a registered seller would charge this customer. */
function uncollectedTerms(found: Found): Terms {
  const { walk, kind, supply, treatments, due } = found
  const missing = due.length > 0 ? due : treatments
  const duties = missing.map(({ layer }) => dutyOf(found, layer))
  return {
    kind,
    supply,
    treatments,
    registered: false,
    charges: NONE,
    uncollected: chargesAfterExemptions(found, due).charges,
    duties,
    reason: 'not_collecting',
    detail: explainUnregistered(walk.book, walk.seller, supply, duties, walk.sale.day),
    exemption: null,
    price_rule: priceRuleOf(due),
    notes: [
      ...notesOn(treatments, walk.sale.day),
      ...originNotes(supply),
      ...localNotes(found.local, supply, due),
    ],
    local: found.local,
  }
}

/** Step 5: no tax of the place falls on the product. */
function untaxedTerms({ walk, kind, supply, treatments }: Found): Terms {
  const reason = treatments.some((treatment) => treatment.zero_rated) ? 'zero_rated' : 'product_exempt'
  const detail = explainReason(reason, supply, treatments)
  const terms = freeTerms({
    kind,
    supply,
    treatments,
    reason,
    detail,
    notes: notesOn(treatments, walk.sale.day),
  })
  return { ...terms, registered: true }
}

/** Steps 5 and 6: the taxes that are charged, without those that an exemption of the customer removes. */
function chargedTerms(found: Found): Terms {
  const { walk, kind, supply, treatments, due, collected } = found
  const missing = due.filter((treatment) => !collected.includes(treatment))
  const { charges, exemption } = chargesAfterExemptions(found, collected)
  if (exemption !== null) {
    const rule = `${exemption.exemption_type} exemption for ${exemption.jurisdiction_id}`
    recordStep(walk, 'exemption', rule, charges.length === 0 ? 'frees all' : 'frees a part', null)
  }
  const freed = charges.length === 0
  return {
    kind,
    supply,
    treatments,
    registered: true,
    charges,
    uncollected: NONE,
    duties: missing.map(({ layer }) => dutyOf(found, layer)),
    reason: exemption === null ? reasonOf(treatments) : 'customer_exempt',
    detail: freed ? explainReason('customer_exempt', supply, treatments) : null,
    exemption,
    price_rule: freed ? null : priceRuleOf(collected),
    notes: [
      ...notesOn(treatments, walk.sale.day),
      ...missing.map(notCollected),
      ...localNotes(found.local, supply, collected),
    ],
    local: found.local,
  }
}

function dutyOf({ walk, kind, supply }: Found, layer: LayerTreatment['layer']): Duty {
  const { book, sale, seller } = walk
  const origin = kind === 'goods' ? walk.origin : null
  return dutyFor({ book, sale, seller, origin, kind: kind === 'shipping' ? 'service' : kind, supply }, layer)
}

/** The terms of shipping that follows goods: the same terms, unless the place has a rule for shipping. */
export function termsOfShipping(walk: Walk, goods: Terms, product_type: string): Terms {
  const { supply } = goods
  const followed = { ...goods, price_rule: null }
  if (supply.kind !== 'taxed' || goods.charges.length + goods.uncollected.length === 0) return followed
  const treatments = treatAndRecordRates(walk, placeOfTaxed(walk, supply), product_type)
  const exempt = new Set(treatments.filter(({ taxed }) => !taxed).map(({ layer }) => layer.tax_type))
  const isTaxed = (charge: Charge): boolean => !exempt.has(charge.tax_type)
  const charges = goods.charges.filter(isTaxed)
  // The notes on the rule of the goods do not concern the shipping; the notes on the seller do.
  const ofGoods = notesOn(goods.treatments, walk.sale.day)
  const terms = {
    ...followed,
    charges,
    uncollected: goods.uncollected.filter(isTaxed),
    treatments,
    notes: [...notesOn(treatments, walk.sale.day), ...goods.notes.filter((note) => !ofGoods.includes(note))],
  }
  if (goods.charges.length === 0 || charges.length > 0) return terms
  return withoutTax(terms, treatments.some(({ zero_rated }) => zero_rated) ? 'zero_rated' : 'product_exempt')
}

/** The same terms with the product left untaxed. */
export function withoutTax(terms: Terms, reason: 'product_exempt' | 'zero_rated', detail?: string): Terms {
  const why = detail ?? explainReason(reason, terms.supply, terms.treatments)
  return { ...terms, charges: [], uncollected: [], duties: [], reason, detail: why }
}

function reasonOf(treatments: readonly LayerTreatment[]): TaxabilityReason | null {
  if (treatments.some(({ taxed }) => !taxed)) return 'portion_product_exempt'
  if (treatments.some(({ fraction_millionths }) => fraction_millionths !== MILLION))
    return 'taxable_basis_reduced'
  const reduced = treatments.some(
    ({ rate_millionths, standard }) => standard !== null && rate_millionths < standard.rate_millionths,
  )
  return reduced ? 'reduced_rated' : null
}

function priceRuleOf(treatments: readonly LayerTreatment[]): ProductRule | null {
  for (const { rule } of treatments)
    if (rule !== null && rule.price_rule !== null && rule.price_threshold !== null) return rule
  return null
}

/** How the taxes of the place treat the product. Records the rates and rules used, for the provenance. */
function treatAndRecordRates(walk: Walk, place: Place, product_type: string): LayerTreatment[] {
  const { book, sale } = walk
  const business = isTaxablePerson(place.law, sale.customer, supplyKind(product_type) ?? 'goods')
  const treatments = treatProduct(book, place.taxes, product_type, business, sale.day)
  for (const { rule, rate, standard } of treatments) {
    const used = rate ?? standard
    if (used !== null) addOnce(walk.rates_used, used)
    if (rule !== null) addOnce(walk.rules_used, rule)
  }
  return treatments
}

/** What the law of the origin says of a sale whose tax abroad is not collected. */
function originNotes({ at_origin }: TaxedSupply): string[] {
  return at_origin === undefined ? [] : [`${at_origin.detail} (${at_origin.basis})`]
}

function notCollected({ layer: { jurisdiction_id, tax_type } }: LayerTreatment): string {
  return `${tax_type} of ${jurisdiction_id} is not collected: the seller is not registered for it`
}

function describeTreatment({ layer, taxed, zero_rated, category, rate_millionths }: LayerTreatment): string {
  const name = `${layer.tax_type} ${layer.jurisdiction_id}`
  if (!taxed) return `${name}: ${zero_rated ? 'zero-rated' : 'exempt'}`
  return `${name}: ${category} ${rate_millionths / 10_000} %`
}
