import { cityKey, type LocalJurisdiction, localRateOn, type StateOfBook } from './local-book.ts'
import { cityOfZip, zip3sOfCities } from './main-cities.ts'
import { type LocalPlace, stackOf } from './local-stack.ts'

/** A city as far as its highest tax is concerned. Rates in millionths. */
type RatedCity = {
  id: string
  rate: number
  /** Null: its county is not known. */
  county_fips: string | null
  /** The first three digits of its ZIPs; empty: none is known. */
  zip3s: ReadonlySet<string>
}

/** The cities of a state by the day. */
const known_cities = new WeakMap<StateOfBook, Map<string, readonly RatedCity[]>>()
const KNOWN_MAX = 10

/**
 * The highest local tax of a city that may lie in one of the counties, with the tax of its county where it
 * adds, millionths. A city without a known county counts unless its ZIPs lie elsewhere.
 */
export function highestOfCities(
  place: LocalPlace,
  zip5: string,
  counties: readonly { county_fips: string }[],
): number {
  const { places, law, day } = place
  const within = new Map(
    counties.map(({ county_fips }) => {
      const county = places.counties.get(county_fips)
      return [county_fips, county === undefined ? 0 : localRateOn(county, day)]
    }),
  )
  const highest = Math.max(0, ...within.values())
  const zip3 = zip5.slice(0, 3)
  const rates = citiesOf(place).flatMap(({ id, rate, county_fips, zip3s }) => {
    if (county_fips === null ? zip3s.size > 0 && !zip3s.has(zip3) : !within.has(county_fips)) return []
    const adds = law.city === 'adds' && law.without_county?.includes(id) !== true
    const of_county = county_fips === null ? highest : (within.get(county_fips) ?? 0)
    return [rate + (adds ? of_county : 0)]
  })
  return Math.min(
    rates.reduce((most, rate) => Math.max(most, rate), 0),
    law.cap_millionths ?? Infinity,
  )
}

/** A name without what lists and addresses add to it. */
const plainCity = (name: string) => cityKey('', name)

function citiesOf(place: LocalPlace): readonly RatedCity[] {
  const { places, day, food } = place
  const key = `${day} ${food}`
  const ofState = known_cities.get(places) ?? new Map<string, readonly RatedCity[]>()
  const known = ofState.get(key)
  if (known !== undefined) return known
  const postal = zip3sOfCities(places.main_cities(), plainCity)
  const cities = places.cities.flatMap((city): RatedCity[] => {
    const { rate } = stackOf(place, [city])
    const ofName = postal.get(plainCity(city.name)) ?? []
    const zip3s = new Set([...city.zips.map((zip) => zip.slice(0, 3)), ...ofName])
    return rate === 0 ? [] : [{ id: city.id, rate, county_fips: city.county_fips, zip3s }]
  })
  if (ofState.size >= KNOWN_MAX) ofState.clear()
  known_cities.set(places, ofState.set(key, cities))
  return cities
}

/** The postal city of a ZIP, and the cities of the counties whose ZIPs begin as it does, or are not known. */
export function citiesNear(
  places: StateOfBook,
  zip5: string,
  counties: ReadonlySet<string>,
): LocalJurisdiction[] {
  const main = cityOfZip(places.main_cities(), zip5)
  const postal = zip3sOfCities(places.main_cities(), plainCity)
  return places.cities.filter(({ name, county_fips }) => {
    if (county_fips !== null && !counties.has(county_fips)) return false
    if (main !== null && plainCity(main) === plainCity(name)) return true
    return county_fips !== null && (postal.get(plainCity(name))?.has(zip5.slice(0, 3)) ?? true)
  })
}
