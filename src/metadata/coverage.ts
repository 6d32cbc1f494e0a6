import type * as z from 'zod'
import { dayOf } from '../calendar.ts'
import type { Context } from '../context.ts'
import type { Answer } from '../http/answers.ts'
import { pageOf } from '../http/page.ts'
import { PRODUCT_TYPE_IDS } from '../tax/book/product-types.ts'
import { coverageOf, taxedPlaces } from '../tax/coverage.ts'
import { invariant } from '../tax/invariant.ts'
import { placeOfJurisdiction } from '../tax/place.ts'
import { requireTypeIfNamed } from '../product-codes/product-of-code.ts'
import { bookFor } from '../tax-data/book-for.ts'
import { findJurisdiction, requireOwnTax } from '../tax-data/find-jurisdiction.ts'
import type { CoverageAnswer, CoverageQuery } from './schemas.ts'

/**
 * What the data knows today of each product in each place, by place and product. Throws invalid_jurisdiction,
 * region_required.
 */
export async function listCoverage(
  context: Context,
  query: z.output<typeof CoverageQuery>,
): Promise<Answer<typeof CoverageAnswer>> {
  const book = await bookFor(context)
  const { jurisdiction, limit = 100, offset = 0 } = query
  const product_type = await requireTypeIfNamed(query.product_type)
  const day = dayOf(context.now)
  const places =
    jurisdiction === undefined
      ? taxedPlaces(book)
      : [requireOwnTax(book, findJurisdiction(book, jurisdiction, 'jurisdiction'), 'jurisdiction')].map(
          ({ id }) => invariant(placeOfJurisdiction(book, id), `${id} exists`),
        )
  const products = product_type === undefined ? PRODUCT_TYPE_IDS : [product_type]
  const cells = places.flatMap((place) => products.map((product) => ({ place, product })))
  return {
    coverage: cells
      .slice(offset, offset + limit)
      .map(({ place, product }) => coverageOf(book, place, product, day)),
    ...pageOf(cells.length, limit, offset),
    data_version: book.version,
  }
}
