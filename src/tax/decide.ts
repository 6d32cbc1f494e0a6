import type { DecisionReason } from './assessment.ts'
import { convertIndicatively } from './consignment.ts'
import { findExemption } from './exemptions.ts'
import { describeExposure, type Exposure, exposureOf, foremost, obligesFor } from './exposure.ts'
import type { ProductRule, Rate, Region, Threshold } from './book/facts.ts'
import { findPlace, type Place, placeOfJurisdiction } from './place.ts'
import { placeOfDestination, placeOfPerformance, placeOfSupplyAbroad } from './place-of-supply.ts'
import { type LayerTreatment, type TaxLayer, treatProduct } from './book/product-rules.ts'
import { supplyKind } from './book/product-types.ts'
import { inForce, lineage, type RateBook } from './book/rate-book.ts'
import type { Supply } from './regimes/regime.ts'
import { isRegisteredFor, type Registrations, registrationsOf } from './registration.ts'
import type { Exemption, Seller, VatId } from './sale.ts'
import { type Progress, remoteSellerThresholds, type Sales } from './thresholds.ts'

/** Whether a seller has to collect in a jurisdiction. What is not known is null. */
export type CollectQuestion = {
  place: Place
  seller: Seller
  seller_registered: boolean | null
  customer_type: 'individual' | 'business' | null
  vat_id: VatId | null
  exemptions: readonly Exemption[]
  product_type: string | null
  /** What is sold, without tax: goods from abroad are taxed at the sale up to a limit. */
  price: { amount: number; currency: string } | null
  day: string
  /**
   * Sales into the jurisdiction that a threshold counts in its measurement period, or where there is none;
   * null: not known.
   */
  sales: (threshold: Threshold | null) => Sales | null
}

export type ReasonStep = { code: DecisionReason; outcome: 'yes' | 'no'; detail: string }

export type CollectDecision = {
  collect: boolean
  reason: DecisionReason
  reasons: ReasonStep[]
  seller_registered: boolean
  must_register: boolean
  threshold: Threshold | null
  progress: Progress | null
  explanation: string
  rates_used: Rate[]
  rules_used: ProductRule[]
}

/** The thresholds that the answer to a question may depend on. */
export function thresholdsOfQuestion(question: Omit<CollectQuestion, 'sales'>, book: RateBook): Threshold[] {
  return remoteSellerThresholds(
    book,
    question.place,
    sellerPlace(question, book),
    dealKind(question.product_type),
    question.day,
  )
}

/**
 * The chain of questions in order; the last `yes` decides. Throws a Refusal where the data does not reach
 * back to the day.
 */
export function decideCollection(question: CollectQuestion, book: RateBook): CollectDecision {
  const { place, day, product_type } = question
  const seller = sellerPlace(question, book)
  const exposures = thresholdsOfQuestion(question, book).map((threshold) =>
    exposureOf(book, threshold, question.sales(threshold)),
  )
  const business =
    question.customer_type === 'business' || (question.vat_id !== null && !question.vat_id.invalid)
  const registrations = registrationsOf(question.seller, question.seller_registered)
  const supply = supplyTo(question, seller, business, registrations, book, exposures.some(isPassed))
  // Where no tax is the seller's to collect, its registration is told as it is.
  const registered = question.seller_registered ?? registrations.holds(place.jurisdiction_id)
  const unasked: State = { exposures, steps: [], treatments: [], registered, due: false }
  if (supply.kind === 'reverse_charge') return conclude(unasked, 'reverse_charge', supply.detail)
  if (supply.kind === 'untaxed') return conclude(unasked, 'not_subject_to_tax', supply.detail)
  const elsewhere = !isTaxedIn(place, supply, book)
  if (elsewhere && !isDistanceSale(question))
    return conclude(unasked, 'not_subject_to_tax', `${supply.detail} (${supply.basis})`)
  const treatments = treatProduct(
    book,
    place.jurisdiction_id,
    product_type ?? 'physical_goods',
    business,
    day,
  )
  const held = elsewhere
    ? []
    : treatments.filter(({ layer }) => isRegisteredFor(layer, supply, seller, registrations))
  const state = { ...unasked, treatments, registered: held.length > 0 }
  if (
    treatments.every(({ standard }) => standard.rate_millionths === 0) &&
    (state.registered || !exposures.some(isPassed))
  )
    return conclude(
      state,
      'not_subject_to_tax',
      `${place.jurisdiction_id} levies no general sales tax at state level`,
    )
  state.steps.push({
    code: 'not_subject_to_tax',
    outcome: 'no',
    detail: `${place.jurisdiction_id} taxes the supply: ${supply.detail}`,
  })
  if (elsewhere) return belowUnionThreshold(state, question, book)
  return withRegistrations(state, held, question, book, (collected) =>
    groundOf(question, supply, registrations, collected),
  )
}

