import { MILLION } from '../arithmetic/rounding.ts'
import type { LayerTreatment, TaxLayer } from '../book/layer.ts'
import { treatProduct } from '../book/product-rules.ts'
import { findRate, type RateBook } from '../book/rate-book.ts'
import type { Supplied, Walk } from '../found/found.ts'
import type { Product } from '../sale/lines.ts'
import { mayCharge } from './registration.ts'
import type { TreatedProduct } from './treated.ts'
import type { TaxedSupply } from '../regimes/regime.ts'

const SPAIN = 'ES'

/** Ley 37/1992, art. 161. The data has rates by the category of the VAT, and that of tobacco as a rule. */
const RECARGO: TaxLayer = {
  tax_type: 'RECARGO_DE_EQUIVALENCIA',
  jurisdiction_id: SPAIN,
  rules_from: SPAIN,
  checked_from: '1995-01-01',
  on_top: true,
}

/**
 * The recargo de equivalencia beside the VAT on goods for a retailer under this scheme: Ley 37/1992,
 * art. 154 to 163. Null: none falls on them. An importer, a customer that accounts for the VAT itself and one
 * that buys in another member state pays it to the office itself (art. 156(2), (3)), so no seller charges it.
 */
export function withRecargo(
  walk: Walk,
  { nature, product_type }: Product,
  supplied: Supplied,
  supply: TaxedSupply,
  treated: TreatedProduct,
): TreatedProduct | null {
  const [vat] = treated.treatments
  const domestic = supply.established && walk.origin?.jurisdiction_id === SPAIN
  if (vat === undefined || supply.place !== SPAIN || !domestic || nature.kind !== 'goods') return null
  if (!vat.taxed || !mayCharge(walk, supplied.place, supply, vat.layer, supplied)) return null
  const recargo = recargoOn(walk.book, product_type, vat, walk.sale.day)
  return recargo === null
    ? { ...treated, notes: [...treated.notes, UNKNOWN] }
    : {
        ...treated,
        treatments: [...treated.treatments, recargo],
        alternatives: null,
        beside: (others) => {
          const [other] = others
          const found = other?.taxed ? recargoOn(walk.book, other.product_type, other, walk.sale.day) : null
          return found === null ? others : [...others, found]
        },
      }
}

const UNKNOWN =
  'The data has no recargo de equivalencia for this rate of the VAT on this day, so none was computed'

/** How the recargo treats goods: by a rule for them, else by their VAT. Null: the data has no rate. */
function recargoOn(
  book: RateBook,
  product_type: string,
  vat: LayerTreatment,
  day: string,
): LayerTreatment | null {
  const [ruled] = treatProduct(book, [RECARGO], product_type, true, day)
  if (ruled !== undefined) return ruled
  const { category } = vat
  const rate = findRate(book, SPAIN, RECARGO.tax_type, category, day)
  if (rate === undefined) return null
  return {
    layer: RECARGO,
    product_type,
    taxed: true,
    zero_rated: false,
    category,
    rate_millionths: rate.rate_millionths,
    fraction_millionths: MILLION,
    compound: false,
    by_default: false,
    rule: null,
    rate,
    standard: null,
  }
}
