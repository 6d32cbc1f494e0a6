import type { NotCharged } from '../book/countries.ts'
import type { DeliveryFee, ProductRule, Rate, RateCategory, TaxType } from '../book/facts.ts'
import type { ChargedComponent } from '../book/rate-components.ts'
import type { OpenFactName } from '../ground/fact-names.ts'
import type { InvoiceDetails, SellerNumber } from '../ground/invoice-details.ts'
import type { LocalTax } from '../regimes/us-local/local-stack.ts'
import type { Exemption } from '../sale/sale.ts'

/** Why a line is not taxed at the plain standard rate; null if it is. */
export const TAXABILITY_REASONS = [
  'reduced_rated',
  'zero_rated',
  'product_exempt',
  'portion_product_exempt',
  'taxable_basis_reduced',
  'customer_exempt',
  'reverse_charge',
  'not_collecting',
  'marketplace_collects',
  'seller_accounts',
  'small_business',
  'not_subject_to_tax',
  'not_supported',
  'intra_community_supply',
  'export',
  'not_a_supply',
  'own_rate',
] as const
export type TaxabilityReason = (typeof TAXABILITY_REASONS)[number]

/** The detail of a line that the request marks as not taxable. Recorded lines keep it. */
export const STATED_UNTAXED = 'This line is marked as not taxable'

export type BreakdownEntry = {
  jurisdiction_id: string
  tax_type: TaxType
  /** The tax that stands instead of the general one, with a return of its own; else null. */
  levied_as: string | null
  category: RateCategory
  rate_millionths: number
  taxable_amount: number
  tax_amount: number
  /** The taxes that the rate is made of, as the rate has them. Left out: it is one tax. */
  made_of?: string
  /** What each of them has of the tax of a line, or of all lines. */
  components?: readonly ChargedComponent[]
}

/** A tax that is charged on a line, and the number of the seller under which it is charged. */
export type ChargedNumber = Pick<
  BreakdownEntry,
  'jurisdiction_id' | 'tax_type' | 'levied_as' | 'rate_millionths'
> & { number: SellerNumber }

/** A fact that the request leaves open, and the rate of the whole tax if it were so. */
export type OpenFact = {
  readonly fact: OpenFactName
  readonly if: string
  readonly rate_millionths: number
}

export const RULE_STATUSES = ['specific', 'uncertain', 'default'] as const
export type RuleStatus = (typeof RULE_STATUSES)[number]

/** The assessment of one line. Amounts in minor units, rates in millionths. */
export type AssessedLine = {
  /** The whole discount, with the line's share of a discount on the document. */
  discount: number
  jurisdiction_id: string
  /** The place whose law treats the line as an export; null: no law does. */
  exported_from: string | null
  /** The amount after the discount and without tax. */
  net_amount: number
  taxable: boolean
  taxable_amount: number
  rate_millionths: number
  tax_amount: number
  taxability_reason: TaxabilityReason | null
  /** Goods that are taxed at the sale because they are imported in a consignment of low value. */
  low_value: boolean
  /** Why a seller abroad surely charges nothing; null: tax may be due, or the data has the tax. */
  not_charged: NotCharged | null
  /** One sentence if the tax is 0. */
  reason_detail: string | null
  /** The tax that a registered seller would collect, if no tax is collected on the line; else null. */
  tax_if_registered: number | null
  tax_breakdown: BreakdownEntry[]
  /**
   * `default`: a tax of the line has no rule on file for the product, so its standard rate was used.
   * `uncertain`: each has one, but not every one is sure.
   */
  rule: RuleStatus
  /** Facts that the request leaves open, and that would change the tax of the line. */
  conditions: readonly OpenFact[]
  notes: readonly string[]
}

/** Why tax has to be collected or not. */
export const DECISION_REASONS = [
  'not_subject_to_tax',
  'established_here',
  'registered',
  'registration_assumed',
  'threshold_exceeded',
  'approaching_threshold',
  'below_threshold',
  'threshold_unknown',
  'registration_choice',
  'registration_appointed',
  'reverse_charge',
  'marketplace_collects',
  'seller_accounts',
  'small_business',
  'customer_exempt',
  'product_exempt',
  'own_rate',
] as const
export type DecisionReason = (typeof DECISION_REASONS)[number]

/**
 * Whether to collect tax on a sale, and whether the seller has to register for a tax of it. Null: the law on
 * the duty to register is not on file.
 */
export type Decision = { collect: boolean; reason: DecisionReason; must_register: boolean | null }

/**
 * A rule that the engine applied. Steps are in the order of work. `line` counts the request's lines from 0;
 * null: the whole sale.
 */
export type TraceStep = {
  step: string
  line: number | null
  rule: string
  outcome: string
  basis: string | null
}

/** A fixed amount that a place levies once on a sale, on top of its taxes. Minor units. */
export type AssessedFee = { record: DeliveryFee; tax_amount: number }

export type Assessment = {
  /** Where the supply takes place; the customer's jurisdiction if the lines differ. */
  jurisdiction_id: string
  customer_jurisdiction_id: string
  /** `local`: local taxes are in the answer; `state`: the place has local taxes that the data lacks. */
  coverage: 'full' | 'local' | 'state'
  /** The local taxes of the sale; null: the place has none, or they are not on file. */
  local: LocalTax | null
  /** Sum of the net amounts, shipping included. */
  subtotal: number
  discount_amount: number
  tax_amount: number
  total: number
  /** The rate of all taxed lines if they have the same; else tax divided by taxable amount. */
  rate_millionths: number
  seller_registered: boolean
  reverse_charge: boolean
  lines: AssessedLine[]
  shipping: AssessedLine | null
  /** Fees on the whole sale. Its `tax_amount` and breakdown contain them, those of lines do not. */
  fees: readonly AssessedFee[]
  tax_breakdown: BreakdownEntry[]
  decision: Decision
  exemption: Exemption | null
  notes: string[]
  trace: TraceStep[] | null
  /** What an invoice of the sale needs to know; null: not asked for. */
  einvoice: InvoiceDetails | null
  /** By line, the shipping last: under which numbers its taxes are charged; null: not asked for. */
  charged_numbers: readonly (readonly ChargedNumber[])[] | null
  /** The records that were used, for provenance. */
  rates_used: Rate[]
  rules_used: ProductRule[]
}
