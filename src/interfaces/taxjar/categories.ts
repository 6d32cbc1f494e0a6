import type { Answer } from '../../platform/http/answers.ts'
import { loadCodes } from '../../tax-data/product-codes/held-list.ts'
import { PRODUCT_DESCRIPTIONS } from '../../engine/book/product-descriptions.ts'
import { PRODUCT_TYPES } from '../../engine/book/product-types.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import type { CategoriesAnswer } from './answers.ts'

/** `GET /v2/categories`: the tax codes of TaxJar that have a product type here, with its name. */
export async function listCategories(): Promise<Answer<typeof CategoriesAnswer>> {
  const { CODES } = await loadCodes()
  const categories = [...CODES.values()].flatMap(({ system, code, product_type }) => {
    if (system !== 'taxjar' || product_type === null) return []
    const type = invariant(
      PRODUCT_TYPES.find(({ id }) => id === product_type),
      `${product_type} is a type`,
    )
    return [{ name: type.name, product_tax_code: code, description: PRODUCT_DESCRIPTIONS[type.id] }]
  })
  return { categories }
}
