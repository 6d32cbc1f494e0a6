import { invariant } from '../../invariant.ts'
import {
  citiesNamed,
  countiesOfZip,
  countiesOfZip3,
  type CountyOfZip,
  type LocalBook,
  type LocalJurisdiction,
  type LocalState,
} from './local-book.ts'

/** How to choose among several rates of a ZIP, if the request says so. */
export const LOCAL_FALLBACKS = ['lowest', 'largest', 'highest', 'state_only'] as const
export type LocalFallback = (typeof LOCAL_FALLBACKS)[number]

/** How exactly the address names the place. */
export const PRECISIONS = ['zip4', 'zip5', 'zip5_city', 'county', 'city', 'none'] as const
export type Precision = (typeof PRECISIONS)[number]

/** How the rate was chosen. */
export const LOCAL_METHODS = [
  'only_rate_in_zip',
  'lowest_in_zip',
  'largest_area',
  'highest_in_zip',
  'city_named',
  'none',
] as const
export type LocalMethod = (typeof LOCAL_METHODS)[number]

/** The jurisdictions that tax one place together. Their rates are in the order of `parts`, millionths. */
export type LocalStack = { parts: readonly LocalJurisdiction[]; rates: readonly number[]; rate: number }

/** A stack that may apply at an address. `permille`: its share of the land of the ZIP; null: unknown. */
export type LocalCandidate = LocalStack & { permille: number | null; city: LocalJurisdiction | null }

/** The local taxes of an address. Rates in millionths, without the state's. */
export type LocalTax = {
  precision: Precision
  method: LocalMethod
  stack: LocalStack
  rate_min: number
  rate_max: number
  /** Empty if there is one rate only. */
  candidates: readonly LocalCandidate[]
  notes: readonly string[]
}

type LocalAddress = { zip5: string | null; city: string | null }

const NO_STACK: LocalStack = { parts: [], rates: [], rate: 0 }

/** The local taxes at an address in a state that has them, or null if the data has none of the state. */
export function localTaxAt(
  book: LocalBook,
  state: string,
  address: LocalAddress,
  fallback: LocalFallback | null,
): LocalTax | null {
  const law = book.states.get(state)
  if (law === undefined || law.coverage !== 'local') return null
  const named = address.city === null ? [] : citiesNamed(book, state, address.city)
  const { counties, known } = countiesAt(book, state, address.zip5)
  if (counties.length === 0) return withoutZip(book, law, state, address, named)
  const candidates = counties.flatMap((county) => candidatesIn(book, law, county, address.zip5, named))
  const inCity = candidates.filter(({ city }) => city !== null && named.includes(city))
  if (named.length > 0 && inCity.length > 0)
    return tax(known ? 'zip5_city' : 'city', 'city_named', inCity.slice(0, 1), candidates, [POSTAL_CITY])
  const notes = notesOn(law, state, address, named, known)
  return chosen(law, candidates, fallback, { known, notes })
}

const POSTAL_CITY =
  'The city of the address was taken for the city that taxes it. ' +
  'The limits of a city and its postal name differ'

/** The counties of the ZIP within the state; of its first three digits if the ZIP itself is not known. */
function countiesAt(
  book: LocalBook,
  state: string,
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
  book: LocalBook,
  law: LocalState,
  { county_fips, permille }: CountyOfZip,
  zip5: string | null,
  named: readonly LocalJurisdiction[],
): LocalCandidate[] {
  const county = book.counties.get(county_fips) ?? null
  const isHere = (city: LocalJurisdiction) => city.county_fips === null || city.county_fips === county_fips
  const of = (city: LocalJurisdiction | null): LocalCandidate => ({
    ...stackOf(book, law, county, city),
    permille,
    city,
  })
  const asked = named.filter(isHere)
  if (asked.length > 0) return asked.map(of)
  const listed = (zip5 === null ? [] : (book.cities_of_zip.get(zip5) ?? [])).filter(isHere)
  return law.zips_whole && listed.length > 0 ? listed.map(of) : [...listed.map(of), of(null)]
}

function stackOf(
  book: LocalBook,
  law: LocalState,
  county: LocalJurisdiction | null,
  city: LocalJurisdiction | null,
): LocalStack {
  const levying = [
    ...(county !== null && (city === null || law.city === 'adds') ? [county] : []),
    ...(city === null ? [] : [city]),
  ]
  const districts = levying.flatMap(({ also }) => also)
  const parts = [
    ...levying,
    ...districts.map((id) => invariant(book.jurisdictions.get(id) ?? null, `${id} exists`)),
  ]
  return capped(
    law,
    parts.filter(({ rate_millionths }) => rate_millionths > 0),
  )
}

