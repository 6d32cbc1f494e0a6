import type * as z from 'zod'

/**
 * Checks a body and returns it as its schema reads it. A promise: zod, the schema and the words for faults
 * have to be imported first. Throws invalid_request.
 */
export type CheckBody<Checked> = (value: unknown) => Checked | Promise<Checked>

let validation: typeof import('./validate.ts') | null = null

/** Checks a body by its schema. */
export function checkBySchema<Checked>(
  schema: z.ZodType<Checked>,
  value: unknown,
): Checked | Promise<Checked> {
  return validation === null ? checkLater(schema, value) : validation.validate(schema, value)
}

async function checkLater<Checked>(schema: z.ZodType<Checked>, value: unknown): Promise<Checked> {
  validation = await import('./validate.ts')
  return validation.validate(schema, value)
}

/**
 * Checks a body by a check that the build made from its schema (scripts/quick-checks/). If that is not sure,
 * the schema decides, and says what is wrong. So a start evaluates neither zod nor the schema.
 */
export function checkQuickly<Checked extends object>(
  quick: (value: unknown) => Checked | undefined,
  schema: () => Promise<z.ZodType<Checked>>,
): CheckBody<Checked> {
  return (value) => quick(value) ?? schema().then((found) => checkBySchema(found, value))
}
