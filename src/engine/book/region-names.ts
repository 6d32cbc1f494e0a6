/**
 * Territories with a country code of their own that are a region of another country in the data. Customs
 * write IC for the Canary Islands.
 */
export const COUNTRIES_KEPT_AS_REGIONS: ReadonlyMap<string, string> = new Map([
  ['PR', 'US-PR'],
  ['IC', 'ES-CN'],
])

/** A name without case and accents, so that `Québec` and `quebec` are one. */
export function plainName(name: string): string {
  const plain = /^[ -~]*$/.test(name) ? name : name.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return plain.trim().toLowerCase()
}
