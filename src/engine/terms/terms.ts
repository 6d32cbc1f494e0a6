import { atStart, placeInSentence, taxInWords } from '../book/names.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { LocalTax } from '../regimes/us-local/local-stack.ts'
import { MILLION } from '../arithmetic/rounding.ts'
import type { TaxabilityReason } from '../found/assessment.ts'
import type { LayerTreatment } from '../book/layer.ts'
import { invariant } from '../ground/invariant.ts'
import { isArranged, type ProductNature, type SupplyKind } from '../book/product-types.ts'
import { chargesAfterExemptions, isTaxedLocally } from './charges.ts'
import { isAlwaysAtBorder, isLimitedByItem, type Limits, limitsOf } from '../supply/consignment.ts'
import { exemptionsOf, keyOfExemption } from '../sale/exemptions.ts'
import { explainTerms } from './explain.ts'
import { dependsOnTurnover } from './exposure.ts'
import type { Duty, Supplied, Terms, Walk } from '../found/found.ts'
import type { Product } from '../sale/lines.ts'
import { localNotes, noteOnPlaces, typeOfLocalTax } from './local-tax.ts'
import type { Place, ProductKind, TaxedSupply } from '../regimes/regime.ts'
import { dutyFor, mayCharge } from './registration.ts'
import { supplyOf } from '../supply/place-of-supply.ts'
import { isReceived, walkOf } from '../supply/walk.ts'
import { type TreatedProduct, treatedAt } from './treated.ts'

/** What the lines of one sale share: lines on equal terms have the same ones. */
export type Shared = { supplies: Map<string, Supplied>; terms: Map<string, Terms> }

/** The terms of a product in a sale: steps 2 to 6. Shipping that follows goods has none of its own. */
export function termsOfProduct(sold: Walk, product: Product, { supplies, terms }: Shared): Terms {
  const { product_type, nature, line } = product
  if (nature.no_supply) return termsWithoutSupply(sold, product_type, terms)
  const walk = walkOf(sold, product)
  const exempted = line?.exemptions.length ? keyOfExemption(line) : ''
  const live = line?.live ?? false
  // Shipping without goods is a service.
  const kind: ProductKind = live ? 'digital' : nature.kind === 'shipping' ? 'service' : nature.kind
  const item = kind === 'goods' && isLimitedByItem(walk) ? limitsOf(walk, product_type, line) : null
  const said = line?.taxable === false ? ' untaxed' : ''
  const own = (live ? ' live' : line?.business_only ? ' business' : '') + said
  const side = item === null ? own : ` ${item.item_within}`
  const known = terms.get(product_type + side + exempted)
  if (known !== undefined) return known
  const own_supply =
    isByProduct(walk, kind, nature) || (kind === 'goods' && isAlwaysAtBorder(walk, product_type))
  const key = (own_supply ? product_type : kind) + side
  const supplied =
    supplies.get(key) ??
    supplyOf(walk, kind, product, item ?? (kind === 'goods' ? limitsOf(walk, product_type, line) : NO_LIMITS))
  const found = termsAt(walk, product, supplied)
  supplies.set(key, supplied)
  terms.set(product_type + side + exempted, found)
  return found
}

/** The terms of a line that is no supply: no place, limit or rate decides about it. */
function termsWithoutSupply(walk: Walk, product_type: string, terms: Shared['terms']): Terms {
  const known = terms.get(product_type)
  if (known !== undefined) return known
  const { termsOfNoSupply } = invariant(walk.sale.rare_lines ?? null, 'the terms of no supply are loaded')
  const found = termsOfNoSupply(walk, product_type)
  terms.set(product_type, found)
  return found
}

/** Limits are on the value of goods. */
const NO_LIMITS: Limits = { item_within: null, within: () => false, compared: [] }

