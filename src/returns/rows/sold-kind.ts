import * as z from 'zod'
import { PRODUCT_TYPES } from '../../engine/book/product-types.ts'

/** Goods come with their shipping; everything else is a service. */
export const SoldKind = z.enum(['goods', 'services'])
export type SoldKind = z.output<typeof SoldKind>

/** Whether a type of product is declared as goods or as a service. */
export function soldKindOf(product_type: string): SoldKind {
  const kind = PRODUCT_TYPES.find((product) => product.id === product_type)?.kind
  return kind === 'goods' || kind === 'shipping' ? 'goods' : 'services'
}

/** The product types that are declared as one kind. */
export function productTypesSoldAs(kind: SoldKind): string[] {
  return PRODUCT_TYPES.map((product) => product.id).filter((id) => soldKindOf(id) === kind)
}
