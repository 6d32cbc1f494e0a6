import * as z from 'zod'
import {
  BUNDLE_SCOPES,
  BUNDLE_TREATMENTS,
  COMBINATORS,
  CONFIDENCES,
  JURISDICTION_TYPES,
  LIMIT_SUBJECTS,
  LIMIT_TESTS,
  MEASUREMENT_PERIODS,
  MIXED_SHIPPING,
  PARTS_OF_PRICE,
  RATE_CATEGORIES,
  SALES_BASES,
  TAX_TYPES,
  THRESHOLD_TYPES,
} from '../../src/engine/book/facts.ts'
import { PRODUCT_TYPE_IDS, PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import { FACTS_REGIONS } from '../../src/engine/book/regions.ts'
import { SCHEMES } from '../../src/engine/ground/schemes.ts'
import { CountryFile } from './country-file.ts'
import { Day, Fraction, MinorUnits, PROVENANCE } from './fields.ts'
import { ProductRules, ProductTypes } from './product-rules.ts'

/**
 * The files of data/: rates are decimal fractions, dates of verification are days. data/README.md explains.
 */

const CurrencyCode = z.string().regex(/^[A-Z]{3}$/)

/** `all:0.1 food:0.5`: kinds of bundles, each with a fraction. */
const FREE_BUNDLES = /^(all|goods|food|medical):0\.\d{1,6}( (all|goods|food|medical):0\.\d{1,6})*$/

const JurisdictionRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.enum(JURISDICTION_TYPES),
  parent_id: z.string().nullable(),
  region: z.enum(FACTS_REGIONS),
  currency: CurrencyCode,
  tax_system: z.string(),
  timezone: z.string(),
  special_territory: z.boolean(),
  in_eu_vat_area: z.boolean().nullable(),
  vat_treatment: z.string().nullable(),
  /** Kinds of supply that a business customer accounts for if the seller is from elsewhere (art. 194). */
  non_established_reverse_charge: z.string().optional(),
  reverse_charge_unless_registered: z.literal(true).optional(),
  /** Products of which a business that buys at home accounts for the tax (art. 199 and 199a). */
  domestic_reverse_charge: z
    .array(
      z.strictObject({
        product_type: z.enum(PRODUCT_TYPE_IDS),
        what: z.string(),
        over: z.string().nullable(),
        limit: z.strictObject({ amount: MinorUnits, currency: z.string(), above: z.boolean() }).nullable(),
        law: z.string(),
        effective_from: Day.nullable(),
        effective_to: Day.nullable(),
      }),
    )
    .optional(),
  /** The first day on which marketplaces account for sales of others. */
  marketplace_from: Day.optional(),
  /** Which kinds of product their law covers, and which it leaves to the seller. */
  marketplace_covers: z.string().optional(),
  marketplace_leaves: z.string().optional(),
  marketplace_statute: z.string().optional(),
  /** How one delivery charge for taxable and exempt goods is taxed, if not by their prices. */
  mixed_shipping: z.enum(MIXED_SHIPPING).optional(),
  /** A discount that a third party pays the seller for, and used goods in part payment. */
  funded_discounts: z.enum(PARTS_OF_PRICE).optional(),
  funded_discounts_law: z.string().optional(),
  trade_ins: z.enum(PARTS_OF_PRICE).optional(),
  trade_ins_law: z.string().optional(),
  /** Several products for one price. */
  bundles: z.enum(BUNDLE_TREATMENTS).optional(),
  bundles_of: z.enum(BUNDLE_SCOPES).optional(),
  bundles_free: z.string().regex(FREE_BUNDLES).optional(),
  bundles_law: z.string().optional(),
  postal_code_pattern: z.string().nullable(),
  ...PROVENANCE,
})

const RateRecord = z.strictObject({
  jurisdiction_id: z.string(),
  tax_type: z.enum(TAX_TYPES),
  rate_category: z.enum(RATE_CATEGORIES),
  rate: Fraction,
  effective_from: Day,
  effective_to: Day.nullable(),
  compound: z.boolean(),
  name: z.string(),
  from_precision: z.enum(['exact', 'at_or_before']),
  includes_mandatory_local: z.boolean(),
  state_component: Fraction.nullable(),
  mandatory_local_component: Fraction.nullable(),
  /** The taxes that the rate is made of, each as a part of the price. */
  components: z
    .array(z.strictObject({ name: z.string(), rate: Fraction }))
    .min(2)
    .optional(),
  ...PROVENANCE,
})

