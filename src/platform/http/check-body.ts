import type * as z from 'zod'
import { late } from '../kit/late.ts'

/**
 * Checks a body and returns it as its schema reads it. A promise: zod, the schema and the words for faults
 * have to be imported first. Throws invalid_request.
 */
export type CheckBody<Checked> = (value: unknown) => Checked | Promise<Checked>

/** What validates by schemas. */
export const validation = late(() => import('./validate.ts'))

/** Checks a body by its schema. */
export function checkBySchema<Checked>(
  schema: z.ZodType<Checked>,
  value: unknown,
): Checked | Promise<Checked> {
  const held = validation.held()
  return held === null ? checkLater(schema, value) : held.validate(schema, value)
}

async function checkLater<Checked>(schema: z.ZodType<Checked>, value: unknown): Promise<Checked> {
  return (await validation.load()).validate(schema, value)
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