/** Whether the place of supply depends on the product itself; else products of one kind share it. */
function isByProduct({ sale }: Walk, kind: ProductKind, { voucher }: ProductNature): boolean {
  const byKind = kind !== 'goods' && kind !== 'digital'
  return byKind || sale.marketplace !== null || voucher
}

const NONE: readonly never[] = []

function termsAt(walk: Walk, product: Product, supplied: Supplied): Terms {
  const { supply } = supplied
  const own = walk.sale.seller.own_rates?.rules.ownTermsOf(walk, product, supplied) ?? null
  if (own !== null) return own
  if (supply.kind === 'taxed')
    return termsOfTaxed(walk, product, supplied, supply, treatedSold(walk, supplied.place, product))
  return freeTerms(product.nature.kind, supplied, {
    treatments: NONE,
    rule: 'specific',
    reason: supply.kind === 'untaxed' ? supply.reason : 'reverse_charge',
    detail: supply.detail,
    notes: NONE,
  })
}

/** Where places may tax a product alone, the answer says that such a tax is not in it. */
function withOwnLocalTaxes(walk: Walk, product: Product, supply: TaxedSupply, terms: Terms): Terms {
  const { law, name } = terms.supplied.place
  if (law.placesMayTax === null) return terms
  const note = noteOnPlaces(walk.local, {
    place: { jurisdiction_id: supply.place, name, law },
    product_type: product.product_type,
    treatments: terms.treatments,
    local: terms.local,
  })
  return note === null ? terms : { ...terms, lacks_local: true, notes: [...new Set([...terms.notes, note])] }
}

/** The terms of a supply that a place taxes, with the taxes that its parts alone may levy. */
export function termsOfTaxed(
  walk: Walk,
  product: Product,
  supplied: Supplied,
  supply: TaxedSupply,
  general: TreatedProduct,
): Terms {
  return withOwnLocalTaxes(walk, product, supply, termsOfPlace(walk, product, supplied, supply, general))
}

function termsOfPlace(
  walk: Walk,
  product: Product,
  supplied: Supplied,
  supply: TaxedSupply,
  general: TreatedProduct,
): Terms {
  const { place } = supplied
  const scheme = walk.sale.customer.vat_scheme
  const treated = scheme?.law.treated(walk, product, supplied, supply, general) ?? general
  const { treatments } = treated
  const local = supplied.local?.of(typeOfLocalTax(product.product_type, treatments)) ?? null
  const taxed = { walk, product, supplied, supply, place, treated, local }
  if (treatments.some(mayBeTaxed)) return taxedTerms(taxed)
  const levied = local !== null && local.stack.rate > 0 ? local : null
  if (levied !== null && treatments.some(({ layer }) => mayCharge(walk, place, supply, layer, supplied))) {
    const terms = taxedTerms(taxed)
    return { ...terms, notes: [...terms.notes, OWN_RULES] }
  }
  return freeTerms(product.nature.kind, supplied, {
    treatments,
    rule: treated.rule,
    reason: 'not_subject_to_tax',
    detail: `${atStart(place.name)} levies no general sales tax at state level`,
    notes: joined(caveats(treated), local === null ? NONE : notesWithoutState(local, place)),
  })
}

/**
 * A meal that the customer does not eat where it is sold is food by some laws: takeaway food, where the place
 * has a rule for it. Throws no_rate_for_date.
 */
export function treatedSold(walk: Walk, place: Place, { nature, product_type }: Product): TreatedProduct {
  const taken = product_type === 'prepared_food' && isReceived(walk, product_type)
  const treated = treatedAt(walk, place, nature.kind, taken ? 'takeaway_food' : product_type)
  const guessed = nature.kind === 'performed' && isArranged(product_type)
  if (guessed && walk.sale.supply_address === null && treated.rule === 'specific')
    return { ...treated, rule: 'uncertain' }
  if (!taken) return treated
  return treated.rule === 'default'
    ? treatedAt(walk, place, nature.kind, product_type)
    : { ...treated, notes: [...treated.notes, `${atStart(place.name)}: ${TAKEN_AWAY}`] }
}

