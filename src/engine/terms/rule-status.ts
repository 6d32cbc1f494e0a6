import type { RuleStatus } from '../found/assessment.ts'
import type { ProductRule } from '../book/facts.ts'
import type { LayerTreatment } from '../book/layer.ts'

/** What the rules of a line are worth: one default makes it a default, else one doubt makes it uncertain. */
export function ruleStatusOf(treatments: readonly LayerTreatment[]): RuleStatus {
  if (treatments.some(({ by_default }) => by_default)) return 'default'
  return treatments.some(({ rule }) => rule !== null && isUncertain(rule)) ? 'uncertain' : 'specific'
}

/** Whether a rule has a low confidence, or a medium one although nobody has seen it at its source. */
export function isUncertain({ confidence, last_verified_at }: ProductRule): boolean {
  return confidence === 'low' || (confidence === 'medium' && last_verified_at === null)
}
