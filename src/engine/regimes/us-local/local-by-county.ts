import type { AddressOwner, LocalFallback } from '../../sale/sale.ts'
import { invariant } from '../../ground/invariant.ts'
import {
  citiesNamed,
  countiesOfZip,
  countiesOfZip3,
  type CountyOfZip,
  type LocalJurisdiction,
  type LocalState,
  type StateOfBook,
} from './local-book.ts'
import {
  LARGEST,
  type LocalAddress,
  type LocalCandidate,
  type LocalPlace,
  type LocalStack,
  type LocalTax,
  localTaxOfFirst,
  localTaxUnknown,
  LOWEST,
  NO_STACK,
  POSTAL_CITY,
  stackOf,
} from './local-stack.ts'
import { highestOfCities } from './cities-of-counties.ts'
import { cityOfZip } from './main-cities.ts'
import { withGaps } from './local-gaps.ts'
import { STATE_FIPS } from './state-fips.ts'

/** The local taxes at an address by the counties of its ZIP and the cities in them. */
export function taxByCounties(
  place: LocalPlace,
  address: LocalAddress,
  fallback: LocalFallback | null,
): LocalTax {
  const counties = countiesAt(place, address.zip5)
  const found = taxInCounties(place, address, fallback, counties)
  return withGaps(place, address, counties.counties, withCities(place, address, counties.counties, found))
}

/**
 * The local tax with the range of the cities that the address may lie in. Without a city of the address, no
 * rate is the only one in a state whose cities tax.
 */
function withCities(
  place: LocalPlace,
  { zip5, city }: LocalAddress,
  counties: readonly CountyOfZip[],
  found: LocalTax,
): LocalTax {
  const { law, places } = place
  if (zip5 === null || city !== null || law.city === 'none' || counties.length === 0) return found
  if (law.zips_whole || counties.every((each) => isOfCity(places, each))) return found
  if (cityOfZip(places.within_city(), zip5) !== null) return found
  const highest = highestOfCities(place, zip5, counties)
  if (highest <= found.rate_max) return found
  const method = found.method === 'only_rate_in_zip' ? 'county_of_zip' : found.method
  return { ...found, method, rate_max: highest }
}

/** Whether every part of a county lies in one city, so that no name of a city is missing. */
function isOfCity({ law, counties }: StateOfBook, { county_fips }: CountyOfZip): boolean {
  const is_part_of_city = law.city_counties?.includes(counties.get(county_fips)?.id ?? '') === true
  return is_part_of_city || law.cities_that_are_counties?.[county_fips] !== undefined
}

function taxInCounties(
  place: LocalPlace,
  address: LocalAddress,
  fallback: LocalFallback | null,
  { counties, known }: CountiesAt,
): LocalTax {
  const { book, law, state } = place
  const named = address.city === null ? [] : citiesNamed(book, state, address.city)
  const main = address.city === null ? mainCitiesAt(place, address.zip5) : NO_MAIN
  if (counties.length === 0) return withoutZip(place, address, [...named, ...main.cities])
  const all = counties.flatMap((county) => candidatesIn(place, county, address.zip5, [named, main.cities]))
  const inMain = all.filter(({ city }) => city !== null && main.cities.includes(city))
  const whole = main.within && inMain.length > 0
  const candidates = whole ? inMain : all
  const inCity = candidates.filter(({ city }) => city !== null && named.includes(city))
  if (named.length > 0 && inCity.length > 0)
    return localTaxOfFirst(known ? 'zip5_city' : 'city', 'city_named', inCity.slice(0, 1), candidates, [
      POSTAL_CITY,
      ...(inCity[0]?.incomplete === true ? [missing(place)] : []),
    ])
  const notes = whole ? [] : notesOnZip(place, address, named, { counties, known })
  const complete = candidates.filter(({ incomplete }) => !incomplete)
  if (complete.length === candidates.length)
    return chosenInCounties(law, candidates, fallback, { known, whole, notes, inMain })
  // The place that decides is not on file: no rate of another place stands for it.
  if (complete.length === 0 || candidates[0]?.incomplete === true) return localTaxUnknown(missing(place))
  const left = inMain.filter(({ incomplete }) => !incomplete)
  const told = [...notes, PART_MISSING]
  return chosenInCounties(law, complete, fallback, { known, whole, notes: told, inMain: left })
}

