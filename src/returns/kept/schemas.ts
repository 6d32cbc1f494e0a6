import * as z from 'zod'
import { NameOfActor } from '../../platform/audit/schemas.ts'
import { Amount, batchAnswer, ItemError, Timestamp } from '../../platform/http/answers.ts'
import { CalendarDate, JurisdictionId, Money, text } from '../../platform/http/fields.ts'
import { CURSOR_ANSWER, PAGE_ANSWER, cursorField, limitField, pageFields } from '../../platform/http/page.ts'
import { FilingAnswer } from '../forms/answers.ts'
import { FilingQuery, FilingType } from '../forms/queries.ts'
import { ReportLine } from '../rows/line-schemas.ts'
import { SUBMISSION_STATES } from '../../platform/database/values/return-statuses.ts'

export const ReturnStatus = z.enum(['filed', 'reopened'])

export const SubmissionState = z.enum(SUBMISSION_STATES)

export const SubmissionRequest = z.strictObject({
  state: SubmissionState.describe(
    '`open`: the figures are kept, but not filed; `reviewed`: somebody checked them; `filed`: the tax ' +
      'office has them; `paid`: the tax is paid',
  ),
  number: text(100).nullish().describe('The number or receipt that the tax office gave'),
  day: CalendarDate.nullish().describe('The day on which the return was filed. `filed` and `paid` need it'),
  paid_at: CalendarDate.nullish().describe('The day of the payment. `paid` needs it'),
  payment: Money.nullish().describe(
    'What was paid, with interest, in minor units of the return currency. Negative: the tax office ' +
      'paid it to you. `paid` needs it',
  ),
  interest: Money.nullish().describe('The interest and penalties in the payment'),
  note: text(1_000).nullish(),
})

/** Fields that are left out stay as they are. */
export const SubmissionUpdateRequest = SubmissionRequest.partial()
export type SubmissionBody = z.output<typeof SubmissionUpdateRequest>

/** What became of a return at the tax office, as you told it. */
export const ReturnSubmission = z.strictObject({
  state: SubmissionState.describe('`filed` with `day` null: no more details'),
  number: z.string().nullable(),
  day: z.iso.date().nullable(),
  paid_at: z.iso.date().nullable(),
  payment: Amount.nullable(),
  interest: Amount.nullable(),
  note: z.string().nullable(),
  reviewed_at: Timestamp.nullable(),
  reviewed_by: z.string().nullable().describe('The key or the person that reviewed it'),
  reviewed_by_name: NameOfActor,
  reviewed_person: z
    .string()
    .nullable()
    .describe('The person who reviewed it, or who made the key that did. Null: not known'),
  updated_at: Timestamp.nullable(),
})

const GIVEN_BOXES_MAX = 20

/** Amounts of boxes by their names, in minor units. */
const GivenBoxes = z
  .record(z.string().regex(/^[A-Z0-9]{1,4}$/, 'must be the name of a box'), Money)
  .refine((boxes) => Object.keys(boxes).length <= GIVEN_BOXES_MAX, 'must have at most 20 boxes')

export const ReturnInputs = z.strictObject({
  boxes: GivenBoxes.describe('Amounts of boxes that sales do not determine, such as input tax'),
})

const SUBMISSION = SubmissionRequest.optional().describe('Left out: it is filed, without more details')

export const ReturnRequest = z.strictObject({
  type: FilingType,
  period: FilingQuery.shape.period,
  jurisdiction_id: FilingQuery.shape.jurisdiction_id.describe('Required for forms of one state'),
  fx_rates: FilingQuery.shape.fx_rates,
  inputs: ReturnInputs.optional().describe('Are kept with the return, and in its hash'),
  submission: SUBMISSION,
})
export type ReturnBody = z.output<typeof ReturnRequest>

export const ReturnBatchRequest = z.strictObject({
  type: FilingType,
  period: FilingQuery.shape.period,
  jurisdiction_ids: z
    .array(JurisdictionId)
    .min(1, 'must contain at least one jurisdiction')
    .max(25, 'must contain at most 25 jurisdictions')
    .refine((ids) => new Set(ids).size === ids.length, 'must not repeat a jurisdiction')
    .describe('One return is filed for each'),
  fx_rates: FilingQuery.shape.fx_rates,
  submission: SUBMISSION,
})
export type ReturnBatchBody = z.output<typeof ReturnBatchRequest>

export const ReturnQuery = z.strictObject({
  compare: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a version')
    .transform(Number)
    .meta({ type: 'integer', minimum: 1 })
    .optional()
    .describe('Another version of this period: `comparison` has what differs from it'),
})

export const ReopenRequest = z.strictObject({
  reason: text(500).min(1, 'must not be empty').describe('Is kept with the return'),
})

export const ReturnsQuery = z.strictObject({
  ...pageFields(100),
  type: FilingType.optional().describe('Only returns of this form'),
  status: ReturnStatus.optional().describe('Only returns with this status'),
  period: FilingQuery.shape.period.optional().describe('Only the versions of this period'),
  jurisdiction_id: JurisdictionId.optional().describe('Only returns of this jurisdiction'),
})

