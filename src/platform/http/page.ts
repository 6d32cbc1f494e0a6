import * as z from 'zod'
import { text } from './fields.ts'

/** `limit` and `offset` of a query: whole numbers only. */
export function pageFields(limit_max: number, limit_default = 50) {
  return {
    limit: limitField(limit_max, limit_default),
    offset: wholeNumber(0, 1_000_000, 0).optional().describe('How many rows to skip before the page'),
  }
}

/** `limit` alone, for a list that has no offset. */
export function limitField(limit_max: number, limit_default = 50) {
  return wholeNumber(1, limit_max, limit_default).optional().describe('The most rows in one answer')
}

/** `cursor` of a query: the `next_cursor` of the page before. */
export function cursorField(pattern: RegExp) {
  return text(100)
    .regex(pattern, 'must be a next_cursor of this list')
    .optional()
    .describe('`next_cursor` of the previous page: the list continues after it')
}

/** The schema of the fields that `pageOf` returns. */
export const PAGE_ANSWER = { total: z.int(), limit: z.int(), offset: z.int(), has_more: z.boolean() }

/** The fields of a list that is paged by offset. `total` counts all its rows. */
export function pageOf(
  total: number,
  limit: number,
  offset: number,
): { total: number; limit: number; offset: number; has_more: boolean } {
  return { total, limit, offset, has_more: offset + limit < total }
}

/** The schema of the fields that `cursorPage` adds to its rows. */
export const CURSOR_ANSWER = { limit: z.int(), has_more: z.boolean(), next_cursor: z.string().nullable() }

/** A page of a list by cursor. `found` has one row more than the page if there is a next page. */
export function cursorPage<Row>(found: readonly Row[], limit: number, cursorOf: (row: Row) => string) {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const has_more = found.length > limit
  return { rows, limit, has_more, next_cursor: has_more && last !== undefined ? cursorOf(last) : null }
}

function wholeNumber(min: number, max: number, fallback: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= min && number <= max, `must be ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback })
}
