import { placeOfCode } from '../../platform/http/place-name.ts'
import offices from '../../../data/office-codes.json' with { type: 'json' }
import type { FilingTax } from '../forms/answers.ts'

const CODES: ReadonlyMap<string, string> = new Map(offices.flatMap(({ codes }) => Object.entries(codes)))

/**
 * The code of a place on the form of its office, such as New York's reporting codes. Null: it is not on file,
 * which does not mean that the place has none.
 */
export function officeCodeOf(jurisdiction_id: string): string | null {
  return CODES.get(jurisdiction_id) ?? null
}

/** Where the codes of local taxes come from, and in which states they are not on file. */
export function notesOnOfficeCodes(taxes: readonly Pick<FilingTax, 'state' | 'office_code'>[]): string[] {
  const known = new Set(taxes.filter(({ office_code }) => office_code !== null).map(({ state }) => state))
  const lacking = new Set(taxes.filter(({ office_code }) => office_code === null).map(({ state }) => state))
  const states = [...lacking].map(placeOfCode).toSorted().join(', ')
  return [
    ...offices.filter(({ state }) => known.has(state)).map(({ note }) => note),
    ...(lacking.size === 0
      ? []
      : [`Codes of places on the form are not in the data: ${states}. Look at the form`]),
  ]
}
