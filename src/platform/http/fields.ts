import * as z from 'zod'
import { COUNTRIES, CURRENCIES } from './iso-codes.ts'

/** The largest absolute value of an amount, in minor units. */
export const MONEY_MAX = 1_000_000_000_000_000

export const Money = z
  .int('must be an integer in minor units')
  .min(-MONEY_MAX, 'must not be below -1e15')
  .max(MONEY_MAX, 'must not be above 1e15')
  .transform((amount) => (Object.is(amount, -0) ? 0 : amount))

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
  .refine((text) => dayOfDateOrMoment(text) !== null, DATE_OR_TIMESTAMP)
  .transform((text) => new Date(text).toISOString())

/**
 * A date, which means a day in the time zone of the account, or a timestamp with a zone. Stays a text:
 * `momentIn` of src/platform/kit/time-zone.ts makes a timestamp of it.
 */
export const MomentOrDay = z
  .string()
  .max(40)
  .refine((text) => dayOfDateOrMoment(text) !== null, DATE_OR_TIMESTAMP)

/** A rate as a fraction of at most 6 decimals. */
export const RateFraction = z
  .number()
  .min(0, 'must not be negative')
  .max(1, 'must be a fraction of at most 1, such as 0.19')
  .refine((rate) => Math.round(rate * 1e6) / 1e6 === rate, 'must have at most 6 decimals')

/** How much of a unit is sold: 1.5 kg. `withAmounts` checks the number of its decimals. */
export const Quantity = z
  .number()
  .gt(0, 'must be more than 0')
  .max(1_000_000_000)
  .describe(
    'How many pieces, a whole number. With `unit_amount` it may be a decimal number, such as 1.5 for ' +
      '1.5 kg; it then counts as one piece, and `unit_quantity` of the answer has it',
  )

export const UnitAmount = z
  .int('must be an integer in minor units')
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
  .transform((code) => (CURRENCIES.has(code) ? code : code.toUpperCase()))
  .refine((code) => CURRENCIES.has(code), 'must be an ISO 4217 currency code such as EUR')

/** Made at its first use, because it takes longer than the rest of this file. */
let countryNames: Intl.DisplayNames | null = null

/** ISO 3166-1 alpha-2 in either case; EL becomes GR, UK becomes GB; XI is Northern Ireland. */
export const Country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters such as DE')
  .transform((code) => (COUNTRIES.has(code) ? code : withoutAlias(code.toUpperCase())))
  .refine((code) => code === 'XI' || COUNTRIES.has(code), 'must be an ISO 3166-1 country code')

const COUNTRY_ALIASES = new Map([
  ['EL', 'GR'],
  ['UK', 'GB'],
])

function withoutAlias(code: string): string {
  return COUNTRY_ALIASES.get(code) ?? code
}

/** The id of a jurisdiction in upper case. EL and UK become GR and GB, also in the ids of their parts. */
export function canonicalId(id: string): string {
  const upper = id.toUpperCase()
  const alias = COUNTRY_ALIASES.get(upper.slice(0, 2))
  return alias === undefined ? upper : alias + upper.slice(2)
}

/**
 * The id of a jurisdiction, in either case. EL and UK are read as GR and GB. The rate book decides whether it
 * exists.
 */
export const JurisdictionId = z
  .string()
  .regex(/^[A-Za-z]{2}(-[A-Za-z0-9-]{1,36})?$/, 'must be a jurisdiction id such as DE or US-CA')
  .transform(canonicalId)

export const CertificateNumber = text(100).min(1, 'must not be empty')

/** The English name of a country, or its code. */
export function countryName(code: string): string {
  countryNames ??= new Intl.DisplayNames('en', { type: 'region' })
  return COUNTRIES.has(code) ? (countryNames.of(code) ?? code) : code
}

/** Text without NUL and lone surrogates: neither UTF-8 nor the database can store them. */
export function text(max: number) {
  return z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine(
      (value) => value.isWellFormed() && !value.includes('\0'),
      'must be valid Unicode text without NUL',
    )
}

/**
 * A caller's own reference. `.` and `..` are refused: a URL cannot contain them as a path segment, so the
 * resource could not be found.
 */
export const ExternalId = text(255)
  .min(1, 'must not be empty')
  .refine((id) => id !== '.' && id !== '..', 'must not be . or ..')

/** An address in a request. */
export const AddressRequest = z.strictObject({
  country: Country.describe(
    'ISO 3166-1 alpha-2. `EL` is read as `GR`, `UK` as `GB`. `XI` is Northern Ireland',
  ),
  region: text(100).nullish().describe('State, province or region: its code or its name'),
  city: text(200).nullish(),
  postal_code: text(20).nullish(),
  line1: text(300).nullish(),
  line2: text(300).nullish(),
})

function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function dayOfDateOrMoment(text: string): string | null {
  if (isCalendarDate(text)) return text
  if (
    !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text) ||
    !isCalendarDate(text.slice(0, 10))
  )
    return null
  const time = Date.parse(text)
  if (Number.isNaN(time)) return null
  const day = new Date(time).toISOString().slice(0, 10)
  // A time zone can move the first and the last day of the calendar out of the years 0000 to 9999.
  return isCalendarDate(day) ? day : null
}
