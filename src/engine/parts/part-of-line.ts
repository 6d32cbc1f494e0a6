import { MILLION, multiplyAndDivide } from '../arithmetic/rounding.ts'
import { convertIndicatively } from '../book/rate-book.ts'
import type { ProductRule } from '../book/facts.ts'
import { placeInSentence } from '../book/names.ts'
import { natureOf } from '../book/product-types.ts'
import type { Charge, Cut, Part, PricedRule, Terms, Walk } from '../found/found.ts'
import { STATED_UNTAXED } from '../found/assessment.ts'
import { invariant } from '../ground/invariant.ts'
import type { PricePart } from '../regimes/regime.ts'
import { discountedAmount, linesOf, linesWithin, type PricedLine, piecesOf } from '../sale/lines.ts'
import type { CustomerStatus, SaleLine } from '../sale/sale.ts'
import { keyOfCharge } from '../terms/charges.ts'
import { withoutTax } from '../terms/terms.ts'

/** A line that is one part, on its own terms. */
export function partOfLine(walk: Walk, { line, price }: PricedLine, terms: Terms): Part {
  if (line.taxable && terms.price_rule !== null)
    return partOfCut(cutOfPieces(walk, terms, { line, price }, terms.price_rule), line)
  const own = line.taxable ? terms : withoutTax(terms, 'product_exempt', STATED_UNTAXED)
  return partOfCut({ terms: own, amount: price, base: taxedPrice(walk, own, line), notes: NONE }, line)
}

/** The part of a line that a cut is, with its charges on it. */
export function partOfCut({ terms, amount, base, notes }: Cut, { tax_behavior }: SaleLine): Part {
  return { terms, amount, base, tax_behavior, components: terms.charges, notes }
}

const NONE: readonly never[] = []

/**
 * The price of a line that the law of the place taxes, minor units, signed. It contains what a third party
 * pays for a discount, and not what a trade-in counts for, as the law says. What is not on file is taxed.
 */
function taxedPrice({ sale }: Walk, { supplied: { place } }: Terms, line: SaleLine): number {
  const { amount, discount, funded_discount, trade_in } = line
  let price = Math.abs(amount) - discount
  if (funded_discount !== 0 && isTaxed(place.price_parts.funded_discount, sale.customer))
    price += funded_discount
  if (trade_in !== 0 && !isTaxed(place.price_parts.trade_in, sale.customer)) price -= trade_in
  return amount < 0 ? 0 - price : price
}

/** Whether the law taxes a part of the price. */
export function isTaxed(part: PricePart | null, { type, vat_id }: CustomerStatus): boolean {
  if (part === null) return true
  const business = type === 'business' || vat_id?.good === true
  return part.for_consumers === true && business ? !part.taxed : part.taxed
}

/** More pieces than any line has: each of them is under any limit. */
const MANY = 1_000_000_000

/** The cut by the price of an item, and what it would be if the line had several, which it does not say. */
function cutOfPieces(walk: Walk, terms: Terms, { line, price }: PricedLine, priced: PricedRule): Cut {
  const cut = cutByPrice(walk, terms, { line, price }, priced)
  const facts = walk.sale.open_facts
  if (!line.quantity_open || !facts) return cut
  const many = cutByPrice(walk, terms, { line: { ...line, quantity: MANY }, price }, priced)
  return { ...cut, terms: facts.withOpenQuantity(walk.book, priced, cut.terms, many.terms) }
}

/** A line whose tax depends on a price: New York, Massachusetts, Connecticut, Ontario, sales tax holidays. */
function cutByPrice(walk: Walk, terms: Terms, { line, price }: PricedLine, priced: PricedRule): Cut {
  const { rule } = priced
  const { limit, notes: notesOnLimit } = priceLimitOf(walk, priced)
  const base = taxedPrice(walk, terms, line)
  const delivery = rule.delivery_in_price && limit !== null ? deliveryOf(walk, terms, line) : 0
  const notes = delivery > 0 ? [...notesOnLimit, DELIVERY_COUNTS] : notesOnLimit
  const taxed = (changed: Terms): Cut => ({ terms: changed, amount: price, base, notes })
  if (limit === null) return taxed(terms)
  const compared = () => comparePrice(walk, terms, line, limit, delivery)
  switch (priced.price_rule) {
    case 'excess_only':
      return { ...taxed(terms), ...excessOver(terms, base, limitOfLine(walk, line, Math.abs(base), limit)) }
    case 'below_exempt':
      return taxed(compared() < 0 ? exemptByPrice(terms, 'under') : terms)
    case 'up_to_exempt':
      return taxed(compared() <= 0 ? exemptByPrice(terms, 'at or under') : terms)
    case 'above_takes_rate':
      return taxed(compared() > 0 ? withPriceRate(terms, rule) : terms)
    case 'total_up_to_takes_rate':
      return taxed(totalOfProduct(walk, terms, line) <= limit ? withPriceRate(terms, rule) : terms)
  }
}

/** Massachusetts, Rhode Island: only the excess of an item's price is taxed. */
function excessOver(terms: Terms, price: number, limit: bigint): Pick<Cut, 'terms' | 'base'> {
  if (BigInt(Math.abs(price)) <= limit) return { terms: exemptByPrice(terms, 'at or under'), base: price }
  const reason = terms.charges.length === 0 ? terms.reason : 'portion_product_exempt'
  return { terms: { ...terms, reason }, base: Math.sign(price) * (Math.abs(price) - Number(limit)) }
}

