import type { ProductRule, Rate, RateCategory, TaxType } from './facts.ts'

/** One tax that exists at a place. Federal and provincial taxes are two. */
export type TaxLayer = {
  tax_type: TaxType
  /** Whose rate it is. */
  jurisdiction_id: string
  /** Where the search for a product rule begins. */
  rules_from: string
  /** The first day for which rules without a first day were checked. Before it they say nothing. */
  checked_from: string
  /** The tax comes on top of the general tax, and only products with a rule bear it. */
  on_top?: true
}

/** How one tax treats a product on a day. */
export type LayerTreatment = {
  layer: TaxLayer
  product_type: string
  taxed: boolean
  zero_rated: boolean
  category: RateCategory
  rate_millionths: number
  fraction_millionths: number
  compound: boolean
  /** The place has a general tax, but no rule for this very product. */
  by_default: boolean
  /** The rule that decided; null: the default, taxable at the standard rate. */
  rule: ProductRule | null
  /** The dated rate that was used; null if the rule itself names the rate. */
  rate: Rate | null
  /** The general rate of the tax; null: a tax that only products with a rule bear. */
  standard: Rate | null
}
