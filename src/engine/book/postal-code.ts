/**
 * Prefixes before postal codes that differ from the ISO code, mostly the sign of the country's cars. Mail to
 * Åland goes through Finland.
 */
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  AT: ['A'],
  AX: ['FI', 'FIN'],
  BE: ['B'],
  DE: ['D'],
  ES: ['E'],
  FI: ['FIN', 'AX'],
  FR: ['F'],
  GB: ['UK'],
  GR: ['EL'],
  HU: ['H'],
  IT: ['I'],
  PT: ['P'],
  SE: ['S'],
}

/** A postal code as rules have it: upper case, without spaces, hyphens and the prefix of its country. */
export function compactPostalCode(country: string, code: string): string {
  return /^[\dA-Z]*$/.test(code)
    ? code
    : withoutCountryPrefix(country, code).replace(/[\s-]/g, '').toUpperCase()
}

/**
 * `22100` of `FI-22100`: mail between the countries of Europe bears the country before the postal code
 * (CEPT).
 */
export function withoutCountryPrefix(country: string, code: string): string {
  const [written, letters] = /^\s*([A-Z]{1,3})[\s-]+(?=\w)/i.exec(code) ?? []
  if (written === undefined || letters === undefined) return code
  const prefix = letters.toUpperCase()
  return prefix === country || PREFIXES[country]?.includes(prefix) === true
    ? code.slice(written.length)
    : code
}
