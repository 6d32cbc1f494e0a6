import type { Charge, LineInParts, Part, Terms, Walk } from './found.ts'
import { shareByWeight } from './arithmetic/allocation.ts'
import { MILLION, multiplyAndDivide } from './arithmetic/rounding.ts'
import { convertIndicatively } from './book/exchange.ts'
import type { ProductRule } from './book/facts.ts'
import { type SupplyKind, supplyKind } from './book/product-types.ts'
import { at, invariant } from './invariant.ts'
import { partsByItemCap } from './item-cap.ts'
import { Refusal } from './refusal.ts'
import type { Sale, SaleLine } from './sale.ts'
import { keyOfCharge } from './charges.ts'
import { termsOf, termsOfShipping, withoutTax } from './terms.ts'
import { addOnce } from './walk.ts'

/** A line before its shipping is split: `part` is null for shipping, which follows the goods. */
type KnownLine = { line: SaleLine; kind: SupplyKind; part: Part | null }

/**
 * Splits every line of a sale into parts: goods and services first, then the shipping that follows the goods.
 * Throws unknown_product_type, discount_exceeds_amount.
 */
export function partsOf(walk: Walk): LineInParts[] {
  const goods: Part[] = []
  const lines = linesOf(walk.sale).map((line, index): KnownLine => {
    const kind = kindOf(walk.sale, line, index)
    if (kind === 'shipping') return { line, kind, part: null }
    const part = partOfLine(walk, line, kind)
    if (isShipped(kind, line)) goods.push(part)
    return { line, kind, part }
  })
  return lines.map(({ line, kind, part }) => ({
    line,
    parts: part === null ? partsOfShipping(walk, line, kind, goods) : partsByItemCap(part, line, walk.sale),
  }))
}

/** Shipping follows goods, and meals that are delivered (CJEU C-349/96). */
function isShipped(kind: SupplyKind, { product_type }: SaleLine): boolean {
  return kind === 'goods' || product_type === 'prepared_food'
}

/** The lines of a sale, its shipping cost last. */
export function linesOf(sale: Sale): readonly SaleLine[] {
  return sale.shipping === null ? sale.lines : [...sale.lines, sale.shipping]
}

/** How the engine names a line in errors. */
export function nameOfLine(sale: Sale, index: number): string {
  return index === sale.lines.length ? 'shipping' : `lines[${index}]`
}

function kindOf(sale: Sale, { product_type, amount, discount }: SaleLine, index: number): SupplyKind {
  const kind = supplyKind(product_type)
  if (kind === undefined) {
    const detail = `product_type ${JSON.stringify(product_type)} is unknown`
    throw new Refusal('unknown_product_type', `${nameOfLine(sale, index)}.product_type`, detail)
  }
  if (discount > Math.abs(amount)) {
    const detail = `discount ${discount} is larger than the amount of its line`
    throw new Refusal('discount_exceeds_amount', `${nameOfLine(sale, index)}.discount`, detail)
  }
  return kind
}

/** The price of a line after its discount. For a credit, too, the discount reduces the magnitude. */
export function discountedAmount({ amount, discount }: Pick<SaleLine, 'amount' | 'discount'>): number {
  return amount < 0 ? amount + discount : amount - discount
}

/** A line that is one part, on its own terms. */
export function partOfLine(walk: Walk, line: SaleLine, kind: SupplyKind): Part {
  const amount = discountedAmount(line)
  const terms = termsOf(walk, { product_type: line.product_type, kind, line })
  if (!line.taxable) {
    const untaxed = withoutTax(terms, 'product_exempt', 'The request marks this line as not taxable')
    return partOf(untaxed, line, amount, amount)
  }
  const { price_rule } = terms
  return price_rule === null
    ? partOf(terms, line, amount, amount)
    : partByPrice(walk, terms, line, amount, price_rule)
}

/** A line whose tax depends on a price: New York, Massachusetts, Connecticut, Ontario, sales tax holidays. */
function partByPrice(walk: Walk, terms: Terms, line: SaleLine, amount: number, rule: ProductRule): Part {
  const limit = priceLimitOf(walk, rule)
  if (limit === null) return partOf(terms, line, amount, amount)
  const taxed = (changed: Terms) => partOf(changed, line, amount, amount)
  switch (rule.price_rule) {
    case null:
      return taxed(terms)
    case 'excess_only':
      return partOverLimit(terms, line, amount, BigInt(limit) * BigInt(line.quantity))
    case 'below_exempt':
      return taxed(comparePrice(terms, line, limit) < 0 ? exemptByPrice(terms, 'under') : terms)
    case 'up_to_exempt':
      return taxed(comparePrice(terms, line, limit) <= 0 ? exemptByPrice(terms, 'at or under') : terms)
    case 'above_takes_rate':
      return taxed(comparePrice(terms, line, limit) > 0 ? withPriceRate(terms, rule) : terms)
    case 'total_up_to_takes_rate':
      return taxed(totalOfProduct(walk, terms, line) <= limit ? withPriceRate(terms, rule) : terms)
  }
}

