import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { COLLECTED_FRESHNESS } from './freshness.ts'

export const CheckStatus = z.enum(['pass', 'warn', 'fail'])

/** Something that an operator must look at, if its value is above the threshold. */
export const AlarmRecord = z.strictObject({
  name: z.string(),
  status: z.enum(['pass', 'warn']),
  value: z.int().nullable().describe('Null: it could not be measured'),
  threshold: z.int().describe('A value above it is an alarm'),
  message: z.string().nullable().describe('What to look at; null: nothing'),
})
export type Alarm = z.output<typeof AlarmRecord>

export const HealthCheck = z.strictObject({
  name: z.string(),
  status: CheckStatus,
  message: z.string().optional(),
  shards: z
    .array(
      z.strictObject({
        shard: z.int(),
        status: CheckStatus,
        fill: z.number().nullable().describe('The used part of the database, from 0 to 1'),
      }),
    )
    .optional()
    .describe('Of `database`, if the books are divided over several databases'),
  alarms: z
    .array(AlarmRecord)
    .optional()
    .describe('Of `operations`: what an operator must know, measured every five minutes'),
})
export type Check = z.output<typeof HealthCheck>

export const HealthAnswer = z.strictObject({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  timestamp: Timestamp,
  environment: z.string(),
  version: z.string(),
  commit: z.string().nullable(),
  cached: z.boolean(),
  duration_ms: z.int(),
  checks: z.strictObject({
    database: HealthCheck,
    kv: HealthCheck,
    sync_freshness: HealthCheck,
    operations: HealthCheck.optional(),
  }),
  queried_at: Timestamp,
})
export type Health = z.output<typeof HealthAnswer>

/** A part that is not read from its first source, or not with its second one. */
export const Fallback = z.strictObject({
  part: z.string(),
  source: z.string().describe('The source that answered'),
  since: Timestamp,
  reason: z.string().describe('Why the other sources were not used'),
})

export const RegionStatus = z.strictObject({
  region: z.string(),
  status: z.enum(COLLECTED_FRESHNESS),
  last_sync_at: Timestamp.nullable(),
  last_successful_fetch: Timestamp.nullable(),
  consecutive_failures: z.int(),
  parse_failures: z.int(),
  last_error: z.string().nullable(),
  fallbacks: z.array(Fallback).describe('Sources that do not answer, and since when others stand in'),
  records_held: z
    .int()
    .describe('Changes that are not believed yet: they wait for a second source or a person'),
})

export const StatusAnswer = z.strictObject({
  status: z.enum([...COLLECTED_FRESHNESS, 'unhealthy']),
  message: z.string().optional(),
  checked_at: Timestamp,
  summary: z.strictObject({
    healthy: z.int(),
    degraded: z.int(),
    stale: z.int(),
    unknown: z.int(),
    total: z.int(),
  }),
  regions: z.array(RegionStatus).describe('The regions that a collector reads'),
  kept_by_hand: z
    .array(z.strictObject({ region: z.string(), reviewed_on: z.iso.date().nullable() }))
    .describe('The regions that no collector reads: people review their data'),
  queried_at: Timestamp,
})
export type Status = z.output<typeof StatusAnswer>
