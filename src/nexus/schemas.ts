import * as z from 'zod'
import { Meta, ThresholdAnswer } from '../calculation/answers.ts'

const Exposure = z.strictObject({
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  status: z.enum(['below', 'approaching', 'exceeded']),
  registered: z.boolean(),
  threshold: ThresholdAnswer,
  progress: z.strictObject({
    amount: z.int(),
    currency: z.string(),
    transaction_count: z.int(),
    ratio: z.number(),
  }),
  measured_from: z.iso.date(),
  measured_to: z.iso.date(),
  exceeded_on: z.iso.date().nullable(),
  notes: z.array(z.string()),
})

export const NexusAnswer = z.strictObject({
  as_of: z.iso.date(),
  jurisdictions: z.array(Exposure),
  total: z.int(),
  meta: Meta,
  queried_at: z.iso.datetime(),
})
