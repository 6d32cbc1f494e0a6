import { taxInWords, placeInSentence } from './names.ts'
import { MILLION } from '../arithmetic/rounding.ts'
import { Refusal } from '../ground/refusal.ts'
import type { RateCategory } from './facts.ts'
import type { LayerTreatment, TaxLayer } from './layer.ts'
import { lastDayOfRate, type RateBook, type RecordsInForce, recordsInForce } from './rate-book.ts'

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
    const records = recordsInForce(book, layer, product_type, business, day)
    if (layer.on_top !== true) {
      if (records.standard === null) throw noRate(book, layer, 'standard', day)
      treatments.push(treatLayer(book, layer, product_type, records, day))
    } else if (records.rule !== null) treatments.push(treatLayer(book, layer, product_type, records, day))
  }
  return treatments
}

function treatLayer(
  book: RateBook,
  layer: TaxLayer,
  product_type: string,
  { rule, standard, rate: dated }: RecordsInForce,
  day: string,
): LayerTreatment {
  const by_default =
    standard !== null && standard.rate_millionths !== 0 && rule?.product_type !== product_type
  const compound = standard?.compound ?? false
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
      compound,
      by_default,
      rule,
      rate: null,
      standard,
    }
  }
  const category = rule?.category ?? 'standard'
  // A rule without a category names a rate of its own (lodging, meals, the rebate on books in Canada).
  const own = rule?.category === null ? rule.rate_millionths : null
  const rate = own === null ? dated : null
  const rate_millionths = own ?? rate?.rate_millionths ?? null
  if (rate_millionths === null) throw noRate(book, layer, category, day)
  return {
    layer,
    product_type,
    taxed: true,
    zero_rated: false,
    category: rate?.category ?? category,
    rate_millionths,
    fraction_millionths: rule?.taxable_fraction_millionths ?? MILLION,
    compound,
    by_default,
    rule,
    rate,
    standard,
  }
}

/** A law that ends a rate on a day does not say what follows it, so no rate is invented for later days. */
function noRate(
  book: RateBook,
  { tax_type, jurisdiction_id }: TaxLayer,
  category: RateCategory,
  day: string,
): Refusal {
  const end = lastDayOfRate(book, jurisdiction_id, tax_type, category)
  const ended =
    end === null || day <= end ? '' : `. That rate ends on ${end} by law, and the next one is not in the data`
  const tax = `${category.replaceAll('_', ' ')} ${taxInWords(tax_type)}`
  const rate = `${tax} rate of ${placeInSentence(book, jurisdiction_id)}`
  const detail = `the data has no ${rate} for ${day}${ended}`
  return new Refusal('no_rate_for_date', 'day', detail)
}
