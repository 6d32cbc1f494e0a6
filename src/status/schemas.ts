import * as z from 'zod'
import { Timestamp } from '../http/answers.ts'
import { FRESHNESS } from './freshness.ts'

export const HealthCheck = z.strictObject({
  name: z.string(),
  status: z.enum(['pass', 'warn', 'fail']),
  message: z.string().optional(),
})
export type Check = z.output<typeof HealthCheck>

export const HealthAnswer = z.strictObject({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  timestamp: Timestamp,
  environment: z.string(),
  cached: z.boolean(),
  duration_ms: z.int(),
  checks: z.strictObject({ database: HealthCheck, kv: HealthCheck, sync_freshness: HealthCheck }),
  queried_at: Timestamp,
})
export type Health = z.output<typeof HealthAnswer>

export const RegionStatus = z.strictObject({
  region: z.string(),
  status: z.enum(FRESHNESS),
  last_sync_at: Timestamp.nullable(),
  last_successful_fetch: Timestamp.nullable(),
  consecutive_failures: z.int(),
  parse_failures: z.int(),
  last_error: z.string().nullable(),
})

export const StatusAnswer = z.strictObject({
  status: z.enum([...FRESHNESS, 'unhealthy']),
  message: z.string().optional(),
  checked_at: Timestamp,
  summary: z.strictObject({
    healthy: z.int(),
    degraded: z.int(),
    stale: z.int(),
    unknown: z.int(),
    total: z.int(),
  }),
  regions: z.array(RegionStatus),
  queried_at: Timestamp,
})
export type Status = z.output<typeof StatusAnswer>
