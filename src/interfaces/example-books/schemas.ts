import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'

/** How many rows of each kind were added or removed. */
const COUNTS = { transactions: z.int(), refunds: z.int(), customers: z.int(), registrations: z.int() }

export const ExampleBooksAdded = z.strictObject({
  ...COUNTS,
  already_there: z.boolean().describe('Whether the example books were there before'),
  queried_at: Timestamp,
})

export const ExampleBooksRemoved = z.strictObject({
  ...COUNTS,
  kept_registrations: z.array(z.string()).describe('Those on which filed returns rest'),
  queried_at: Timestamp,
})
