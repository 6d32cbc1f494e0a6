import type { DecisionReason } from './assessment.ts'
import { dutyToRegister, isFromFirstSale } from './duty-to-register.ts'
import type { Terms } from './walk.ts'
import type { Walk } from './walk.ts'

/**
 * Whether tax is collected on the sale and why, as its lines decide it together: what is charged comes first.
 */
export function decisionOfSale(
  walk: Walk,
  terms: readonly Terms[],
): { collect: boolean; reason: DecisionReason } {
  const charged = terms.find((each) => each.charges.length > 0)
  if (charged !== undefined) return { collect: true, reason: reasonToCollect(walk, charged) }
  const reasons = terms.map((each) => reasonNotToCollect(walk, each))
  const reason = ORDER.find((candidate) => reasons.includes(candidate)) ?? 'not_subject_to_tax'
  return { collect: false, reason }
}

const ORDER: readonly DecisionReason[] = [
  'threshold_exceeded',
  'below_threshold',
  'reverse_charge',
  'customer_exempt',
  'product_exempt',
  'not_subject_to_tax',
]

function reasonToCollect(walk: Walk, { supply }: Terms): DecisionReason {
  if (walk.registrations.assumed) return 'registration_assumed'
  return supply.kind === 'taxed' && supply.established && walk.registrations.stated === null
    ? 'established_here'
    : 'registered'
}

function reasonNotToCollect(walk: Walk, { reason, supply, treatments }: Terms): DecisionReason {
  switch (reason) {
    case 'not_collecting':
      return supply.kind === 'taxed' && isFromFirstSale(dutyToRegister(walk, supply, treatments))
        ? 'threshold_exceeded'
        : 'below_threshold'
    case 'reverse_charge':
      return 'reverse_charge'
    case 'customer_exempt':
      return 'customer_exempt'
    case 'product_exempt':
    case 'zero_rated':
      return 'product_exempt'
    default:
      return 'not_subject_to_tax'
  }
}
