import { callApi } from '../api.js'

/**
 * @import { z } from 'zod'
 * @import { ReviewsAnswer } from '../../../src/reviews/schemas.ts'
 * @typedef {z.output<typeof ReviewsAnswer>} Reviews
 */

const PAGE = 100
const PAGES_MAX = 5

/**
 * The reviews that wait, at most 500 of them, with the facts to confirm.
 * @returns {Promise<{ reviews: Reviews['reviews'], total: number, first: Reviews }>}
 */
export async function readReviews() {
  const first = await readPage(0)
  const reviews = [...first.reviews]
  for (let page = 1; page < PAGES_MAX && reviews.length < first.total; page += 1)
    reviews.push(...(await readPage(page * PAGE)).reviews)
  return { reviews, total: first.total, first }
}

/**
 * @param {number} offset
 * @returns {Promise<Reviews>}
 */
function readPage(offset) {
  return callApi('GET', '/v1/metadata/reviews', { query: { limit: String(PAGE), offset: String(offset) } })
}
