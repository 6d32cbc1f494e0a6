import type {
  DeliveryFee,
  DomesticReverseCharge,
  Facts,
  ProductRule,
  Provenance,
  Rate,
  RuleCondition,
  Threshold,
} from '../../src/engine/book/facts.ts'
import { factId } from '../../src/tax-data/records/fact-kinds.ts'
import { sourceKindOf } from '../../src/tax-data/records/source-kind.ts'
import { countryOf } from './country-file.ts'
import { withHolidays } from './sales-tax-holidays.ts'
import type { ShippedFiles } from './shipped-files.ts'

type FileProvenance = Pick<
  ShippedFiles['rates'][number],
  'source' | 'source_url' | 'evidence' | 'verified_at' | 'confidence' | 'notes'
>

/**
 * The shipped files as the engine reads them. An id consists of the fields that identify a record, so it
 * stays the same from load to load.
 */
export function shippedFacts(files: ShippedFiles, version: string, recorded_at: string): Facts {
  return {
    version,
    recorded_at,
    jurisdictions: files.jurisdictions.map((each) => ({
      id: each.id,
      name: each.name,
      type: each.type,
      parent_id: each.parent_id,
      region: each.region,
      currency: each.currency,
      tax_system: each.tax_system,
      special_territory: each.special_territory,
      in_eu_vat_area: each.in_eu_vat_area,
      vat_treatment: each.vat_treatment,
      non_established_reverse_charge: each.non_established_reverse_charge ?? null,
      reverse_charge_unless_registered: each.reverse_charge_unless_registered ?? null,
      domestic_reverse_charge: jsonOrNull(each.domestic_reverse_charge),
      marketplace_from: each.marketplace_from ?? null,
      marketplace_covers: each.marketplace_covers ?? null,
      marketplace_leaves: each.marketplace_leaves ?? null,
      marketplace_statute: each.marketplace_statute ?? null,
      mixed_shipping: each.mixed_shipping ?? null,
      funded_discounts: each.funded_discounts ?? null,
      funded_discounts_law: each.funded_discounts_law ?? null,
      trade_ins: each.trade_ins ?? null,
      trade_ins_law: each.trade_ins_law ?? null,
      bundles: each.bundles ?? null,
      bundles_of: each.bundles_of ?? null,
      bundles_free: each.bundles_free ?? null,
      bundles_law: each.bundles_law ?? null,
      ...provenanceOf(each),
    })),
    rates: files.rates.map(rateOf),
    product_rules: withHolidays(files.product_rules.map(ruleOf), files.sales_tax_holidays),
    thresholds: files.thresholds.map(thresholdOf),
    postal_rules: files.postal_rules,
    consignment_limits: files.consignment_limits.map(
      ({ region, amount, currency, per, test, excludes, effective_from, effective_to, ...each }) => ({
        region,
        amount,
        currency,
        per,
        test: test ?? null,
        excludes: excludes?.join(' ') ?? null,
        effective_from,
        effective_to,
        ...provenanceOf(each),
      }),
    ),
    delivery_fees: files.delivery_fees.map(deliveryFeeOf),
    exchange_rates: files.exchange_rates.map(({ currency, per_euro, exponent, as_of }) => ({
      currency,
      per_euro_millionths: millionths(per_euro),
      exponent,
      as_of,
    })),
    countries: files.countries.map(countryOf),
  }
}

function ruleOf(each: ShippedFiles['product_rules'][number]): ProductRule {
  return {
    id: factId(
      'rule',
      each.jurisdiction_id,
      each.tax_type,
      each.product_type,
      each.customer_type,
      each.effective_from ?? 'always',
    ),
    jurisdiction_id: each.jurisdiction_id,
    tax_type: each.tax_type,
    product_type: each.product_type,
    treatment: each.treatment,
    category: each.rate_category,
    rate_millionths: each.rate === null ? null : millionths(each.rate),
    taxable_fraction_millionths: each.taxable_fraction === null ? null : millionths(each.taxable_fraction),
    price_threshold: each.price_threshold,
    price_rule: each.price_rule,
    price_rate_millionths: each.price_rate === undefined ? null : millionths(each.price_rate),
    delivery_in_price: null,
    levied_as: each.levied_as ?? null,
    caveat: each.caveat ?? null,
    conditions: jsonOrNull(each.conditions?.map(conditionOf)),
    applies_to: each.applies_to ?? null,
    as: each.as ?? null,
    customer_type: each.customer_type,
    effective_from: each.effective_from,
    effective_to: each.effective_to,
    ...provenanceOf(each),
  }
}

function rateOf(each: ShippedFiles['rates'][number]): Rate {
  return {
    id: factId('rate', each.jurisdiction_id, each.tax_type, each.rate_category, each.effective_from),
    jurisdiction_id: each.jurisdiction_id,
    tax_type: each.tax_type,
    category: each.rate_category,
    name: each.name,
    rate_millionths: millionths(each.rate),
    compound: each.compound,
    made_of: each.components === undefined ? null : JSON.stringify(each.components),
    effective_from: each.effective_from,
    effective_to: each.effective_to,
    ...provenanceOf(each),
  }
}

function thresholdOf(each: ShippedFiles['thresholds'][number]): Threshold {
  return {
    id: factId('threshold', each.jurisdiction_id, each.threshold_type, each.scope, each.effective_from),
    jurisdiction_id: each.jurisdiction_id,
    threshold_type: each.threshold_type,
    scope: each.scope,
    amount: each.amount,
    currency: each.currency,
    transaction_count: each.transaction_count,
    combinator: each.combinator,
    amount_test: each.amount_test,
    count_test: each.count_test,
    worldwide_amount: each.worldwide_amount ?? null,
    measurement_period: each.measurement_period,
    counts_from_month: each.counts_from_month ?? null,
    included_sales: each.included_sales,
    marketplace_sales_counted: each.marketplace_sales_counted,
    effective_from: each.effective_from,
    effective_to: each.effective_to,
    ...provenanceOf(each),
  }
}

function deliveryFeeOf(each: ShippedFiles['delivery_fees'][number]): DeliveryFee {
  return {
    jurisdiction_id: each.jurisdiction_id,
    name: each.name,
    amount: each.amount,
    currency: each.currency,
    minimum: each.minimum,
    counts: each.counts?.join(' ') ?? null,
    leaves_out: each.leaves_out?.join(' ') ?? null,
    scheme: each.scheme,
    effective_from: each.effective_from,
    effective_to: each.effective_to,
    ...provenanceOf(each),
  }
}

function provenanceOf(each: FileProvenance): Provenance {
  const { source, source_url, evidence, verified_at, confidence, notes } = each
  return {
    source,
    source_url,
    last_verified_at: verified_at === null ? null : `${verified_at}T00:00:00.000Z`,
    confidence,
    notes,
    source_kind: KIND_OF_EVIDENCE[evidence] ?? sourceKindOf(each),
  }
}

/** Nothing was read of a record from general knowledge, and of a data set only the data set. */
const KIND_OF_EVIDENCE = { background: 'unknown', dataset: 'secondary', page: null } as const

/** Decimal fractions of at most six digits become whole millionths exactly. */
function millionths(fraction: number): number {
  return Math.round(fraction * 1_000_000)
}

type FileCondition = NonNullable<ShippedFiles['product_rules'][number]['conditions']>[number]

function conditionOf({ rate, ...each }: FileCondition): RuleCondition {
  return rate === undefined ? each : { ...each, rate_millionths: millionths(rate) }
}

function jsonOrNull(value: readonly (DomesticReverseCharge | RuleCondition)[] | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
