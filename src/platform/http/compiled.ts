import * as z from 'zod'
import { compileFn } from 'zod/v4/core'

/**
 * A schema that validates with generated code: five to ten times faster. Call it at module scope, the one
 * place where workerd allows it; elsewhere the schema stays as it is. `z.compile` generates the code a second
 * time, for a method that nothing here calls: 5 ms of the 60 of a start in Node.
 */
export function compiled<Schema extends z.ZodType>(schema: Schema): Schema {
  try {
    return z.withParser(schema, compileFn(schema))
  } catch {
    return schema
  }
}