const TAKEN_AWAY = 'the rule for takeaway food was used'

const OWN_RULES =
  'Local exemptions and limits for each sale are not in the data, so ' +
  'the rate was computed on the whole price'

/** A state without a general tax may tax a product by another law. */
function caveats({ treatments, notes }: TreatedProduct): readonly string[] {
  return treatments.some(({ rule }) => rule?.caveat) ? notes : NONE
}

/**
 * Alaska has no tax of its own, and its boroughs and cities do. Sellers from elsewhere register for them with
 * one commission, and whoever did charges them.
 */
function notesWithoutState({ rate_max }: LocalTax, { name }: Place): readonly string[] {
  if (rate_max === 0) return NONE
  const most = rate_max / 10_000
  return [`${atStart(name)} has no tax of its own. Local taxes of up to ${most} % are not in the answer`]
}

/** Whether the place has a general tax, or a tax of its own on the product. */
export function mayBeTaxed({ standard, taxed, rate_millionths }: LayerTreatment): boolean {
  return (standard !== null && standard.rate_millionths !== 0) || (taxed && rate_millionths !== 0)
}

type Free = Pick<Terms, 'treatments' | 'rule' | 'reason' | 'detail' | 'notes'>

/** Terms on which no seller charges tax. */
export function freeTerms(kind: SupplyKind, supplied: Supplied, free: Free): Terms {
  const { treatments, rule, reason, detail, notes } = free
  // In the order of other terms, so that V8 gives all terms one shape.
  return {
    kind,
    supplied,
    treatments,
    rule,
    rule_notes: NONE,
    conditions: NONE,
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
    lacks_local: false,
  }
}

/** A supply that a place taxes, with its product rules and the local taxes of the place. */
export type TaxedSale = {
  walk: Walk
  product: Product
  supplied: Supplied
  supply: TaxedSupply
  place: Place
  treated: TreatedProduct
  local: Terms['local']
}

/**
 * Steps 4 to 6: the taxes that fall on the product, those of them that the seller may charge, and what an
 * exemption of the customer leaves of them. `uncollected` is what a registered seller would charge.
 */
export function taxedTerms(taxed: TaxedSale): Terms {
  const { walk, product, supplied, supply, place, treated, local } = taxed
  const { treatments } = treated
  const { line, nature } = product
  const due = passing(treatments, (treatment) => treatment.taxed || isTaxedLocally(treatment, local))
  const held = passing(treatments, ({ layer }) => mayCharge(walk, place, supply, layer, supplied))
  const holdsAll = held === treatments
  const collected = holdsAll ? due : due.filter((treatment) => held.includes(treatment))
  const registered = held.length > 0 && (due.length === 0 || collected.length > 0)
  const bearing = registered ? collected : due
  const localHere = due.length === 0 ? null : local
  const { kind } = nature
  const exemptions = line?.exemptions.length ? exemptionsOf(walk.sale, line) : walk.sale.exemptions
  const sold = { walk, place, kind, local, exemptions }
  const { charges, exemption } = chargesAfterExemptions({ ...sold, local: localHere }, bearing)
  const notCharged = holdsAll ? NONE : due.filter((treatment) => !held.includes(treatment))
  const owed = registered || due.length > 0 ? notCharged : treatments
  const duties =
    owed.length === 0 ? NONE : owed.map((treatment) => dutyFor(walk, place, supplied.kind, supply, treatment))
  const reason = registered ? reasonOf(treatments, due, exemption !== null) : 'not_collecting'
  const found = { treatments, reason, charges: registered ? charges : NONE, duties }
  const charged = found.charges.length > 0
  const { goods, others } = walk.taxable_person
  const looks = goods || others || treated.alternatives?.length !== 0
  const open = looks ? walk.sale.open_facts?.openFactsOf(taxed, sold, { registered, charged }) : null
  const conditions = open?.conditions ?? NONE
  const rule_notes = joined(treated.notes, open?.rule_notes ?? NONE)
  return {
    kind,
    supplied,
    treatments,
    rule: conditions.length > 0 && treated.rule === 'specific' ? 'uncertain' : treated.rule,
    rule_notes,
    conditions,
    registered,
    charges: found.charges,
    uncollected: registered ? NONE : charges,
    duties,
    reason,
    detail: found.charges.length > 0 ? null : explainTerms(walk, place, found),
    exemption: registered ? exemption : null,
    price_rule: registered && charges.length === 0 ? null : priceRuleOf(bearing),
    notes: joined(
      rule_notes,
      open?.notes ?? NONE,
      registered ? notCharged.map((treatment) => notCollected(walk.book, treatment)) : NONE,
      originNotes(supply),
      duties.length === 0 ? NONE : duties.flatMap((duty) => noteOnTurnover(walk.book, duty)),
      local === null ? NONE : localNotes(local, place, treatments, due.length === 0 ? null : bearing),
    ),
    local: localHere,
    lacks_local: false,
  }
}

