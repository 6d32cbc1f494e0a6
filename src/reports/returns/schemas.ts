import * as z from 'zod'
import { Amount, Timestamp } from '../../http/answers.ts'
import { JurisdictionId, text } from '../../http/fields.ts'
import { CURSOR_ANSWER, PAGE_ANSWER, cursorField, limitField, pageFields } from '../../http/page.ts'
import { FilingAnswer } from '../filing/answers.ts'
import { FilingQuery, FilingType, ReportLine } from '../schemas.ts'

export const ReturnStatus = z.enum(['filed', 'reopened'])

export const ReturnRequest = z.strictObject({
  type: FilingType,
  period: FilingQuery.shape.period,
  jurisdiction_id: FilingQuery.shape.jurisdiction_id.describe('Required for forms of one state'),
  fx_rates: FilingQuery.shape.fx_rates,
})
export type ReturnBody = z.output<typeof ReturnRequest>

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
export type ReturnsFilter = Partial<
  Pick<z.output<typeof ReturnsQuery>, 'type' | 'status' | 'period' | 'jurisdiction_id'>
>

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
  filed_by: z.string().describe('The key that filed it'),
  reopened_at: Timestamp.nullable(),
  reopen_reason: z.string().nullable(),
}

/** A filed return, without its figures. */
export const FiledReturn = z.strictObject(RETURN)

const { queried_at: _queried, ...figures } = FilingAnswer.shape

/** The figures of a return as they were filed. */
export const FiledFigures = z.strictObject(figures)

export const ReturnAnswer = z.strictObject({ ...RETURN, figures: FiledFigures, queried_at: Timestamp })

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
  pending: z.array(ReconciledSum).describe('Late entries, which the next open return declares'),
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
      'The texts of up to 1,000 lines. The hash begins as an empty text; that of each page is the SHA-256 ' +
        'of the hash before and these texts, joined by line feeds',
    ),
  row_count: z.int(),
  rows_hash: z.string().describe('The hash after the last page; empty if the return has no lines'),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})
