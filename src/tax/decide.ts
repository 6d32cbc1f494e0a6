import type { Decision, DecisionReason } from './assessment.ts'
import type { ProductRule, Rate, Threshold } from './book/facts.ts'
import { supplyKind } from './book/product-types.ts'
import { lineage, type RateBook } from './book/rate-book.ts'
import { decisionOf, isDue, type KnownSales, reasonToCollect } from './decision.ts'
import type { Duty } from './duty.ts'
import {
  describeExposure,
  type Exposure,
  exposureOf,
  exposureTo,
  homeOf,
  isPassed,
  nearestExposure,
} from './exposure.ts'
import { partOfLine } from './parts.ts'
import { findPlace, type Place, placeOfJurisdiction } from './place.ts'
import type { TaxedKind } from './regimes/regime.ts'
import type { Address, Exemption, MarketplaceRole, Sale, SaleLine, Seller, VatId } from './sale.ts'
import { type Terms, termsOf } from './terms.ts'
import { type Progress, type Sales, thresholdsAt } from './thresholds.ts'
import { beginWalkTo, sellerPlace, type Walk } from './walk.ts'

/** The question whether a seller has to collect in a jurisdiction. Unknown values are null. */
export type CollectQuestion = {
  place: Place
  seller: Seller
  seller_registered: boolean | null
  customer_type: 'individual' | 'business' | null
  vat_id: VatId | null
  /** Where the goods leave from; null: the seller's place. */
  ship_from: Address | null
  marketplace: MarketplaceRole | null
  exemptions: readonly Exemption[]
  product_type: string | null
  /** The price of an item without tax, for limits and for rules that depend on a price. */
  price: { amount: number; currency: string } | null
  day: string
  /**
   * The sales into the jurisdiction that a threshold counts in its measurement period. Without a threshold:
   * all sales. Null: unknown.
   */
  sales: (threshold: Threshold | null) => Sales | null
}

export type ReasonStep = { code: DecisionReason; outcome: 'yes' | 'no'; detail: string }

export type CollectDecision = Decision & {
  reasons: ReasonStep[]
  seller_registered: boolean
  threshold: Threshold | null
  progress: Progress | null
  explanation: string
  rates_used: Rate[]
  rules_used: ProductRule[]
}

/** The thresholds that the answer to a question may depend on. */
export function thresholdsOfQuestion(question: Omit<CollectQuestion, 'sales'>, book: RateBook): Threshold[] {
  const { place, seller, day } = question
  const asker = {
    place,
    seller: sellerPlace({ seller }, book),
    kind: kindOf(question.product_type),
    origin: originOf(question, book),
    over_eu_threshold: seller.over_eu_threshold,
  }
  return thresholdsAt(book, asker, day)
}

/**
 * Calculates the sale in question, compares earlier sales with the thresholds and lists the reasons in order:
 * the last `yes` decides. Throws a Refusal if the data does not reach back to the day.
 */
export function decideCollection(question: CollectQuestion, book: RateBook): CollectDecision {
  const exposures = thresholdsOfQuestion(question, book).map((threshold) =>
    exposureOf(book, threshold, question.sales(threshold)),
  )
  const walk = beginWalkTo(saleOf(question, exposures.some(isPassed)), book, question.place)
  const assessed = { question, walk, terms: termsOfQuestion(walk, question), exposures }
  const { supply } = assessed.terms
  if (supply.kind === 'taxed' && !isTaxedIn(book, question.place, supply.place))
    return isDistanceSale(question) ? belowUnionThreshold(assessed) : taxedElsewhere(assessed)
  return decideHere(assessed)
}

/** A question with the terms of its sale and the seller's exposures. */
type QuestionWithTerms = {
  question: CollectQuestion
  walk: Walk
  terms: Terms
  exposures: readonly Exposure[]
}

function originOf({ product_type, ship_from }: Omit<CollectQuestion, 'sales'>, book: RateBook): Place | null {
  if (ship_from === null || kindOf(product_type) !== 'goods') return null
  return findPlace(book, ship_from, 'ship_from', 'country')
}

/** The sale that a question is about. Sales over the threshold count as they do in a calculation. */
function saleOf(question: CollectQuestion, passed: boolean): Sale {
  const { place, seller, price } = question
  return {
    currency: price?.currency ?? 'EUR',
    day: question.day,
    seller: { ...seller, over_eu_threshold: seller.over_eu_threshold || passed },
    customer: {
      address: { country: place.jurisdiction_id },
      type: question.customer_type,
      vat_id: question.vat_id,
    },
    ship_from: question.ship_from,
    marketplace: question.marketplace,
    supply_address: null,
    lines: price === null ? [] : [lineOf(question, price.amount)],
    shipping: null,
    rounding: 'line',
    seller_registered: question.seller_registered,
    exemptions: question.exemptions,
    local_fallback: null,
    explain: false,
  }
}

function lineOf({ product_type }: CollectQuestion, amount: number): SaleLine {
  return {
    amount,
    discount: 0,
    quantity: 1,
    product_type: product_type ?? ANY_PRODUCT,
    tax_behavior: 'exclusive',
    taxable: true,
    live: false,
  }
}

