import { MILLION } from '../../engine/arithmetic/rounding.ts'
import type { Jurisdiction, ProductRule, Rate } from '../../engine/book/facts.ts'
import type { LayerTreatment } from '../../engine/book/layer.ts'
import { moneyInWords } from '../../engine/book/money-in-words.ts'
import { atStart, placeInSentence, taxInWords } from '../../engine/book/names.ts'
import { treatProduct } from '../../engine/book/product-rules.ts'
import { isVoucher, productInSentence, supplyKind } from '../../engine/book/product-types.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import type { RuleStatus } from '../../engine/found/assessment.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import type { LocalTax } from '../../engine/regimes/us-local/local-stack.ts'
import { rateOfOwnTaxes } from '../../engine/regimes/us-local/own-taxes.ts'
import { NO_SUPPLY, voucherLaw } from '../../engine/supply/accounted-for.ts'
import { lawOf, placeNamed } from '../../engine/supply/place.ts'
import { bearsLocalTax, isTaxedLocally } from '../../engine/terms/charges.ts'
import { alternativesOf, conditionsOf } from '../../engine/terms/conditions.ts'
import { noteOnLacking, noteOnPlaces, typeOfLocalTax } from '../../engine/terms/local-tax.ts'
import { notesOn, ruleStatusOf } from '../../engine/terms/rule-status.ts'
import { percentInWords } from '../../engine/book/figures-in-words.ts'
import { withFieldsOf } from '../../platform/http/engine-fields.ts'
import { requireOwnTax } from '../../tax-data/records/find-jurisdiction.ts'
import { presentProvenance } from '../../tax-data/records/present-facts.ts'
import type { LocalRates } from './local-rates.ts'

/**
 * A place, its rates in force on a day, and the local taxes of the address; null: none is asked for. `laws`:
 * what states let their places tax.
 */
export type RatesAsked = {
  book: RateBook
  laws: LocalBook | null
  jurisdiction: Jurisdiction
  rates: readonly Rate[]
  day: string
  local: LocalRates | null
}

export type FoundRates = {
  /** What a consumer pays, in millionths; null: unknown. */
  combined_millionths: number | null
  used: readonly Rate[]
  /** Rates that no dated rate has, because the rule of the product names them itself. */
  named: Readonly<ReturnType<typeof ratesOfRules>>
  rules: readonly ProductRule[]
  rule: RuleStatus | null
  notes: readonly string[]
}

const NOTHING = { used: [], named: [], rules: [] } as const

/** The rates for a product at a place, as a calculation takes them. Throws invalid_jurisdiction. */
export function ratesOfProduct(asked: RatesAsked, product_type: string): FoundRates {
  const { book, jurisdiction, rates, day, local } = asked
  const layers = lawOf(book, requireOwnTax(book, jurisdiction, 'jurisdiction')).taxes(book, jurisdiction.id)
  const treat = (type: string, business: boolean) => treatProduct(book, layers, type, business, day)
  const chosen = withFieldsOf(RATES_FIELDS, () => treat(product_type, false))
  if (isVoucher(product_type) && voucherLaw(lawOf(book, jurisdiction), day) !== null)
    return { ...NOTHING, combined_millionths: 0, rule: 'specific', notes: [NO_SUPPLY] }
  const kind = supplyKind(product_type)
  const outside = kind !== undefined && lawOf(book, jurisdiction).sells?.includes(kind) === false
  const product = productInSentence(product_type)
  if (outside && !chosen.some(({ rule }) => rule !== null)) {
    const note = `A sale of ${product} is not covered there: no rate is in the data, but tax may be due`
    return { ...NOTHING, combined_millionths: null, rule: null, notes: [note] }
  }
  const buyer = lawOf(book, jurisdiction).business_ids === null ? 'unknown' : 'other'
  const alternatives = alternativesOf(chosen, product_type, buyer, treat)
  const open = conditionsOf(book, product_type, { treatments: chosen, alternatives }, (treatments) =>
    combinedRate(treatments, local),
  )
  const status = ruleStatusOf(chosen)
  const only_rate = `The rate of ${product} is in the data, but a sale of it is not calculated: not_supported`
  return {
    combined_millionths: combinedRate(chosen, local),
    used: ratesUsed(chosen, rates),
    named: ratesOfRules(chosen),
    rules: chosen.flatMap(({ rule }) => rule ?? []),
    rule: status === 'specific' && open.conditions.length > 0 ? 'uncertain' : status,
    notes: [
      ...(outside ? [only_rate] : []),
      ...notesOn(book, chosen, day),
      ...open.notes,
      ...notesOnPrice(book, chosen),
      ...notesOnPlaces(asked, product_type, chosen),
    ],
  }
}

