import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { JurisdictionId, text } from '../../platform/http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import {
  JurisdictionType,
  LawRegion,
  ProductTypeId,
  ProductTypeOrCode,
} from '../../platform/http/tax-enums.ts'
import { CERTAINTIES, CODE_SYSTEMS } from '../product-codes/certainties.ts'
import { CONFIDENCES } from '../../engine/book/facts.ts'
import { COVERAGE_STATUSES } from '../../engine/answer/coverage.ts'
import { COLLECTED_IDS, REGION_IDS } from '../../platform/regions.ts'
import { FRESHNESS } from '../status/freshness.ts'
import { RUN_OUTCOMES } from '../../platform/database/values/run-outcomes.ts'
import { Meta, PROVENANCE, Rate, Threshold } from '../records/schemas.ts'

export const JurisdictionsQuery = z.strictObject({
  region: LawRegion.optional().describe('Only those of a region'),
  type: JurisdictionType.optional().describe('Only those of a type'),
  parent_id: JurisdictionId.optional().describe('Only the parts of this jurisdiction'),
  ...pageFields(500, 100),
})

export const CoverageQuery = z.strictObject({
  jurisdiction: JurisdictionId.optional().describe('Only this place'),
  product_type: ProductTypeOrCode.optional().describe('Only this product'),
  ...pageFields(500, 100),
})

export const CodeSystem = z.enum(CODE_SYSTEMS)

export const ProductCodesQuery = z.strictObject({
  system: CodeSystem.optional().describe('Only the codes of one service'),
  code: z.string().min(1).max(50).optional().describe('Only this code. The list is empty if we have none'),
  ...pageFields(1_000, 500),
})

/** A code of another service, and what it means here. */
export const ProductCode = z.strictObject({
  system: CodeSystem,
  code: z.string(),
  product_type: ProductTypeId.nullable().describe('Null if `certainty` is `not_taxable` or `none`'),
  certainty: z
    .enum(CERTAINTIES)
    .describe(
      '`exact`: the same supply. `near`: the edges differ. `broader`: only close: the line is uncertain. ' +
        '`not_taxable`: no tax is due. `none`: no type is right in all places, so the line is taxed in full',
    ),
  suggest: ProductTypeId.nullable().describe('The type that may be meant by a code without one'),
  note: z.string().nullable().describe('Where law or meaning differ'),
})

