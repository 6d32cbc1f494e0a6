import { shareByWeight } from './arithmetic/allocation.ts'
import type { TaxableLine } from './arithmetic/document-tax.ts'
import type { ProductRule } from './book/facts.ts'
import { convertIndicatively } from './consignment.ts'
import { supplyKind } from './book/product-types.ts'
import { Refusal } from './refusal.ts'
import { multiplyAndDivide } from './arithmetic/rounding.ts'
import type { SaleLine } from './sale.ts'
import { termsOf, termsOfShipping, untaxed } from './terms.ts'
import { addOnce, type Charge, type Terms, type Walk } from './walk.ts'

/**
 * A piece of a line that is sold on one set of terms. Only shipping over different goods has more than one.
 */
export type Part = {
  terms: Terms
  /** The price after the discount, minor units, signed. */
  amount: number
  /** What of it the charges fall on; less than the amount where only the excess over a price is taxed. */
  taxable: TaxableLine
}

/** The price of a line after its discount. A credit mirrors the sale: the discount lessens the magnitude. */
export function discountedAmount(line: SaleLine): number {
  if (line.discount > Math.abs(line.amount)) {
    throw new Refusal(
      'discount_exceeds_amount',
      `${line.path}.discount`,
      `discount ${line.discount} is larger than the amount of its line`,
    )
  }
  return line.amount < 0 ? line.amount + line.discount : line.amount - line.discount
}

/** Splits every line into parts: goods and services first, then the shipping that follows the goods. */
export function partsOf(walk: Walk, lines: readonly SaleLine[]): Part[][] {
  const parts = lines.map((line) =>
    supplyKind(line.product_type) === 'shipping' ? null : [partOfLine(walk, line)],
  )
  const goods: Part[] = []
  for (const linePart of parts) if (linePart?.[0]?.terms.kind === 'goods') goods.push(linePart[0])
  return parts.map((known, index) => known ?? partsOfShipping(walk, lines[index], goods))
}

function partOfLine(walk: Walk, line: SaleLine): Part {
  const amount = discountedAmount(line)
  const terms = line.taxable
    ? termsOf(walk, line.product_type, line.path)
    : untaxed(
        termsOf(walk, line.product_type, line.path),
        'product_exempt',
        'The request marks this line as not taxable',
      )
  const { price_rule } = terms
  return price_rule === null
    ? part(terms, line, amount, amount)
    : partByPrice(walk, terms, line, amount, price_rule)
}

/**
 * New York: an item under the threshold is exempt. Massachusetts, Rhode Island: only the excess of an item's
 * price is taxed.
 */
function partByPrice(walk: Walk, terms: Terms, line: SaleLine, amount: number, rule: ProductRule): Part {
  const perItem = thresholdIn(walk, rule)
  if (perItem === null) return part(terms, line, amount, amount)
  const limit = BigInt(perItem) * BigInt(line.quantity)
  if (rule.price_rule === 'excess_only') {
    if (BigInt(Math.abs(amount)) <= limit)
      return part(exemptByPrice(terms, 'at or under'), line, amount, amount)
    const excess = Math.sign(amount) * (Math.abs(amount) - Number(limit))
    return part(
      { ...terms, reason: terms.charges.length === 0 ? terms.reason : 'portion_product_exempt' },
      line,
      amount,
      excess,
    )
  }
  const price = line.tax_behavior === 'inclusive' ? withoutTax(terms, Math.abs(amount)) : Math.abs(amount)
  return BigInt(price) < limit
    ? part(exemptByPrice(terms, 'under'), line, amount, amount)
    : part(terms, line, amount, amount)
}

/**
 * Where nothing is collected anyway, that remains the reason: nothing would be collected after registration
 * either.
 */
function exemptByPrice(terms: Terms, relation: string): Terms {
  return terms.charges.length === 0
    ? { ...terms, uncollected: [] }
    : untaxed(terms, 'product_exempt', priceDetail(terms, relation))
}

function partsOfShipping(walk: Walk, line: SaleLine | undefined, goods: readonly Part[]): Part[] {
  if (line === undefined) return []
  if (goods.length === 0 || !line.taxable) return [partOfLine(walk, line)]
  const amount = discountedAmount(line)
  const byTerms = Map.groupBy(
    goods,
    (good) =>
      `${good.terms.supply.place} ${good.terms.reason} ${keysOf(good.terms.charges)} ${keysOf(good.terms.uncollected)}`,
  )
  const groups = [...byTerms.values()]
  const shares = shareByWeight(
    amount,
    groups.map((group) => group.reduce((sum, good) => sum + Math.abs(good.amount), 0)),
  )
  return groups.flatMap((group, index) => {
    const first = group[0]
    const share = shares[index] ?? 0
    // Free shipping has no shares: it stands with the first goods.
    if (first === undefined || (share === 0 && (amount !== 0 || index > 0))) return []
    return [part(termsOfShipping(walk, first.terms, line.product_type), line, share, share)]
  })
}

function keysOf(charges: readonly Charge[]): string {
  return charges.map((charge) => charge.key).join()
}

function part(terms: Terms, line: SaleLine, amount: number, base: number): Part {
  return { terms, amount, taxable: { base, tax_behavior: line.tax_behavior, components: terms.charges } }
}

/**
 * The price of an item that the rule asks about, in the currency of the sale; null where that is not known.
 */
function thresholdIn(walk: Walk, rule: ProductRule): number | null {
  const threshold = rule.price_threshold ?? 0
  const own = walk.book.jurisdictions.get(rule.jurisdiction_id)?.currency
  const { currency } = walk.sale
  if (own === undefined || own === currency) return threshold
  const converted = convertIndicatively(walk.book, threshold, own, currency)
  addOnce(
    walk.notes,
    converted === null
      ? `No exchange rate is known for ${currency}: the price of an item was not compared with the limit of ${rule.jurisdiction_id}, and taxed in full`
      : 'The price of an item was compared with a limit in another currency at an indicative exchange rate',
  )
  return converted
}

function withoutTax(terms: Terms, gross: number): number {
  const charges = terms.charges.length > 0 ? terms.charges : terms.uncollected
  const rate = charges.reduce((sum, charge) => sum + charge.rate_millionths, 0)
  return multiplyAndDivide(gross, 1_000_000, 1_000_000 + rate)
}

function priceDetail(terms: Terms, relation: string): string {
  return `Not taxed in ${terms.supply.place}: the price of an item is ${relation} the limit up to which this product is exempt`
}
