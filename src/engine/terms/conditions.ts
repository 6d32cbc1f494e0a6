import type { DomesticReverseCharge } from '../book/facts.ts'
import { percentInWords } from '../book/figures-in-words.ts'
import type { LayerTreatment } from '../book/layer.ts'
import { atStart, placeInSentence } from '../book/names.ts'
import { productInSentence } from '../book/product-types.ts'
import { inForce, type RateBook } from '../book/rate-book.ts'
import type { OpenFact } from '../found/assessment.ts'
import type { Walk } from '../found/found.ts'
import type { Place } from '../regimes/regime.ts'
import type { Product } from '../sale/lines.ts'
import { MILLION } from '../arithmetic/rounding.ts'

/** Facts that the request leaves open and that would change a line, with one note for each. */
type Conditional = { readonly conditions: readonly OpenFact[]; readonly notes: readonly string[] }

const NONE: readonly never[] = []
export const UNCONDITIONAL: Conditional = { conditions: NONE, notes: NONE }

/** Where a business would bear another tax, and the request does not say what the customer is. */
export function ifBusiness(
  book: RateBook,
  ofUnknown: readonly LayerTreatment[],
  ofBusiness: readonly LayerTreatment[],
): Conditional {
  const conditions: OpenFact[] = []
  const notes: string[] = []
  for (const treatment of ofBusiness) {
    const { layer, product_type } = treatment
    const now = ofUnknown.find(({ layer: { tax_type } }) => tax_type === layer.tax_type)
    const rate_millionths = effectiveRate(treatment)
    const rate_now = now === undefined ? 0 : effectiveRate(now)
    if (rate_millionths === rate_now) continue
    conditions.push({ fact: 'customer.type', if: 'business', rate_millionths })
    const where = atStart(placeInSentence(book, layer.jurisdiction_id))
    notes.push(
      `${where}: its tax on ${productInSentence(product_type)} is ${percentInWords(rate_millionths)} for a ` +
        `business and ${percentInWords(rate_now)} for others. Send customer.type`,
    )
  }
  return conditions.length === 0 ? UNCONDITIONAL : { conditions, notes }
}

function effectiveRate({ taxed, rate_millionths, fraction_millionths }: LayerTreatment): number {
  return taxed ? Math.round((rate_millionths * fraction_millionths) / MILLION) : 0
}

/**
 * Where a business that buys at home accounts for the tax of some products of a type (Directive 2006/112/EC,
 * art. 199 and 199a; VATA 1994, s. 55A). The type holds other products too, so no answer can decide it.
 */
export function ifReverseCharged(walk: Walk, place: Place, { product_type, nature }: Product): Conditional {
  const { seller, customer, sale, taxable_person } = walk
  const business = nature.kind === 'goods' ? taxable_person.goods : taxable_person.others
  if (!business || seller?.state !== place.state || customer.state !== place.state) return UNCONDITIONAL
  const rules = place.domestic_reverse_charge.filter(
    (rule) => rule.product_type === product_type && inForce(rule, sale.day),
  )
  if (rules.length === 0) return UNCONDITIONAL
  return {
    conditions: rules.map(({ what }) => ({ fact: 'product', if: what, rate_millionths: 0 })),
    notes: rules.map((rule) => noteOn(rule, place)),
  }
}

function noteOn({ what, over, law }: DomesticReverseCharge, { name }: Place): string {
  const limit = over === null ? '' : ` ${over}`
  return (
    `${atStart(name)} leaves the tax on ${what}${limit} to a business customer by reverse charge (${law}). ` +
    'The data does not know whether the line is of that kind, so tax was charged'
  )
}