type MainCities = { cities: readonly LocalJurisdiction[]; within: boolean }
const NO_MAIN: MainCities = { cities: [], within: false }

/** The cities with the name of the postal city of a ZIP, and whether the whole ZIP is within its limits. */
function mainCitiesAt({ book, places, state }: LocalPlace, zip5: string | null): MainCities {
  const city = zip5 === null ? null : cityOfZip(places.main_cities(), zip5)
  if (zip5 === null || city === null) return NO_MAIN
  return { cities: citiesNamed(book, state, city), within: cityOfZip(places.within_city(), zip5) !== null }
}

const PART_MISSING = 'The local tax of a part of the ZIP is not in the data'

/** What an answer lacks where every county taxes and the county is not on file. */
function missing({ law, name }: LocalPlace): string {
  const { least_millionths, most_millionths } = invariant(law.every_county ?? null, 'every county taxes')
  const points = (millionths: number) => String(millionths / 10_000)
  return (
    `A local tax is not in the data and is missing in the answer. Local taxes in ${name} are ` +
    `${points(least_millionths)} to ${points(most_millionths)} points`
  )
}

type CountiesAt = { counties: CountyOfZip[]; known: boolean }

/** The counties of the ZIP within the state; of its first three digits if the ZIP itself is not known. */
function countiesAt({ book, state }: LocalPlace, zip5: string | null): CountiesAt {
  if (zip5 === null) return { counties: [], known: false }
  const prefix = STATE_FIPS[state] ?? '--'
  const within = ({ county_fips, permille }: CountyOfZip) => county_fips.startsWith(prefix) && permille > 0
  const counties = countiesOfZip(book, zip5).filter(within)
  if (counties.length > 0) return { counties, known: true }
  return { counties: countiesOfZip3(book, zip5).filter(within), known: false }
}

/** What may apply in one county of the ZIP: the named city, the cities of the ZIP, or the county alone. */
function candidatesIn(
  place: LocalPlace,
  { county_fips, permille }: CountyOfZip,
  zip5: string | null,
  [named, main]: readonly [readonly LocalJurisdiction[], readonly LocalJurisdiction[]],
): LocalCandidate[] {
  const { places, law } = place
  const county = places.counties.get(county_fips) ?? null
  const isHere = (city: LocalJurisdiction) => city.county_fips === null || city.county_fips === county_fips
  const of = (city: LocalJurisdiction | null): LocalCandidate => ({
    ...stackOfCounty(place, county, city),
    permille,
    city,
    incomplete: lacksCounty(law, county, city),
  })
  const asked = named.filter(isHere)
  if (asked.length > 0) return asked.map(of)
  const only = places.jurisdictions.get(law.cities_that_are_counties?.[county_fips] ?? '')
  if (only !== undefined) return [of(only)]
  const ofZip = zip5 === null ? [] : (places.cities_of_zip().get(zip5) ?? [])
  const listed = [...new Set([...main, ...ofZip])].filter(isHere)
  return law.zips_whole && listed.length > 0 ? listed.map(of) : [...listed.map(of), of(null)]
}

function stackOfCounty(
  place: LocalPlace,
  county: LocalJurisdiction | null,
  city: LocalJurisdiction | null,
): LocalStack {
  const withCounty = county !== null && holdsCounty(place.law, city)
  return stackOf(place, [...(withCounty ? [county] : []), ...(city === null ? [] : [city])])
}

/** Whether the tax of the county is a part of its own: outside of cities, and where theirs come on top. */
function holdsCounty(law: LocalState, city: LocalJurisdiction | null): boolean {
  if (city === null) return true
  return law.city === 'adds' && law.without_county?.includes(city.id) !== true
}

function lacksCounty(
  law: LocalState,
  county: LocalJurisdiction | null,
  city: LocalJurisdiction | null,
): boolean {
  return law.every_county !== undefined && county === null && holdsCounty(law, city)
}

