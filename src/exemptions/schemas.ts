import * as z from 'zod'
import { CalendarDate, JurisdictionId, text } from '../http/fields.ts'
import { pageFields } from '../http/page.ts'
import { EXEMPTION_STATUSES } from './moves.ts'

const ExemptionType = z.enum(['resale', 'nonprofit', 'government', 'other'])
const Status = z.enum(EXEMPTION_STATUSES)
const CertificateNumber = text(100).min(1, 'must not be empty')
const CertificateUrl = text(2000).refine(isHttpsUrl, 'must be an https URL without credentials')
const Notes = text(2000)

export const NewExemption = z.strictObject({
  jurisdiction_id: JurisdictionId,
  exemption_type: ExemptionType,
  certificate_number: CertificateNumber,
  certificate_url: CertificateUrl.nullish(),
  valid_from: CalendarDate,
  valid_to: CalendarDate.nullish().describe('The last day; null for an open end'),
})
export type NewExemptionBody = z.output<typeof NewExemption>

export const ExemptionUpdate = z.strictObject({
  jurisdiction_id: JurisdictionId.optional(),
  exemption_type: ExemptionType.optional(),
  certificate_number: CertificateNumber.optional(),
  certificate_url: CertificateUrl.nullish(),
  valid_from: CalendarDate.optional(),
  valid_to: CalendarDate.nullish(),
  status: Status.optional(),
  verification_notes: Notes.nullish(),
})
export type ExemptionUpdateBody = z.output<typeof ExemptionUpdate>

export const CheckQuery = z.strictObject({
  jurisdiction_id: JurisdictionId,
  date: CalendarDate.optional().describe('Default: today in UTC'),
})

export const ExemptionsQuery = z.strictObject(pageFields(100))

const Timestamp = z.iso.datetime()

/** The fields of an exemption in every answer. */
export const ExemptionFields = {
  id: z.string(),
  jurisdiction_id: z.string(),
  exemption_type: ExemptionType,
  certificate_number: z.string(),
  certificate_url: z.string().nullable(),
  valid_from: z.iso.date(),
  valid_to: z.iso.date().nullable(),
  status: Status,
  verification_notes: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const ExemptionAnswer = z.strictObject({ ...ExemptionFields, queried_at: Timestamp })

export const ExemptionsAnswer = z.strictObject({
  exemptions: z.array(z.strictObject(ExemptionFields)),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  has_more: z.boolean(),
  queried_at: Timestamp,
})

export const CheckAnswer = z.strictObject({
  customer_id: z.string(),
  jurisdiction_id: z.string(),
  is_exempt: z.boolean(),
  exemption: z
    .strictObject({
      id: z.string(),
      exemption_type: ExemptionType,
      status: z.literal('verified'),
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
