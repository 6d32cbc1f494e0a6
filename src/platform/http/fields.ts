import * as z from 'zod'
import {
  canonicalId,
  countryCode,
  currencyCode,
  hasSixDecimals,
  isCalendarDate,
  isCountry,
  isCurrency,
  isDateOrMoment,
  isMemberState,
  isPlaceOfEstablishment,
  isPathSegment,
  isStorable,
  MONEY_MAX,
  withoutMinusZero,
} from './field-rules.ts'

export const Money = z
  .int('must be an integer in minor units')
  .min(-MONEY_MAX, 'must not be below -1e15')
  .max(MONEY_MAX, 'must not be above 1e15')
  .transform(withoutMinusZero)

export const PositiveMoney = z
  .int('must be an integer in minor units')
  .min(1, 'must be at least 1')
  .max(MONEY_MAX, 'must not be above 1e15')

export const NotNegativeMoney = z
  .int('must be an integer in minor units')
  .min(0, 'must not be negative')
  .max(MONEY_MAX, 'must not be above 1e15')

export const CalendarDate = z.string().refine(isCalendarDate, 'must be a date YYYY-MM-DD')

const DATE_OR_TIMESTAMP = 'must be a date YYYY-MM-DD or an ISO 8601 timestamp with a time zone'

/**
 * A date, which means its first moment in UTC, or a timestamp with a zone. Becomes a timestamp in UTC with
 * milliseconds.
 */
export const Moment = z
  .string()
  .max(40)
  .refine(isDateOrMoment, DATE_OR_TIMESTAMP)
  .transform((text) => new Date(text).toISOString())

/**
 * A date, which means a day in the time zone of the account, or a timestamp with a zone. Stays a text:
 * `momentIn` of src/platform/kit/time-zone.ts makes a timestamp of it.
 */
export const MomentOrDay = z.string().max(40).refine(isDateOrMoment, DATE_OR_TIMESTAMP)

/** A rate as a fraction of at most 6 decimals. */
export const RateFraction = z
  .number()
  .min(0, 'must not be negative')
  .max(1, 'must be a fraction of at most 1, such as 0.19')
  .refine(hasSixDecimals, 'must have at most 6 decimals')

/** How much of a unit is sold: 1.5 kg. `withAmounts` checks the number of its decimals. */
export const Quantity = z
  .number()
  .min(0, 'must not be negative')
  .max(1_000_000_000)
  .describe(
    'How many pieces, a whole number; 0 for what nobody used, whose amount is 0. With `unit_amount` it ' +
      'may be a decimal number, such as 1.5 for 1.5 kg; it then counts as one piece, and ' +
      '`unit_quantity` of the answer has it',
  )

export const UnitAmount = z
  .int('must be an integer in minor units: give amount in place of a unit price with a fraction of one')
  .min(-MONEY_MAX, 'must not be below -1e15')
  .max(MONEY_MAX, 'must not be above 1e15')
  .describe(
    'In place of `amount`: the price of one unit, in minor units. The amount is `unit_amount` × ' +
      '`quantity`, rounded half away from zero',
  )

/** ISO 4217 in either case. */
export const Currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'must be an ISO 4217 currency code such as EUR')
  .transform(currencyCode)
  .refine(isCurrency, 'must be an ISO 4217 currency code such as EUR')

/** ISO 3166-1 alpha-2 in either case; EL becomes GR, UK becomes GB; XI is Northern Ireland. */
export const Country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters such as DE')
  .transform(countryCode)
  .refine(isCountry, 'must be an ISO 3166-1 country code')

export const MemberState = Country.refine(isMemberState, 'must be a member state of the European Union')

/**
 * The id of a jurisdiction, in either case. EL and UK are read as GR and GB. The rate book decides whether it
 * exists.
 */
export const JurisdictionId = z
  .string()
  .regex(/^[A-Za-z]{2}(-[A-Za-z0-9-]{1,36})?$/, 'must be a jurisdiction id such as DE or US-CA')
  .transform(canonicalId)

/** A member state, or a state of the US. */
export const PlaceOfEstablishment = JurisdictionId.refine(
  isPlaceOfEstablishment,
  'must be a member state of the European Union, or a state of the US such as US-TX',
)

export const CertificateNumber = text(100).min(1, 'must not be empty')

/** Text without NUL and lone surrogates: neither UTF-8 nor the database can store them. */
export function text(max: number) {
  return z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine(isStorable, 'must be valid Unicode text without NUL')
}

/**
 * A caller's own reference. `.` and `..` are refused: a URL cannot contain them as a path segment, so the
 * resource could not be found.
 */
export const ExternalId = text(255).min(1, 'must not be empty').refine(isPathSegment, 'must not be . or ..')

/** The parts of an address in a request, but for its country. */
export const PARTS_OF_ADDRESS = {
  region: text(100).nullish().describe('State, province or region: its code or its name'),
  city: text(200).nullish(),
  postal_code: text(20).nullish(),
  line1: text(300).nullish(),
  line2: text(300).nullish(),
}

/** An address in a request. */
export const AddressRequest = z.strictObject({
  country: Country.describe(
    'ISO 3166-1 alpha-2. `EL` is read as `GR`, `UK` as `GB`. `XI` is Northern Ireland, `XK` Kosovo, ' +
      '`IC` the Canary Islands',
  ),
  ...PARTS_OF_ADDRESS,
})
