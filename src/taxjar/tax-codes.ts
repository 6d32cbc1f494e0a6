import codes from '../../data/product-codes.json' with { type: 'json' }
import { productTypeOf } from '../http/product-codes.ts'
import type { ProductTypeName } from '../tax/book/product-types.ts'

/** The tax codes of TaxJar that have a product type here, from data/product-codes.json. */
export const TAX_CODES = codes.filter(({ system }) => system === 'taxjar')

const TYPES: ReadonlyMap<string, ProductTypeName> = new Map(
  TAX_CODES.map(({ code }) => [code, productTypeOf(code)]),
)

/** Our product type for a tax code. Null: the code is unknown. Such products are taxed in full. */
export function typeOfTaxCode(code: string | null | undefined): ProductTypeName | null {
  return code ? (TYPES.get(code) ?? null) : 'physical_goods'
}
