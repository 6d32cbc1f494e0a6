import * as z from 'zod'
import { Meta, RatesAnswer, ThresholdAnswer } from '../calculation/answers.ts'
import { JurisdictionId } from '../http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../http/page.ts'

const queried_at = z.iso.datetime()

export const JurisdictionsQuery = z.strictObject({
  region: z.enum(['EU', 'UK', 'US', 'CA', 'AU']).optional(),
  type: z.enum(['country', 'state', 'province', 'territory', 'district']).optional(),
  parent_id: JurisdictionId.optional(),
  ...pageFields(500),
})

const JURISDICTION = {
  id: z.string(),
  name: z.string(),
  type: z.string(),
  parent_id: z.string().nullable(),
  region: z.string(),
  currency: z.string(),
  tax_system: z.string(),
  special_territory: z.boolean(),
  in_eu_vat_area: z.boolean().nullable(),
  vat_treatment: z.string().nullable(),
  source: z.string(),
  source_url: z.string(),
  last_verified_at: z.iso.datetime().nullable(),
}

export const JurisdictionsAnswer = z.strictObject({
  jurisdictions: z.array(z.strictObject(JURISDICTION)),
  ...PAGE_ANSWER,
  data_version: z.string(),
  queried_at,
})

export const JurisdictionAnswer = z.strictObject({
  ...JURISDICTION,
  parent: z.strictObject(JURISDICTION).nullable(),
  rates: RatesAnswer.shape.rates,
  thresholds: z.array(ThresholdAnswer),
  meta: Meta,
  queried_at,
})

const Run = z.strictObject({
  id: z.string(),
  started_at: z.iso.datetime(),
  duration_ms: z.int(),
  outcome: z.enum(['applied', 'confirmed', 'quarantined', 'failed']),
  records_seen: z.int(),
  records_confirmed: z.int(),
  records_changed: z.int(),
  records_added: z.int(),
  documents: z.array(z.strictObject({ url: z.string(), bytes: z.int(), sha256: z.string() })),
  error: z.string().nullable(),
})

export const SyncStatusAnswer = z.strictObject({
  regions: z.array(
    z.strictObject({
      region: z.string(),
      data: z.string(),
      status: z.enum(['healthy', 'degraded', 'stale', 'unknown']),
      cadence_days: z.int(),
      freshness_window_days: z.int(),
      last_sync_at: z.iso.datetime().nullable(),
      last_successful_fetch: z.iso.datetime().nullable(),
      consecutive_failures: z.int(),
      next_run_at: z.iso.datetime().nullable(),
      last_run: Run.nullable(),
    }),
  ),
  total: z.int(),
  data_version: z.string(),
  queried_at,
})

export const SyncRequest = z.strictObject({
  region: z.enum(['EU', 'UK', 'US', 'US-TAX', 'CA', 'AU', 'TAXABILITY']),
})
export const SyncAnswer = z.strictObject({ region: z.string(), status: z.literal('queued'), queried_at })

const record = z.record(z.string(), z.unknown())

export const SnapshotAnswer = z.strictObject({
  version: z.string(),
  generated_at: z.iso.datetime(),
  checksum: z.string(),
  jurisdictions: z.array(record),
  rates: z.array(record),
  thresholds: z.array(record),
  product_rules: z.array(record),
  postal_rules: z.array(record),
  consignment_limits: z.array(record),
  queried_at,
})
