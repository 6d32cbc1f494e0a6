import * as z from 'zod'

const ItemError = z.strictObject({
  error_code: z.string(),
  message: z.string(),
  reason: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
})

/**
 * The answer to a request of many items that stand or fall alone: one result each, in the order of the
 * request.
 */
export function batchAnswer<Shape extends z.ZodRawShape>(item: Shape) {
  return z.strictObject({
    results: z.array(
      z.strictObject({
        index: z.int(),
        success: z.boolean(),
        data: z.strictObject(item).optional(),
        error: ItemError.optional(),
      }),
    ),
    summary: z.strictObject({ total: z.int(), succeeded: z.int(), failed: z.int() }),
    queried_at: z.iso.datetime(),
  })
}
