import { PRODUCT_TYPES } from '../tax/book/product-types.ts'
import type { LayerTreatment } from '../tax/book/layer.ts'
import { treatProduct } from '../tax/book/product-rules.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import { type CoverageStatus, coverageOf } from '../tax/coverage.ts'
import type { Place } from '../tax/regimes/regime.ts'
import { percentInWords } from '../words/figures-in-words.ts'

export type RatedProduct = { name: string; status: CoverageStatus }

/** Products of a place with the same rate and treatment. `rate` and `treatment` are words for people. */
export type ProductRate = { rate: string; treatment: string; products: readonly RatedProduct[] }

type Rated = RatedProduct & { rate: string; treatment: string; height: number }

/** The rate of each product for a consumer in a place on a day, highest first. Throws no_rate_for_date. */
export function productRates(book: RateBook, place: Place, day: string): ProductRate[] {
  const rated = PRODUCT_TYPES.map(({ id, name }): Rated => {
    const { status } = coverageOf(book, place, id, day)
    if (status === 'not_covered')
      return { name, status, rate: 'not covered', treatment: 'no tax is calculated', height: -2 }
    return { name, status, ...inWords(treatProduct(book, place.taxes, id, false, day)) }
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
function inWords(treatments: readonly LayerTreatment[]): Omit<Rated, keyof RatedProduct> {
  const taxed = treatments.filter((each) => each.taxed)
  if (taxed.length === 0) return { rate: 'no tax', treatment: 'exempt', height: -1 }
  return {
    rate: taxed.map((each) => rateOf(each, treatments.length > 1)).join(' + '),
    treatment: [...new Set(taxed.map(treatmentOf))].join(', '),
    height: taxed.reduce((sum, { rate_millionths }) => sum + rate_millionths, 0),
  }
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

function treatmentOf({ rule, category, zero_rated, fraction_millionths }: LayerTreatment): string {
  const part =
    fraction_millionths < 1_000_000 ? ` on ${percentInWords(fraction_millionths)} of the price` : ''
  const by_price = (rule?.price_rule ?? null) === null ? '' : ', depends on the price'
  const name = zero_rated ? 'zero-rated' : CATEGORIES[category]
  return `${name}${part}${by_price}`
}

const CATEGORIES = {
  standard: 'standard',
  reduced: 'reduced',
  reduced_2: 'second reduced',
  super_reduced: 'super-reduced',
  parking: 'parking',
  zero: 'zero-rated',
} as const satisfies Record<LayerTreatment['category'], string>