/** Texas: all local parts together are at most 2 % (Tax Code, s. 321.101(f)); the last part yields. */
function capped({ cap_millionths }: LocalState, parts: readonly LocalJurisdiction[]): LocalStack {
  let left = cap_millionths ?? Number.MAX_SAFE_INTEGER
  const rates = parts.map(({ rate_millionths }) => {
    const rate = Math.min(rate_millionths, left)
    left -= rate
    return rate
  })
  return { parts, rates, rate: rates.reduce((sum, rate) => sum + rate, 0) }
}

/** Without a known ZIP, a city decides if the state has one of that name only. */
function withoutZip(
  book: LocalBook,
  law: LocalState,
  state: string,
  { zip5 }: LocalAddress,
  named: readonly LocalJurisdiction[],
): LocalTax {
  const where = zip5 === null ? 'The address has no ZIP' : `The ZIP ${zip5} is not on file in ${state}`
  const [city] = named
  if (city !== undefined && named.length === 1) {
    const county = city.county_fips === null ? null : (book.counties.get(city.county_fips) ?? null)
    const stack = { ...stackOf(book, law, county, city), permille: null, city }
    return tax('city', 'city_named', [stack], [stack], [`${where}, so its city decided`, POSTAL_CITY])
  }
  const note = `${where}, so only the tax of the state was computed. Local taxes may come on top`
  return {
    precision: 'none',
    method: 'none',
    stack: NO_STACK,
    rate_min: 0,
    rate_max: 0,
    candidates: [],
    notes: [note],
  }
}

type ZipKnown = { known: boolean; notes: readonly string[] }

/** Chooses by the request, else by the rule of the state. */
function chosen(
  law: LocalState,
  candidates: readonly LocalCandidate[],
  fallback: LocalFallback | null,
  { known, notes }: ZipKnown,
): LocalTax {
  const precision = law.city === 'none' && known ? 'zip5' : 'county'
  const byRate = candidates.toSorted((a, b) => a.rate - b.rate)
  if (byRate[0]?.rate === byRate.at(-1)?.rate) return tax(precision, 'only_rate_in_zip', byRate, [], notes)
  const rule = fallback ?? law.zip5
  switch (rule) {
    case 'lowest':
      return tax(precision, 'lowest_in_zip', byRate, candidates, [...notes, LOWEST])
    case 'highest':
      return tax(precision, 'highest_in_zip', byRate.toReversed(), candidates, notes)
    case 'largest':
      return tax(precision, 'largest_area', candidates, candidates, [...notes, LARGEST])
    case 'state_only': {
      const all = tax('none', 'none', candidates, candidates, notes)
      return { ...all, stack: NO_STACK }
    }
  }
}

const LOWEST =
  'The ZIP has several rates. The lowest was used, as SSUTA 305 F allows; some addresses pay more'
const LARGEST = 'The ZIP has several rates. That of its largest part was used; other addresses differ'

function notesOn(
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

function tax(
  precision: Precision,
  method: LocalMethod,
  inOrder: readonly LocalCandidate[],
  candidates: readonly LocalCandidate[],
  notes: readonly string[],
): LocalTax {
  const stack = invariant(inOrder[0] ?? null, 'a local tax has a candidate')
  const rates = [stack, ...candidates].map(({ rate }) => rate)
  const several = new Set(rates).size > 1
  return {
    precision,
    method,
    stack: { parts: stack.parts, rates: stack.rates, rate: stack.rate },
    rate_min: Math.min(...rates),
    rate_max: Math.max(...rates),
    candidates: several ? candidates : [],
    notes,
  }
}

/** ANSI INCITS 38: the first two digits of a county's code. */
const STATE_FIPS: Readonly<Record<string, string>> = {
  AL: '01',
  AK: '02',
  AZ: '04',
  AR: '05',
  CA: '06',
  CO: '08',
  CT: '09',
  DE: '10',
  DC: '11',
  FL: '12',
  GA: '13',
  HI: '15',
  ID: '16',
  IL: '17',
  IN: '18',
  IA: '19',
  KS: '20',
  KY: '21',
  LA: '22',
  ME: '23',
  MD: '24',
  MA: '25',
  MI: '26',
  MN: '27',
  MS: '28',
  MO: '29',
  MT: '30',
  NE: '31',
  NV: '32',
  NH: '33',
  NJ: '34',
  NM: '35',
  NY: '36',
  NC: '37',
  ND: '38',
  OH: '39',
  OK: '40',
  OR: '41',
  PA: '42',
  RI: '44',
  SC: '45',
  SD: '46',
  TN: '47',
  TX: '48',
  UT: '49',
  VT: '50',
  VA: '51',
  WA: '53',
  WV: '54',
  WI: '55',
  WY: '56',
  PR: '72',
}