/** Lists one after the other; the only one with items itself, as most lists of notes are empty. */
export function joined<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  let all: readonly T[] = NONE
  for (const list of lists) if (list.length > 0) all = all.length === 0 ? list : [...all, ...list]
  return all
}

/** The items that pass; the list itself if all do, as they mostly do. */
export function passing<T>(list: readonly T[], test: (item: T) => boolean): readonly T[] {
  return list.every(test) ? list : list.filter(test)
}

/** Why a registered seller charges less than the standard rate, or nothing; null: it charges that rate. */
function reasonOf(
  treatments: readonly LayerTreatment[],
  due: readonly LayerTreatment[],
  exempt: boolean,
): TaxabilityReason | null {
  if (due.length === 0)
    return treatments.some(({ zero_rated }) => zero_rated) ? 'zero_rated' : 'product_exempt'
  if (exempt) return 'customer_exempt'
  if (treatments.some(({ taxed }) => !taxed)) return 'portion_product_exempt'
  if (treatments.some(({ fraction_millionths }) => fraction_millionths !== MILLION))
    return 'taxable_basis_reduced'
  const reduced = treatments.some(
    ({ rate_millionths, standard }) => standard !== null && rate_millionths < standard.rate_millionths,
  )
  return reduced ? 'reduced_rated' : null
}

function priceRuleOf(treatments: readonly LayerTreatment[]): Terms['price_rule'] {
  for (const { rule } of treatments) {
    if (rule === null) continue
    const { price_rule, price_threshold } = rule
    if (price_rule !== null && price_threshold !== null) return { rule, price_rule, price_threshold }
  }
  return null
}

/** The same terms with the product left untaxed. `detail`: why, as one sentence. */
export function withoutTax(terms: Terms, reason: 'product_exempt' | 'zero_rated', detail: string): Terms {
  return { ...terms, charges: NONE, uncollected: NONE, duties: NONE, reason, detail }
}

/** What the law of the origin says of a sale whose tax abroad is not collected. */
function originNotes({ at_origin }: TaxedSupply): readonly string[] {
  return at_origin === undefined ? NONE : [`${at_origin.detail} (${at_origin.basis})`]
}

function noteOnTurnover(
  book: RateBook,
  { depends_on_turnover, threshold, layer }: Duty,
): string | readonly string[] {
  if (!depends_on_turnover || threshold === null) return NONE
  return dependsOnTurnover(placeInSentence(book, layer.jurisdiction_id), threshold)
}

function notCollected(book: RateBook, { layer: { jurisdiction_id, tax_type } }: LayerTreatment): string {
  const tax = `${atStart(taxInWords(tax_type))} of ${placeInSentence(book, jurisdiction_id)}`
  return `${tax} is not collected, because the seller is not registered for it`
}
