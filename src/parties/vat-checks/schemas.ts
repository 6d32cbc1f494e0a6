import * as z from 'zod'
import { NameOfActor } from '../../platform/audit/schemas.ts'
import { CHECKED_STATUSES } from '../../platform/database/values/vat-statuses.ts'
import { Timestamp } from '../../platform/http/answers.ts'
import { Country, text } from '../../platform/http/fields.ts'
import { CURSOR_ANSWER, cursorField, limitField } from '../../platform/http/page.ts'

/** The most ids of one check. */
const IDS_MAX = 1_000

const VatId = text(40).min(2, 'must have at least 2 characters')

export const VatCheckRequest = z.strictObject({
  vat_ids: z
    .array(VatId)
    .min(1, 'must not be empty')
    .max(IDS_MAX, `must be at most ${IDS_MAX} ids`)
    .describe('The VAT ids, as they were typed'),
  country: Country.nullish().describe('The country that issued the ids without a prefix'),
  requester_vat_id: VatId.nullish().describe(
    'Your own VAT id: the authority then gives consultation numbers. Left out: that of the account',
  ),
})
export type VatCheckBody = z.output<typeof VatCheckRequest>

/** How many ids of a check have each status. */
const VatCheckCounts = z.strictObject({
  pending: z.int().describe('Not answered yet'),
  valid: z.int().describe('Registered'),
  invalid: z.int().describe('Not registered, or of a wrong form'),
  unavailable: z.int().describe('The authority gave no answer, or there is none to ask'),
})

export const VatCheck = z.strictObject({
  id: z.string(),
  state: z.enum(['running', 'finished']),
  total: z.int(),
  counts: VatCheckCounts,
  requester_vat_id: z.string().nullable(),
  key_id: z.string().describe('The key or the person that asked'),
  key_name: NameOfActor,
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})

export const CheckedStatus = z.enum(CHECKED_STATUSES)

export const VatCheckResultsQuery = z.strictObject({
  status: CheckedStatus.optional().describe('Only ids with this status'),
  limit: limitField(1_000, 100),
  cursor: cursorField(/^\d{1,4}$/),
})
export type VatCheckResultsFilter = z.output<typeof VatCheckResultsQuery>

/** What is known of one id of a check. */
export const VatCheckResult = z.strictObject({
  position: z.int().describe('The place of the id in the request, from 1'),
  given: z.string().describe('As it was typed'),
  vat_id: z.string().describe('In its usual form'),
  country: z.string().nullable(),
  status: CheckedStatus,
  reason: z.string().nullable().describe('Why there is no answer, or why no call was needed'),
  source: z.string().nullable(),
  company_name: z.string().nullable(),
  company_address: z.string().nullable(),
  consultation_number: z.string().nullable(),
  attempts: z.int().describe('How often an answer was sought'),
  checked_at: Timestamp.nullable(),
})

export const VatCheckResults = z.strictObject({
  results: z.array(VatCheckResult),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})

export const VatCheckAnswer = z.strictObject({ ...VatCheck.shape, queried_at: Timestamp })

export const VatCheckReport = z.string().describe('A CSV file (RFC 4180)')
