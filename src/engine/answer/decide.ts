import type { Decision } from '../found/assessment.ts'
import type { ProductRule, Rate, Threshold } from '../book/facts.ts'
import { describeThreshold } from '../book/money-in-words.ts'
import { placeInSentence } from '../book/names.ts'
import { lineage, type RateBook } from '../book/rate-book.ts'
import {
  type CollectQuestion,
  kindOf,
  type QuestionWithTerms,
  saleOfQuestion,
  termsOfQuestion,
  thresholdsOfQuestion,
} from './collect-question.ts'
import { decisionOf, reasonToCollect } from './decision.ts'
import {
  explainCollection,
  explainDuties,
  exposuresTo,
  nameTaxes,
  notRegistered,
  type ReasonStep,
  taxedHere,
} from './explain-collection.ts'
import {
  describeExposure,
  doubtOfExposure,
  type Exposure,
  exposureOf,
  isPassed,
  nearestExposure,
} from '../terms/exposure.ts'
import { placeOfJurisdiction } from '../supply/place.ts'
import type { Place } from '../regimes/regime.ts'
import { isOtherLimit, type Progress } from '../terms/thresholds.ts'
import { notesOnUnused } from './unused-fields.ts'
import { beginWalk } from '../supply/walk.ts'

export type CollectDecision = Decision & {
  reasons: ReasonStep[]
  seller_registered: boolean
  threshold: Threshold | null
  progress: Progress | null
  explanation: string
  /** What the answer depends on and the question does not say. */
  doubts: string[]
  rates_used: Rate[]
  rules_used: ProductRule[]
}

/**
 * Calculates the sale in question, compares earlier sales with the thresholds and lists the reasons in order:
 * the last `yes` decides. Throws a Refusal if the data does not reach back to the day.
 */
export function decideCollection(question: CollectQuestion, book: RateBook): CollectDecision {
  const exposures = thresholdsOfQuestion(question, book).map((threshold) =>
    exposureOf(book, threshold, question.sales(threshold)),
  )
  const sale = saleOfQuestion(question, exposures.some(isPassed))
  const walk = beginWalk(sale, book, null, question.place)
  const assessed = { question, walk, terms: termsOfQuestion(walk, question), exposures }
  const { supply } = assessed.terms.supplied
  if (supply.kind === 'taxed' && !isTaxedIn(book, question.place, supply.place))
    return isDistanceSale(question) ? belowUnionThreshold(assessed) : taxedElsewhere(assessed)
  return decideHere(assessed)
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
  const { detail, basis } = assessed.terms.supplied.supply
  const decision = { collect: false, reason: 'not_subject_to_tax', must_register: false } as const
  return answerQuestion(assessed, decision, [], `${detail} (${basis})`, ON_FILE)
}

function belowUnionThreshold(assessed: QuestionWithTerms): CollectDecision {
  const { question, walk, exposures } = assessed
  const { place } = question
  const rule =
    'Up to the EU-wide threshold for cross-border sales to consumers, the tax of the seller’s own ' +
    'member state applies'
  const nearest = nearestExposure(exposures)
  const known = nearest !== null && nearest.sales !== null
  const reason = nearest?.progress?.approaching ? 'approaching_threshold' : 'below_threshold'
  const detail = known ? `${describeExposure(walk.book, nearest, place)}. ${rule}` : rule
  const steps = [taxedHere(assessed), ...notRegistered(assessed, `in ${place.name}`)]
  return answerQuestion(assessed, { collect: false, reason, must_register: false }, steps, detail, ON_FILE)
}

/** The place in question taxes the supply, or no place does. The decision is that of a calculation. */
function decideHere(assessed: QuestionWithTerms): CollectDecision {
  const { question, walk, terms, exposures } = assessed
  const sold = question.sales(null)
  const none_sold = sold !== null && sold.amount <= 0 && sold.transaction_count <= 0
  const known = { exposures, none_sold }
  const decision = decisionOf(walk, [terms], known)
  const { duties } = terms
  const { supply } = terms.supplied
  if (supply.kind === 'untaxed' && supply.until_registered) return untilRegistered(assessed, decision)
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
          walk.book,
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

/** Goods that are taxed at the border, until their sales oblige the seller to register and charge. */
function untilRegistered(assessed: QuestionWithTerms, decision: Decision): CollectDecision {
  const { terms, exposures, question, walk } = assessed
  const passed = exposures.filter(isPassed)
  if (passed.length === 0)
    return answerQuestion(assessed, decision, [], terms.supplied.supply.detail, ON_FILE)
  const sentences = passed.map((exposure) => describeExposure(walk.book, exposure, question.place))
  const exceeded = { collect: false, reason: 'threshold_exceeded', must_register: true } as const
  return answerQuestion(assessed, exceeded, [], sentences.join('. '), { registered: false, exposures })
}

/** A state without a general tax may still ask a seller to register, for its local taxes (Alaska). */
function withoutStateTax(assessed: QuestionWithTerms, decision: Decision): CollectDecision {
  const { question, walk, terms, exposures } = assessed
  const detail = terms.detail ?? terms.supplied.supply.detail
  const passed = exposures.filter(isPassed)
  if (isRegisteredHere(assessed) || passed.length === 0)
    return answerQuestion(assessed, decision, [], detail, { ...ON_FILE, exposures })
  const steps = [taxedHere(assessed), ...notRegistered(assessed, `in ${question.place.name}`)]
  const sentences = passed.map((exposure) => describeExposure(walk.book, exposure, question.place))
  const exceeded = { collect: false, reason: 'threshold_exceeded', must_register: true } as const
  return answerQuestion(assessed, exceeded, steps, sentences.join('. '), { registered: false, exposures })
}

function isRegisteredHere({ question, walk }: QuestionWithTerms): boolean {
  const { law, jurisdiction_id } = question.place
  const ids = law.registrationsAt(walk.book, jurisdiction_id)
  return question.seller_registered ?? ids.some(walk.registrations.holds)
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
    doubts: [
      ...(registered ? [] : exposures.flatMap((exposure) => doubtOf(assessed.walk.book, exposure) ?? [])),
      ...notesOnUnused(assessed.walk, [assessed.terms]),
    ],
    rates_used: treatments.flatMap(({ rate, standard }) => rate ?? standard ?? []),
    rules_used: treatments.flatMap(({ rule }) => rule ?? []),
  }
}

/** The sales of three months may be unknown, although those of the year are stated. */
function doubtOf(book: RateBook, exposure: Exposure): string | null {
  const { threshold, sales } = exposure
  if (sales !== null || !isOtherLimit(threshold)) return doubtOfExposure(book, exposure)
  const name = placeInSentence(book, threshold.jurisdiction_id)
  return (
    `The seller must also register in ${name} if its sales pass ${describeThreshold(threshold)}. ` +
    'These sales are unknown. Send them in sales.last_3_months'
  )
}
