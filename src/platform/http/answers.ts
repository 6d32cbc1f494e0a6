import * as z from 'zod'
import { STATUS_OF_CODE } from '../errors.ts'
import { keysOf } from '../kit/keys-of.ts'

type DeepReadonly<T> = { readonly [Key in keyof T]: DeepReadonly<T[Key]> }

/**
 * The value that a handler returns for an answer of this schema: all but `queried_at`, which the route adds.
 */
export type Answer<Schema extends z.ZodType> = Omit<DeepReadonly<z.output<Schema>>, 'queried_at'>

export const Timestamp = z.iso.datetime()

/** Money in an answer. */
export const Amount = z.int().describe('In minor units of the currency')

export const DeletedAnswer = z.strictObject({
  id: z.string(),
  deleted: z.literal(true),
  queried_at: Timestamp,
})

export const ErrorCode = z.enum(keysOf(STATUS_OF_CODE))

/** One faulty field of the request. */
export const FieldError = z.strictObject({
  path: z.string().describe('The field, such as `line_items[0].amount`'),
  message: z.string(),
})

const FAULT = {
  error_code: ErrorCode,
  message: z.string().describe('A sentence for people'),
  reason: z.string().describe('A word for programs. Each operation lists its reasons'),
  errors: z.array(FieldError).optional(),
  doc_url: z.string().describe('What the reason means, and what to do: a path of this service'),
}

/** Why one item of a batch was refused. */
export const ItemError = z.strictObject(FAULT)

/** The body of every error. */
export const ErrorAnswer = z.strictObject({
  ...FAULT,
  request_id: z.string().describe('The same as X-Request-Id. Quote it if you ask for help'),
})

export const BatchSummary = z.strictObject({ total: z.int(), succeeded: z.int(), failed: z.int() })

/** The result of one item of a batch: `data` if it succeeded, else `error`. */
export function batchResult<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    index: z.int().describe('The position of the item in the request, from 0'),
    success: z.boolean(),
    data: item.optional(),
    error: ItemError.optional(),
  })
}

/**
 * The answer to a request with many items, each of which succeeds or fails alone. The results have the order
 * of the request.
 */
export function batchAnswer<Result extends z.ZodType>(result: Result) {
  return z.strictObject({ results: z.array(result), summary: BatchSummary, queried_at: Timestamp })
}
