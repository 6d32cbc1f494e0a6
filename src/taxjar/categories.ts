import type * as z from 'zod'
import { PRODUCT_TYPES } from '../tax/book/product-types.ts'
import type { CategoriesAnswer } from './answers.ts'
import type { TaxJarReply } from './reply.ts'
import { TAX_CODES } from './tax-codes.ts'

const DESCRIPTIONS = new Map<string, string>(PRODUCT_TYPES.map(({ id, description }) => [id, description]))

const CATEGORIES = TAX_CODES.map(({ code, name, product_type }) => ({
  name,
  product_tax_code: code,
  description: DESCRIPTIONS.get(product_type) ?? '',
}))

/** `GET /v2/categories`: the tax codes that have a product type here. */
export function listCategories(): TaxJarReply<z.input<typeof CategoriesAnswer>> {
  return { body: { categories: CATEGORIES } }
}
