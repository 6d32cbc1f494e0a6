import listed from '../../../data/subdivisions.json' with { type: 'json' }
import { FACTS_REGIONS } from '../../engine/book/regions.ts'
import { plainName } from '../../engine/book/region-names.ts'
import { REGIMES } from '../../engine/regimes/list.ts'

/** A subdivision of a country by its ISO 3166-2 code. */
type Subdivision = { id: string; code: string; name: string }

const LISTED: Readonly<Partial<Record<string, string>>> = listed
const byCountry = new Map<string, readonly Subdivision[]>()

/** The subdivisions of a country, by their codes. A country is read on first use: few requests need it. */
export function regionsOf(country: string): readonly Subdivision[] {
  const known = byCountry.get(country)
  if (known !== undefined) return known
  const text = Object.hasOwn(LISTED, country) ? LISTED[country] : undefined
  if (text === undefined) return []
  const regions = text.split('|').map((each) => {
    const [code = ''] = each.split(' ', 1)
    return { id: `${country}-${code}`, code, name: each.slice(code.length + 1) }
  })
  // ISO 3166-2 does not list the regions of mail that are no part of the country.
  const apart = FACTS_REGIONS.flatMap((id) =>
    id === country ? (REGIMES[id].address.apart?.regions ?? []) : [],
  )
  const all = [...regions, ...apart.map(({ code, name }) => ({ id: `${country}-${code}`, code, name }))]
  byCountry.set(country, all)
  return all
}

/** By the plain form of ids, codes and names, of each country on first use. */
const byName = new Map<string, ReadonlyMap<string, Subdivision>>()

/**
 * A region by its code, its full id or its name, whatever the case and the accents; null when the country has
 * none of that.
 */
export function findRegion(country: string, text: string): Subdivision | null {
  const known = byName.get(country) ?? namesOf(country)
  byName.set(country, known)
  return known.get(plainName(text)) ?? null
}

/** The first region with a name has it. */
function namesOf(country: string): ReadonlyMap<string, Subdivision> {
  return new Map(
    regionsOf(country)
      .flatMap((region) =>
        [region.id, region.code, region.name].map((known) => [plainName(known), region] as const),
      )
      .toReversed(),
  )
}