/** A question without a product uses the rate of physical goods: the standard rate. */
const ANY_PRODUCT = 'physical_goods'

/** A question without a product counts as a digital supply, which every regime taxes from abroad. */
function kindOf(product_type: string | null): TaxedKind {
  const kind = product_type === null ? 'digital' : (supplyKind(product_type) ?? 'digital')
  return kind === 'shipping' ? 'service' : kind
}

function termsOfQuestion(walk: Walk, { product_type }: CollectQuestion): Terms {
  const kind = kindOf(product_type)
  const [line] = walk.sale.lines
  if (line !== undefined) return partOfLine(walk, line, kind).terms
  return termsOf(walk, { product_type: product_type ?? ANY_PRODUCT, kind, line: null })
}

/** A member state is one VAT area with its regions: Directive 2006/112/EC, art. 5. */
function isTaxedIn(book: RateBook, place: Place, taxed_in: string): boolean {
  if (lineage(book, place.jurisdiction_id).includes(taxed_in)) return true
  return place.vat_state !== null && placeOfJurisdiction(book, taxed_in)?.vat_state === place.vat_state
}

/** Directive 2006/112/EC, art. 59c: only these are taxed at the seller because of a threshold. */
function isDistanceSale({ product_type, vat_id }: CollectQuestion): boolean {
  const kind = kindOf(product_type)
  return kind === 'digital' || (kind === 'goods' && !vat_id?.good)
}

function taxedElsewhere(assessed: QuestionWithTerms): CollectDecision {
  const { detail, basis } = assessed.terms.supply
  const decision = { collect: false, reason: 'not_subject_to_tax', must_register: false } as const
  return answerQuestion(assessed, decision, [], `${detail} (${basis})`, ON_FILE)
}

function belowUnionThreshold(assessed: QuestionWithTerms): CollectDecision {
  const { question, walk, exposures } = assessed
  const { place } = question
  const rule =
    'Up to the EU-wide threshold for cross-border sales to consumers ' +
    'the tax of the seller’s own member state applies'
  const nearest = nearestExposure(exposures)
  const known = nearest !== null && nearest.sales !== null
  const reason = nearest?.progress?.approaching ? 'approaching_threshold' : 'below_threshold'
  const detail = known ? `${describeExposure(walk.book, nearest, place)}. ${rule}` : rule
  const steps = [taxedHere(assessed), ...notRegistered(assessed, `in ${place.jurisdiction_id}`)]
  return answerQuestion(assessed, { collect: false, reason, must_register: false }, steps, detail, ON_FILE)
}

/** The place in question taxes the supply, or no place does. The decision is that of a calculation. */
function decideHere(assessed: QuestionWithTerms): CollectDecision {
  const { question, walk, terms, exposures } = assessed
  const sold = question.sales(null)
  const none_sold = sold !== null && sold.amount <= 0 && sold.transaction_count <= 0
  const known = { exposures, none_sold }
  const decision = decisionOf(walk, [terms], known)
  const { supply, duties } = terms
  if (supply.kind !== 'taxed') return answerQuestion(assessed, decision, [], supply.detail, ON_FILE)
  if (terms.reason === 'not_subject_to_tax') return withoutStateTax(assessed, decision)
  const shown = duties.length > 0 ? exposuresTo(duties, exposures) : exposures
  const dueHere = { registered: terms.registered, exposures: shown }
  const steps = [taxedHere(assessed)]
  if (terms.reason === 'not_collecting') {
    steps.push(
      ...notRegistered(
        assessed,
        nameTaxes(
          question.place,
          duties.map(({ layer }) => layer),
        ),
      ),
    )
    return answerQuestion(assessed, decision, steps, explainDuties(assessed, known), dueHere)
  }
  const detail = explainCollection(assessed)
  steps.push({ code: reasonToCollect(walk, terms), outcome: 'yes', detail })
  return answerQuestion(assessed, decision, steps, terms.detail ?? detail, dueHere)
}

/** A state without a general tax may still ask a seller to register, for its local taxes (Alaska). */
function withoutStateTax(assessed: QuestionWithTerms, decision: Decision): CollectDecision {
  const { question, walk, terms, exposures } = assessed
  const detail = terms.detail ?? terms.supply.detail
  const passed = exposures.filter(isPassed)
  if (isRegisteredHere(assessed) || passed.length === 0)
    return answerQuestion(assessed, decision, [], detail, { ...ON_FILE, exposures })
  const steps = [taxedHere(assessed), ...notRegistered(assessed, `in ${question.place.jurisdiction_id}`)]
  const sentences = passed.map((exposure) => describeExposure(walk.book, exposure, question.place))
  const exceeded = { collect: false, reason: 'threshold_exceeded', must_register: true } as const
  return answerQuestion(assessed, exceeded, steps, sentences.join('. '), { registered: false, exposures })
}

