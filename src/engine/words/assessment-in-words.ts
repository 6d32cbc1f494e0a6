import type { AssessedLine, Assessment, TraceStep } from '../found/assessment.ts'
import { productOfNoSupply, type SupplyReason } from '../book/product-types.ts'
import type { RateBook } from '../book/rate-book.ts'
import { badgeOf, type PlaceNames, stepInWords, tellLine } from './reason-in-words.ts'

/** What is sold on a line. A null `description`: the caller named none. `supply_reason`: it is no supply. */
type NamedLine = { description: string | null; product_type: string; supply_reason?: SupplyReason | null }

/** Why a line bears its tax. `steps` are the rules that were applied to it alone. */
type LineInWords = { sentence: string; badge: string; steps: TraceStep[] }

/** Why a sale bears its tax: the rules of the whole sale, and its lines, the shipping last. */
type AssessmentInWords = { lines: LineInWords[]; steps: TraceStep[] }

/** Tells an assessment in words. `sold` are its lines, without the shipping; `book` only gives names. */
export function assessmentInWords(
  { lines, shipping, trace, local }: Assessment,
  sold: readonly NamedLine[],
  currency: string,
  book: RateBook,
): AssessmentInWords {
  const places = (local?.stack.parts ?? []).map(({ id, name }) => [id, name])
  const names: PlaceNames = { book, local: Object.fromEntries(places) }
  // The last step of a line says its amounts, which its sentence has.
  const steps = (trace ?? []).filter(({ step }) => step !== 'tax')
  const stepsOf = (line: number | null) => steps.filter((step) => step.line === line)
  const tell = (assessed: AssessedLine, position: number): LineInWords => {
    const { description, product_type, supply_reason = null } = sold[position] ?? SHIPPING
    const told = {
      ...assessed,
      description,
      product_type: supply_reason === null ? product_type : productOfNoSupply(supply_reason),
      currency,
      taxes: assessed.tax_breakdown,
      steps: stepsOf(position),
    }
    return {
      sentence: tellLine(told, names),
      badge: badgeOf(told),
      steps: stepsOf(position).map((step) => stepInWords(step, currency, names)),
    }
  }
  return {
    lines: (shipping === null ? lines : [...lines, shipping]).map(tell),
    steps: stepsOf(null).map((step) => stepInWords(step, currency, names)),
  }
}

const SHIPPING: NamedLine = { description: null, product_type: 'shipping' }