/** The sign of an item's price without tax minus the limit. `delivery`: what else the price contains. */
function comparePrice(walk: Walk, terms: Terms, line: SaleLine, limit: number, delivery: number): number {
  const price = priceOfLine(walk, terms, line) + delivery
  const difference = BigInt(price) - limitOfLine(walk, line, price, limit)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const DELIVERY_COUNTS = 'The price of an item contains its share of the delivery'

/**
 * The share of a line in the delivery charges, by price among the goods that are sent (34 TAC 3.365(n)).
 * Whole minor units: a fraction brings no price to a limit that it has to be below.
 */
function deliveryOf(walk: Walk, terms: Terms, line: SaleLine): number {
  const { shipping, goods } = sentIn(walk.sale)
  if (line.amount <= 0 || goods === 0) return 0
  const charges = shipping.reduce((sum, each) => sum + priceOfLine(walk, terms, each), 0)
  return Number((BigInt(charges) * BigInt(discountedAmount(line))) / BigInt(goods))
}

type Sent = { shipping: readonly SaleLine[]; goods: number }

/** The delivery charges of sales, and the price of what is sent: each line asks for them. */
const sent_in = new WeakMap<Walk['sale'], Sent>()

function sentIn(sale: Walk['sale']): Sent {
  const known = sent_in.get(sale)
  if (known !== undefined) return known
  const lines = linesOf(sale)
    .flatMap(linesWithin)
    .filter(({ amount }) => amount > 0)
  const found = {
    shipping: lines.filter(({ product_type }) => natureOf(product_type)?.kind === 'shipping'),
    goods: lines
      .filter(({ product_type }) => natureOf(product_type)?.shipped === true)
      .reduce((sum, each) => sum + discountedAmount(each), 0),
  }
  sent_in.set(sale, found)
  return found
}

/** The limit for all pieces of a line with a price. If all together cost less than it, so does each. */
function limitOfLine({ sale }: Walk, line: SaleLine, price: number, limit: number): bigint {
  return BigInt(limit) * BigInt(piecesOf(sale, line, price < limit))
}

/** The magnitude of a line's price, without tax. */
function priceOfLine(walk: Walk, terms: Terms, line: SaleLine): number {
  const price = Math.abs(taxedPrice(walk, terms, line))
  return line.tax_behavior === 'inclusive' ? priceWithoutTax(terms, price) : price
}

/** What all lines of the product cost together, without tax. */
function totalOfProduct(walk: Walk, terms: Terms, { product_type }: SaleLine): number {
  let sum = 0
  for (const line of walk.sale.lines.flatMap(linesWithin))
    if (line.product_type === product_type) sum += Math.sign(line.amount) * priceOfLine(walk, terms, line)
  return Math.abs(sum)
}

/** The terms with the rate that the rule has on its side of the price. */
function withPriceRate(terms: Terms, rule: ProductRule): Terms {
  const rate_millionths = invariant(rule.price_rate_millionths ?? null, 'a price rule with a rate names it')
  const priced = (charge: Charge): Charge =>
    charge.tax_type === rule.tax_type && charge.jurisdiction_id === rule.jurisdiction_id
      ? { ...charge, rate_millionths, key: keyOfCharge({ ...charge, rate_millionths }) }
      : charge
  const own = terms.treatments.find((treatment) => treatment.rule === rule)
  const reduced = own !== undefined && rate_millionths < own.rate_millionths
  const reason = terms.charges.length > 0 && reduced ? 'reduced_rated' : terms.reason
  return { ...terms, reason, charges: terms.charges.map(priced), uncollected: terms.uncollected.map(priced) }
}

/**
 * If nothing is collected anyway, the reason stays. A registered seller would not collect either, so nothing
 * is uncollected.
 */
function exemptByPrice(terms: Terms, relation: string): Terms {
  if (terms.local?.base.taxed_below_price === true) return taxedLocally(terms)
  if (terms.charges.length === 0) return { ...terms, uncollected: [] }
  const why = `the price of an item is ${relation} the limit up to which this product is exempt`
  return withoutTax(terms, 'product_exempt', `Exempt in ${terms.supplied.place.name}: ${why}`)
}

/** The state frees the product, and the place does not: only its own taxes remain. */
function taxedLocally(terms: Terms): Terms {
  const own = (charges: readonly Charge[]) =>
    charges.filter(({ jurisdiction_id }) => jurisdiction_id !== terms.supplied.supply.place)
  const reason = terms.charges.length === 0 ? terms.reason : 'portion_product_exempt'
  return { ...terms, reason, charges: own(terms.charges), uncollected: own(terms.uncollected) }
}

/** A limit in the currency of the sale, minor units; null: the exchange rate is unknown. */
type PriceLimit = { limit: number | null; notes: readonly string[] }

function priceLimitOf({ book, sale: { currency } }: Walk, priced: PricedRule): PriceLimit {
  const { rule, price_threshold: threshold } = priced
  const own = book.jurisdictions.get(rule.jurisdiction_id)?.currency
  if (own === undefined || own === currency) return { limit: threshold, notes: NONE }
  const limit = convertIndicatively(book, threshold, own, currency)
  const note =
    limit === null
      ? `The exchange rate of ${currency} is unknown, so the price of an item was not compared with ` +
        `the limit of ${placeInSentence(book, rule.jurisdiction_id)} and was taxed in full`
      : 'The price of an item was compared with a limit in another currency at an indicative exchange rate'
  return { limit, notes: [note] }
}

function priceWithoutTax(terms: Terms, gross: number): number {
  const charges = terms.charges.length > 0 ? terms.charges : terms.uncollected
  const rate = charges.reduce((sum, charge) => sum + charge.rate_millionths, 0)
  return multiplyAndDivide(gross, MILLION, MILLION + rate)
}
