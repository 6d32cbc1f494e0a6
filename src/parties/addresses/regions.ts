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
