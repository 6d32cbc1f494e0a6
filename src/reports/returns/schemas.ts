import * as z from 'zod'
import { Timestamp } from '../../http/answers.ts'
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
