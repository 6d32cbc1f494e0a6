import { COUNTRIES } from './iso-codes.ts'

/** Made at its first use, because it takes longer than the rest of this file. */
let countryNames: Intl.DisplayNames | null = null

/** The English name of a country, or its code. */
export function countryName(code: string): string {
  countryNames ??= new Intl.DisplayNames('en', { type: 'region' })
  return COUNTRIES.has(code) ? (countryNames.of(code) ?? code) : code
}