/** The doubts about local taxes that a calculation tells. */
function notesOnPlaces(
  { book, laws, jurisdiction, local }: RatesAsked,
  product_type: string,
  treatments: readonly LayerTreatment[],
): string[] {
  const place = placeNamed(book, jurisdiction.id)
  const tax = local?.tax ?? null
  const taxed = treatments.filter((each) => each.taxed || isTaxedLocally(each, tax))
  const lacking = tax === null ? [] : noteOnLacking(tax, place.name, taxed)
  const note = noteOnPlaces(laws, { place, product_type, treatments, local: taxed.length > 0 ? tax : null })
  return [...new Set([...lacking, ...(note === null ? [] : [note])])]
}

/** The type by which local taxes at a place treat a product. Throws invalid_jurisdiction. */
export function localTypeOf(
  book: RateBook,
  jurisdiction: Jurisdiction | null,
  product_type: string,
  day: string,
): string {
  if (jurisdiction === null || lawOf(book, jurisdiction).localTaxes === null) return product_type
  const layers = lawOf(book, requireOwnTax(book, jurisdiction, 'jurisdiction')).taxes(book, jurisdiction.id)
  const treatments = withFieldsOf(RATES_FIELDS, () => treatProduct(book, layers, product_type, false, day))
  return typeOfLocalTax(product_type, treatments)
}

/** How the query names the engine's parameters. */
const RATES_FIELDS = { day: 'date' }

function combinedRate(chosen: readonly LayerTreatment[], local: LocalRates | null): number {
  const sum = chosen.reduce((all, { taxed, rate_millionths }) => all + (taxed ? rate_millionths : 0), 0)
  if (local === null) return sum
  const { tax } = local
  const added = chosen.some((treatment) => isLocalBase(treatment, tax)) ? tax.stack.rate : 0
  return sum + added + (chosen.some(({ taxed }) => taxed) ? rateOfOwnTaxes(tax) : 0)
}

function isLocalBase(treatment: LayerTreatment, tax: LocalTax): boolean {
  return (treatment.taxed && bearsLocalTax(treatment, tax)) || isTaxedLocally(treatment, tax)
}

/** The dated rates that treatments use. Exempt: none; zero-rated: the zero rate, if there is one. */
function ratesUsed(treatments: readonly LayerTreatment[], rates: readonly Rate[]): Rate[] {
  return rates.filter((each) => treatments.some((treatment) => isUsed(treatment, each)))
}

function isUsed(
  { taxed, zero_rated, rate, rule, standard, layer }: LayerTreatment,
  candidate: Rate,
): boolean {
  if (taxed) return (rate ?? (namesRate(rule) ? null : standard)) === candidate
  return zero_rated && candidate.category === 'zero' && candidate.tax_type === layer.tax_type
}

/** Rates that no dated rate has, because the rule of the product names them itself. */
function ratesOfRules(treatments: readonly LayerTreatment[]) {
  return treatments.flatMap(({ taxed, rate, rule, standard, layer, category, rate_millionths }) =>
    taxed && rate === null && rule !== null && namesRate(rule)
      ? {
          id: rule.id,
          jurisdiction_id: layer.jurisdiction_id,
          tax_type: layer.tax_type,
          category,
          name: standard?.name ?? taxInWords(layer.tax_type),
          rate: rate_millionths / MILLION,
          effective_from: rule.effective_from ?? standard?.effective_from ?? layer.checked_from,
          effective_to: rule.effective_to,
          ...presentProvenance(rule),
        }
      : [],
  )
}

function namesRate(rule: ProductRule | null): boolean {
  return rule !== null && rule.rate_millionths !== null
}

/** What a rate does not say: the part of the price that is taxed, and limits on the price of an item. */
function notesOnPrice(book: RateBook, treatments: readonly LayerTreatment[]): string[] {
  return treatments.flatMap(({ layer, rule, fraction_millionths, taxed }) => {
    if (rule === null || !taxed) return []
    const said = [partInWords(fraction_millionths), limitInWords(book, rule)].filter((each) => each !== null)
    const place = atStart(placeInSentence(book, layer.jurisdiction_id))
    return said.map((what) => `${place}: ${productInSentence(rule.product_type)}: ${what}`)
  })
}

function partInWords(fraction_millionths: number): string | null {
  return fraction_millionths < MILLION
    ? `the rate is on ${percentInWords(fraction_millionths)} of the price`
    : null
}

function limitInWords(book: RateBook, rule: ProductRule): string | null {
  const { price_rule, price_threshold, price_rate_millionths: other } = rule
  if (price_rule === null || price_threshold === null) return null
  const currency = book.jurisdictions.get(rule.jurisdiction_id)?.currency ?? 'USD'
  const limit = moneyInWords(price_threshold, currency)
  switch (price_rule) {
    case 'below_exempt':
      return `an item with a price under ${limit} is exempt`
    case 'up_to_exempt':
      return `an item with a price up to ${limit} is exempt`
    case 'excess_only':
      return `only what the price of an item exceeds ${limit} by is taxed`
    case 'above_takes_rate':
      return `an item with a price over ${limit} is taxed at ${percentInWords(other ?? 0)}`
    case 'total_up_to_takes_rate':
      return `items that cost ${limit} at most together are taxed at ${percentInWords(other ?? 0)}`
  }
}
