import type { Cut, Part, Terms, Walk } from '../found/found.ts'
import { cutByPrice } from './price-rules.ts'
import type { PricedLine, SaleLine } from '../sale/sale.ts'
import { taxedPrice } from '../terms/taxed-price.ts'
import { withoutTax } from '../terms/terms.ts'

/** A line that is one part, on its own terms. */
export function partOfLine(walk: Walk, { line, price }: PricedLine, terms: Terms): Part {
  if (line.taxable && terms.price_rule !== null)
    return partOfCut(cutByPrice(walk, terms, { line, price }, terms.price_rule), line)
  const own = line.taxable ? terms : withoutTax(terms, 'product_exempt', SAID_UNTAXED)
  return partOfCut({ terms: own, amount: price, base: taxedPrice(walk, own, line), notes: NO_NOTES }, line)
}

/** The part of a line that a cut is, with its charges on it. */
export function partOfCut({ terms, amount, base, notes }: Cut, { tax_behavior }: SaleLine): Part {
  return { terms, amount, taxable: { base, tax_behavior, components: terms.charges }, notes }
}

const NO_NOTES: readonly never[] = []

const SAID_UNTAXED = 'This line is marked as not taxable'
