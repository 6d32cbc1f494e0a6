import type { z } from 'zod'
import type { ReviewsAnswer } from '../../src/reviews/schemas.ts'
import { readAll } from '../parts/pages.ts'
import { saysWords } from './subject-words.ts'

export type Reviews = z.output<typeof ReviewsAnswer>

const PAGES_MAX = 5

/** The reviews that wait, at most 500 of them, with what the first page says beside them. */
export async function readReviews(): Promise<Reviews> {
  const rowsOf = ({ reviews }: Reviews) => reviews
  const { first, rows } = await readAll('/v1/metadata/reviews', {}, rowsOf, PAGES_MAX)
  return { ...first, reviews: rows }
}

type Review = Reviews['reviews'][number]

/** What a review would replace. */
export function inForce({ kind, stands }: Review): string {
  return stands === null ? 'Nothing' : saysWords({ kind }, stands.says)
}

/** What a collector read, which it may not have understood. */
export function found({ kind, proposed }: Review): string {
  return proposed === null ? 'See the excerpt' : saysWords({ kind }, proposed.says)
}
