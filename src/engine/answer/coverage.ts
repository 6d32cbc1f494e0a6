import { type Confidence, CONFIDENCES, type ProductRule } from '../book/facts.ts'
import { isVoucher, type ProductTypeName, supplyKind } from '../book/product-types.ts'
import { treatProduct } from '../book/product-rules.ts'
import type { LayerTreatment } from '../book/layer.ts'
import { Refusal } from '../ground/refusal.ts'
import { lineage, productRules, type RateBook } from '../book/rate-book.ts'
import { lacksRegion, placeOfJurisdiction } from '../supply/place.ts'
import { ruleStatusOf } from '../terms/rule-status.ts'
import { voucherLaw } from '../supply/accounted-for.ts'
import type { Place } from '../regimes/regime.ts'

/**
 * `uncertain`: a rule is on file, but it is not sure (see isUncertain). `not_covered`: the service computes
 * no tax on such a product there.
 */
export const COVERAGE_STATUSES = ['on_file', 'default', 'uncertain', 'not_covered'] as const
export type CoverageStatus = (typeof COVERAGE_STATUSES)[number]

/** What the data knows of a product in a place. */
export type ProductCoverage = {
  jurisdiction_id: string
  product_type: ProductTypeName
  status: CoverageStatus
  /** The first day that a rule is on file for; null: there is none. */
  from: string | null
  /** The lowest confidence of the rules; null: there is none, so the status is `default`. */
  confidence: Confidence | null
  /** When the rules were last seen at their sources, the oldest of them; null: never, or no rule. */
  last_verified_at: string | null
}

/** The places that levy a tax, in the order of the data. Countries whose states levy it are left out. */
export function taxedPlaces(book: RateBook): Place[] {
  return book.facts.jurisdictions.flatMap(({ id }) => {
    const place = placeOfJurisdiction(book, id)
    return place !== null && isTaxedPlace(book, place) ? [place] : []
  })
}

/** Whether a place levies a tax itself, and the data has its rates. */
export function isTaxedPlace(book: RateBook, place: Place): boolean {
  return !lacksRegion(book, place) && place.taxes.every((layer) => hasRates(book, layer))
}

function hasRates(book: RateBook, { jurisdiction_id, tax_type, on_top }: Place['taxes'][number]): boolean {
  return on_top === true || (book.rates.get(jurisdiction_id) ?? []).some((rate) => rate.tax_type === tax_type)
}

/**
 * What the data knows of a product that a consumer buys in a place on a day. If the rate has ended by law and
 * the next one is not on file, sales are refused, so the product is not covered.
 */
export function coverageOf(
  book: RateBook,
  place: Place,
  product_type: ProductTypeName,
  day: string,
): ProductCoverage {
  const { jurisdiction_id, law } = place
  const kind = supplyKind(product_type)
  const without_record = { jurisdiction_id, product_type, confidence: null, last_verified_at: null } as const
  if (kind !== undefined && law.sells?.includes(kind) === false)
    return { ...without_record, status: 'not_covered', from: null }
  // The law itself is the rule: the sale of a voucher is no supply.
  const voucher = isVoucher(product_type) ? voucherLaw(law, day) : null
  if (voucher !== null) return { ...without_record, status: 'on_file', from: voucher.from }
  const treatments = treatmentsOn(book, place, product_type, day)
  if (treatments === null) return { ...without_record, status: 'not_covered', from: null }
  const status = ruleStatusOf(treatments)
  // The rule of a broader or similar product says nothing of how sure the data is of this one.
  const rules = status === 'default' ? [] : treatments.flatMap(({ rule }) => rule ?? [])
  return {
    jurisdiction_id,
    product_type,
    status: status === 'specific' ? 'on_file' : status,
    from: latest(treatments.flatMap((treatment) => firstDayOf(book, treatment) ?? [])),
    confidence: lowestOf(rules),
    last_verified_at: oldestOf(rules),
  }
}

/** How each tax treats a product; null: the data has no rate of the day. */
function treatmentsOn(
  book: RateBook,
  { taxes }: Place,
  product_type: ProductTypeName,
  day: string,
): LayerTreatment[] | null {
  try {
    return treatProduct(book, taxes, product_type, false, day)
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.reason === 'no_rate_for_date') return null
    throw thrown
  }
}

/** The first day for which the layer has a rule for the product, in the place of the rule in force. */
function firstDayOf(book: RateBook, { layer, rule, product_type }: LayerTreatment): string | null {
  if (rule === null || rule.product_type !== product_type) return null
  const days = lineage(book, layer.rules_from)
    .flatMap((id) => productRules(book, id, product_type))
    .filter(
      ({ tax_type, jurisdiction_id }) =>
        tax_type === layer.tax_type && jurisdiction_id === rule.jurisdiction_id,
    )
    .map(({ effective_from }) => effective_from ?? layer.checked_from)
  return days.toSorted()[0] ?? null
}

function latest(days: readonly string[]): string | null {
  return days.toSorted().at(-1) ?? null
}

const FROM_LOWEST: readonly Confidence[] = CONFIDENCES.toReversed()

function lowestOf(rules: readonly ProductRule[]): Confidence | null {
  return FROM_LOWEST.find((confidence) => rules.some((rule) => rule.confidence === confidence)) ?? null
}

function oldestOf(rules: readonly ProductRule[]): string | null {
  const times = rules.map(({ last_verified_at }) => last_verified_at)
  return times.includes(null) ? null : (times.flatMap((time) => time ?? []).toSorted()[0] ?? null)
}
