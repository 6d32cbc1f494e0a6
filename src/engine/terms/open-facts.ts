import type { DomesticReverseCharge } from '../book/facts.ts'
import type { LayerTreatment } from '../book/layer.ts'
import { moneyInWords } from '../book/money-in-words.ts'
import { atStart } from '../book/names.ts'
import { treatProduct } from '../book/product-rules.ts'
import { convertIndicatively, inForce, lineage, type RateBook } from '../book/rate-book.ts'
import type { OpenFact } from '../found/assessment.ts'
import type { Charge, PricedRule, Terms, Walk } from '../found/found.ts'
import type { Place } from '../regimes/regime.ts'
import { linesWithin, type Product } from '../sale/lines.ts'
import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'
import { chargesAfterExemptions, isTaxedLocally, type TaxedProduct } from './charges.ts'
import { alternativesOf, conditionsOf, inWords } from './conditions.ts'
import { mayCharge } from './registration.ts'
import type { TaxedSale } from './terms.ts'
import type { TreatedProduct } from './treated.ts'

/**
 * Facts of a sale that the request leaves open. A plain sale has none, so a start does not evaluate these
 * functions.
 */

/** Facts that are open: notes on the rules, and on who accounts for the tax. */
type OpenFacts = Pick<Terms, 'conditions' | 'rule_notes' | 'notes'>

const NONE: readonly never[] = []
const NO_FACTS: OpenFacts = { conditions: NONE, rule_notes: NONE, notes: NONE }

/** What would change the tax of a product, unless the request says that its line bears none. */
export function openFactsOf(
  { walk, product, supplied, supply, place, treated }: TaxedSale,
  sold: TaxedProduct,
  { registered, charged }: { registered: boolean; charged: boolean },
): OpenFacts {
  if (product.line?.taxable === false) return NO_FACTS
  const rateOf = (treatments: readonly LayerTreatment[]) => {
    const borne = treatments.filter(
      (each) =>
        (each.taxed || isTaxedLocally(each, sold.local)) &&
        (!registered || mayCharge(walk, place, supply, each.layer, supplied)),
    )
    return rateOfCharges(chargesAfterExemptions(sold, borne).charges)
  }
  const open = openInTreatment(walk, place, product.product_type, treated, rateOf)
  const rules = charged ? reverseCharged(walk, place, product) : NONE
  return {
    conditions: [
      ...open.conditions,
      ...rules.map(({ what }): OpenFact => ({ fact: 'product', if: what, rate_millionths: 0 })),
    ],
    rule_notes: open.notes,
    notes: rules.map((rule) => noteOn(rule, place)),
  }
}

/** What would change how the rules treat a product. `rateOf`: the rate of the line by other treatments. */
export function openInTreatment(
  { book, sale }: Walk,
  { taxes }: Place,
  product_type: string,
  treated: TreatedProduct,
  rateOf: (treatments: readonly LayerTreatment[]) => number,
): Pick<Terms, 'conditions' | 'notes'> {
  const { treatments, buyer, beside } = treated
  treated.alternatives ??= alternativesOf(treatments, product_type, buyer, (type, business) => {
    const others = treatProduct(book, taxes, type, business, sale.day)
    return beside === undefined ? others : beside(others)
  })
  const { alternatives } = treated
  if (alternatives.length === 0) return NO_FACTS
  return conditionsOf(book, product_type, { treatments, alternatives }, rateOf)
}

/** The terms of one item, with what several would bear, each within a limit on the price of one. */
export function withOpenQuantity(
  book: RateBook,
  { rule, price_threshold }: PricedRule,
  one: Terms,
  several: Terms,
): Terms {
  const rate_millionths = rateOfCharges(several.charges)
  if (rate_millionths === rateOfCharges(one.charges)) return one
  const currency = book.jurisdictions.get(rule.jurisdiction_id)?.currency ?? ''
  const limit = moneyInWords(price_threshold, currency)
  const open: OpenFact = {
    fact: 'quantity',
    if: `several items within the limit of ${limit} each`,
    rate_millionths,
  }
  const { supplied, rule: status, conditions, notes } = one
  const note = `${atStart(supplied.place.name)}: ${inWords(open, '', 0)}. Send ${open.fact}`
  return {
    ...one,
    rule: status === 'specific' ? 'uncertain' : status,
    conditions: [...conditions, open],
    notes: [...notes, note],
  }
}

/** The rate of charges together, on the whole price. */
export function rateOfCharges(charges: readonly Charge[]): number {
  return charges.reduce(
    (sum, { rate_millionths, fraction_millionths }) =>
      sum + multiplyAndDivide(rate_millionths, fraction_millionths, MILLION),
    0,
  )
}

/**
 * Where a business that buys at home accounts for the tax of some products of a type (Directive 2006/112/EC,
 * art. 199 and 199a; VATA 1994, s. 55A). The type holds other products too, so no answer can decide it.
 */
function reverseCharged(
  walk: Walk,
  place: Place,
  { product_type, nature }: Product,
): readonly DomesticReverseCharge[] {
  const { book, seller, customer, sale, taxable_person } = walk
  const business = nature.kind === 'goods' ? taxable_person.goods : taxable_person.others
  if (!business || seller === null || place.domestic_reverse_charge.length === 0) return NONE
  const country = countryOf(book, place)
  if (countryOf(book, seller) !== country || countryOf(book, customer) !== country) return NONE
  return place.domestic_reverse_charge.filter(
    (rule) => rule.product_type === product_type && inForce(rule, sale.day) && isOver(walk, rule),
  )
}

/** The state whose tax it is; of Northern Ireland that of Great Britain. */
function countryOf(book: RateBook, { state }: Place): string {
  return lineage(book, state).at(-1) ?? state
}

/** Whether the products of the type cost more than the limit of a rule, or nobody knows it. */
function isOver({ book, sale }: Walk, { product_type, limit }: DomesticReverseCharge): boolean {
  if (limit === null) return true
  const price = sale.lines
    .flatMap(linesWithin)
    .reduce((sum, line) => (line.product_type === product_type ? sum + Math.abs(line.amount) : sum), 0)
  const compared = convertIndicatively(book, price, sale.currency, limit.currency)
  return compared === null || (limit.above ? compared > limit.amount : compared >= limit.amount)
}

function noteOn({ what, over, law }: DomesticReverseCharge, { name }: Place): string {
  const limit = over === null ? '' : ` ${over}`
  return (
    `${atStart(name)} leaves the tax on ${what}${limit} to a business customer by reverse charge (${law}). ` +
    'The data does not know whether the line is of that kind, so tax was charged'
  )
}
