import type { Seller } from '../tax/sale.ts'
import { supplyKind } from '../tax/product-types.ts'
import type { RateBook } from '../tax/rate-book.ts'
import type { Scheme } from './rows.ts'

/**
 * Under which one-stop shop the tax of a line is declared (Directive 2006/112/EC, art. 358a, 369a, 369l). '' for the seller's own registration:
 * where it is established or registered in the state of consumption. Sellers of whom nothing is known are taken to be in the Union.
 */
export function schemeOf(
  book: RateBook,
  line: { place_of_supply: string; product_type: string; tax_amount: number },
  seller: Seller,
): Scheme {
  const state = line.place_of_supply.slice(0, 2)
  const registrations = seller.registrations ?? []
  const country = seller.address?.country ?? null
  if (line.tax_amount === 0 || !isInUnion(book, state) || country === state || registrations.includes(state)) return ''
  const goods = supplyKind(line.product_type) === 'goods' || supplyKind(line.product_type) === 'shipping'
  const outside = country !== null && !isInUnion(book, country)
  if (!outside)
    return goods && registrations.includes('ioss') && !registrations.includes('oss_union') && country === null ? 'ioss' : 'oss_union'
  if (goods) return registrations.includes('ioss') ? 'ioss' : ''
  return 'oss_non_union'
}

function isInUnion(book: RateBook, country: string): boolean {
  return country === 'XI' || book.jurisdictions.get(country)?.region === 'EU'
}