type State = {
  exposures: readonly Exposure[]
  steps: ReasonStep[]
  treatments: readonly LayerTreatment[]
  registered: boolean
  /** A threshold is passed for a tax that the seller is not registered for. */
  due: boolean
}

/** Collect where a tax both falls on the product and is one that the seller is registered for. */
function withRegistrations(
  state: State,
  held: readonly LayerTreatment[],
  question: CollectQuestion,
  book: RateBook,
  ground: (registered: readonly LayerTreatment[]) => [DecisionReason, string],
): CollectDecision {
  const taxed = state.treatments.filter((treatment) => treatment.taxed)
  const collected = taxed.filter((treatment) => held.includes(treatment))
  if (held.length === 0 || (taxed.length > 0 && collected.length === 0))
    return unregistered(state, taxed.length > 0 ? taxed : state.treatments, question, book)
  if (taxed.length === 0) {
    const [code, detail] = ground(held)
    state.steps.push({ code, outcome: 'yes', detail })
    return exemptProduct(state, question)
  }
  const missing = taxed.filter((treatment) => !held.includes(treatment))
  const { exposures, notes } = ofMissing(state, missing, question, book)
  const [code, because] = ground(collected)
  const detail = [because, ...notes].join('. ')
  state.steps.push({ code, outcome: 'yes', detail })
  if (collected.every(({ layer }) => isFreed(layer, question, book)))
    return conclude(state, 'customer_exempt', 'The customer holds an exemption')
  return missing.length === 0
    ? conclude(state, code, detail)
    : conclude({ ...state, exposures, due: exposures.some(isPassed) }, code, detail)
}

/** Each tax that falls on the product without a registration for it, and how its threshold stands. */
function ofMissing(
  { exposures }: State,
  missing: readonly LayerTreatment[],
  { place, day }: CollectQuestion,
  book: RateBook,
): { exposures: Exposure[]; notes: string[] } {
  const own = missing.map(({ layer }) => exposures.find((exposure) => obligesFor(exposure, layer, place)))
  const notes = missing.map(({ layer }, index) => {
    const exposure = own[index]
    const id = layer.jurisdiction_id
    const how = exposure === undefined ? noDutyOnRecord(id, day) : describeExposure(book, exposure, place)
    return `The ${layer.tax_type} of ${id} needs a registration of its own. ${how}`
  })
  return { exposures: own.filter((exposure) => exposure !== undefined), notes }
}

function sellerPlace({ seller }: Pick<CollectQuestion, 'seller'>, book: RateBook): Place | null {
  return seller.address === null ? null : findPlace(book, seller.address, 'seller', true)
}

function isPassed({ progress }: Exposure): boolean {
  return progress?.exceeded ?? false
}

/** A member state is one VAT area with its regions: Directive 2006/112/EC, art. 5. */
function isTaxedIn(place: Place, supply: Supply, book: RateBook): boolean {
  if (lineage(book, place.jurisdiction_id).includes(supply.place)) return true
  return place.vat_state !== null && placeOfJurisdiction(book, supply.place)?.vat_state === place.vat_state
}

