import { stdnum } from 'stdnum'

/** Which of the library's validators check the numbers of a country. XI numbers are those of GB. */
const VALIDATORS = new Map<string, readonly [country: string, ...names: string[]]>([
  ['AT', ['AT', 'uid']],
  ['BE', ['BE', 'vat']],
  ['BG', ['BG', 'vat', 'egn', 'pnf']],
  ['HR', ['HR', 'oib']],
  ['CY', ['CY', 'vat']],
  ['CZ', ['CZ', 'dic']],
  ['DK', ['DK', 'cvr']],
  ['EE', ['EE', 'kmkr']],
  ['FI', ['FI', 'alv']],
  ['FR', ['FR', 'tva']],
  ['DE', ['DE', 'vat']],
  ['GR', ['GR', 'vat']],
  ['HU', ['HU', 'anum']],
  ['IE', ['IE', 'vat']],
  ['IT', ['IT', 'iva']],
  ['LV', ['LV', 'pvn']],
  ['LT', ['LT', 'pvm']],
  ['LU', ['LU', 'tva']],
  ['MT', ['MT', 'vat']],
  ['NL', ['NL', 'btw']],
  ['PL', ['PL', 'nip']],
  ['PT', ['PT', 'nif']],
  ['RO', ['RO', 'cif', 'cui']],
  ['SK', ['SK', 'dph']],
  ['SI', ['SI', 'ddv']],
  ['ES', ['ES', 'nif', 'cif', 'dni', 'nie']],
  ['SE', ['SE', 'vat']],
  ['GB', ['GB', 'vat']],
  ['XI', ['GB', 'vat']],
  ['CH', ['CH', 'uid']],
  ['NO', ['NO', 'orgnr']],
  ['AU', ['AU', 'abn']],
])

/**
 * What the library (1.12.0) rejects although it was issued. Numbers have the form of their country when they
 * come here.
 */
const ALSO_ISSUED = new Map<string, (number: string) => boolean>([
  ['CZ', isCzechSpecial],
  ['LV', isLatvianSince2017],
  ['SK', isDivisibleBy11],
])

/**
 * Whether the check digits of a number without its prefix are right; where a country has none, whether the
 * library knows the number's form.
 */
export function passesCheckDigits(country: string, number: string): boolean {
  const [library, ...names] = VALIDATORS.get(country) ?? ['']
  const validators = stdnum[library]
  return (
    names.some((name) => validators?.[name]?.validate(number).isValid === true) ||
    ALSO_ISSUED.get(country)?.(number) === true
  )
}

/** Whether VAT ids of a country can be checked at all. */
export function isKnownIssuer(country: string): boolean {
  return VALIDATORS.has(country)
}

/**
 * Persons without a birth number: nine digits that begin with 6, the last one a check digit of the seven
 * between.
 */
function isCzechSpecial(number: string): boolean {
  if (!/^6\d{8}$/.test(number)) return false
  let sum = 0
  for (let index = 1; index <= 7; index += 1) sum += (9 - index) * Number(number[index])
  const check = (8 - ((10 - (sum % 11)) % 11)) % 10
  return Number(number[8]) === (check + 10) % 10
}

/**
 * Personal codes since July 2017 begin with 32, hold no date of birth and no check digit (Population Register
 * Law).
 */
function isLatvianSince2017(number: string): boolean {
  return /^32\d{9}$/.test(number)
}

function isDivisibleBy11(number: string): boolean {
  return Number(number) % 11 === 0
}
