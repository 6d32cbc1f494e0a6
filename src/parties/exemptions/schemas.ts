import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { CalendarDate, CertificateNumber, JurisdictionId, text } from '../../platform/http/fields.ts'
import { CURSOR_ANSWER, PAGE_ANSWER, cursorField, limitField, pageFields } from '../../platform/http/page.ts'
import { ExemptionType } from '../../platform/http/tax-enums.ts'
import { DOCUMENT_TYPES } from '../../platform/database/values/document-type.ts'
import { EXEMPTION_STATUSES } from '../../platform/database/values/exemption-statuses.ts'
import { REASON_CODES } from './reason-codes.ts'
import { EXEMPTION_STATES } from './state.ts'

export const ExemptionStatus = z.enum(EXEMPTION_STATUSES)
const CertificateUrl = text(2000).refine(isHttpsUrl, 'must be an https URL without credentials')
const Notes = text(2000)
export const CertificateReason = z
  .enum(REASON_CODES)
  .describe('The letter of the reason that is checked on form F0003 of the Streamlined Sales Tax states')
export const DocumentType = z.enum(DOCUMENT_TYPES)

export const NewExemptionRequest = z.strictObject({
  jurisdiction_id: JurisdictionId.describe('Sales in this jurisdiction and in its parts are exempt'),
  exemption_type: ExemptionType,
  certificate_number: CertificateNumber,
  certificate_url: CertificateUrl.nullish(),
  reason_code: CertificateReason.nullish(),
  valid_from: CalendarDate,
  valid_to: CalendarDate.nullish().describe('The last day; null for an open end'),
})
export type NewExemptionBody = z.output<typeof NewExemptionRequest>

export const ExemptionRequest = z.strictObject({
  jurisdiction_id: JurisdictionId.optional(),
  exemption_type: ExemptionType.optional(),
  certificate_number: CertificateNumber.optional(),
  certificate_url: CertificateUrl.nullish(),
  reason_code: CertificateReason.nullish(),
  valid_from: CalendarDate.optional(),
  valid_to: CalendarDate.nullish(),
  status: ExemptionStatus.optional().describe('Only a verified exemption applies'),
  verification_notes: Notes.nullish(),
})
export type ExemptionUpdateBody = z.output<typeof ExemptionRequest>

export const ExemptionCheckQuery = z.strictObject({
  jurisdiction_id: JurisdictionId.describe('Where the sale would be taxed'),
  date: CalendarDate.optional().describe(
    'The day of the sale. Left out: today in the time zone of the account',
  ),
})

export const ExemptionsQuery = z.strictObject(pageFields(100))

export const ExemptionState = z.enum(EXEMPTION_STATES)

export const AllExemptionsQuery = z.strictObject({
  q: text(100)
    .trim()
    .min(1, 'must not be empty')
    .optional()
    .describe(
      'Only exemptions with a certificate number that begins with this text, a word of the name of the ' +
        'jurisdiction that begins with it, or a customer that a search of customers finds. Capitals and ' +
        'small letters are the same',
    ),
  status: ExemptionStatus.optional().describe('Only exemptions with this status'),
  state: ExemptionState.optional().describe(
    'Only exemptions in this state today, in the time zone of the account. A verified one is `upcoming` ' +
      'before its first day, `active`, `expires_soon` in its last 30 days, and `expired` after its last day',
  ),
  limit: limitField(100),
  cursor: cursorField(/^(\d{4}-\d{2}-\d{2}~)?exm_[0-9a-z]{26}$/),
})
export type ExemptionFilter = z.output<typeof AllExemptionsQuery>

/** The fields of an exemption in every answer. */
const EXEMPTION = {
  id: z.string(),
  jurisdiction_id: z.string(),
  exemption_type: ExemptionType,
  certificate_number: z.string(),
  certificate_url: z.string().nullable(),
  valid_from: z.iso.date(),
  valid_to: z.iso.date().nullable(),
  status: ExemptionStatus,
  verification_notes: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  reason_code: z.string().nullable(),
  document_type: DocumentType.nullable(),
  document_bytes: z.int().nullable(),
  document_sha256: z.string().nullable(),
  ended_on: z.iso.date().nullable(),
}

export const Exemption = z.strictObject(EXEMPTION)

export const StoredDocument = z.string().meta({ format: 'binary' }).describe('The bytes of the file')

export const ExemptionAnswer = z.strictObject({ ...EXEMPTION, queried_at: Timestamp })

export const ExemptionsAnswer = z.strictObject({
  exemptions: z.array(Exemption),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

/** An exemption with the customer that it belongs to. */
export const CustomerExemption = z.strictObject({
  ...EXEMPTION,
  customer_id: z.string(),
  customer_name: z.string().nullable(),
  customer_external_id: z.string().nullable(),
})

export const AllExemptionsAnswer = z.strictObject({
  exemptions: z.array(CustomerExemption),
  search_complete: z
    .boolean()
    .optional()
    .describe('Only beside `q`. `false`: more match than a search takes, so some may be missing'),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})

export const ExemptionCheckAnswer = z.strictObject({
  customer_id: z.string(),
  jurisdiction_id: z.string(),
  is_exempt: z.boolean(),
  exemption: z
    .strictObject({
      id: z.string(),
      exemption_type: ExemptionType,
      status: z.enum(['verified', 'expired']),
      valid_from: z.iso.date(),
      valid_to: z.iso.date().nullable(),
    })
    .optional(),
  checked_at: Timestamp,
  queried_at: Timestamp,
})

function isHttpsUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
}