/** Directive 2006/112/EC, art. 59c: the seller's own tax is a matter of the threshold for these alone. */
function isDistanceSale({ product_type, vat_id }: CollectQuestion): boolean {
  const kind = dealKind(product_type)
  return kind === 'digital' || (kind === 'goods' && !vat_id?.good)
}

function supplyTo(
  question: CollectQuestion,
  seller: Place | null,
  business: boolean,
  registrations: Registrations,
  book: RateBook,
  passed: boolean,
): Supply {
  const { place, vat_id } = question
  if (seller === null) return placeOfDestination(place)
  const kind = dealKind(question.product_type)
  if (kind === 'on_site') return placeOfPerformance(place, seller, business)
  return placeOfSupplyAbroad({
    kind,
    seller,
    customer: place,
    business,
    vat_id,
    over_eu_threshold: question.seller.over_eu_threshold || passed,
    holds: (registration) => registrations.assumed || registrations.holds(registration),
    withinConsignmentLimit: (region) => isWithinConsignmentLimit(question, region, book),
  })
}

/**
 * Without a product the question is asked for a supply that every regime taxes from abroad: an electronic
 * service.
 */
function dealKind(product_type: string | null): 'goods' | 'digital' | 'service' | 'on_site' {
  const kind = product_type === null ? 'digital' : (supplyKind(product_type) ?? 'digital')
  return kind === 'shipping' ? 'service' : kind
}

/**
 * Without a price the goods are taken to be of low value: only then is there anything for the seller to
 * collect.
 */
function isWithinConsignmentLimit({ price, day }: CollectQuestion, region: Region, book: RateBook): boolean {
  const limit = book.consignment_limits.get(region)?.find((candidate) => inForce(candidate, day))
  if (price === null || limit === undefined) return price === null
  const value =
    price.currency === limit.currency
      ? price.amount
      : convertIndicatively(book, price.amount, price.currency, limit.currency)
  return value === null || Math.abs(value) <= limit.amount
}

function unregistered(
  state: State,
  due: readonly LayerTreatment[],
  question: CollectQuestion,
  book: RateBook,
): CollectDecision {
  const { place } = question
  denyRegistration(state, question, `The seller is not registered ${nameTaxes(place, due)}`)
  const open = { ...state, registered: false }
  const exposures = state.exposures.filter((exposure) =>
    due.some(({ layer }) => obligesFor(exposure, layer, place)),
  )
  const nearest = foremost(exposures)
  if (nearest === null || nearest.threshold.amount === null) return withoutThreshold(open, question)
  const measured = { ...open, exposures }
  const passed = exposures.filter(isPassed).map((exposure) => describeExposure(book, exposure, place))
  if (passed.length > 0) return conclude({ ...measured, due: true }, 'threshold_exceeded', passed.join('. '))
  if (nearest.threshold.threshold_type === 'DISTANCE_SALES' && question.seller.over_eu_threshold) {
    const why = `The request says that sales are over the EU-wide threshold: register in ${place.jurisdiction_id} or for oss_union`
    return conclude({ ...measured, due: true }, 'threshold_exceeded', why)
  }
  return conclude(measured, notPassed(nearest), describeExposure(book, nearest, place))
}

function notPassed({ progress }: Exposure): DecisionReason {
  return progress?.approaching ? 'approaching_threshold' : 'below_threshold'
}

/**
 * Where no threshold is on record: due from the first sale in the EU and the United Kingdom, no known duty
 * elsewhere.
 */
function withoutThreshold(state: State, { place, day, sales }: CollectQuestion): CollectDecision {
  const id = place.jurisdiction_id
  if (place.regime !== 'EU' && place.regime !== 'GB')
    return conclude(state, 'below_threshold', noDutyOnRecord(id, day))
  const sold = sales(null)
  if (sold !== null && sold.amount <= 0 && sold.transaction_count <= 0)
    return conclude(state, 'below_threshold', `There were no sales into ${id}`)
  const why = `${id} has no threshold for sellers from elsewhere: register from the first sale`
  return conclude({ ...state, due: true }, 'threshold_exceeded', why)
}