function noZip(whose: AddressOwner): string {
  return whose === 'the address' ? 'The address has no ZIP' : `The address of ${whose} has no ZIP`
}

/** Without a known ZIP, a city decides if the state has one of that name only. */
function withoutZip(
  place: LocalPlace,
  { zip5, city: given }: LocalAddress,
  named: readonly LocalJurisdiction[],
): LocalTax {
  const { places, law, name, whose } = place
  const where = zip5 === null ? noZip(whose) : `The ZIP ${zip5} is not in the data in ${name}`
  const [city] = named
  if (city !== undefined && named.length === 1) {
    const county = city.county_fips === null ? null : (places.counties.get(city.county_fips) ?? null)
    const incomplete = lacksCounty(law, county, city)
    const stack = { ...stackOfCounty(place, county, city), permille: null, city, incomplete }
    return localTaxOfFirst(
      'city',
      given === null ? 'main_city' : 'city_named',
      [stack],
      [stack],
      [
        `${where}, so its city decided`,
        given === null ? mainCity([stack]) : POSTAL_CITY,
        ...(incomplete ? [missing(place)] : []),
      ],
    )
  }
  const unknown = localTaxUnknown(`${where}, so only state tax was computed. Local taxes may come on top`)
  return law.every_county === undefined ? unknown : { ...unknown, notes: [...unknown.notes, missing(place)] }
}

/** `inMain`: the candidates in the postal city of the ZIP. `whole`: all of the ZIP lies within its limits. */
type ZipKnown = {
  known: boolean
  whole: boolean
  notes: readonly string[]
  inMain: readonly LocalCandidate[]
}

/** Chooses by the request, else by the rule of the state. */
function chosenInCounties(
  law: LocalState,
  candidates: readonly LocalCandidate[],
  fallback: LocalFallback | null,
  { known, whole, notes, inMain }: ZipKnown,
): LocalTax {
  const precision = (law.city === 'none' || whole) && known ? 'zip5' : 'county'
  const byRate = candidates.toSorted((a, b) => a.rate - b.rate)
  if (byRate[0]?.rate === byRate.at(-1)?.rate)
    return localTaxOfFirst(precision, 'only_rate_in_zip', byRate, [], notes)
  const rule = fallback ?? law.zip5
  switch (rule) {
    case 'lowest':
      return localTaxOfFirst(precision, 'lowest_in_zip', byRate, candidates, [...notes, LOWEST])
    case 'highest':
      return localTaxOfFirst(precision, 'highest_in_zip', byRate.toReversed(), candidates, notes)
    case 'largest':
      if (inMain.length > 0)
        return localTaxOfFirst(precision, 'main_city', inMain, candidates, [...notes, mainCity(inMain)])
      return localTaxOfFirst(precision, 'largest_area', candidates, candidates, [...notes, LARGEST])
    case 'state_only': {
      const all = localTaxOfFirst('none', 'none', candidates, candidates, notes)
      return { ...all, stack: NO_STACK }
    }
  }
}

function mainCity([first]: readonly LocalCandidate[]): string {
  return (
    `The postal city of the ZIP, ${first?.city?.name ?? 'unknown'}, was taken for the city that taxes the ` +
    'address. The limits of a city and its postal name differ'
  )
}

function notesOnZip(
  { places, law, name, whose }: LocalPlace,
  { city, zip5 }: LocalAddress,
  named: readonly LocalJurisdiction[],
  { counties, known }: CountiesAt,
): string[] {
  const notes = known
    ? []
    : [`The ZIP ${zip5} is not in the data, so the counties of its first three digits were used`]
  const within_city = counties.every((each) => isOfCity(places, each))
  if (law.city === 'none' || (within_city && named.length === 0)) return notes
  if (city === null) return [...notes, `Cities of ${name} may add a tax. Give the city of ${whose}`]
  return named.length === 0
    ? [...notes, `No city rate was found for ${city}, so the rate of the county was used`]
    : [...notes, `The city ${city} is in no county of the ZIP ${zip5}, so the ZIP decided`]
}
