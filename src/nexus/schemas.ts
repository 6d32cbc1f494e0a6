import * as z from 'zod'
import { Timestamp } from '../http/answers.ts'
import { Meta, Threshold, ThresholdProgress } from '../tax-data/schemas.ts'

/** How close the recorded sales into a jurisdiction are to its threshold. */
export const NexusExposure = z.strictObject({
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  status: z.enum(['below', 'approaching', 'exceeded']),
  registered: z.boolean(),
  threshold: Threshold,
  progress: ThresholdProgress,
  measured_from: z.iso.date(),
  measured_to: z.iso.date(),
  exceeded_on: z.iso.date().nullable(),
  notes: z.array(z.string()),
})

export const NexusAnswer = z.strictObject({
  as_of: z.iso.date(),
  jurisdictions: z.array(NexusExposure),
  total: z.int(),
  meta: Meta,
  queried_at: Timestamp,
})