function isRegisteredHere({ question, walk }: QuestionWithTerms): boolean {
  const { law, jurisdiction_id } = question.place
  const ids = law.registrationsAt(walk.book, jurisdiction_id)
  return question.seller_registered ?? ids.some(walk.registrations.holds)
}

function taxedHere({ question, terms }: QuestionWithTerms): ReasonStep {
  const detail = `${question.place.jurisdiction_id} taxes the supply: ${terms.supply.detail}`
  return { code: 'not_subject_to_tax', outcome: 'no', detail }
}

/** If the request says that the seller is not registered, its establishment was not looked at. */
function notRegistered({ question }: QuestionWithTerms, where: string): ReasonStep[] {
  const id = question.place.jurisdiction_id
  const steps: ReasonStep[] =
    question.seller_registered === null
      ? [{ code: 'established_here', outcome: 'no', detail: `The seller is not established in ${id}` }]
      : []
  return [...steps, { code: 'registered', outcome: 'no', detail: `The seller is not registered ${where}` }]
}

type Layer = Duty['layer']

/** A registration is for a place; if a place has several taxes, it is for one of them. */
function nameTaxes({ law, jurisdiction_id }: Place, layers: readonly Layer[]): string {
  const { nameOfTax } = law
  return nameOfTax === null ? `in ${jurisdiction_id}` : `for ${layers.map(nameOfTax).join(' and ')}`
}

/** Why the seller does not collect yet, and how close its sales are to the thresholds. */
function explainDuties({ question, walk, terms, exposures }: QuestionWithTerms, known: KnownSales): string {
  const { place } = question
  const due = terms.duties.filter((duty) => isDue(duty, known))
  const relevant = due.length > 0 ? due : terms.duties
  const measured = exposuresTo(relevant, exposures).filter(({ sales }) => sales !== null)
  const nearest = nearestExposure(measured)
  if (nearest === null || terms.duties.some(({ passed }) => passed)) return terms.detail ?? ''
  const shown = due.length > 0 ? measured : [nearest]
  return shown.map((exposure) => describeExposure(walk.book, exposure, place)).join('. ')
}

/** Why the seller collects, and which taxes need a registration that it lacks. */
function explainCollection(assessed: QuestionWithTerms): string {
  const missing = assessed.terms.duties.map((duty) => explainMissing(assessed, duty))
  return [explainRegistration(assessed), ...missing].join('. ')
}

function explainRegistration({ question, walk, terms }: QuestionWithTerms): string {
  const { place, seller_registered } = question
  if (seller_registered !== null)
    return `The request says that the seller is registered in ${place.jurisdiction_id}`
  if (walk.registrations.assumed) return 'The seller is not known, so registration is assumed'
  if (reasonToCollect(walk, terms) === 'established_here')
    return `The seller is established in ${homeOf(walk.book, place)}`
  const collected = terms.treatments.map(({ layer }) => layer).filter((layer) => !isMissing(terms, layer))
  return `The seller is registered ${nameTaxes(place, collected)}`
}

function isMissing({ duties }: Terms, layer: Layer): boolean {
  return duties.some((duty) => duty.layer === layer)
}

function explainMissing({ question, walk, exposures }: QuestionWithTerms, duty: Duty): string {
  const { tax_type, jurisdiction_id } = duty.layer
  const exposure = exposureTo(duty, exposures)
  const how =
    exposure === null
      ? noDutyOnRecord(jurisdiction_id, question.day)
      : describeExposure(walk.book, exposure, question.place)
  return `The ${tax_type} of ${jurisdiction_id} needs a registration of its own. ${how}`
}

/** The exposures to the thresholds of the duties, the closest place first. */
function exposuresTo(duties: readonly Duty[], exposures: readonly Exposure[]): Exposure[] {
  return exposures.filter(({ threshold }) => duties.some((duty) => duty.threshold === threshold))
}

function noDutyOnRecord(id: string, day: string): string {
  return (
    `No threshold of ${id} for sellers from elsewhere is on record for ${day}, ` +
    'so no duty to register is known'
  )
}

/** The seller's registration and exposures in an answer. Left out: as they are on file. */
type ShownSeller = { registered?: boolean; exposures?: readonly Exposure[] }

const ON_FILE: ShownSeller = {}

function answerQuestion(
  assessed: QuestionWithTerms,
  decision: Decision,
  before: readonly ReasonStep[],
  explanation: string,
  { registered = isRegisteredHere(assessed), exposures = assessed.exposures }: ShownSeller,
): CollectDecision {
  const { treatments } = assessed.terms
  const { reason } = decision
  const decided = before.at(-1)?.code === reason
  const reasons = decided
    ? [...before]
    : [...before, { code: reason, outcome: 'yes' as const, detail: explanation }]
  const nearest = nearestExposure(exposures)
  return {
    ...decision,
    reasons,
    seller_registered: registered,
    threshold: nearest?.threshold ?? null,
    progress: nearest?.progress ?? null,
    explanation,
    rates_used: treatments.flatMap(({ rate, standard }) => rate ?? standard ?? []),
    rules_used: treatments.flatMap(({ rule }) => rule ?? []),
  }
}
