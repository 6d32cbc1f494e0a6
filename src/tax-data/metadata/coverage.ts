import type * as z from 'zod'
import { dayOf } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import { PRODUCT_TYPE_IDS } from '../../engine/book/product-types.ts'
import { coverageOf, taxedPlaces } from '../../engine/answer/coverage.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { placeOfJurisdiction } from '../../engine/supply/place.ts'
import { requireTypeIfNamed } from '../product-codes/product-of-code.ts'
import { bookFor } from '../records/book-for.ts'
import { findJurisdiction, requireOwnTax } from '../records/find-jurisdiction.ts'
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
