import type { TaxComponent } from './arithmetic/document-tax.ts'
import { MILLION } from './arithmetic/rounding.ts'
import type { TaxabilityReason } from './assessment.ts'
import type { ProductRule, RateCategory, Region, TaxType } from './book/facts.ts'
import { type LayerTreatment, type TaxLayer, treatProduct } from './book/product-rules.ts'
import { type SupplyKind, supplyKind } from './book/product-types.ts'
import { type Duty, dutyFor } from './duty.ts'
import { findExemption } from './exemptions.ts'
import { explainReason, explainUnregistered } from './explain.ts'
import { at, invariant } from './invariant.ts'
import { type Place, placeOfJurisdiction } from './place.ts'
import { placeOfDestination, placeOfPerformance, placeOfSupply } from './place-of-supply.ts'
import type { RegimeLaw, Supply, TaxedKind, TaxedSupply, UntaxedSupply } from './regimes/regime.ts'
import type { LocalJurisdiction } from './regimes/us-local/local-book.ts'
import type { LocalTax } from './regimes/us-local/local-stack.ts'
import { isTaxablePerson } from './regimes/taxable-person.ts'
import { isRegisteredFor } from './registration.ts'
import type { Exemption, SaleLine } from './sale.ts'
import { notesOn } from './treatment-notes.ts'
import { addOnce, isWithinLimit, recordStep, type Walk } from './walk.ts'

/** One tax that is, or would be, charged. */
export type Charge = TaxComponent & {
  jurisdiction_id: string
  tax_type: TaxType
  /** The tax that stands instead of the general one; null: it is the general one. */
  levied_as: string | null
  category: RateCategory
}

/** The terms on which a product is sold here: everything about its tax except the amount. */
export type Terms = {
  readonly kind: SupplyKind
  readonly supply: Supply
  readonly treatments: readonly LayerTreatment[]
  /** The seller may charge a tax of the place, even if that tax does not fall on the product. */
  readonly registered: boolean
  readonly charges: readonly Charge[]
  /** The taxes that a registered seller would charge. */
  readonly uncollected: readonly Charge[]
  /** Taxes on the product that the seller may not charge yet. */
  readonly duties: readonly Duty[]
  readonly reason: TaxabilityReason | null
  /** Why a line bears no tax, as one sentence. */
  readonly detail: string | null
  readonly exemption: Exemption | null
  /** A rule that depends on the price of an item. */
  readonly price_rule: ProductRule | null
  readonly notes: readonly string[]
  /** The local taxes of the place; null: it has none, or they are not on file. */
  readonly local: LocalTax | null
}

/** The product whose terms are asked for. `line` is null if only the product is known, not its price. */
export type Product = { product_type: string; kind: SupplyKind; line: SaleLine | null }

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

function supplyOf(walk: Walk, kind: TaxedKind, product: Product): Supply {
  const { product_type, line } = product
  const byItem = walk.item_limit !== null && kind === 'goods'
  const key = line?.live ? `${kind} live` : kind === 'on_site' ? product_type : kind
  const known = byItem ? undefined : walk.supplies.get(key)
  if (known !== undefined) return known
  const supply = whoAccounts(walk, kind, product, decideSupply(walk, kind, product))
  walk.supplies.set(key, supply)
  if (walk.trace !== null) {
    const rule = `${kind}: ${supply.detail}`
    recordStep(walk, 'place_of_supply', rule, `${supply.kind} in ${supply.place}`, supply.basis)
    if (supply.kind === 'taxed' && supply.at_origin !== undefined) recordOrigin(walk, kind, supply.at_origin)
  }
  return supply
}

function decideSupply(walk: Walk, kind: TaxedKind, { product_type, line }: Product): Supply {
  const { sale, seller, customer } = walk
  if (kind === 'on_site') {
    const place = walk.performance(walk, product_type)
    const holds = holdsOf(walk)
    return placeOfPerformance({ place, establishment: seller, customer: sale.customer, holds })
  }
  if (seller === null) return placeOfDestination(customer)
  noteWhatIsNotOnFile(walk, kind, seller)
  return placeOfSupply({
    kind,
    origin: kind === 'goods' ? (walk.origin ?? seller) : seller,
    establishment: seller,
    customer,
    type: sale.customer.type,
    vat_id: sale.customer.vat_id,
    live: line?.live ?? false,
    day: sale.day,
    over_eu_threshold: sale.seller.over_eu_threshold,
    holds: holdsOf(walk),
    withinConsignmentLimit: (region: Region) => isWithinLimit(walk, region, line),
  })
}

