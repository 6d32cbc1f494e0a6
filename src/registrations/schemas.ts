import * as z from 'zod'
import { CalendarDate, JurisdictionId, text } from '../http/fields.ts'
import { PAGE_ANSWER } from '../http/page.ts'

const Scheme = z.enum(['oss_union', 'oss_non_union', 'ioss'])
export const RegistrationRequest = z.strictObject({
  jurisdiction_id: JurisdictionId.nullish(),
  scheme: Scheme.nullish(),
  registration_number: text(100).nullish(),
  valid_from: CalendarDate.optional(),
  valid_to: CalendarDate.nullish(),
})
export type RegistrationBody = z.output<typeof RegistrationRequest>

export const RegistrationFields = {
  id: z.string(),
  jurisdiction_id: z.string().nullable(),
  scheme: Scheme.nullable(),
  registration_number: z.string().nullable(),
  valid_from: z.iso.date(),
  valid_to: z.iso.date().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}
export const RegistrationPage = { ...PAGE_ANSWER, queried_at: z.iso.datetime() }
export const RegistrationAnswer = z.strictObject({ ...RegistrationFields, queried_at: z.iso.datetime() })