const RETURN = {
  id: z.string(),
  type: FilingType,
  jurisdiction_id: z.string().nullable(),
  period: z.string(),
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  version: z.int(),
  status: ReturnStatus,
  late_entries: z
    .boolean()
    .describe('Sales or refunds of these days were recorded later: the next open return corrects them'),
  row_count: z.int(),
  data_version: z.string(),
  previous_hash: z.string().describe('The hash of the return that the account filed before; empty: none'),
  hash: z.string(),
  filed_at: Timestamp,
  filed_by: z.string().describe('The key or the person that locked it'),
  filed_by_name: NameOfActor,
  reopened_at: Timestamp.nullable(),
  reopen_reason: z.string().nullable(),
  submission: ReturnSubmission,
}

/** A filed return, without its figures. */
export const FiledReturn = z.strictObject(RETURN)

const { queried_at: _queried, ...figures } = FilingAnswer.shape

/** The figures of a return as they were filed. */
export const FiledFigures = z.strictObject(figures)

/** A figure that differs between two versions. Null: that version does not know it. */
export const ChangedFigure = z.strictObject({
  part: z.enum(['boxes', 'supplies', 'jurisdiction_taxes', 'corrections', 'totals']),
  figure: z.string(),
  field: z.string(),
  before: Amount.nullable(),
  after: Amount.nullable(),
  difference: Amount.nullable(),
})

/** What a return declares otherwise than another version of its period, whose figures are `before`. */
export const ReturnDifference = z.strictObject({
  return_id: z.string(),
  version: z.int(),
  changes: z.array(ChangedFigure),
})

export const ReturnAnswer = z.strictObject({
  ...RETURN,
  figures: FiledFigures,
  comparison: ReturnDifference.nullable().describe(
    'What differs from the version of `compare`; of a new version, from the one before. Null: not asked',
  ),
  queried_at: Timestamp,
})

/** What became of one jurisdiction of a batch. */
export const ReturnOutcome = z.strictObject({
  jurisdiction_id: z.string(),
  outcome: z
    .enum(['filed', 'already_filed', 'failed'])
    .describe('`already_filed`: this period was filed before, and `return` is that one'),
  return: FiledReturn.nullable(),
  error: ItemError.nullable(),
})

export const ReturnBatchAnswer = batchAnswer(ReturnOutcome)

export const ReturnsAnswer = z.strictObject({
  returns: z.array(FiledReturn),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

export const ReturnRowsQuery = z.strictObject({
  figure: text(160).optional().describe('Only the lines of this figure'),
  limit: limitField(500, 100),
  cursor: cursorField(/^\d{1,9}$/),
})

export const ReturnRowsAnswer = z.strictObject({
  lines: z.array(ReportLine),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})

export const ReconciliationQuery = z.strictObject({
  ...pageFields(24, 12),
  type: FilingType.optional().describe('Only returns of this form'),
  jurisdiction_id: JurisdictionId.optional().describe('Only returns of this jurisdiction'),
})
export type ReconciliationQuery = z.output<typeof ReconciliationQuery>

/** Sums of one currency of sale after refunds, before exchange rates. */
export const ReconciledSum = z.strictObject({
  currency: z.string(),
  net_amount: Amount,
  taxable_amount: Amount,
  tax_amount: Amount,
})

/** A return beside the books: `books` less `declared` is `pending`, else `faults` says what differs. */
export const ReconciledReturn = z.strictObject({
  ...RETURN,
  reconciled: z.boolean().describe('There are no faults'),
  books: z.array(ReconciledSum).describe('What the books hold of its days. Empty for a reopened return'),
  declared: z.array(ReconciledSum).describe('What this return and corrections of later ones declare of them'),
  pending: z
    .array(ReconciledSum)
    .describe(
      'Late entries that no return declares yet: the next open return does, or `faults` names the notice ' +
        'that the tax office needs',
    ),
  faults: z.array(z.string()),
  hash_input: z
    .string()
    .describe('The text whose SHA-256 in UTF-8 is `hash`. It contains the hash of the lines'),
  hashed_rows_url: z.string().describe('The texts of the lines, to compute their hash'),
})

/** A return of which only the audit log knows. */
export const MissingReturn = z.strictObject({
  return_id: z.string(),
  hash: z.string().nullable(),
  filed_at: Timestamp,
})

export const ReconciliationAnswer = z.strictObject({
  reconciled: z.boolean().describe('No return of this page has faults, and no return is missing'),
  returns: z.array(ReconciledReturn),
  missing: z.array(MissingReturn).describe('Returns that the audit log says were filed, and that are gone'),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

export const HashedRowsQuery = z.strictObject({ cursor: cursorField(/^\d{1,9}$/) })

export const HashedRowsAnswer = z.strictObject({
  rows: z
    .array(z.string())
    .describe(
      'The texts of up to 1,000 lines. The hash begins as an empty text; the hash of each page is ' +
        'the SHA-256 ' +
        'of the hash before and these texts, joined by line feeds',
    ),
  row_count: z.int(),
  rows_hash: z.string().describe('The hash after the last page; empty if the return has no lines'),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})
