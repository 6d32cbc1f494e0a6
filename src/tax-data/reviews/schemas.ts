import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { text } from '../../platform/http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import { COLLECTED_IDS } from '../../platform/regions.ts'
import { REVIEWED_FACTS } from './says.ts'
import { REVIEW_KINDS, REVIEW_STATUSES } from '../../platform/database/values/review-statuses.ts'

export const ReviewStatus = z.enum(REVIEW_STATUSES, `must be one of ${REVIEW_STATUSES.join(', ')}`)

export const ReviewsQuery = z.strictObject({
  status: ReviewStatus.optional().describe('Only reviews in this state. Default: those not decided'),
  region: z
    .enum(COLLECTED_IDS, `must be one of ${COLLECTED_IDS.join(', ')}`)
    .optional()
    .describe('Only those of a collected region'),
  ...pageFields(100),
})

/** A fact in words. */
export const FactInWords = z.strictObject({
  id: z.string(),
  says: z.string(),
  effective_from: z.iso.date().nullable(),
  source: z.string(),
  last_verified_at: Timestamp.nullable(),
})

/** Something that a collector read and did not believe, beside what is in force. */
export const Review = z.strictObject({
  id: z.string(),
  region: z.string(),
  part: z.string(),
  kind: z.enum(REVIEW_KINDS),
  subject: z.string().describe('What it is about, such as `DE VAT standard`'),
  status: ReviewStatus,
  why: z.string().describe('Why it is not in force'),
  stands: FactInWords.nullable().describe('The fact in force'),
  proposed: FactInWords.nullable().describe(
    'The fact that `accept` puts into force. Null: nothing can be accepted',
  ),
  source: z.string(),
  document_url: z.string(),
  document_hash: z.string().nullable().describe('SHA-256 of the document'),
  excerpt: z.string().describe('The text that was read'),
  witnesses: z.array(z.strictObject({ source: z.string(), day: z.iso.date() })),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  decided_at: Timestamp.nullable(),
  decided_by: z.string().nullable().describe('The id of the key, or `command line`'),
  decision_reason: z.string().nullable(),
})

/** A fact of low confidence, and the day by which a person has to confirm it. */
export const FactToConfirm = z.strictObject({
  id: z.string(),
  kind: z.enum(REVIEWED_FACTS),
  subject: z.string(),
  says: z.string(),
  notes: z.string().nullable(),
  source: z.string(),
  source_url: z.string(),
  last_verified_at: Timestamp.nullable(),
  confirm_by: z.iso.date().describe('The day on which it becomes stale'),
})

/** The last sales tax holiday on file of a state, and when a person has to look for the next one. */
export const HolidayToReview = z.strictObject({
  jurisdiction_id: z.string(),
  latest_from: z.iso.date(),
  latest_to: z.iso.date().nullable(),
  review_by: z.iso.date().describe('Eleven months after the last one, because states set them every year'),
  source_url: z.string(),
})

export const ReviewsAnswer = z.strictObject({
  reviews: z.array(Review),
  ...PAGE_ANSWER,
  to_confirm: z.array(FactToConfirm).describe('The 100 facts of low confidence that are due first'),
  to_confirm_total: z.int(),
  shapes: z
    .array(
      z.strictObject({
        variable: z.string().describe('The variable of the address of a source'),
        shape: z
          .enum(['verified', 'inferred'])
          .describe('Whether the shape that is read was seen in a real document'),
        seen_in: z.string().describe('Where it was seen, or what it was inferred from'),
        seen_on: z.string().nullable().describe('The day, month or year of the real document'),
      }),
    )
    .describe('The shapes in which documents are read, one for each source'),
  holidays: z.array(HolidayToReview).describe('Sales tax holidays by state: they are kept by hand'),
  queried_at: Timestamp,
})

export const Verdict = z.enum(['accept', 'refuse'], 'must be accept or refuse')

export const ReviewDecision = z.strictObject({
  decision: Verdict,
  reason: text(1_000).min(1, 'must not be empty').describe('Why, for the audit log'),
})

export const ReviewDecided = z.strictObject({
  id: z.string(),
  decision: Verdict,
  data_version: z.string().nullable().describe('The new version; null if no fact changed'),
  queried_at: Timestamp,
})
