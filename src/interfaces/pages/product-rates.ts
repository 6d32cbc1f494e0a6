import {
  isVoucher,
  PRODUCT_TYPES,
  type ProductTypeName,
  supplyKind,
} from '../../engine/book/product-types.ts'
import type { OpenFact } from '../../engine/found/assessment.ts'
import type { LayerTreatment } from '../../engine/book/layer.ts'
import { treatProduct } from '../../engine/book/product-rules.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { type CoverageStatus, coverageOf, taxedPlaces } from '../../engine/answer/coverage.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import type { Deal, DealKind, Place, Supply } from '../../engine/regimes/regime.ts'
import { alternativesOf, conditionsOf } from '../../engine/terms/conditions.ts'
import { mayBeTaxed } from '../../engine/terms/terms.ts'
import { voucherLaw } from '../../engine/supply/accounted-for.ts'
import { percentInWords } from '../../engine/book/figures-in-words.ts'

type RatedProduct = { name: string; status: CoverageStatus }

/** Products of a place with the same rate and treatment. `rate` and `treatment` are words for people. */
export type ProductRate = { rate: string; treatment: string; products: readonly RatedProduct[] }

type Rated = RatedProduct & { rate: string; treatment: string; height: number }

/**
 * The rate of each product for a consumer in a place on a day, highest first. If sales within the place are
 * not covered, the seller is abroad.
 */
export function productRates(book: RateBook, place: Place, day: string): ProductRate[] {
  const rated = PRODUCT_TYPES.map(({ id, name }): Rated => {
    const { status } = coverageOf(book, place, id, day)
    if (status === 'not_covered')
      return { name, status, rate: 'not covered', treatment: 'no tax is calculated', height: -3 }
    return { name, status, ...(whyUncharged(book, place, id, day) ?? inWords(book, place, id, day)) }
  })
  const groups = Map.groupBy(
    rated.toSorted((a, b) => b.height - a.height),
    ({ rate, treatment }) => `${rate} ${treatment}`,
  )
  return [...groups.values()].flatMap((products) => {
    const [first] = products
    return first === undefined ? [] : [{ rate: first.rate, treatment: first.treatment, products }]
  })
}

/** `height` sorts: the sum of the rates, with exempt products below those at a zero rate. */
type InWords = Omit<Rated, keyof RatedProduct>

const NO_SUPPLY: InWords = {
  rate: 'no tax',
  treatment: 'no supply; what is bought with it is taxed',
  height: -2,
}

/** Why nobody charges tax on a product with a rate on file; null: it is charged, or its own rule frees it. */
function whyUncharged(book: RateBook, place: Place, product: ProductTypeName, day: string): InWords | null {
  if (isVoucher(product) && voucherLaw(place.law, day) !== null) return NO_SUPPLY
  const kind = supplyKind(product)
  if (kind !== 'goods' && kind !== 'digital' && kind !== 'service') return null
  const { only, supply } = place.law
  const sold =
    only === undefined ? supply.within(dealOf(place, place, kind, day)) : fromAbroad(book, place, kind, day)
  if (sold.kind === 'taxed') return null
  const treatment = only === undefined ? 'outside the tax area for goods' : 'not charged by sellers abroad'
  return { rate: 'no tax', treatment, height: -2 }
}

function fromAbroad(book: RateBook, place: Place, kind: DealKind, day: string): Supply {
  const abroad = invariant(
    taxedPlaces(book).find(({ law }) => law !== place.law) ?? null,
    'the data has places of several laws',
  )
  return place.law.supply.to(dealOf(abroad, place, kind, day))
}

/** A cheap sale to a consumer by a seller that is registered wherever it has to be. */
function dealOf(origin: Place, customer: Place, kind: DealKind, day: string): Deal {
  return {
    kind,
    origin,
    establishment: origin,
    established_in: [origin.state],
    customer,
    type: 'individual',
    vat_id: null,
    live: false,
    taxable_person: false,
    intangible: true,
    business_only: false,
    day,
    over_eu_threshold: true,
    importer: null,
    holds: () => true,
    withinConsignmentLimit: () => true,
  }
}