export const ProductCodesAnswer = z.strictObject({
  product_codes: z.array(ProductCode),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

/** What the data knows of a product in a place. */
export const ProductCoverage = z.strictObject({
  jurisdiction_id: z.string(),
  product_type: ProductTypeId,
  status: z
    .enum(COVERAGE_STATUSES)
    .describe(
      '`default`: no rule is in the data, so the standard rate is used; `uncertain`: its ' +
        'confidence is low; ' +
        '`not_covered`: the service computes no tax on it there',
    ),
  from: z.iso.date().nullable().describe('The first day that a rule is in the data for'),
  confidence: z
    .enum(CONFIDENCES)
    .nullable()
    .describe('Null beside `default`: the rule of a broader product says nothing of this one'),
  last_verified_at: Timestamp.nullable(),
})

export const CoverageAnswer = z.strictObject({
  coverage: z.array(ProductCoverage),
  ...PAGE_ANSWER,
  data_version: z.string(),
  queried_at: Timestamp,
})

const JURISDICTION = {
  id: z.string(),
  name: z.string(),
  type: JurisdictionType,
  parent_id: z.string().nullable(),
  region: LawRegion,
  currency: z.string(),
  tax_system: z.string(),
  special_territory: z.boolean(),
  in_eu_vat_area: z.boolean().nullable(),
  vat_treatment: z.string().nullable(),
  ...PROVENANCE,
}

export const Jurisdiction = z.strictObject(JURISDICTION)

export const JurisdictionsAnswer = z.strictObject({
  jurisdictions: z.array(Jurisdiction),
  ...PAGE_ANSWER,
  data_version: z.string(),
  queried_at: Timestamp,
})

export const JurisdictionAnswer = z.strictObject({
  ...JURISDICTION,
  parent: Jurisdiction.nullable(),
  rates: z.array(Rate),
  thresholds: z.array(Threshold),
  meta: Meta,
  queried_at: Timestamp,
})

export const RateHistoryQuery = z.strictObject(pageFields(500, 100))

export const RateHistoryAnswer = z.strictObject({
  jurisdiction_id: z.string(),
  rates: z.array(Rate).describe('Past and announced rates too, the latest first'),
  ...PAGE_ANSWER,
  data_version: z.string(),
  queried_at: Timestamp,
})

/** Which publication answered for a part of the data, and why others were not used. */
export const SourceOfPart = z.strictObject({
  part: z.string(),
  source: z.string().nullable(),
  fallback: z.boolean().describe('Whether it is not the first source of the part'),
  others: z.array(z.strictObject({ source: z.string(), error: z.string() })),
})

/** A document that a collector read. */
export const SourceDocument = z.strictObject({ url: z.string(), bytes: z.int(), sha256: z.string() })

export const CollectorRun = z.strictObject({
  id: z.string(),
  started_at: Timestamp,
  duration_ms: z.int(),
  outcome: z.enum(RUN_OUTCOMES),
  records_seen: z.int(),
  records_confirmed: z.int(),
  records_changed: z.int(),
  records_added: z.int(),
  records_held: z.int().describe('Changes that wait for a second source or for a person'),
  sources: z.array(SourceOfPart),
  documents: z.array(SourceDocument),
  error: z.string().nullable(),
})

export const RegionId = z.enum(REGION_IDS)
export const CollectedRegionId = z.enum(COLLECTED_IDS)

export const Freshness = z.enum(FRESHNESS)

export const SyncedRegion = z.strictObject({
  region: RegionId,
  data: z.string(),
  status: Freshness,
  note: z
    .string()
    .nullable()
    .describe('Says so if no source is collected, and when a person reviewed the data'),
  records: z
    .int()
    .describe('Records in force, or days with exchange rates: those of the release until a run reads others'),
  newest_record: z.iso
    .date()
    .nullable()
    .describe(
      'The last day on which one was verified, or the last day of exchange rates; null: there is none',
    ),
  cadence_days: z.int().nullable(),
  freshness_window_days: z.int().nullable(),
  last_sync_at: Timestamp.nullable(),
  last_successful_fetch: Timestamp.nullable(),
  consecutive_failures: z.int(),
  next_run_at: Timestamp.nullable(),
  last_run: CollectorRun.nullable(),
})

export const SyncStatusAnswer = z.strictObject({
  regions: z.array(SyncedRegion),
  total: z.int(),
  data_version: z.string(),
  queried_at: Timestamp,
})

export const SyncRequest = z.strictObject({ region: CollectedRegionId.describe('The region to synchronise') })

export const SyncAnswer = z.strictObject({
  region: CollectedRegionId,
  status: z.literal('queued'),
  queried_at: Timestamp,
})

/** A line for the head, and one for each record, with the `kind` of each. */
export const SnapshotLines = z.string()

const Facts = z.array(z.record(z.string(), z.unknown()))

export const SnapshotAnswer = z.strictObject({
  version: z.string(),
  generated_at: Timestamp,
  checksum: z.string().describe('SHA-256 of the JSON of the data'),
  jurisdictions: Facts,
  rates: Facts,
  thresholds: Facts,
  product_rules: Facts,
  postal_rules: Facts,
  consignment_limits: Facts,
  delivery_fees: Facts,
  exchange_rates: Facts.describe('Indicative: to compare an amount with a limit in another currency'),
  countries: Facts.describe(
    'Countries of which only digital services of sellers abroad are covered, and those that are left out',
  ),
  local_states: Facts.optional().describe('How the state that `local` names levies local taxes'),
  local_jurisdictions: Facts.optional().describe('Its counties, cities and districts with their rates'),
  local_zips: Facts.optional().describe(
    'The counties of its ZIPs, and the taxes that apply together in them',
  ),
  local_boundaries: Facts.optional().describe(
    'The editions of its boundary file, the newest first: the combinations of taxes in each ZIP',
  ),
  queried_at: Timestamp,
})

export const SnapshotQuery = z.strictObject({
  local: text(40)
    .optional()
    .describe('A state of the United States, such as `US-CA`, whose local taxes are added'),
})
