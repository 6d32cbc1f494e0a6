import * as z from 'zod'
import type { HeldEstablishment } from '../../platform/context.ts'
import { CalendarDate, MemberState } from '../../platform/http/fields.ts'

const BEGINS = 'must not be before from'

/** A fixed establishment as an account states it. */
export const EstablishmentRequest = z
  .strictObject({
    country: MemberState.describe('The member state, ISO 3166-1 alpha-2'),
    from: CalendarDate.describe('The first day'),
    to: CalendarDate.nullish().describe('The last day; null for an open end'),
  })
  .refine(({ from, to }) => !to || from <= to, { path: ['to'], message: BEGINS })
  .transform(({ country, from, to }): HeldEstablishment => ({ country, from, to: to ?? null }))

export const EstablishmentsRequest = z
  .array(EstablishmentRequest)
  .max(100, 'must contain at most 100 establishments')

/** A fixed establishment of an account. */
export const Establishment = z.strictObject({
  country: z.string().describe('The member state, ISO 3166-1 alpha-2'),
  from: z.iso.date().describe('The first day'),
  to: z.iso.date().nullable().describe('The last day; null: it has no end'),
})
