import codes from '../../data/product-codes.json' with { type: 'json' }
import { PRODUCT_TYPE_IDS, type ProductTypeName } from '../tax/book/product-types.ts'
import { invariant } from '../tax/invariant.ts'

/** Codes of Stripe, TaxJar and Avalara with our product type, from data/product-codes.json. */
export const PRODUCT_CODES: ReadonlyMap<string, ProductTypeName> = new Map(
  codes.map(({ code, product_type }) => [code, named(product_type)]),
)

const OWN: ReadonlyMap<string, ProductTypeName> = new Map(PRODUCT_TYPE_IDS.map((id) => [id, id]))

/** Our product type for an id of ours or a code of theirs. */
export function productTypeOf(code: string): ProductTypeName {
  return invariant(OWN.get(code) ?? PRODUCT_CODES.get(code) ?? null, `${code} is a product type or code`)
}

function named(product_type: string): ProductTypeName {
  const id = PRODUCT_TYPE_IDS.find((each) => each === product_type) ?? null
  return invariant(id, `${product_type} of data/product-codes.json is a product type`)
}
