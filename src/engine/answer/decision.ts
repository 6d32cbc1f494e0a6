import type { Decision, DecisionReason, TaxabilityReason } from '../found/assessment.ts'
import type { Duty, Terms, Walk } from '../found/found.ts'
import { type Exposure, exposureTo, nearestExposure } from '../terms/exposure.ts'
import { invariant } from '../ground/invariant.ts'

/** The known sales that may oblige a seller to register. */
export type KnownSales = {
  /** Each threshold with its sales; empty: no sales were read. */
  exposures: readonly Exposure[]
  /** It is known that there were no sales at all. */
  none_sold: boolean
}

/** A calculation does not look at earlier sales. */
export const NO_SALES_KNOWN: KnownSales = { exposures: [], none_sold: false }

/** Whether tax is collected on a sale, and why. If any line is charged, that line gives the reason. */
export function decisionOf(walk: Walk, terms: readonly Terms[], known: KnownSales): Decision {
  const due = terms.flatMap(({ duties }) => duties.map((duty) => isDue(duty, known)))
  const must_register = due.includes(true) || (due.includes(null) ? null : false)
  const charged = terms.find(({ charges }) => charges.length > 0)
  if (charged !== undefined) return { collect: true, reason: reasonToCollect(walk, charged), must_register }
  const reasons = terms.map((each) => reasonNotToCollect(each, known))
  const reason = REASONS_NOT_TO_COLLECT.find((candidate) => reasons.includes(candidate))
  return {
    collect: false,
    reason: invariant(reason, 'a reason not to collect is in the list'),
    must_register,
  }
}

/** If the lines have several reasons not to collect, the sale has the first of them in this list. */
const REASONS_NOT_TO_COLLECT: readonly DecisionReason[] = [
  'threshold_exceeded',
  'threshold_unknown',
  'approaching_threshold',
  'below_threshold',
  'registration_choice',
  'registration_appointed',
  'reverse_charge',
  'marketplace_collects',
  'seller_accounts',
  'small_business',
  'customer_exempt',
  'product_exempt',
  'not_subject_to_tax',
]

/** Why the seller may collect: as it says itself, by assumption, its establishment or a registration. */
export function reasonToCollect({ registrations }: Walk, { supplied: { supply } }: Terms): DecisionReason {
  if (supply.kind === 'taxed' && supply.by_own_rate === true) return 'own_rate'
  if (registrations.assumed) return 'registration_assumed'
  if (registrations.stated !== null) return 'registered'
  return supply.kind === 'taxed' && supply.established ? 'established_here' : 'registered'
}

/**
 * Whether the seller must register now. Known sales decide; else the law on the first sale does. Null: the
 * law is not on file.
 */
export function isDue(duty: Duty, { exposures, none_sold }: KnownSales): boolean | null {
  if (duty.passed) return true
  const progress = exposureTo(duty, exposures)?.progress ?? null
  if (progress !== null) return progress.exceeded
  return duty.exempt ? false : isDueFromFirstSale(duty, none_sold)
}

function isDueFromFirstSale({ threshold, without }: Duty, none_sold: boolean): boolean | null {
  if (threshold === null) return without === 'unknown' ? null : without === 'first_sale' && !none_sold
  return threshold.amount === 0 && (threshold.worldwide_amount ?? null) === null
}

function reasonNotToCollect({ reason, duties }: Terms, known: KnownSales): DecisionReason {
  if (reason === 'not_collecting') return reasonOfDuties(duties, known)
  return REASON_OF[invariant(reason, 'a line without tax has a reason')]
}

function reasonOfDuties(duties: readonly Duty[], known: KnownSales): DecisionReason {
  const due = duties.map((duty) => isDue(duty, known))
  if (due.includes(true)) return 'threshold_exceeded'
  if (due.includes(null)) return 'threshold_unknown'
  if (duties.some((duty) => duty.exempt && isDueFromFirstSale(duty, known.none_sold) !== false))
    return 'product_exempt'
  for (const { threshold, without } of duties)
    if (threshold === null && (without === 'choice' || without === 'appointed'))
      return `registration_${without}`
  const nearest = nearestExposure(duties.flatMap((duty) => exposureTo(duty, known.exposures) ?? []))
  return nearest?.progress?.approaching ? 'approaching_threshold' : 'below_threshold'
}

/** The reason of the decision, by the reason of an untaxed line. */
const REASON_OF: Readonly<Record<Exclude<TaxabilityReason, 'not_collecting'>, DecisionReason>> = {
  reverse_charge: 'reverse_charge',
  marketplace_collects: 'marketplace_collects',
  seller_accounts: 'seller_accounts',
  small_business: 'small_business',
  customer_exempt: 'customer_exempt',
  product_exempt: 'product_exempt',
  zero_rated: 'product_exempt',
  portion_product_exempt: 'product_exempt',
  not_subject_to_tax: 'not_subject_to_tax',
  not_supported: 'not_subject_to_tax',
  intra_community_supply: 'not_subject_to_tax',
  export: 'not_subject_to_tax',
  not_a_supply: 'not_subject_to_tax',
  reduced_rated: 'not_subject_to_tax',
  taxable_basis_reduced: 'not_subject_to_tax',
  own_rate: 'product_exempt',
}
