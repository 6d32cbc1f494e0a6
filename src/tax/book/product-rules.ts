import type { ProductRule, Rate, RateCategory, TaxType } from './facts.ts'
import { type RateBook, findRate, inForce, lineage, productRules } from './rate-book.ts'
import { Refusal } from '../refusal.ts'
import { broaderType } from './product-types.ts'
import { MILLION } from '../arithmetic/rounding.ts'

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
  /** The rule that decided; null: the default, taxable at the standard rate. */
  rule: ProductRule | null
  /** The dated rate that was used; null if the rule itself names the rate. */
  rate: Rate | null
  /** The general rate of the tax; null: a tax that only products with a rule bear. */
  standard: Rate | null
}

/** How each tax treats a product. Throws no_rate_for_date if the data does not reach back to the day. */
export function treatProduct(
  book: RateBook,
  layers: readonly TaxLayer[],
  product_type: string,
  business: boolean,
  day: string,
): LayerTreatment[] {
  const treatments: LayerTreatment[] = []
  for (const layer of layers) {
    const rule = ruleOf(book, layer, product_type, business, day)
    if (layer.on_top !== true) treatments.push(treatLayer(book, layer, product_type, rule, day))
    else if (rule !== null)
      treatments.push(treatByRule(book, layer, { product_type, rule, standard: null }, day))
  }
  return treatments
}

/** Whether the place has a general tax but no rule for this very product. */
export function isDefault({ rule, standard, product_type }: LayerTreatment): boolean {
  return standard !== null && standard.rate_millionths !== 0 && rule?.product_type !== product_type
}

function treatLayer(
  book: RateBook,
  layer: TaxLayer,
  product_type: string,
  rule: ProductRule | null,
  day: string,
): LayerTreatment {
  const standard = findRate(book, layer.jurisdiction_id, layer.tax_type, 'standard', day)
  if (standard === undefined) {
    throw noRate(layer, 'standard', day)
  }
  return treatByRule(book, layer, { product_type, rule, standard }, day)
}

function treatByRule(
  book: RateBook,
  layer: TaxLayer,
  { product_type, rule, standard }: Pick<LayerTreatment, 'product_type' | 'rule' | 'standard'>,
  day: string,
): LayerTreatment {
  const zero_rated = rule?.treatment === 'zero_rated'
  if (rule?.treatment === 'exempt' || zero_rated) {
    return {
      layer,
      product_type,
      taxed: false,
      zero_rated,
      category: 'zero',
      rate_millionths: 0,
      fraction_millionths: MILLION,
      compound: standard?.compound ?? false,
      rule,
      rate: null,
      standard,
    }
  }
  const category = rule?.category ?? 'standard'
  // A rule without a category names a rate of its own (lodging, meals, the rebate on books in Canada).
  const own = rule?.category === null ? rule.rate_millionths : null
  const rate =
    own === null ? (category === 'standard' ? standard : rateOfCategory(book, layer, category, day)) : null
  const rate_millionths = own ?? rate?.rate_millionths ?? null
  if (rate_millionths === null) {
    throw noRate(layer, category, day)
  }
  return {
    layer,
    product_type,
    taxed: true,
    zero_rated: false,
    category: rate?.category ?? category,
    rate_millionths,
    fraction_millionths: rule?.taxable_fraction_millionths ?? MILLION,
    compound: standard?.compound ?? false,
    rule,
    rate: rate ?? null,
    standard,
  }
}

function noRate({ tax_type, jurisdiction_id }: TaxLayer, category: RateCategory, day: string): Refusal {
  const detail = `the data has no ${category} ${tax_type} rate of ${jurisdiction_id} for ${day}`
  return new Refusal('no_rate_for_date', 'day', detail)
}

/** The rule for the product, else the rule for the broader type that it belongs to. */
function ruleOf(
  book: RateBook,
  layer: TaxLayer,
  product_type: string,
  business: boolean,
  day: string,
): ProductRule | null {
  const rule = findRule(book, layer, product_type, business, day)
  if (rule !== null) return rule
  const broader = broaderType(product_type)
  if (broader === null) return null
  const found = findRule(book, layer, broader.id, business, day)
  const frees = found?.treatment === 'exempt' || found?.treatment === 'zero_rated'
  return frees && !broader.frees ? null : found
}

/**
 * The closest rule: that of the jurisdiction, else of its parents. A rule for the kind of customer wins over
 * a rule for all customers.
 */
function findRule(
  book: RateBook,
  layer: TaxLayer,
  product_type: string,
  business: boolean,
  day: string,
): ProductRule | null {
  const special = business ? 'b2b' : 'b2c'
  for (const id of lineage(book, layer.rules_from)) {
    let general: ProductRule | null = null
    for (const rule of productRules(book, id, product_type)) {
      if (rule.tax_type !== layer.tax_type || !inForce(rule, day)) continue
      if (rule.effective_from === null && day < layer.checked_from) continue
      if (rule.customer_type === special) return rule
      if (rule.customer_type === 'all') general = rule
    }
    if (general !== null) return general
  }
  return null
}

/**
 * A territory that has only a standard rate takes the other rates from its country (Jungholz). A territory
 * with reduced rates has no others: its reduced rate replaces a rate of the country that it lacks (CGI, art.
 * 296 and 297: Réunion, Guadeloupe, Martinique, Corsica).
 */
function rateOfCategory(
  book: RateBook,
  layer: TaxLayer,
  category: RateCategory,
  day: string,
): Rate | undefined {
  for (const id of lineage(book, layer.jurisdiction_id)) {
    const rate = findRate(book, id, layer.tax_type, category, day)
    if (rate === undefined) continue
    return id === layer.jurisdiction_id
      ? rate
      : (findRate(book, layer.jurisdiction_id, layer.tax_type, 'reduced', day) ?? rate)
  }
  return undefined
}
