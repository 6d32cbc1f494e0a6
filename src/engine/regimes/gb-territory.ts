/**
 * The places whose sales are on British VAT returns: Great Britain, Northern Ireland (VATA 1994, s. 40A) and
 * the Isle of Man (Isle of Man Act 1979, s. 6).
 */
export const BRITISH_TERRITORY: ReadonlySet<string> = new Set(['GB', 'XI', 'IM'])

/**
 * The number of a seller in a country. In Northern Ireland it has the digits of the British number, with
 * another prefix (VAT Notice 725, VATREC5020). `numberIn`: the number on file for a country; null: none.
 */
export function numberInTerritory(
  country: string,
  numberIn: (country: string) => string | null,
): string | null {
  const own = numberIn(country)
  if (own !== null || country !== 'XI') return own
  const british = numberIn('GB')
  return british === null ? null : `XI${british.replace(/^GB/, '').trimStart()}`
}
