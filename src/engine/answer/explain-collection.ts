import { taxInWords, atStart, placeInSentence } from '../book/names.ts'
import type { DecisionReason } from '../found/assessment.ts'
import type { QuestionWithTerms } from './collect-question.ts'
import { isDue, type KnownSales, reasonToCollect } from './decision.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { Duty, Terms } from '../found/found.ts'
import {
  describeExposure,
  type Exposure,
  exposureTo,
  homeOf,
  isOf,
  nearestExposure,
} from '../terms/exposure.ts'
import type { Place } from '../regimes/regime.ts'

/** One reason of an answer: whether it applies, and why. */
export type ReasonStep = { code: DecisionReason; outcome: 'yes' | 'no'; detail: string }

/** That the place in question taxes the supply. */
export function taxedHere({ question, terms }: QuestionWithTerms): ReasonStep {
  const detail = `${atStart(question.place.name)} taxes the supply: ${terms.supplied.supply.detail}`
  return { code: 'not_subject_to_tax', outcome: 'no', detail }
}

/** If the request says that the seller is not registered, its establishment was not looked at. */
export function notRegistered({ question }: QuestionWithTerms, where: string): ReasonStep[] {
  const steps: ReasonStep[] =
    question.seller_registered === null
      ? [
          {
            code: 'established_here',
            outcome: 'no',
            detail: `The seller is not established in ${question.place.name}`,
          },
        ]
      : []
  return [...steps, { code: 'registered', outcome: 'no', detail: `The seller is not registered ${where}` }]
}

type Layer = Duty['layer']

/** A registration is for a place; if a place has several taxes, it is for one of them. */
export function nameTaxes(book: RateBook, { law, name }: Place, layers: readonly Layer[]): string {
  const { provinces } = law
  if (provinces === null) return `in ${name}`
  const named = layers.map((layer) =>
    provinces.nameOfTax(layer, placeInSentence(book, layer.jurisdiction_id)),
  )
  return `for ${named.join(' and ')}`
}

/** Why the seller does not collect yet, and how close its sales are to the thresholds. */
export function explainDuties(
  { question, walk, terms, exposures }: QuestionWithTerms,
  known: KnownSales,
): string {
  const { place } = question
  const due = terms.duties.filter((duty) => isDue(duty, known))
  const open = due.length === 0 && terms.duties.some((duty) => isDue(duty, known) === null)
  const relevant = due.length > 0 ? due : terms.duties
  const measured = exposures.filter(
    (exposure) =>
      exposure.sales !== null && relevant.some((duty) => exposureTo(duty, exposures) === exposure),
  )
  const nearest = nearestExposure(measured)
  if (nearest === null || open || terms.duties.some(({ passed }) => passed)) return terms.detail ?? ''
  const shown = due.length > 0 ? measured : [nearest]
  return shown.map((exposure) => describeExposure(walk.book, exposure, place)).join('. ')
}

/** Why the seller collects, and which taxes need a registration that it lacks. */
export function explainCollection(assessed: QuestionWithTerms): string {
  const missing = assessed.terms.duties.map((duty) => explainMissing(assessed, duty))
  return [explainRegistration(assessed), ...missing].join('. ')
}

function explainRegistration({ question, walk, terms }: QuestionWithTerms): string {
  const { place, seller_registered } = question
  const reason = reasonToCollect(walk, terms)
  if (reason === 'own_rate') return terms.supplied.supply.detail
  if (seller_registered !== null) return `The request says that the seller is registered in ${place.name}`
  if (walk.registrations.assumed) return 'The seller is unknown, so registration is assumed'
  if (reason === 'established_here') return `The seller is established in ${homeOf(walk.book, place)}`
  const collected = terms.treatments.map(({ layer }) => layer).filter((layer) => !isMissing(terms, layer))
  return `The seller is registered ${nameTaxes(walk.book, place, collected)}`
}

function isMissing({ duties }: Terms, layer: Layer): boolean {
  return duties.some((duty) => duty.layer === layer)
}

function explainMissing({ question, walk, exposures }: QuestionWithTerms, duty: Duty): string {
  const { tax_type, jurisdiction_id } = duty.layer
  const name = placeInSentence(walk.book, jurisdiction_id)
  const exposure = exposureTo(duty, exposures)
  const how =
    exposure === null
      ? noDutyOnRecord(name, question.day)
      : describeExposure(walk.book, exposure, question.place)
  return `The ${taxInWords(tax_type)} of ${name} needs a registration of its own. ${how}`
}

function noDutyOnRecord(name: string, day: string): string {
  return (
    `No threshold of ${name} for remote sellers is in the data for ${day}, so it is unknown whether ` +
    'the seller must register'
  )
}

/** The exposures to the thresholds of the duties, the closest place first. */
export function exposuresTo(duties: readonly Duty[], exposures: readonly Exposure[]): Exposure[] {
  return exposures.filter((exposure) => duties.some((duty) => isOf(duty, exposure)))
}
