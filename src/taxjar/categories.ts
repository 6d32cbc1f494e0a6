import type { Answer } from '../http/answers.ts'
import { PRODUCT_TYPES } from '../tax/book/product-types.ts'
import type { CategoriesAnswer } from './answers.ts'
import { TAX_CODES } from './tax-codes.ts'

const DESCRIPTIONS = new Map<string, string>(PRODUCT_TYPES.map(({ id, description }) => [id, description]))

const CATEGORIES = TAX_CODES.map(({ code, name, product_type }) => ({
  name,
  product_tax_code: code,
  description: DESCRIPTIONS.get(product_type) ?? '',
}))

/** `GET /v2/categories`: the tax codes that have a product type here. */
export function listCategories(): Answer<typeof CategoriesAnswer> {
  return { categories: CATEGORIES }
}
