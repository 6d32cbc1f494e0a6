import * as z from 'zod'
import { Timestamp } from '../http/answers.ts'

/** Where the records of an answer come from and how old they are (specification, section 2.8). */
export const Meta = z.strictObject({
  source: z.string().nullable().describe('`multiple` if there is more than one'),
  source_url: z.string().nullable(),
  last_verified_at: Timestamp.nullable().describe('Of the record that was verified longest ago'),
  data_freshness: z.enum(['fresh', 'stale']),
  data_version: z.string(),
})
export type Meta = z.output<typeof Meta>
