import { supplyKind } from '../book/product-types.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { Customer, Seller } from '../sale/sale.ts'
import { memberStateOf } from './eu-member-states.ts'
import type { DeclaredLine, LineScheme } from './regime.ts'

/**
 * The one-stop shop through which the tax of a line is declared (Directive 2006/112/EC, art. 358a, 369a,
 * 369l). '' is the seller's own registration: it is established or registered in the state of consumption. An
 * unknown seller counts as one in the Union.
 */
export function schemeOf(book: RateBook, line: DeclaredLine, seller: Seller, customer: Customer): LineScheme {
  const state = memberStateOf(line.place_of_supply)
  const registrations = seller.registrations ?? []
  const country = seller.address === null ? null : memberStateOf(seller.address.country)
  if (!line.bears_tax) return ''
  if (country === state) return isBelowThreshold(book, line, country, customer) ? 'below_eu_threshold' : ''
  if (registrations.includes(state)) return ''
  if (country === null || isInUnion(book, country)) return 'oss_union'
  if (!isGoods(line.product_type)) return 'oss_non_union'
  return registrations.includes('ioss') ? 'ioss' : ''
}

/** Art. 59c: taxed at the seller, although the consumer of the goods or electronic services is elsewhere. */
function isBelowThreshold(
  book: RateBook,
  { product_type, fetched }: DeclaredLine,
  country: string,
  customer: Customer,
): boolean {
  const bought_in = memberStateOf(customer.address.country)
  const elsewhere = bought_in !== country && isInUnion(book, bought_in)
  const counts = isGoods(product_type) ? !fetched : supplyKind(product_type) === 'digital'
  return elsewhere && customer.vat_id === null && counts
}

function isGoods(product_type: string): boolean {
  const kind = supplyKind(product_type)
  return kind === 'goods' || kind === 'shipping'
}

function isInUnion(book: RateBook, country: string): boolean {
  return country === 'XI' || book.jurisdictions.get(country)?.region === 'EU'
}
