import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { CalendarDate, JurisdictionId, text } from '../../platform/http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import { FilingFrequency, Scheme } from '../../platform/http/tax-enums.ts'

export const RegistrationRequest = z.strictObject({
  jurisdiction_id: JurisdictionId.nullish().describe(
    'Either this or `scheme`. `FR-EX`: a small business of another member state that charges no tax in ' +
      'France (its number ends in EX)',
  ),
  scheme: Scheme.nullish(),
  registration_number: text(100).nullish(),
  valid_from: CalendarDate.optional().describe('The first day; required for a new registration'),
  valid_to: CalendarDate.nullish().describe('The last day; null for an open end'),
  filing_frequency: FilingFrequency.nullish().describe('How often you file. Null: as usual in that place'),
})
export type RegistrationBody = z.output<typeof RegistrationRequest>

export const RegistrationsQuery = z.strictObject(pageFields(100))

const REGISTRATION = {
  id: z.string(),
  jurisdiction_id: z.string().nullable(),
  scheme: Scheme.nullable(),
  registration_number: z.string().nullable(),
  valid_from: z.iso.date(),
  valid_to: z.iso.date().nullable(),
  filing_frequency: FilingFrequency.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Registration = z.strictObject(REGISTRATION)

export const RegistrationAnswer = z.strictObject({ ...REGISTRATION, queried_at: Timestamp })

export const RegistrationsAnswer = z.strictObject({
  registrations: z.array(Registration),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})