/** Doubts of a sale across a border: rules of earlier days, and stock without a registration. */
function noteWhatIsNotOnFile(
  { sale, customer, origin, notes, registrations }: Walk,
  kind: TaxedKind,
  seller: Place,
): void {
  const across = seller.jurisdiction_id !== customer.jurisdiction_id
  for (const { name, cross_border_from } of [seller.law, customer.law])
    if (across && cross_border_from !== null && sale.day < cross_border_from)
      addOnce(notes, `Rules on sales across borders before ${cross_border_from} are not on file (${name})`)
  if (kind !== 'goods' || sale.ship_from === null || origin === null || registrations.stated !== null) return
  const { law, jurisdiction_id } = origin
  const registered = [jurisdiction_id, origin.vat_state ?? jurisdiction_id].some(holdsOf({ registrations }))
  if (law !== seller.law && !registered)
    addOnce(notes, `Stock in ${jurisdiction_id} needs a registration there, which the seller does not have`)
}

function holdsOf({ registrations }: Pick<Walk, 'registrations'>): (registration: string) => boolean {
  return (registration) => registrations.assumed || registrations.holds(registration)
}

/** The supply, unless a marketplace accounts for its tax or the seller is a small business at home. */
function whoAccounts(walk: Walk, kind: TaxedKind, product: Product, supply: Supply): Supply {
  if (walk.sale.marketplace === 'facilitated') return byMarketplace(walk, kind, product, supply)
  const { small_business } = walk.sale.seller
  if (!small_business || supply.kind !== 'taxed' || !supply.established) return supply
  const place = placeOfTaxed(walk, supply)
  // A territory has the scheme of its state.
  const basis = place.law.small_business ?? walk.seller?.law.small_business ?? null
  if (basis === null || place.taxes.some((layer) => isOwedAnyway(walk, place, layer))) return supply
  const detail = 'The seller is a small business that charges no tax'
  return { kind: 'untaxed', reason: 'small_business', place: supply.place, basis, detail }
}

/** A province frees its own small sellers by a threshold of its own: one that registered owes its tax. */
function isOwedAnyway(
  { registrations }: Walk,
  { law }: Place,
  { tax_type, jurisdiction_id }: TaxLayer,
): boolean {
  return law.provincial_taxes.includes(tax_type) && registrations.holds(jurisdiction_id)
}

/** A marketplace accounts for what its law says; for other sales the seller does, and a note says so. */
function byMarketplace(walk: Walk, kind: TaxedKind, { product_type, line }: Product, supply: Supply): Supply {
  if (supply.kind === 'reverse_charge') return supply
  const place = supply.kind === 'taxed' ? placeOfTaxed(walk, supply) : walk.customer
  const { day } = walk.sale
  const basis = place.law.marketplaceAccounts({
    kind,
    product_type,
    lawful: place.marketplace_from !== null && place.marketplace_from <= day,
    place,
    establishment: walk.seller,
    origin: kind === 'goods' ? walk.origin : walk.seller,
    customer: walk.sale.customer,
    day,
    holds: holdsOf(walk),
    withinConsignmentLimit: (region: Region) => isWithinLimit(walk, region, line),
  })
  if (basis === null) {
    if (supply.kind === 'taxed') addOnce(walk.notes, SELLER_ACCOUNTS)
    return supply
  }
  const detail = 'The marketplace that makes the sale accounts for the tax, so the seller collects nothing'
  return { kind: 'untaxed', reason: 'marketplace_collects', place: place.jurisdiction_id, basis, detail }
}

const SELLER_ACCOUNTS =
  'The marketplace is not liable for the tax of this sale, so the seller accounts for it'

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
    return freeTerms({ kind, supply, treatments, reason, detail, notes: NONE })
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
  const due = treatments.filter((treatment) => treatment.taxed)
  const collected = due.filter((treatment) => held.includes(treatment))
  const local = due.length === 0 ? null : localTaxOf(walk, place, kind, supply)
  const found = { walk, law, kind, supply, treatments, due, collected, local }
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

function placeOfTaxed({ book }: Walk, { place }: TaxedSupply): Place {
  return invariant(placeOfJurisdiction(book, place), `${place} exists`)
}

