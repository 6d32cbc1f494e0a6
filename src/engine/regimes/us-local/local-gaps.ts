import { cityKey, type CountyOfZip, type LocalGap } from './local-book.ts'
import { cityOfZip } from './main-cities.ts'
import type { LocalAddress, LocalPlace, LocalTax } from './local-stack.ts'

/**
 * The local tax with what is known to be missing at the address: the rate of its city, or districts in parts
 * of its county.
 */
export function withGaps(
  place: LocalPlace,
  address: LocalAddress,
  counties: readonly CountyOfZip[],
  found: LocalTax,
): LocalTax {
  const gap = gapAt(place, address, counties, found)
  if (gap === null) return found
  const { city, county_fips, most_millionths } = gap
  const points = `up to ${most_millionths / 10_000} points`
  const ofCounty = county_fips !== null && !place.places.counties.has(county_fips)
  const note =
    city === null && !ofCounty
      ? `A part of the county has a further local tax that is not in the data, so some addresses pay ` +
        `${points} more`
      : `A local tax of ${city ?? 'the county'} is not in the data and may be missing in the ` +
        `answer: ${points}`
  return {
    ...found,
    rate_max: Math.max(found.rate_max, found.stack.rate + most_millionths),
    notes: [...found.notes, note],
    incomplete: city === null ? ofCounty : !BY_CITY.has(found.method),
  }
}

const BY_CITY: ReadonlySet<LocalTax['method']> = new Set(['city_named', 'main_city'])

/** What is missing: that of the city, if it is known; else that of a county of the ZIP. */
function gapAt(
  { law, state, places }: LocalPlace,
  address: LocalAddress,
  counties: readonly CountyOfZip[],
  { method }: LocalTax,
): LocalGap | null {
  if (law.gaps === undefined) return null
  const { zip5 } = address
  const city = address.city ?? (zip5 === null ? null : cityOfZip(places.main_cities(), zip5))
  const here = law.gaps.filter(
    (gap) => gap.county_fips === null || counties.some(({ county_fips }) => county_fips === gap.county_fips),
  )
  const key = city === null ? null : cityKey(state, city)
  const ofCity = here.find((gap) => gap.city !== null && cityKey(state, gap.city) === key)
  if (ofCity !== undefined) return ofCity
  return BY_CITY.has(method) ? null : (here.find((gap) => gap.city === null) ?? null)
}
