/**
 * The facts of tax law as the engine reads them: dated, sourced, without behaviour.
 * Dates are `YYYY-MM-DD`, `effective_to` is the last day included, null is open-ended.
 * Rates are integers of millionths (0.19 is 190_000), money is in minor units.
 */

/** Where a fact comes from and how sure we are of it. */
export type Provenance = {
  source: string
  source_url: string
  /** Moment at which the source was last seen to say this; null: never confirmed, treat as stale. */
  last_verified_at: string | null
  confidence: 'high' | 'medium' | 'low'
  notes: string | null
}

/** The regions whose tax law the engine knows. */
export const LAW_REGIONS = ['EU', 'UK', 'US', 'CA', 'AU'] as const
export type Region = (typeof LAW_REGIONS)[number]

export const JURISDICTION_TYPES = ['country', 'state', 'province', 'territory', 'district'] as const

export type Jurisdiction = Provenance & {
  id: string
  name: string
  type: (typeof JURISDICTION_TYPES)[number]
  parent_id: string | null
  region: Region
  currency: string
  tax_system: string
  special_territory: boolean
  in_eu_vat_area: boolean | null
  /**
   * How a special territory stands to its country, e.g. `outside_eu_vat`, `regional_rates`, `treated_as_FR`.
   */
  vat_treatment: string | null
}

export const TAX_TYPES = ['VAT', 'GST', 'HST', 'PST', 'QST', 'RST', 'SALES_TAX'] as const
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
  effective_from: string
  effective_to: string | null
}

export type Treatment = 'taxable' | 'reduced' | 'zero_rated' | 'exempt' | 'partially_taxable'

export type ProductRule = Provenance & {
  id: string
  jurisdiction_id: string
  tax_type: TaxType
  product_type: string
  treatment: Treatment
  category: RateCategory | null
  /** Used when no dated rate of that category is on record. */
  rate_millionths: number | null
  taxable_fraction_millionths: number | null
  /** Price of one item, minor units of the jurisdiction's currency. */
  price_threshold: number | null
  price_rule: 'below_exempt' | 'excess_only' | null
  customer_type: 'all' | 'b2b' | 'b2c'
  effective_from: string | null
  effective_to: string | null
}

/** How the test of the amount and that of the count are combined. */
export const COMBINATORS = ['or', 'and'] as const

/** `exceeds`: a threshold is passed above its figure; `reaches`: at its figure. */
export const THRESHOLD_TESTS = ['exceeds', 'reaches'] as const
export type ThresholdTest = (typeof THRESHOLD_TESTS)[number]

export type Threshold = Provenance & {
  id: string
  jurisdiction_id: string
  threshold_type: string
  scope: string
  /** Minor units; null: there is no amount test (`notes` says why). */
  amount: number | null
  currency: string
  transaction_count: number | null
  combinator: (typeof COMBINATORS)[number] | null
  amount_test: ThresholdTest
  count_test: ThresholdTest
  measurement_period: string | null
  included_sales: string | null
  marketplace_sales_counted: boolean | null
  effective_from: string
  effective_to: string | null
}

/**
 * Postal codes that begin with `prefix` (up to `prefix_to`, of the same length, where given) lie in
 * `jurisdiction_id`.
 */
export type PostalRule = {
  country: string
  prefix: string
  prefix_to: string | null
  /** The code is shared with other places: it counts only with this town, lower case. */
  city: string | null
  /**
   * May name a place that is no jurisdiction of ours (`NC`): it is then not covered. Null: the code names no
   * state (military mail).
   */
  jurisdiction_id: string | null
}

/** Goods from abroad up to this intrinsic value are taxed at the sale, above it at the border. */
export type ConsignmentLimit = Provenance & {
  region: Region
  amount: number
  currency: string
  effective_from: string
  effective_to: string | null
}

/**
 * Indicative only: to compare an amount in one currency with a limit set in another. Never used to compute
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

/** One version of all facts. This is what `ratebook:<version>` in KV holds, packed. */
export type Facts = {
  version: string
  recorded_at: string
  jurisdictions: Jurisdiction[]
  rates: Rate[]
  product_rules: ProductRule[]
  thresholds: Threshold[]
  postal_rules: PostalRule[]
  consignment_limits: ConsignmentLimit[]
  exchange_rates: IndicativeExchangeRate[]
}
