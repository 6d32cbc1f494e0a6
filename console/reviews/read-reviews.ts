import type { z } from 'zod'
import type { ReviewsAnswer } from '../../src/reviews/schemas.ts'
import { callApi } from '../api.ts'

export type Reviews = z.output<typeof ReviewsAnswer>

const PAGE = 100
const PAGES_MAX = 5

/** The reviews that wait, at most 500 of them, with what the first page says beside them. */
export async function readReviews(): Promise<Reviews> {
  const first = await readPage(0)
  const reviews = [...first.reviews]
  for (let page = 1; page < PAGES_MAX && reviews.length < first.total; page += 1)
    reviews.push(...(await readPage(page * PAGE)).reviews)
  return { ...first, reviews }
}

function readPage(offset: number): Promise<Reviews> {
  return callApi('GET', '/v1/metadata/reviews', { query: { limit: String(PAGE), offset: String(offset) } })
}
