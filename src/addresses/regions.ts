import { iso31662 } from 'iso-3166'
import { plainName } from '../tax/book/region-names.ts'

/** A subdivision of a country by its ISO 3166-2 code. */
export type Subdivision = { id: string; code: string; name: string }

let byCountry: ReadonlyMap<string, readonly Subdivision[]> | null = null

/** The subdivisions of a country, by their codes. Made on first use: most requests need none. */
export function regionsOf(country: string): readonly Subdivision[] {
  byCountry ??= Map.groupBy(
    iso31662.map(({ code, name }) => ({ id: code, code: code.slice(3), name })),
    ({ id }) => id.slice(0, 2),
  )
  return byCountry.get(country) ?? []
}

/**
 * A region by its code, its full id or its name, whatever the case and the accents; null when the country has
 * none of that.
 */
export function findRegion(country: string, text: string): Subdivision | null {
  const wanted = plainName(text)
  return (
    regionsOf(country).find(({ id, code, name }) =>
      [id, code, name].some((known) => plainName(known) === wanted),
    ) ?? null
  )
}