function inWords(book: RateBook, { taxes, law }: Place, product: ProductTypeName, day: string): InWords {
  const treat = (type: string, business: boolean) => treatProduct(book, taxes, type, business, day)
  const treatments = treat(product, false)
  const taxed = treatments.filter((each) => each.taxed)
  // Counties and cities of such a state may tax what the state frees.
  const none = law.localTaxes === null ? 'no tax' : 'no state tax'
  if (!treatments.some(mayBeTaxed)) return { rate: none, treatment: 'no general tax here', height: -2 }
  const buyer = law.business_ids === null ? 'unknown' : 'other'
  const alternatives = alternativesOf(treatments, product, buyer, treat)
  const others = otherwise(conditionsOf(book, product, { treatments, alternatives }, sumOfRates).conditions)
  if (taxed.length === 0) return { rate: none, treatment: untaxedWords(treatments) + others, height: -1 }
  return {
    rate: taxed.map((each) => rateOf(each, treatments.length > 1)).join(' + '),
    treatment: together(taxed, treatmentOf) + others,
    height: taxed.reduce((sum, { rate_millionths }) => sum + rate_millionths, 0),
  }
}

/** `, 3 % for a business`, `, 0 % on internet access`. Kinds with a type of their own have their own row. */
function otherwise(conditions: readonly OpenFact[]): string {
  return conditions
    .filter(({ fact }) => fact !== 'product_type')
    .map(({ fact, if: what, rate_millionths }) => {
      const rate = percentInWords(rate_millionths)
      return fact === 'customer.type' ? `, ${rate} for a business` : `, ${rate} on ${what}`
    })
    .join('')
}

function sumOfRates(treatments: readonly LayerTreatment[]): number {
  return treatments.reduce((sum, { taxed, rate_millionths }) => sum + (taxed ? rate_millionths : 0), 0)
}

/** A product at a rate of zero is not exempt: its seller deducts input tax, and a return lists it apart. */
function untaxedWords(treatments: readonly LayerTreatment[]): string {
  return together(treatments, ({ zero_rated }) => (zero_rated ? 'zero-rated' : 'exempt'))
}

/** The words of all taxes: once if they are the same, else each with its tax. */
function together(treatments: readonly LayerTreatment[], words: (each: LayerTreatment) => string): string {
  const different = new Set(treatments.map(words))
  if (different.size <= 1) return [...different].join('')
  return treatments.map((each) => `${nameOf(each.layer.tax_type)} ${words(each)}`).join(', ')
}

/** `5.5 %`, and with several taxes `9.975 % QST`. */
function rateOf({ rate_millionths, layer }: LayerTreatment, several: boolean): string {
  return several
    ? `${percentInWords(rate_millionths)} ${nameOf(layer.tax_type)}`
    : percentInWords(rate_millionths)
}

/** `MEALS_TAX` as `meals tax`; `GST` and other abbreviations as they are. */
function nameOf(tax_type: string): string {
  return tax_type.includes('_') ? tax_type.toLowerCase().replaceAll('_', ' ') : tax_type
}

function treatmentOf({ rule, category, fraction_millionths }: LayerTreatment): string {
  const part =
    fraction_millionths < 1_000_000 ? ` on ${percentInWords(fraction_millionths)} of the price` : ''
  const by_price = (rule?.price_rule ?? null) === null ? '' : ', depends on the price'
  return `${CATEGORIES[category]}${part}${by_price}`
}

const CATEGORIES = {
  standard: 'standard',
  reduced: 'reduced',
  reduced_2: 'second reduced',
  super_reduced: 'super-reduced',
  parking: 'parking',
  zero: 'zero-rated',
} as const satisfies Record<LayerTreatment['category'], string>