/** A taxed supply with its product rules and the seller's registrations. */
type Found = {
  walk: Walk
  law: RegimeLaw
  kind: SupplyKind
  supply: TaxedSupply
  treatments: readonly LayerTreatment[]
  /** The taxes that fall on the product. */
  due: readonly LayerTreatment[]
  /** Those of them that the seller may charge. */
  collected: readonly LayerTreatment[]
  local: LocalTax | null
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
    notes: [...notesOn(treatments, walk.sale.day), ...originNotes(supply), ...localNotes(found, due)],
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
      ...localNotes(found, collected),
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

/** An exemption removes all of a tax, a part or nothing: a provincial one may leave the federal part. */
function chargesAfterExemptions(
  { walk, law, kind, local }: Found,
  treatments: readonly LayerTreatment[],
): { charges: Charge[]; exemption: Exemption | null } {
  const { book, sale } = walk
  const charges: Charge[] = []
  let exemption: Exemption | null = null
  for (const treatment of treatments) {
    const found = findExemption(book, sale.exemptions, treatment.layer.jurisdiction_id, kind, sale.day)
    const left =
      found === null ? treatment.rate_millionths : law.remainsAfterExemption(treatment, found, book, sale.day)
    if (left !== null) charges.push(...withLocal(chargeOf(treatment, left), treatment, local))
    if (left !== treatment.rate_millionths) exemption ??= found
  }
  return { charges, exemption }
}

type ChargedTax = Pick<Charge, 'jurisdiction_id' | 'tax_type' | 'levied_as' | 'rate_millionths'>

/** Charges with one key are one sum under document rounding. */
export function keyOfCharge({ jurisdiction_id, tax_type, levied_as, rate_millionths }: ChargedTax): string {
  return `${jurisdiction_id} ${tax_type} ${rate_millionths} ${levied_as ?? ''}`
}

function chargeOf(treatment: LayerTreatment, rate_millionths: number): Charge {
  const { jurisdiction_id, tax_type } = treatment.layer
  const levied_as = treatment.rule?.levied_as ?? null
  return {
    key: keyOfCharge({ jurisdiction_id, tax_type, levied_as, rate_millionths }),
    jurisdiction_id,
    tax_type,
    levied_as,
    category: treatment.category,
    rate_millionths,
    fraction_millionths: treatment.fraction_millionths,
    compound: treatment.compound,
    stack: null,
  }
}

/** The local taxes of the place where the supply is taxed; null: there are none, or they are not on file. */
function localTaxOf(walk: Walk, place: Place, kind: SupplyKind, supply: TaxedSupply): LocalTax | null {
  const { local, sale, seller } = walk
  const { localTax } = place.law
  if (local === null || localTax === null) return null
  const onSpot = kind === 'on_site' ? (sale.supply_address ?? sale.seller.address) : null
  const here = seller !== null && seller.jurisdiction_id === supply.place
  return localTax(local, {
    jurisdiction_id: supply.place,
    kind,
    destination: onSpot ?? sale.customer.address,
    origin: here ? (sale.ship_from ?? sale.seller.address) : null,
    day: sale.day,
    fallback: sale.local_fallback,
  })
}

/**
 * Local taxes fall on what bears the general rate. Of products with a rate of their own they are not on
 * file.
 */
function bearsLocalTax({ layer, rule, rate_millionths, standard }: LayerTreatment): boolean {
  return layer.on_top !== true && !rule?.levied_as && rate_millionths === standard?.rate_millionths
}

/** A charge of a state with the local charges on the same base. All of them are rounded as one sum. */
function withLocal(charge: Charge, treatment: LayerTreatment, local: LocalTax | null): Charge[] {
  if (local === null || local.stack.parts.length === 0 || !bearsLocalTax(treatment)) return [charge]
  const all = [
    charge,
    ...local.stack.parts.map((part, index) => localCharge(charge, part, at(local.stack.rates, index))),
  ]
  const stack = all.map(({ key }) => key).join('|')
  return all.map((each) => ({ ...each, stack }))
}

function localCharge(charge: Charge, { id }: LocalJurisdiction, rate_millionths: number): Charge {
  const { tax_type, fraction_millionths } = charge
  return {
    key: `${id} ${tax_type} ${rate_millionths}`,
    jurisdiction_id: id,
    tax_type,
    levied_as: null,
    category: 'standard',
    rate_millionths,
    fraction_millionths,
    compound: false,
    stack: null,
  }
}

function localNotes({ local, supply }: Found, treatments: readonly LayerTreatment[]): readonly string[] {
  if (local === null) return NONE
  const [general] = treatments.filter(({ layer }) => layer.on_top !== true)
  if (general === undefined || bearsLocalTax(general)) return local.notes
  return [`Local taxes on ${general.product_type} in ${supply.place} are not on file and not in the answer`]
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

function recordOrigin(walk: Walk, kind: TaxedKind, { detail, reason, place, basis }: UntaxedSupply): void {
  recordStep(walk, 'place_of_origin', `${kind}: ${detail}`, `${reason} from ${place}`, basis)
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
