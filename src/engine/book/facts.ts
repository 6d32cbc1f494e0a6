import type { RuleFact } from '../ground/fact-names.ts'
import type { SchemeId } from '../ground/schemes.ts'
import type { Country } from './countries.ts'
import type { Region } from './regions.ts'

/**
 * The facts of tax law as the engine reads them: dated, sourced, without behaviour. Dates are `YYYY-MM-DD`,
 * `effective_to` is the last day included, null is open-ended. Rates are integers of millionths (0.19 is
 * 190_000), money is in minor units. Types, schemas and CHECK constraints derive from the lists of words
 * below.
 */

/**
 * What was really read: the text of the law, a page of an office, or a copy of them (a data set, a code host,
 * a firm, a newspaper). `unknown`: nothing that has a day.
 */
export const SOURCE_KINDS = ['law', 'authority', 'secondary', 'unknown'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

export const CONFIDENCES = ['high', 'medium', 'low'] as const
export type Confidence = (typeof CONFIDENCES)[number]

/** Where a fact comes from and how sure we are of it. */
export type Provenance = {
  source: string
  source_url: string
  /** When the source was last seen to say this; null: never confirmed, so the fact counts as stale. */
  last_verified_at: string | null
  confidence: Confidence
  notes: string | null
} & Verification

/** What the last reading of a fact was. It is not part of the fact: it changes without a new version. */
export type Verification = {
  /** The publication that was really read; absent: no collector has read the fact. */
  verified_by?: string
  /** The day of which that publication speaks. */
  as_of?: string
  /** Since when a source contradicts the fact and is not yet believed. Such a fact is stale. */
  doubted_since?: string
  /** What kind of source it was; absent: unknown. */
  source_kind?: SourceKind
}

export const JURISDICTION_TYPES = ['country', 'state', 'province', 'territory', 'district'] as const
type JurisdictionType = (typeof JURISDICTION_TYPES)[number]

export type Jurisdiction = Provenance & {
  id: string
  name: string
  type: JurisdictionType
  parent_id: string | null
  region: Region
  currency: string
  tax_system: string
  special_territory: boolean
  in_eu_vat_area: boolean | null
  /** How the law of its country treats a special territory, e.g. `outside_eu_vat`, `treated_as_FR`. */
  vat_treatment: string | null
  /**
   * Kinds of supply, separated by blanks, for which the state makes a business with its VAT id liable if the
   * seller is not established there (Directive 2006/112/EC, art. 194). Left out or null: none is known.
   */
  non_established_reverse_charge?: string | null
  /**
   * Products of which a business that buys at home accounts for the tax: `DomesticReverseCharge[]` as JSON,
   * because a field of a fact is one value. Left out or null: none is known.
   */
  domestic_reverse_charge?: string | null
  /** That rule ends once the seller is registered in the state (PL: art. 17(1)(5)). */
  reverse_charge_unless_registered?: boolean | null
  /** The first day on which marketplaces account for sales of others; left out or null: they do not. */
  marketplace_from?: string | null
  /**
   * Kinds of product, separated by blanks, of which marketplaces account for the sales of others. A kind has
   * a first day of its own after a colon (`accommodation:2025-03-25`) if that is not `marketplace_from`.
   */
  marketplace_covers?: string | null
  /** Kinds that the law leaves to the seller. A kind in neither list is not on file. */
  marketplace_leaves?: string | null
  /** The law on marketplaces, to be cited. */
  marketplace_statute?: string | null
  /**
   * One delivery charge for taxable and exempt goods. `whole`: all of it is taxed; `unknown`: the law is not
   * certain; left out or null: the share of the taxable goods is taxed, by price.
   */
  mixed_shipping?: MixedShipping | null
  /** Whether a discount that a third party pays the seller for is taxed. Left out or null: not on file. */
  funded_discounts?: PartOfPrice | null
  funded_discounts_law?: string | null
  /** Whether what used goods in part payment count for is taxed. Left out or null: not on file. */
  trade_ins?: PartOfPrice | null
  trade_ins_law?: string | null
  /**
   * Several products for one price. `whole`: taxed as the product with the most tax; `by_share`: each by
   * itself; `unknown`: the law of the country may not hold for each tax. Left out or null: not on file.
   */
  bundles?: BundleTreatment | null
  /** The bundles that the law is about; left out or null: all. */
  bundles_of?: BundleScope | null
  /**
   * Bundles that are free, separated by blanks, with the part of the price that their taxable products are at
   * most: `all:0.1 food:0.5`.
   */
  bundles_free?: string | null
  bundles_law?: string | null
}

/** Products within a product type of which a business customer at home accounts for the tax. */
export type DomesticReverseCharge = {
  product_type: string
  /** The products, in a sentence. */
  what: string
  /** The limit, in a sentence: `from 5,000 EUR on an invoice`; null: there is none. */
  over: string | null
  /** The same in minor units, for all products of the type. `above`: the amount itself is under it. */
  limit: { amount: number; currency: string; above: boolean } | null
  law: string
  effective_from: string | null
  effective_to: string | null
}

export const BUNDLE_TREATMENTS = ['whole', 'by_share', 'unknown'] as const
type BundleTreatment = (typeof BUNDLE_TREATMENTS)[number]

/** Kinds of bundles. All but the first are of goods alone; `food` and `medical`: with such goods. */
export const BUNDLE_SCOPES = ['all', 'goods', 'food', 'medical'] as const
export type BundleScope = (typeof BUNDLE_SCOPES)[number]

export const MIXED_SHIPPING = ['whole', 'unknown'] as const
export type MixedShipping = (typeof MIXED_SHIPPING)[number]

/** Whether a part of the price that is not the customer's money is taxed. */
export const PARTS_OF_PRICE = ['taxed', 'untaxed'] as const
export type PartOfPrice = (typeof PARTS_OF_PRICE)[number]

export const TAX_TYPES = [
  'VAT',
  'GST',
  'HST',
  'PST',
  'QST',
  'RST',
  'SALES_TAX',
  'LODGING_TAX',
  'MEALS_TAX',
  'COMMUNICATIONS_TAX',
  'RETAIL_DELIVERY_FEE',
  'RECARGO_DE_EQUIVALENCIA',
] as const
export type TaxType = (typeof TAX_TYPES)[number]

export const RATE_CATEGORIES = [
  'standard',
  'reduced',
  'reduced_2',
  'super_reduced',
  'parking',
  'zero',
] as const
export type RateCategory = (typeof RATE_CATEGORIES)[number]

export type Rate = Provenance & {
  id: string
  jurisdiction_id: string
  tax_type: TaxType
  category: RateCategory
  name: string
  rate_millionths: number
  /** Computed on the net amount plus the taxes before it. */
  compound: boolean
  /** The taxes that the rate is made of: `RateComponent[]` as JSON. Left out or null: it is one tax. */
  made_of?: string | null
  effective_from: string
  effective_to: string | null
}

export const TREATMENTS = ['taxable', 'reduced', 'zero_rated', 'exempt', 'partially_taxable'] as const
export type Treatment = (typeof TREATMENTS)[number]

/**
 * `below_exempt`: an item under the price is exempt; `up_to_exempt`: at the price, too. `excess_only`: only
 * what exceeds the price is taxed. `above_takes_rate`: an item over the price bears the rule's price rate.
 * `total_up_to_takes_rate`: all lines of the product bear it if together they cost the price at most.
 */
export const PRICE_RULES = [
  'below_exempt',
  'up_to_exempt',
  'excess_only',
  'above_takes_rate',
  'total_up_to_takes_rate',
] as const
export type PriceRule = (typeof PRICE_RULES)[number]

export const RULE_CUSTOMERS = ['all', 'b2b', 'b2c'] as const

/**
 * Whom an exemption of a state binds. `state`: its places tax the product as all others; `state_and_local`:
 * they do not.
 */
export const EXEMPTION_SCOPES = ['state', 'state_and_local'] as const
type ExemptionScope = (typeof EXEMPTION_SCOPES)[number]

export type ProductRule = Provenance & {
  id: string
  jurisdiction_id: string
  tax_type: TaxType
  product_type: string
  treatment: Treatment
  category: RateCategory | null
  /** Used if no dated rate of that category is on record. */
  rate_millionths: number | null
  taxable_fraction_millionths: number | null
  /** Price of one item, minor units of the jurisdiction's currency. */
  price_threshold: number | null
  price_rule: PriceRule | null
  /** The rate of a price rule that takes another rate. */
  price_rate_millionths?: number | null
  /** The price of an item contains its share of the delivery charges. */
  delivery_in_price?: boolean | null
  /** The tax that stands instead of the sales tax, with a return of its own. */
  levied_as?: string | null
  /** What the law treats otherwise within the product type. A line tells it, and the rule is uncertain. */
  caveat?: string | null
  /** What the rule makes depend on a fact that no request has: `RuleCondition[]` as JSON; null: nothing. */
  conditions?: string | null
  /** Left out or null: it is not on file whether places of the state tax what it exempts. */
  applies_to?: ExemptionScope | null
  /** The product type that the law counts the product among: local taxes treat it as that one. */
  as?: string | null
  customer_type: (typeof RULE_CUSTOMERS)[number]
  effective_from: string | null
  effective_to: string | null
}

/**
 * What a rule taxes otherwise within its product type. Its tax has a rate, is that of another product type,
 * or, with neither, the standard rate.
 */
export type RuleCondition = {
  fact: RuleFact
  /** What is taxed otherwise, as a part of a sentence: `fur clothing`. */
  if: string
  rate_millionths?: number | null
  as?: string | null
}

export const THRESHOLD_TYPES = [
  'DISTANCE_SALES',
  'VAT_REGISTRATION',
  'GST_REGISTRATION',
  'PST',
  'QST',
  'REMOTE_SELLER_NEXUS',
  'RETAIL_DELIVERY_FEE',
] as const
export type ThresholdType = (typeof THRESHOLD_TYPES)[number]

/** The period whose sales a threshold counts. */
export const MEASUREMENT_PERIODS = [
  'current_calendar_year',
  'previous_calendar_year',
  'previous_or_current_calendar_year',
  'trailing_12_months',
  'trailing_3_months',
  'current_or_projected_12_months',
  'trailing_12_months_tested_quarterly',
  'preceding_four_quarters',
  'preceding_four_sales_tax_quarters',
  'four_consecutive_quarters',
  '12_months_ending_september_30',
  'base_period',
  'accounting_period',
  'seller_accounting_year',
  'none',
] as const
export type MeasurementPeriod = (typeof MEASUREMENT_PERIODS)[number]

/** Which sales a threshold counts. */
export const SALES_BASES = [
  'gross',
  'retail',
  'taxable',
  'gross_tangible_personal_property',
  'cross_border_b2c_goods_and_tbe_services',
  'goods_from_ni_to_eu_consumers',
  'domestic_taxable_turnover',
  'gst_turnover',
  'worldwide_taxable_incl_zero_rated',
  'eligible_sales',
  'gross_revenue_from_bc_customers',
  'taxable_sales',
  'taxable_in_quebec_to_consumers',
  'any_taxable_sale_to_saskatchewan',
] as const
export type SalesBasis = (typeof SALES_BASES)[number]

/** `exceeds`: passed above the figure; `reaches`: passed at the figure. */
export const LIMIT_TESTS = ['exceeds', 'reaches'] as const
export type LimitTest = (typeof LIMIT_TESTS)[number]

export const COMBINATORS = ['or', 'and'] as const

export type Threshold = Provenance & {
  id: string
  jurisdiction_id: string
  threshold_type: ThresholdType
  /** Which sellers or sales it is for, e.g. `all`, `services`, `out_of_province_seller`. */
  scope: string
  /** Minor units; null: there is no amount test (`notes` says why). */
  amount: number | null
  currency: string
  transaction_count: number | null
  combinator: (typeof COMBINATORS)[number] | null
  amount_test: LimitTest
  count_test: LimitTest
  /**
   * The limit of the worldwide turnover, by `amount_test`: minor units. Left out: the sales
   * into the place decide alone.
   */
  worldwide_amount?: number | null
  measurement_period: MeasurementPeriod | null
  /** From this month of the next year on, a calendar year counts; left out or null: from January on. */
  counts_from_month?: number | null
  included_sales: SalesBasis | null
  marketplace_sales_counted: boolean | null
  effective_from: string
  effective_to: string | null
}

/** Postal codes from `prefix` (to `prefix_to`, of the same length, if given) belong to `jurisdiction_id`. */
export type PostalRule = {
  country: string
  prefix: string
  prefix_to: string | null
  /** The rule applies to this town alone (lower case), because other places share the code. */
  city: string | null
  /**
   * May be a place that the data lacks (`NC`), which is then not covered. Null: the code does not belong to a
   * state (military mail).
   */
  jurisdiction_id: string | null
}

/** `consignment`: all goods of a sale together. `item`: each item by itself. */
export const LIMIT_SUBJECTS = ['consignment', 'item'] as const

/** Goods from abroad up to this intrinsic value are taxed at the sale; goods above it at the border. */
export type ConsignmentLimit = Provenance & {
  region: Region
  amount: number
  currency: string
  /** What is compared with the amount. */
  per: (typeof LIMIT_SUBJECTS)[number]
  /** `below`: the amount itself is over the limit. Left out: it is within it. */
  test?: 'below' | null
  /** Product types, separated by blanks, that are taxed at the border at any value. Left out: none. */
  excludes?: string | null
  effective_from: string
  effective_to: string | null
}

/**
 * A fixed amount that a place levies once on a sale whose goods are delivered to it, on top of its sales tax.
 * Goods count if they bear the sales tax of the place.
 */
export type DeliveryFee = Provenance & {
  jurisdiction_id: string
  /** What the law calls it on an invoice. */
  name: string
  /** Minor units; null: not on file for the period. */
  amount: number | null
  currency: string
  /** The price of the goods that count, from which the fee is due; null: any price. */
  minimum: number | null
  /** Product types, separated by blanks, that count although they bear no sales tax; null: none. */
  counts: string | null
  /** Product types, separated by blanks, that do not count although they bear it; null: none. */
  leaves_out: string | null
  /** The registration of a seller that owes the fee. */
  scheme: SchemeId
  effective_from: string
  effective_to: string | null
}

/**
 * Indicative only, to compare an amount in one currency with a limit in another. It is never used to compute
 * tax.
 */
export type IndicativeExchangeRate = {
  currency: string
  /** Units of the currency (major) for one euro, in millionths. */
  per_euro_millionths: number
  /** Digits after the point in the currency's minor unit. */
  exponent: number
  as_of: string
}

/** One version of all facts. KV contains it, packed. */
export type Facts = {
  version: string
  recorded_at: string
  jurisdictions: Jurisdiction[]
  rates: Rate[]
  product_rules: ProductRule[]
  thresholds: Threshold[]
  postal_rules: PostalRule[]
  consignment_limits: ConsignmentLimit[]
  delivery_fees: DeliveryFee[]
  exchange_rates: IndicativeExchangeRate[]
  /** The countries of data/countries. They come with the release, and not from the database. */
  countries: readonly Country[]
}
