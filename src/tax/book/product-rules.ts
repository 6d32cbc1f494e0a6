import type { ProductRule, Rate, RateCategory, TaxType } from './facts.ts'
import { type RateBook, findRate, inForce, lineage, productRules } from './rate-book.ts'
import { Refusal } from '../refusal.ts'
import { MILLION } from '../arithmetic/rounding.ts'

/** One tax that exists at a place: federal and provincial stand apart. */
export type TaxLayer = {
  tax_type: TaxType
  /** Whose rate it is. */
  jurisdiction_id: string
  /** Where the search for a product rule begins. */
  rules_from: string
}

/** How one tax treats a product on a day. */
export type LayerTreatment = {
  layer: TaxLayer
  taxed: boolean
  zero_rated: boolean
  category: RateCategory
  rate_millionths: number
  fraction_millionths: number
  compound: boolean
  /** The rule that decided; null: the default, taxable at the standard rate. */
  rule: ProductRule | null
  /** The dated rate that was used; null when the rule itself names the rate. */
  rate: Rate | null
  standard: Rate
}

const PROVINCIAL_TAX = new Map<string, TaxType | null>([
  ['GST', null],
  ['GST_PST', 'PST'],
  ['GST_RST', 'RST'],
  ['GST_QST', 'QST'],
])

/** The taxes of a place. HST contains the federal GST, so it stands alone (ETA, s. 165(2)). */
export function taxLayers(book: RateBook, jurisdiction_id: string): TaxLayer[] {
  const jurisdiction = book.jurisdictions.get(jurisdiction_id)
  if (jurisdiction?.region === 'US')
    return [{ tax_type: 'SALES_TAX', jurisdiction_id, rules_from: jurisdiction_id }]
  if (jurisdiction?.region === 'CA') {
    const { tax_system } = jurisdiction
    if (tax_system === 'HST') return [{ tax_type: 'HST', jurisdiction_id, rules_from: jurisdiction_id }]
    const layers: TaxLayer[] = [{ tax_type: 'GST', jurisdiction_id: 'CA', rules_from: jurisdiction_id }]
    const provincial = PROVINCIAL_TAX.get(tax_system)
    if (provincial) layers.push({ tax_type: provincial, jurisdiction_id, rules_from: jurisdiction_id })
    return layers
  }
  const tax_type = jurisdiction?.tax_system === 'GST' ? 'GST' : 'VAT'
  return [
    { tax_type, jurisdiction_id: withRates(book, jurisdiction_id, tax_type), rules_from: jurisdiction_id },
  ]
}

/**
 * How each tax of a place treats a product. Throws no_rate_for_date when the data does not reach back to the
 * day.
 */
export function treatProduct(
  book: RateBook,
  jurisdiction_id: string,
  product_type: string,
  business: boolean,
  day: string,
): LayerTreatment[] {
  return taxLayers(book, jurisdiction_id).map((layer) => treatLayer(book, layer, product_type, business, day))
}

function treatLayer(
  book: RateBook,
  layer: TaxLayer,
  product_type: string,
  business: boolean,
  day: string,
): LayerTreatment {
  const standard = findRate(book, layer.jurisdiction_id, layer.tax_type, 'standard', day)
  if (standard === undefined) {
    const detail = `the data holds no ${layer.tax_type} rate of ${layer.jurisdiction_id} for ${day}`
    throw new Refusal('no_rate_for_date', 'transaction_date', detail)
  }
  const rule = findRule(book, layer, product_type, business, day)
  const plain = {
    layer,
    rule,
    standard,
    fraction_millionths: MILLION,
    compound: standard.compound,
    zero_rated: false,
  }
  if (rule !== null && (rule.treatment === 'exempt' || rule.treatment === 'zero_rated')) {
    return {
      ...plain,
      taxed: false,
      zero_rated: rule.treatment === 'zero_rated',
      category: 'zero',
      rate_millionths: 0,
      rate: null,
    }
  }
  const category = rule?.category ?? 'standard'
  const fraction_millionths = rule?.taxable_fraction_millionths ?? MILLION
  // A rule without a category names a rate of its own (lodging, meals, the rebate on books in Canada).
  const own =
    rule !== null && rule.category === null && rule.rate_millionths !== null ? rule.rate_millionths : null
  const rate =
    own === null ? (category === 'standard' ? standard : rateOfCategory(book, layer, category, day)) : null
  const rate_millionths = own ?? rate?.rate_millionths ?? null
  if (rate_millionths === null) {
    const detail = `the data holds no ${category} ${layer.tax_type} rate of ${layer.jurisdiction_id} for ${day}`
    throw new Refusal('no_rate_for_date', 'transaction_date', detail)
  }
  return {
    ...plain,
    taxed: true,
    category: rate?.category ?? category,
    rate_millionths,
    fraction_millionths,
    rate: rate ?? null,
  }
}

/**
 * The closest rule: of the jurisdiction, else of its parents; one for the kind of customer before one for
 * all.
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
      if (rule.customer_type === special) return rule
      if (rule.customer_type === 'all') general = rule
    }
    if (general !== null) return general
  }
  return null
}

/**
 * A territory that has a standard rate alone takes the others from its country (Jungholz). One with a scale
 * of its own has no other rate than those: what its country taxes at a rate that is missing there bears the
 * reduced one (CGI, art. 296 and 297: Réunion, Guadeloupe, Martinique, Corsica).
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

/**
 * Where the rates of a place stand. A territory treated as its country (the Sovereign Base Areas as Cyprus)
 * may hold none of its own; one with another tax than its country (the Canary Islands, Jersey) never has
 * those of the country.
 */
function withRates(book: RateBook, jurisdiction_id: string, tax_type: TaxType): string {
  const system = book.jurisdictions.get(jurisdiction_id)?.tax_system
  for (const id of lineage(book, jurisdiction_id)) {
    if (book.jurisdictions.get(id)?.tax_system !== system) break
    for (const rate of book.rates.get(id) ?? []) if (rate.tax_type === tax_type) return id
  }
  return jurisdiction_id
}
