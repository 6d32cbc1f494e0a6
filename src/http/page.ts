import * as z from 'zod'

/** `limit` and `offset` of a query: whole numbers and nothing else. */
export function pageFields(limit_max: number) {
  return {
    limit: wholeNumber(1, limit_max).optional(),
    offset: wholeNumber(0, 1_000_000).optional(),
  }
}

/** The schema of what `pageOf` gives. */
export const PAGE_ANSWER = { total: z.int(), limit: z.int(), offset: z.int(), has_more: z.boolean() }

/** What every list carries beside its rows. */
export function pageOf(
  total: number,
  limit: number,
  offset: number,
): { total: number; limit: number; offset: number; has_more: boolean } {
  return { total, limit, offset, has_more: offset + limit < total }
}

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= min && number <= max, `must be ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max })
}
