import * as z from 'zod'
import type { HeldEstablishment } from '../../platform/context.ts'
import { CalendarDate, MemberState } from '../../platform/http/fields.ts'

const BEGINS = 'must not be before from'

export const EstablishmentsRequest = z
  .array(
    z
      .strictObject({
        country: MemberState,
        from: CalendarDate.describe('The first day'),
        to: CalendarDate.nullish().describe('The last day; null for an open end'),
      })
      .refine(({ from, to }) => !to || from <= to, { path: ['to'], message: BEGINS })
      .transform(({ country, from, to }): HeldEstablishment => ({ country, from, to: to ?? null })),
  )
  .max(100, 'must contain at most 100 establishments')

export const EstablishmentAnswer = z.strictObject({
  country: z.string(),
  from: z.iso.date(),
  to: z.iso.date().nullable(),
})