function noDutyOnRecord(id: string, day: string): string {
  return `No threshold of ${id} for sellers from elsewhere is on record for ${day}, so no duty to register is known`
}

function belowUnionThreshold(state: State, question: CollectQuestion, book: RateBook): CollectDecision {
  const { place } = question
  denyRegistration(state, question, `The seller is not registered in ${place.jurisdiction_id}`)
  const rule =
    'Up to the EU-wide threshold for cross-border sales to consumers the tax of the seller’s own member state applies'
  const exposure = foremost(state.exposures)
  if (exposure === null || exposure.sales === null) return conclude(state, 'below_threshold', rule)
  return conclude(state, notPassed(exposure), `${describeExposure(book, exposure, place)}. ${rule}`)
}

/** Where the request says that the seller is not registered, nobody asked whether it is established. */
function denyRegistration(
  { steps }: State,
  { place: { jurisdiction_id }, seller_registered }: CollectQuestion,
  unregistered: string,
): void {
  if (seller_registered === null)
    steps.push({
      code: 'established_here',
      outcome: 'no',
      detail: `The seller is not established in ${jurisdiction_id}`,
    })
  steps.push({ code: 'registered', outcome: 'no', detail: unregistered })
}

function groundOf(
  { place, seller_registered }: CollectQuestion,
  supply: Supply & { kind: 'taxed' },
  registrations: Registrations,
  collected: readonly LayerTreatment[],
): [DecisionReason, string] {
  const id = place.jurisdiction_id
  if (seller_registered !== null)
    return ['registered', `The request says that the seller is registered in ${id}`]
  if (registrations.assumed)
    return ['registration_assumed', 'Nothing is known of the seller: registration is assumed']
  if (supply.established)
    return ['established_here', `The seller is established in ${place.regime === 'CA' ? 'CA' : id}`]
  return ['registered', `The seller is registered ${nameTaxes(place, collected)}`]
}

/** A registration is for a place; in Canada for one of its taxes. */
function nameTaxes({ regime, jurisdiction_id }: Place, treatments: readonly LayerTreatment[]): string {
  if (regime !== 'CA') return `in ${jurisdiction_id}`
  return `for the ${treatments.map(({ layer }) => `${layer.tax_type} of ${layer.jurisdiction_id}`).join(' and the ')}`
}

/**
 * A province can free its own part of the HST alone, so that the federal part remains (ETA, s. 165(1), (2)).
 */
function isFreed(
  layer: TaxLayer,
  { exemptions, product_type, day }: CollectQuestion,
  book: RateBook,
): boolean {
  const kind = product_type === null ? 'goods' : (supplyKind(product_type) ?? 'goods')
  return (
    findExemption(book, exemptions, layer.tax_type === 'HST' ? 'CA' : layer.jurisdiction_id, kind, day) !==
    null
  )
}

function exemptProduct(state: State, { place, product_type }: CollectQuestion): CollectDecision {
  const notes = state.treatments[0]?.rule?.notes
  const what = `${product_type ?? 'physical_goods'} is not taxed in ${place.jurisdiction_id}`
  return conclude(state, 'product_exempt', `${what}${notes ? `: ${notes}` : ''}`)
}

const COLLECTING = new Set<DecisionReason>(['established_here', 'registered', 'registration_assumed'])

function conclude(state: State, reason: DecisionReason, explanation: string): CollectDecision {
  const { steps, treatments, exposures, registered, due } = state
  if (steps.at(-1)?.code !== reason) steps.push({ code: reason, outcome: 'yes', detail: explanation })
  const nearest = foremost(exposures)
  return {
    collect: COLLECTING.has(reason),
    reason,
    reasons: steps,
    seller_registered: registered,
    must_register: due,
    threshold: nearest?.threshold ?? null,
    progress: nearest?.progress ?? null,
    explanation,
    rates_used: treatments.map((treatment) => treatment.rate ?? treatment.standard),
    rules_used: treatments.flatMap((treatment) => (treatment.rule === null ? [] : [treatment.rule])),
  }
}
