import { MILLION } from '../../engine/arithmetic/rounding.ts'
import type { ChargedNumber } from '../../engine/found/assessment.ts'
import type { SchemeId } from '../../engine/ground/schemes.ts'

/** Under which registration of the seller a tax is charged. Empty: no number for it is stored. */
export type ChargedUnder = {
  registration_number?: string
  scheme?: SchemeId
  /** An invoice must not show the number, so it is left out. */
  registration_printed?: false
}

/** A tax of a line, and under which registration it is charged. The rate in millionths. */
export type TaxUnder = Omit<ChargedNumber, 'number'> & { under: ChargedUnder }

/** A tax as answers and rows have it. The rate is a fraction. */
export type TaxEntry = { jurisdiction_id: string; tax_type: string; levied_as: string | null; rate: number }

/** A tax of a breakdown with the number under which it is charged, if all of it is under one. */
export function withNumber<Entry extends TaxEntry>(
  entry: Entry,
  taxes: readonly TaxUnder[],
): Entry & ChargedUnder {
  const own = taxes.filter(
    ({ jurisdiction_id, tax_type, levied_as, rate_millionths }) =>
      jurisdiction_id === entry.jurisdiction_id &&
      tax_type === entry.tax_type &&
      levied_as === entry.levied_as &&
      rate_millionths === Math.round(entry.rate * MILLION),
  )
  const [first] = own
  return first !== undefined && own.every(({ under }) => isSame(under, first.under))
    ? { ...entry, ...first.under }
    : entry
}

function isSame(one: ChargedUnder, other: ChargedUnder): boolean {
  return (
    one.registration_number === other.registration_number &&
    one.scheme === other.scheme &&
    one.registration_printed === other.registration_printed
  )
}

type Said = { [Name in keyof ChargedUnder]: ChargedUnder[Name] | undefined }

/** The number of a line: the one that its taxes name. Empty: they name none, or several. */
export function numberOfLine(taxes: readonly Said[]): ChargedUnder {
  const named = taxes.map(({ registration_number, scheme, registration_printed }) => ({
    ...(registration_number !== undefined && { registration_number }),
    ...(scheme !== undefined && { scheme }),
    ...(registration_printed !== undefined && { registration_printed }),
  }))
  const said = named.filter((each) => Object.keys(each).length > 0)
  const [first] = said
  return first !== undefined && said.every((each) => isSame(each, first)) ? first : {}
}
