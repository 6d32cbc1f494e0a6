import * as z from 'zod'
import { Timestamp } from '../http/answers.ts'
import { Meta, Threshold, ThresholdProgress } from '../tax-data/schemas.ts'

export const NexusStatus = z.enum(['below', 'approaching', 'exceeded'])

/** What the sales of the running period will oblige to, if the threshold does not look at them yet. */
export const NextPeriod = z.strictObject({
  status: NexusStatus,
  progress: ThresholdProgress,
  measured_from: z.iso.date(),
  measured_to: z.iso.date(),
  obliges_from: z.iso.date().describe('The day from which a seller over the threshold has to collect'),
})

/** How close the recorded sales into a jurisdiction are to its threshold. */
export const NexusExposure = z.strictObject({
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  status: NexusStatus,
  registered: z.boolean(),
  threshold: Threshold,
  progress: ThresholdProgress,
  measured_from: z.iso.date(),
  measured_to: z.iso.date(),
  exceeded_on: z.iso.date().nullable(),
  next_period: NextPeriod.nullable().describe(
    'For a threshold on the year before: the sales of the running year, which oblige only later',
  ),
  notes: z.array(z.string()),
})

export const NexusAnswer = z.strictObject({
  as_of: z.iso.date(),
  jurisdictions: z.array(NexusExposure),
  total: z.int(),
  meta: Meta,
  queried_at: Timestamp,
})
