import type { Customer, Seller } from '../tax/sale.ts'
import { supplyKind } from '../tax/book/product-types.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import type { LineRow } from './rows.ts'

type Line = { place_of_supply: string; product_type: string; tax_amount: number }

/**
 * Under which one-stop shop the tax of a line is declared (Directive 2006/112/EC, art. 358a, 369a, 369l). ''
 * for the seller's own registration: where it is established or registered in the state of consumption.
 * Sellers of whom nothing is known are taken to be in the Union.
 */
export function schemeOf(book: RateBook, line: Line, seller: Seller, customer: Customer): LineRow['scheme'] {
  const state = line.place_of_supply.slice(0, 2)
  const registrations = seller.registrations ?? []
  const country = seller.address?.country ?? null
  if (line.tax_amount === 0 || !isInUnion(book, state)) return ''
  if (country === state) return isBelowThreshold(book, line, country, customer) ? 'below_eu_threshold' : ''
  if (registrations.includes(state)) return ''
  if (country === null || isInUnion(book, country)) return 'oss_union'
  if (!isGoods(line.product_type)) return 'oss_non_union'
  return registrations.includes('ioss') ? 'ioss' : ''
}

/**
 * Art. 59c: taxed where the seller is, though the consumer of the goods or electronic services is in another
 * member state.
 */
function isBelowThreshold(
  book: RateBook,
  { product_type }: Line,
  country: string,
  customer: Customer,
): boolean {
  const elsewhere = customer.address.country !== country && isInUnion(book, customer.address.country)
  return (
    elsewhere && customer.vat_id === null && (isGoods(product_type) || supplyKind(product_type) === 'digital')
  )
}

function isGoods(product_type: string): boolean {
  const kind = supplyKind(product_type)
  return kind === 'goods' || kind === 'shipping'
}

function isInUnion(book: RateBook, country: string): boolean {
  return country === 'XI' || book.jurisdictions.get(country)?.region === 'EU'
}