const SalesTaxHolidayRecord = z.strictObject({
  state: z.string(),
  name: z.string(),
  from: Day,
  to: Day,
  /** Empty: things for which there is no product type. */
  product_types: z.array(z.enum(PRODUCT_TYPES.map(({ id }) => id))),
  per_item_limit: MinorUnits.nullable(),
  limit_test: z.enum(['at_most', 'less_than']).nullable(),
  /** The price that is compared with the limit contains the share of the delivery charges. */
  delivery_in_price: z.literal(true).optional(),
  currency: CurrencyCode,
  items: z.string(),
  applies_to: z.enum(['state_and_local', 'state_only']),
  notes: z.string().nullable(),
  source: z.string().min(1),
  source_url: z.url(),
  confidence: z.enum(CONFIDENCES),
})

const ThresholdRecord = z.strictObject({
  jurisdiction_id: z.string(),
  threshold_type: z.enum(THRESHOLD_TYPES),
  scope: z.string(),
  amount: MinorUnits.nullable(),
  currency: CurrencyCode,
  transaction_count: z.int().nullable(),
  combinator: z.enum(COMBINATORS).nullable(),
  measurement_period: z.enum(MEASUREMENT_PERIODS).nullable(),
  /** From this month of the next year on, a calendar year counts; left out: from January on. */
  counts_from_month: z.int().min(1).max(12).optional(),
  included_sales: z.enum(SALES_BASES).nullable(),
  marketplace_sales_counted: z.boolean().nullable(),
  effective_from: Day,
  effective_to: Day.nullable(),
  amount_test: z.enum(LIMIT_TESTS),
  count_test: z.enum(LIMIT_TESTS),
  /** What the turnover in all countries has to pass too. */
  worldwide_amount: MinorUnits.optional(),
  ...PROVENANCE,
})

const PostalRecord = z.strictObject({
  country: z.string(),
  prefix: z.string(),
  prefix_to: z.string().nullable(),
  city: z.string().nullable(),
  jurisdiction_id: z.string().nullable(),
})

const ConsignmentLimitRecord = z.strictObject({
  region: z.enum(FACTS_REGIONS),
  amount: MinorUnits,
  currency: CurrencyCode,
  per: z.enum(LIMIT_SUBJECTS),
  test: z.literal('below').optional(),
  excludes: ProductTypes.optional(),
  effective_from: Day,
  effective_to: Day.nullable(),
  ...PROVENANCE,
})

const DeliveryFeeRecord = z.strictObject({
  jurisdiction_id: z.string(),
  name: z.string().min(1),
  /** Null: not on file for the period. */
  amount: MinorUnits.positive().nullable(),
  currency: CurrencyCode,
  minimum: MinorUnits.positive().nullable(),
  counts: ProductTypes.nullable(),
  leaves_out: ProductTypes.nullable(),
  scheme: z.enum(SCHEMES),
  effective_from: Day,
  effective_to: Day.nullable(),
  ...PROVENANCE,
})

const ExchangeRateRecord = z.strictObject({
  currency: CurrencyCode,
  per_euro: z.number().positive(),
  exponent: z.int(),
  as_of: Day,
})

/** The files of data/ that become facts, by the name of their facts, with the records of the countries. */
export const ShippedFiles = z.strictObject({
  jurisdictions: z.array(JurisdictionRecord),
  rates: z.array(RateRecord),
  product_rules: ProductRules,
  sales_tax_holidays: z.array(SalesTaxHolidayRecord),
  thresholds: z.array(ThresholdRecord),
  postal_rules: z.array(PostalRecord),
  consignment_limits: z.array(ConsignmentLimitRecord),
  delivery_fees: z.array(DeliveryFeeRecord),
  exchange_rates: z.array(ExchangeRateRecord),
  countries: z.array(CountryFile),
})
export type ShippedFiles = z.output<typeof ShippedFiles>
