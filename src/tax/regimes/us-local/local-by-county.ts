import {
  citiesNamed,
  countiesOfZip,
  countiesOfZip3,
  type CountyOfZip,
  type LocalJurisdiction,
  type LocalState,
} from './local-book.ts'
import {
  LARGEST,
  type LocalAddress,
  type LocalCandidate,
  type LocalFallback,
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
import { STATE_FIPS } from './state-fips.ts'

/** The local taxes at an address by the counties of its ZIP and the cities in them. */
export function taxByCounties(
  place: LocalPlace,
  address: LocalAddress,
  fallback: LocalFallback | null,
): LocalTax {
  const { book, law, state } = place
  const named = address.city === null ? [] : citiesNamed(book, state, address.city)
  const { counties, known } = countiesAt(place, address.zip5)
  if (counties.length === 0) return withoutZip(place, address, named)
  const candidates = counties.flatMap((county) => candidatesIn(place, county, address.zip5, named))
  const inCity = candidates.filter(({ city }) => city !== null && named.includes(city))
  if (named.length > 0 && inCity.length > 0)
    return localTaxOfFirst(known ? 'zip5_city' : 'city', 'city_named', inCity.slice(0, 1), candidates, [
      POSTAL_CITY,
    ])
  const notes = notesOnZip(law, state, address, named, known)
  return chosenInCounties(law, candidates, fallback, { known, notes })
}

/** The counties of the ZIP within the state; of its first three digits if the ZIP itself is not known. */
function countiesAt(
  { book, state }: LocalPlace,
  zip5: string | null,
): { counties: CountyOfZip[]; known: boolean } {
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
  named: readonly LocalJurisdiction[],
): LocalCandidate[] {
  const { book, law } = place
  const county = book.counties.get(county_fips) ?? null
  const isHere = (city: LocalJurisdiction) => city.county_fips === null || city.county_fips === county_fips
  const of = (city: LocalJurisdiction | null): LocalCandidate => ({
    ...stackOfCounty(place, county, city),
    permille,
    city,
  })
  const asked = named.filter(isHere)
  if (asked.length > 0) return asked.map(of)
  const listed = (zip5 === null ? [] : (book.cities_of_zip.get(zip5) ?? [])).filter(isHere)
  return law.zips_whole && listed.length > 0 ? listed.map(of) : [...listed.map(of), of(null)]
}

function stackOfCounty(
  place: LocalPlace,
  county: LocalJurisdiction | null,
  city: LocalJurisdiction | null,
): LocalStack {
  const withCounty = county !== null && (city === null || place.law.city === 'adds')
  return stackOf(place, [...(withCounty ? [county] : []), ...(city === null ? [] : [city])])
}

/** Without a known ZIP, a city decides if the state has one of that name only. */
function withoutZip(
  place: LocalPlace,
  { zip5 }: LocalAddress,
  named: readonly LocalJurisdiction[],
): LocalTax {
  const { book, state } = place
  const where = zip5 === null ? 'The address has no ZIP' : `The ZIP ${zip5} is not on file in ${state}`
  const [city] = named
  if (city !== undefined && named.length === 1) {
    const county = city.county_fips === null ? null : (book.counties.get(city.county_fips) ?? null)
    const stack = { ...stackOfCounty(place, county, city), permille: null, city }
    return localTaxOfFirst(
      'city',
      'city_named',
      [stack],
      [stack],
      [`${where}, so its city decided`, POSTAL_CITY],
    )
  }
  return localTaxUnknown(`${where}, so only the tax of the state was computed. Local taxes may come on top`)
}

type ZipKnown = { known: boolean; notes: readonly string[] }

/** Chooses by the request, else by the rule of the state. */
function chosenInCounties(
  law: LocalState,
  candidates: readonly LocalCandidate[],
  fallback: LocalFallback | null,
  { known, notes }: ZipKnown,
): LocalTax {
  const precision = law.city === 'none' && known ? 'zip5' : 'county'
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
      return localTaxOfFirst(precision, 'largest_area', candidates, candidates, [...notes, LARGEST])
    case 'state_only': {
      const all = localTaxOfFirst('none', 'none', candidates, candidates, notes)
      return { ...all, stack: NO_STACK }
    }
  }
}

function notesOnZip(
  law: LocalState,
  state: string,
  { city, zip5 }: LocalAddress,
  named: readonly LocalJurisdiction[],
  known: boolean,
): string[] {
  const notes = known
    ? []
    : [`The ZIP ${zip5} is not on file, so the counties of its first three digits were used`]
  if (law.city === 'none') return notes
  if (city === null) return [...notes, `Cities of ${state} may add a tax: give the city of the address`]
  return named.length === 0
    ? [...notes, `${city} is not on the list of the cities of ${state} with a tax`]
    : [...notes, `The city ${city} lies in no county of the ZIP ${zip5}, so the ZIP decided`]
}
