import type { DomesticReverseCharge, RuleCondition } from '../book/facts.ts'
import { percentInWords } from '../book/figures-in-words.ts'
import type { LayerTreatment } from '../book/layer.ts'
import { moneyInWords } from '../book/money-in-words.ts'
import { atStart, placeInSentence } from '../book/names.ts'
import { kindsWithin, productInSentence } from '../book/product-types.ts'
import { convertIndicatively, inForce, lineage } from '../book/rate-book.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { OpenFact } from '../found/assessment.ts'
import type { Charge, PricedRule, Terms, Walk } from '../found/found.ts'
import type { Place } from '../regimes/regime.ts'
import { linesWithin, type Product } from '../sale/lines.ts'
import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'

/** What the taxes of a place would do if a fact were so that the request leaves open. */
export type Alternative = Pick<OpenFact, 'fact' | 'if'> & { readonly treatments: readonly LayerTreatment[] }

/** Facts that the request leaves open and that would change a line, with one note for each. */
export type Conditional = { readonly conditions: readonly OpenFact[]; readonly notes: readonly string[] }

const NONE: readonly never[] = []
export const UNCONDITIONAL: Conditional = { conditions: NONE, notes: NONE }

/** How the taxes of a place treat a product type for a business or another buyer. */
type Treat = (product_type: string, business: boolean) => readonly LayerTreatment[]

/**
 * The other answers of the rules: for a business if the buyer is unknown, for kinds within the product type
 * that have a type with a rule of its own, and for what a rule itself names.
 */
export function alternativesOf(
  treatments: readonly LayerTreatment[],
  product_type: string,
  buyer: 'business' | 'other' | 'unknown',
  treat: Treat,
): readonly Alternative[] {
  const business = buyer === 'business'
  const found: Alternative[] =
    buyer === 'unknown'
      ? [{ fact: 'customer.type', if: 'business', treatments: treat(product_type, true) }]
      : []
  for (const kind of kindsWithin(product_type)) {
    const own = treat(kind, business)
    if (own.some(({ rule }) => rule?.product_type === kind))
      found.push({ fact: 'product_type', if: kind, treatments: own })
  }
  const rows = treatments.map(({ rule }): readonly RuleCondition[] => JSON.parse(rule?.conditions ?? '[]'))
  for (const { fact, if: what } of rows.flat()) {
    if (found.some((other) => other.fact === fact && other.if === what)) continue
    const changed = treatments.map((treatment, index) => {
      const row = rows[index]?.find((each) => each.fact === fact && each.if === what)
      return row === undefined ? treatment : treatmentOf(row, treatment, treat, business)
    })
    found.push({ fact, if: what, treatments: changed })
  }
  return found.filter((other) => isAnother(treatments, other.treatments))
}

function isAnother(treatments: readonly LayerTreatment[], others: readonly LayerTreatment[]): boolean {
  return (
    treatments.length !== others.length || treatments.some((each, i) => ownRate(each) !== ownRate(others[i]))
  )
}

function ownRate(treatment: LayerTreatment | undefined): number {
  if (treatment?.taxed !== true) return 0
  return multiplyAndDivide(treatment.rate_millionths, treatment.fraction_millionths, MILLION)
}

/** A tax as a row of a rule says: at a rate, as another product, or at the standard rate. */
function treatmentOf(
  { rate_millionths: named, as }: RuleCondition,
  treatment: LayerTreatment,
  treat: Treat,
  business: boolean,
): LayerTreatment {
  const { layer, standard } = treatment
  if (as) return treat(as, business).find((other) => other.layer.tax_type === layer.tax_type) ?? treatment
  const rate_millionths = named ?? standard?.rate_millionths ?? 0
  const taxed = rate_millionths > 0
  return { ...treatment, taxed, rate_millionths, fraction_millionths: MILLION, rule: null, zero_rated: false }
}

type Treated = {
  readonly treatments: readonly LayerTreatment[]
  readonly alternatives: readonly Alternative[]
}

/** What of the other answers is another rate of the whole tax. `rateOf`: that rate, in millionths. */
export function conditionsOf(
  book: RateBook,
  product_type: string,
  { treatments, alternatives }: Treated,
  rateOf: (treatments: readonly LayerTreatment[]) => number,
): Conditional {
  const last = treatments.at(-1)
  if (last === undefined) return UNCONDITIONAL
  const now = rateOf(treatments)
  const conditions = alternatives.flatMap(({ treatments: changed, ...open }): OpenFact[] => {
    const rate_millionths = rateOf(changed)
    return rate_millionths === now ? [] : [{ ...open, rate_millionths }]
  })
  const where = atStart(placeInSentence(book, last.layer.jurisdiction_id))
  return { conditions, notes: conditions.map((open) => `${where}: ${inWords(open, product_type, now)}`) }
}

function inWords({ fact, if: what, rate_millionths }: OpenFact, product_type: string, now: number): string {
  const rate = percentInWords(rate_millionths)
  if (fact === 'customer.type')
    return (
      `the tax on ${productInSentence(product_type)} is ${rate} for a business and ${percentInWords(now)} ` +
      'for others. Send customer.type'
    )
  return fact === 'product_type'
    ? `the tax on ${productInSentence(what)} is ${rate}. Send its own product type`
    : `the tax on ${what} is ${rate}`
}

/** What a line would bear if it were several items, each within a limit on the price of one; null: the same. */
export function ifSeveral(
  book: RateBook,
  { rule, price_threshold }: PricedRule,
  one: Terms,
  several: Terms,
): OpenFact | null {
  const rate_millionths = rateOfCharges(several.charges)
  if (rate_millionths === rateOfCharges(one.charges)) return null
  const currency = book.jurisdictions.get(rule.jurisdiction_id)?.currency ?? ''
  const limit = moneyInWords(price_threshold, currency)
  return { fact: 'quantity', if: `several items within the limit of ${limit} each`, rate_millionths }
}

/** Terms with one more fact that is open. */
export function withOpenFact(terms: Terms, open: OpenFact): Terms {
  const { supplied, rule, conditions, notes } = terms
  const note = `${atStart(supplied.place.name)}: ${inWords(open, '', 0)}. Send ${open.fact}`
  return {
    ...terms,
    rule: rule === 'specific' ? 'uncertain' : rule,
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
export function ifReverseCharged(walk: Walk, place: Place, { product_type, nature }: Product): Conditional {
  const { book, seller, customer, sale, taxable_person } = walk
  const business = nature.kind === 'goods' ? taxable_person.goods : taxable_person.others
  const country = countryOf(book, place)
  if (!business || seller === null || place.domestic_reverse_charge.length === 0) return UNCONDITIONAL
  if (countryOf(book, seller) !== country || countryOf(book, customer) !== country) return UNCONDITIONAL
  const rules = place.domestic_reverse_charge.filter(
    (rule) => rule.product_type === product_type && inForce(rule, sale.day) && isOver(walk, rule),
  )
  return {
    conditions: rules.map(({ what }) => ({ fact: 'product', if: what, rate_millionths: 0 })),
    notes: rules.map((rule) => noteOn(rule, place)),
  }
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