/** Massachusetts, Rhode Island: only the excess of an item's price is taxed. */
function partOverLimit(terms: Terms, line: SaleLine, amount: number, limit: bigint): Part {
  if (BigInt(Math.abs(amount)) <= limit)
    return partOf(exemptByPrice(terms, 'at or under'), line, amount, amount)
  const excess = Math.sign(amount) * (Math.abs(amount) - Number(limit))
  const reason = terms.charges.length === 0 ? terms.reason : 'portion_product_exempt'
  return partOf({ ...terms, reason }, line, amount, excess)
}

/** The sign of an item's price without tax minus the limit. */
function comparePrice(terms: Terms, line: SaleLine, limit: number): number {
  const difference = BigInt(priceOfLine(terms, line)) - BigInt(limit) * BigInt(line.quantity)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The magnitude of a line's price, without tax. */
function priceOfLine(terms: Terms, line: SaleLine): number {
  const price = Math.abs(discountedAmount(line))
  return line.tax_behavior === 'inclusive' ? priceWithoutTax(terms, price) : price
}

/** What all lines of the product cost together, without tax. */
function totalOfProduct({ sale }: Walk, terms: Terms, { product_type }: SaleLine): number {
  let sum = 0
  for (const line of sale.lines)
    if (line.product_type === product_type) sum += Math.sign(line.amount) * priceOfLine(terms, line)
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
  return withoutTax(terms, 'product_exempt', `Not taxed in ${terms.supply.place}: ${why}`)
}

/** The state frees the product, and the place does not: only its own taxes remain. */
function taxedLocally(terms: Terms): Terms {
  const own = (charges: readonly Charge[]) =>
    charges.filter(({ jurisdiction_id }) => jurisdiction_id !== terms.supply.place)
  const reason = terms.charges.length === 0 ? terms.reason : 'portion_product_exempt'
  return { ...terms, reason, charges: own(terms.charges), uncollected: own(terms.uncollected) }
}

function partsOfShipping(walk: Walk, line: SaleLine, kind: SupplyKind, goods: readonly Part[]): Part[] {
  if (goods.length === 0 || !line.taxable) return [partOfLine(walk, line, kind)]
  const amount = discountedAmount(line)
  const groups = [...Map.groupBy(goods, ({ terms }) => keyOfTerms(terms)).values()]
  const weights = groups.map((group) => group.reduce((sum, good) => sum + Math.abs(good.amount), 0))
  const shares = shareByWeight(amount, weights)
  return groups.flatMap((group, index) => {
    const share = at(shares, index)
    // Free shipping has no shares, so it belongs to the first goods.
    if (share === 0 && (amount !== 0 || index > 0)) return []
    const terms = termsOfShipping(walk, at(group, 0).terms, line.product_type)
    return [partOf(terms, line, share, share)]
  })
}

function keyOfTerms({ supply, reason, charges, uncollected }: Terms): string {
  return `${supply.place} ${reason} ${keysOf(charges)} ${keysOf(uncollected)}`
}

function keysOf(charges: readonly Charge[]): string {
  return charges.map((charge) => charge.key).join()
}

function partOf(terms: Terms, line: SaleLine, amount: number, base: number): Part {
  return { terms, amount, taxable: { base, tax_behavior: line.tax_behavior, components: terms.charges } }
}

/** The price limit of a rule in the currency of the sale; null if the exchange rate is unknown. */
function priceLimitOf(walk: Walk, rule: ProductRule): number | null {
  const threshold = invariant(rule.price_threshold, 'a price rule has a price')
  const own = walk.book.jurisdictions.get(rule.jurisdiction_id)?.currency
  const { currency } = walk.sale
  if (own === undefined || own === currency) return threshold
  const converted = convertIndicatively(walk.book, threshold, own, currency)
  const note =
    converted === null
      ? `The exchange rate of ${currency} is unknown, so the price of an item was not compared with ` +
        `the limit of ${rule.jurisdiction_id} and was taxed in full`
      : 'The price of an item was compared with a limit in another currency at an indicative exchange rate'
  addOnce(walk.notes, note)
  return converted
}

function priceWithoutTax(terms: Terms, gross: number): number {
  const charges = terms.charges.length > 0 ? terms.charges : terms.uncollected
  const rate = charges.reduce((sum, charge) => sum + charge.rate_millionths, 0)
  return multiplyAndDivide(gross, MILLION, MILLION + rate)
}
