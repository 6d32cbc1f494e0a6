import type { ProductRule } from '../../src/engine/book/facts.ts'
import { broaderType } from '../../src/engine/book/product-types.ts'
import { inForce } from '../../src/engine/book/rate-book.ts'
import type { ShippedFiles } from './shipped-files.ts'

type Holiday = ShippedFiles['sales_tax_holidays'][number]

/**
 * The product rules, with a rule for each sales tax holiday: consumers pay no tax on an item up to its limit,
 * and the whole tax above it. A product that the state exempts anyway, or taxes by a tax of another name,
 * needs none. Holidays for things without a product type have no rule.
 */
export function withHolidays(rules: readonly ProductRule[], holidays: readonly Holiday[]): ProductRule[] {
  const usual = Map.groupBy(rules, holidayKeyOf)
  const added = holidays.flatMap((holiday) =>
    holiday.product_types.flatMap((product_type) => {
      const taxed = usualRules(usual, holiday.state, product_type).some((rule) =>
        isTaxedOn(rule, holiday.from),
      )
      return taxed ? [ruleOf(holiday, product_type)] : []
    }),
  )
  return [...rules, ...added]
}

function holidayKeyOf({
  jurisdiction_id,
  product_type,
}: Pick<ProductRule, 'jurisdiction_id' | 'product_type'>): string {
  return `${jurisdiction_id} ${product_type}`
}

/** The rules for the product, else those for the type that it is a part of or like. */
function usualRules(
  usual: ReadonlyMap<string, readonly ProductRule[]>,
  jurisdiction_id: string,
  product_type: string,
): readonly ProductRule[] {
  const own = usual.get(holidayKeyOf({ jurisdiction_id, product_type }))
  const broader = broaderType(product_type)
  if (own !== undefined || broader === null) return own ?? []
  return usual.get(holidayKeyOf({ jurisdiction_id, product_type: broader.id })) ?? []
}

function isTaxedOn(rule: ProductRule, day: string): boolean {
  const taxed = rule.treatment === 'taxable' || rule.treatment === 'partially_taxable'
  return taxed && rule.tax_type === 'SALES_TAX' && rule.customer_type === 'all' && inForce(rule, day)
}

function ruleOf(holiday: Holiday, product_type: string): ProductRule {
  const { state, from, to, per_item_limit, limit_test } = holiday
  const limited = per_item_limit !== null
  const of_state = holiday.applies_to === 'state_only'
  const notes = `${holiday.name} sales tax holiday: ${holiday.items}. ${holiday.notes ?? ''}`
  return {
    id: `rule:${state}:sales_tax:${product_type}:b2c:${from}`.toLowerCase(),
    jurisdiction_id: state,
    tax_type: 'SALES_TAX',
    product_type,
    treatment: limited ? 'taxable' : 'exempt',
    category: limited ? 'standard' : null,
    rate_millionths: null,
    taxable_fraction_millionths: null,
    price_threshold: per_item_limit,
    price_rule: limited ? (limit_test === 'less_than' ? 'below_exempt' : 'up_to_exempt') : null,
    price_rate_millionths: null,
    delivery_in_price: holiday.delivery_in_price ?? null,
    levied_as: null,
    caveat: of_state ? `${holiday.name} sales tax holiday: local taxes may still apply` : null,
    conditions: null,
    applies_to: of_state ? null : 'state_and_local',
    as: null,
    customer_type: 'b2c',
    effective_from: from,
    effective_to: to,
    source: holiday.source,
    source_url: holiday.source_url,
    last_verified_at: null,
    source_kind: 'unknown',
    confidence: holiday.confidence,
    notes: notes.trim(),
  }
}
