import * as z from 'zod'
import type { HeldEstablishment } from '../../platform/context.ts'
import { PRESENCE_KINDS } from '../../platform/database/values/presence-kinds.ts'
import { CalendarDate, Country, text } from '../../platform/http/fields.ts'
import { isMemberState } from '../../platform/http/field-rules.ts'

export const PresenceKind = z.enum(PRESENCE_KINDS, `must be one of ${PRESENCE_KINDS.join(', ')}`)

const BEGINS = 'must not be before from'

const COUNTRY = 'A member state, or `US`. ISO 3166-1 alpha-2'
const REGION = 'In the US: the state'
const KIND =
  'In the US: what is there. In some states, stock in the warehouse of a marketplace is not nexus: ' +
  'leave it out for them'

/** What an account has in a place, as it states it. profile.ts finds the state of a region. */
export const EstablishmentRequest = z
  .strictObject({
    country: Country.refine(
      (code) => code === 'US' || isMemberState(code),
      'must be a member state of the European Union, or US',
    ).describe(COUNTRY),
    region: text(100).nullish().describe(`${REGION}, its code or its name`),
    kind: PresenceKind.nullish().describe(KIND),
    from: CalendarDate.describe('The first day'),
    to: CalendarDate.nullish().describe('The last day; null for an open end'),
  })
  .refine(({ from, to }) => !to || from <= to, { path: ['to'], message: BEGINS })
  .refine(({ country, region }) => country !== 'US' || region, {
    path: ['region'],
    message: 'is required in the US: the state',
  })
  .refine(({ country, kind }) => country !== 'US' || kind, {
    path: ['kind'],
    message: `is required in the US: ${PRESENCE_KINDS.join(', ')}`,
  })
  .refine(({ country, region }) => !isMemberState(country) || !region, {
    path: ['region'],
    message: 'must be left out in a member state',
  })
  .refine(({ country, kind }) => !isMemberState(country) || !kind, {
    path: ['kind'],
    message:
      'must be left out in a member state: stock there is not an establishment, but needs a ' +
      'registration',
  })
  .transform(({ country, region, kind, from, to }): HeldEstablishment => ({
    country,
    region: region || null,
    kind: kind ?? null,
    from,
    to: to ?? null,
  }))

export const EstablishmentsRequest = z
  .array(EstablishmentRequest)
  .max(100, 'must contain at most 100 establishments')

/** A fixed establishment of an account, or its physical presence in a state of the US. */
export const Establishment = z.strictObject({
  country: z.string().describe(COUNTRY),
  region: z.string().nullable().describe(`${REGION}. Null: a member state`),
  kind: PresenceKind.nullable().describe(`${KIND}. Null: a fixed establishment in a member state`),
  from: z.iso.date().describe('The first day'),
  to: z.iso.date().nullable().describe('The last day; null: it has no end'),
})
