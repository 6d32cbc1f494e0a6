import * as z from 'zod'
import {
  Country,
  Currency,
  NotNegativeMoney,
  PARTS_OF_ADDRESS,
  PlaceOfEstablishment,
  text,
} from '../../platform/http/fields.ts'
import { SCHEMES } from '../../engine/ground/schemes.ts'
import { registrationId } from './registration-id.ts'

const REGISTRATION_FORM = new RegExp(String.raw`^[A-Za-z]{2}(-[A-Za-z0-9-]{1,30})?$|^(${SCHEMES.join('|')})$`)

const Registration = text(40)
  .regex(REGISTRATION_FORM, `must be a jurisdiction id or ${SCHEMES.join(', ')}`)
  .transform(registrationId)

/** The worldwide turnover of a seller, in minor units. */
export const TurnoverRequest = z.strictObject({ amount: NotNegativeMoney, currency: Currency })

const Registrations = z.array(Registration).max(500)

/** Whom a marketplace sells for. */
export const FacilitatedSellerRequest = z
  .strictObject({
    country: Country.describe('Where the seller is established'),
    region: PARTS_OF_ADDRESS.region,
    registrations: Registrations.optional().describe(
      'Its registrations, which decide in some countries. Left out: unknown, so none are assumed',
    ),
  })
  .describe(
    'With `facilitator`: the seller on your marketplace. By it the law decides who makes the sale. Left ' +
      'out: you make it, and a note says on what that depends',
  )

/** The seller of one sale. Replaces the account's profile and registrations. */
export const SellerRequest = z.strictObject({
  country: Country.describe('Where the seller is established'),
  ...PARTS_OF_ADDRESS,
  registrations: Registrations.optional().describe(
    'Jurisdictions and schemes. `FR-EX`: a small business of another member state that charges no tax ' +
      'in France (its number ends in EX). Default: the values of the account',
  ),
  establishments: z
    .array(PlaceOfEstablishment)
    .max(100, 'must contain at most 100 places')
    .optional()
    .describe(
      'Member states with a fixed establishment of the seller, beside its own country (a registration or a ' +
        'stock there is none), and states of the US with an office, staff or stock of it, such as `US-TX`. ' +
        'Default: the values of the account',
    ),
  small_business: z
    .boolean()
    .optional()
    .describe('The seller uses the small-business scheme of its country, so it charges no tax there'),
  over_eu_threshold: z
    .boolean()
    .optional()
    .describe(
      'Whether cross-border sales to consumers in the EU are over €10,000 a year. ' +
        'Left out: the recorded sales decide',
    ),
  global_turnover: TurnoverRequest.nullish().describe(
    'The worldwide turnover in the period of a threshold. Some countries count it. Default: the ' +
      'turnover of ' +
      'the account. If it is unknown and decides, a note says so',
  ),
})
