import { z } from 'zod'
import { Meta, ThresholdAnswer } from '../calculation/answers.ts'
import { type Route, route } from '../http/route.ts'
import { showNexus } from './nexus.ts'

const Exposure = z.strictObject({
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  status: z.enum(['below', 'approaching', 'exceeded']),
  registered: z.boolean(),
  threshold: ThresholdAnswer,
  progress: z.strictObject({ amount: z.int(), currency: z.string(), transaction_count: z.int(), ratio: z.number() }),
  measured_from: z.iso.date(),
  measured_to: z.iso.date(),
  exceeded_on: z.iso.date().nullable(),
  notes: z.array(z.string()),
})

export const nexusRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/v1/nexus',
    scope: 'reports:read',
    tag: 'Reports',
    summary: 'How close recorded sales are to every threshold, the closest first',
    description: "By each threshold's own measurement period, basis and combination. `approaching` from 85 %, `exceeded` with the day.",
    errors: ['amount_out_of_range'],
    answer: z.strictObject({
      as_of: z.iso.date(),
      jurisdictions: z.array(Exposure),
      total: z.int(),
      meta: Meta,
      queried_at: z.iso.datetime(),
    }),
    handle: (context) => showNexus(context),
  }),
]
