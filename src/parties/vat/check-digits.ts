import { invariant } from '../../engine/ground/invariant.ts'
import { FORMATS } from './formats.ts'
import { VALIDATORS } from './validators.generated.ts'

/** Issued numbers that the library (1.12.0) rejects. They already have the form of their country. */
const ALSO_ISSUED = new Map<string, (number: string) => boolean>([
  ['BG', isBulgarian],
  ['CZ', isCzechSpecial],
  ['LV', isLatvianSince2017],
  ['SG', isNumberOfGstRegister],
  ['SK', isDivisibleBy11],
])

/**
 * Whether the check digits of a number without its prefix are right. If a country publishes none, its form is
 * enough: isFormOnly tells so.
 */
export function passesCheckDigits(country: string, number: string): boolean {
  const validators = FORMATS.get(country)?.validators ?? []
  if (validators.length === 0) return isKnownIssuer(country)
  return validators.some((name) => isValidBy(name, number)) || ALSO_ISSUED.get(country)?.(number) === true
}

/** A validator is named by its country in the library and its own name: `AT.uid`. */
function isValidBy(validator: string, number: string): boolean {
  const validate = invariant(VALIDATORS.get(validator) ?? null, `${validator} is a validator`)
  return validate(number).isValid
}

/** Whether the form of VAT ids of a country is known. */
export function isKnownIssuer(country: string): boolean {
  return FORMATS.has(country)
}

/** Whether nothing but its form can be checked of a number without its prefix: no check digit is public. */
export function isFormOnly(country: string, number: string): boolean {
  return FORMATS.get(country)?.validators.length === 0 || (country === 'SG' && isNumberOfGstRegister(number))
}

/** The tax office of Singapore gives numbers that begin with M to those who have no number of a company. */
function isNumberOfGstRegister(number: string): boolean {
  return number.startsWith('M')
}

/**
 * Bulgarian ids: legal persons have 9 digits, others have 10. The library refuses legal persons that begin
 * with 4 to 8, and accepts a wrong check digit of ten. So its own check of Bulgarian ids is not used.
 */
function isBulgarian(number: string): boolean {
  const check = Number(number.at(-1))
  if (number.length === 10)
    return ((11 - (weigh(number, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === check
  const first = weigh(number, [1, 2, 3, 4, 5, 6, 7, 8]) % 11
  return (first === 10 ? (weigh(number, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10 : first) === check
}

/** The sum of the first digits, each multiplied by its weight. */
function weigh(number: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(number[index]), 0)
}

/** Czech persons without a birth number: 6, seven digits, and their check digit. */
function isCzechSpecial(number: string): boolean {
  if (!/^6\d{8}$/.test(number)) return false
  let sum = 0
  for (let index = 1; index <= 7; index += 1) sum += (9 - index) * Number(number[index])
  const check = (8 - ((10 - (sum % 11)) % 11)) % 10
  return Number(number[8]) === (check + 10) % 10
}

/**
 * Latvian personal codes since July 2017: they begin with 32, and have no date of birth and no check digit
 * (Population Register Law).
 */
function isLatvianSince2017(number: string): boolean {
  return /^32\d{9}$/.test(number)
}

function isDivisibleBy11(number: string): boolean {
  return Number(number) % 11 === 0
}
