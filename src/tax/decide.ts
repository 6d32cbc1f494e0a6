import type { DecisionReason } from './assessment.ts'
import { findExemption } from './exemptions.ts'
import { describeMoney, describeThreshold } from './explain.ts'
import type { ProductRule, Rate, Threshold } from './facts.ts'
import { findPlace, type Place } from './place.ts'
import { placeOfDestination, placeOfPerformance, placeOfSupplyAbroad } from './place-of-supply.ts'
import { type LayerTreatment, treatProduct } from './product-rules.ts'
import { type SupplyKind, supplyKind } from './product-types.ts'
import { lineage, type RateBook } from './rate-book.ts'
import type { Supply } from './regimes/regime.ts'
import { isRegisteredFor, type Registrations, registrationsOf } from './registration.ts'
import type { Exemption, Seller, VatId } from './sale.ts'
import { measureProgress, type Progress, remoteSellerThreshold, type Sales } from './thresholds.ts'

/** Whether a seller has to collect in a jurisdiction. What is not known is null. */
export type CollectQuestion = {
  place: Place
  seller: Seller
  seller_registered: boolean | null
  customer_type: 'individual' | 'business' | null
  vat_id: VatId | null
  exemptions: readonly Exemption[]
  product_type: string | null
  day: string
  /** Sales into the jurisdiction in the threshold's measurement period. */
  sales: Sales | null
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

/** The chain of questions in order; the last `yes` decides. Throws a Refusal where the data does not reach back to the day. */
export function decideCollection(question: CollectQuestion, book: RateBook): CollectDecision {
  const steps: ReasonStep[] = []
  const { place, day } = question
  const seller = question.seller.address === null ? null : findPlace(book, question.seller.address, 'seller', true)
  const threshold = remoteSellerThreshold(book, place, seller, day)
  const progress = threshold === null || question.sales === null ? null : measureProgress(book, threshold, question.sales)
  const base = { threshold, progress, steps, treatments: [] as LayerTreatment[] }
  const business = question.customer_type === 'business' || (question.vat_id !== null && !question.vat_id.invalid)
  const registrations = registrationsOf(question.seller, question.seller_registered)
  const supply = supplyTo(question, seller, business, registrations, progress)
  if (supply.kind === 'reverse_charge') return conclude({ ...base, registered: false }, 'reverse_charge', supply.detail)
  if (supply.kind === 'untaxed') return conclude({ ...base, registered: false }, 'not_subject_to_tax', supply.detail)
  const treatments = treatProduct(book, place.jurisdiction_id, question.product_type ?? 'physical_goods', business, day)
  const relevant = treatments.at(-1)
  const state = { ...base, treatments }
  if (treatments.every((treatment) => treatment.standard.rate_millionths === 0) && !progress?.exceeded) {
    return conclude(
      { ...state, registered: false },
      'not_subject_to_tax',
      `${place.jurisdiction_id} levies no general sales tax at state level`,
    )
  }
  steps.push({ code: 'not_subject_to_tax', outcome: 'no', detail: `${place.jurisdiction_id} taxes the supply: ${supply.detail}` })
  const elsewhere = !lineage(book, place.jurisdiction_id).includes(supply.place)
  const registered = relevant !== undefined && !elsewhere && isRegisteredFor(relevant.layer, supply, seller, registrations)
  if (!registered) return unregistered(state, question, book, elsewhere)
  const [code, detail] = groundOf(question, supply, registrations)
  steps.push({ code, outcome: 'yes', detail })
  return exempted({ ...state, registered: true }, question, book, code, detail)
}

type State = {
  threshold: Threshold | null
  progress: Progress | null
  steps: ReasonStep[]
  treatments: readonly LayerTreatment[]
  registered: boolean
}

function supplyTo(
  question: CollectQuestion,
  seller: Place | null,
  business: boolean,
  registrations: Registrations,
  progress: Progress | null,
): Supply {
  const { place, vat_id } = question
  if (seller === null) return placeOfDestination(place)
  const kind = dealKind(question.product_type === null ? undefined : supplyKind(question.product_type))
  if (kind === 'on_site') return placeOfPerformance(place, seller, business)
  return placeOfSupplyAbroad({
    kind,
    seller,
    customer: place,
    business,
    vat_id,
    over_eu_threshold: question.seller.over_eu_threshold || (progress?.exceeded ?? false),
    holds: (registration) => registrations.assumed || registrations.holds(registration),
    withinConsignmentLimit: () => true,
  })
}

/** Without a product the question is asked for a supply that every regime taxes from abroad: an electronic service. */
function dealKind(kind: SupplyKind | undefined): 'goods' | 'digital' | 'service' | 'on_site' {
  if (kind === undefined) return 'digital'
  return kind === 'shipping' ? 'service' : kind
}

function unregistered(state: Omit<State, 'registered'>, question: CollectQuestion, book: RateBook, elsewhere: boolean): CollectDecision {
  const { threshold, progress, steps } = state
  const id = question.place.jurisdiction_id
  steps.push({ code: 'established_here', outcome: 'no', detail: `The seller is not established in ${id}` })
  steps.push({ code: 'registered', outcome: 'no', detail: `The seller is not registered in ${id}` })
  const open = { ...state, registered: false }
  if (elsewhere)
    return conclude(
      open,
      'below_threshold',
      'Up to the EU-wide threshold for cross-border sales to consumers the tax of the seller’s own member state applies',
    )
  if (threshold === null || threshold.amount === null) {
    const none = question.sales !== null && question.sales.amount <= 0 && question.sales.transaction_count <= 0
    if (none) return conclude(open, 'below_threshold', `There were no sales into ${id}`)
    return conclude(open, 'threshold_exceeded', `${id} has no threshold for sellers from elsewhere: register from the first sale`)
  }
  const limit = describeThreshold(book, threshold)
  if (progress === null) return conclude(open, 'below_threshold', `No sales are known; the threshold of ${id} is ${limit}`)
  const sold = `${describeMoney(book, progress.amount, progress.currency)} in ${progress.transaction_count} transactions`
  const rate = progress.indicative ? ', compared at an indicative exchange rate' : ''
  if (progress.exceeded)
    return conclude(open, 'threshold_exceeded', `Sales of ${sold} have passed the threshold of ${limit}${rate}: register in ${id}`)
  if (progress.approaching)
    return conclude(open, 'approaching_threshold', `Sales of ${sold} are over 85 % of the threshold of ${limit}${rate}`)
  return conclude(open, 'below_threshold', `Sales of ${sold} are below the threshold of ${limit}${rate}`)
}

function groundOf(question: CollectQuestion, supply: Supply & { kind: 'taxed' }, registrations: Registrations): [DecisionReason, string] {
  const id = question.place.jurisdiction_id
  if (question.seller_registered !== null) return ['registered', `The request says that the seller is registered in ${id}`]
  if (registrations.assumed) return ['registration_assumed', 'Nothing is known of the seller: registration is assumed']
  if (supply.established) return ['established_here', `The seller is established in ${id}`]
  return ['registered', `The seller holds a registration for ${id}`]
}

/** A registered seller still collects nothing from an exempt customer or on an exempt product. */
function exempted(state: State, question: CollectQuestion, book: RateBook, ground: DecisionReason, detail: string): CollectDecision {
  const kind = question.product_type === null ? 'goods' : (supplyKind(question.product_type) ?? 'goods')
  const free = state.treatments.filter(
    (treatment) => findExemption(book, question.exemptions, treatment.layer.jurisdiction_id, kind, question.day) !== null,
  )
  if (free.length === state.treatments.length) return conclude(state, 'customer_exempt', 'The customer holds an exemption')
  if (question.product_type !== null && state.treatments.every((treatment) => !treatment.taxed)) {
    const rule = state.treatments[0]?.rule
    return conclude(
      state,
      'product_exempt',
      `${question.product_type} is not taxed in ${question.place.jurisdiction_id}${rule?.notes ? `: ${rule.notes}` : ''}`,
    )
  }
  return conclude(state, ground, detail)
}

const COLLECTING = new Set<DecisionReason>(['established_here', 'registered', 'registration_assumed'])

function conclude(state: State, reason: DecisionReason, explanation: string): CollectDecision {
  const { steps, treatments, threshold, progress, registered } = state
  if (steps.at(-1)?.code !== reason) steps.push({ code: reason, outcome: 'yes', detail: explanation })
  return {
    collect: COLLECTING.has(reason),
    reason,
    reasons: steps,
    seller_registered: registered,
    must_register: reason === 'threshold_exceeded',
    threshold,
    progress,
    explanation,
    rates_used: treatments.map((treatment) => treatment.rate ?? treatment.standard),
    rules_used: treatments.flatMap((treatment) => (treatment.rule === null ? [] : [treatment.rule])),
  }
}
