import { COUNTRIES, CURRENCIES } from './iso-codes.ts'
import { MEMBER_STATES } from '../../engine/regimes/eu-member-states.ts'

/**
 * The rules of request fields that are functions. They need no zod: a start evaluates them for the checks
 * that the build makes from the schemas (scripts/quick-checks/).
 */

/** The largest absolute value of an amount, in minor units. */
export const MONEY_MAX = 1_000_000_000_000_000

export function withoutMinusZero(amount: number): number {
  return Object.is(amount, -0) ? 0 : amount
}

export function isMoreThanZero(value: number): boolean {
  return value > 0
}

export function hasSixDecimals(rate: number): boolean {
  return Math.round(rate * 1e6) / 1e6 === rate
}

/** Neither UTF-8 nor the database can store NUL and lone surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** A URL cannot contain `.` or `..` as a path segment. */
export function isPathSegment(id: string): boolean {
  return id !== '.' && id !== '..'
}

export function currencyCode(code: string): string {
  return CURRENCIES.has(code) ? code : code.toUpperCase()
}

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

/** The code of a country in upper case: EL becomes GR, UK becomes GB. */
export function countryCode(code: string): string {
  return COUNTRIES.has(code) ? code : withoutAlias(code.toUpperCase())
}

/** XI is Northern Ireland; customs write IC for the Canary Islands. */
export function isCountry(code: string): boolean {
  return code === 'XI' || code === 'IC' || COUNTRIES.has(code)
}

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

/** A date YYYY-MM-DD of the calendar. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** A date YYYY-MM-DD, or an ISO 8601 timestamp with a time zone. */
export function isDateOrMoment(text: string): boolean {
  if (isCalendarDate(text)) return true
  if (
    !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text) ||
    !isCalendarDate(text.slice(0, 10))
  )
    return false
  const time = Date.parse(text)
  // A time zone can move the first and the last day of the calendar out of the years 0000 to 9999.
  return !Number.isNaN(time) && isCalendarDate(new Date(time).toISOString().slice(0, 10))
}

/** A member state, or a state of the US as a jurisdiction id: the rate book decides whether it exists. */
export function isPlaceOfEstablishment(id: string): boolean {
  return isMemberState(id) || /^US-[A-Z]{2}$/.test(id)
}

export function isMemberState(code: string): boolean {
  return MEMBER_STATES.includes(code)
}
