import { type CalculateRequest, PEER_CODE, PRODUCT_TYPE_IDS } from '../schema.ts'

/** A type of ours, or a code of Stripe, TaxJar or Avalara. */
export type ProductTypeOrCode = CalculateRequest['line_items'][number]['product_type']

/** Whether a text has the form of a product type or of a code, e.g. one from a database. */
export function isProductType(text: string): text is ProductTypeOrCode {
  return PRODUCT_TYPE_IDS.includes(text) || PEER_CODE.test(text)
}

/** No code of a product has a type, and the merchant chose no other one. */
export class UnknownProductError extends Error {
  override readonly name = 'UnknownProductError'
  readonly codes: readonly string[]

  constructor(codes: readonly string[]) {
    const named = codes.length === 0 ? 'A product without a code' : `The product ${codes.join(', ')}`
    super(`${named} has no product type: give it one, or choose a type for all other products`)
    this.codes = codes
  }
}

/**
 * Finds the product type by the codes of a shop: SKUs, categories, tax classes. The first code that `types`
 * lists decides, so name the narrowest first. `others` is what the merchant chose for all other products:
 * a type, or `refuse`, which throws an UnknownProductError. Throws a TypeError for a value that is no type.
 */
export function productTypes(
  types: Readonly<Record<string, ProductTypeOrCode>>,
  others: ProductTypeOrCode | 'refuse',
): (...codes: readonly (string | null | undefined)[]) => ProductTypeOrCode {
  const known = new Map(Object.entries(types))
  const chosen = others === 'refuse' ? [] : [['all others', others] as const]
  const entries: readonly (readonly [string, string])[] = [...known, ...chosen]
  for (const [code, type] of entries)
    if (!isProductType(type))
      throw new TypeError(`productTypes: ${type}, of ${code}, is not a product type: see docs/product-types`)
  return (...codes) => {
    const named = codes.flatMap((code) => code || [])
    const code = named.find((each) => known.has(each))
    const type = code === undefined ? undefined : known.get(code)
    if (type !== undefined) return type
    if (others === 'refuse') throw new UnknownProductError(named)
    return others
  }
}
