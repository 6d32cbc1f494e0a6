import type { SchemeId } from '../../ground/schemes.ts'
import { once } from '../../book/rate-book.ts'
import { plainName } from '../../book/region-names.ts'
import type { BoundaryEdition, Zip4Edition } from './boundaries.ts'
import { type ZipsOfCity, zipsOfCities } from './main-cities.ts'

/**
 * The local sales taxes of the United States: counties, cities and districts with their rates, and the
 * counties of each ZIP. A book of its own beside the rate book, loaded on the first sale into a state.
 */

/**
 * One rate for the whole state, which a seller from elsewhere may choose instead of the rates of addresses:
 * the single local use tax rate of Texas (Tax Code, s. 151.0595), and the simplified sellers use tax of
 * Alabama (Code of Alabama, s. 40-23-193).
 */
export type RemoteSellerRate = {
  /** The registration by which a seller chooses it. */
  scheme: SchemeId
  name: string
  rate_millionths: number
  /** The first day. */
  from: string
  /** It contains the tax of the state, and is levied as this; null: it comes on top of the state's tax. */
  levied_as: string | null
  /** Whether a marketplace may use it for the sales of others. */
  marketplaces: boolean
  source: string
  as_of: string
}

/** A tax that a county or city levies on one product alone, on top of the taxes on all sales. */
export type OwnTax = {
  /** Of the place that levies it. */
  id: string
  /** The name of the place. */
  name: string
  product_type: string
  tax_type: 'MEALS_TAX' | 'LODGING_TAX'
  /** Of the county that levies it; null: a city does. */
  county_fips: string | null
  rate_millionths: number
  /** The first day; null: since ever. */
  from: string | null
  source: string
  as_of: string
}

/** A place that levies a local tax which is not on file, or that is on file without its lowest rate. */
export type LocalGap = {
  /** The city whose rate is missing; null: districts in parts of the county. */
  city: string | null
  /** The county; null: all counties of the city. */
  county_fips: string | null
  /** What may come on top of the rates on file, millionths. */
  most_millionths: number
}

/** How a state levies local tax, and where a sale inside it is taxed (us-local.md, section 4). */
export type LocalState = {
  /** `full`: there is no local tax; `local`: local parts are on file; `state`: they are not. */
  coverage: 'full' | 'local' | 'state'
  /** Whether the rate of a city comes on top of its county's, or contains it; `none`: no city has a tax. */
  city: 'adds' | 'replaces' | 'none'
  /** If a ZIP has several rates: the lowest (SSUTA 305 F), or that of the largest part. */
  zip5: 'lowest' | 'largest'
  /** Where a seller in the state is taxed: at the buyer, at its own place, or that only for goods. */
  sourcing: 'destination' | 'origin' | 'origin_goods' | 'modified_origin'
  /** The most that all local parts together may be, millionths; null: no limit. */
  cap_millionths: number | null
  /** The ZIPs of a city lie wholly within it. */
  zips_whole: boolean
  /**
   * Every county levies a tax; all local parts of a place together lie between these, millionths. A county
   * that is not on file is then a gap in the data, not a place without tax. Absent: not every county does.
   */
  every_county?: { least_millionths: number; most_millionths: number } | undefined
  /**
   * Cities in which the county's tax is another than outside of cities. It is a district of the city then,
   * and the county's own rate does not come on top.
   */
  without_county?: readonly string[] | undefined
  /** Local taxes fall on so much of the price of an item of goods, cents; absent: on all of it. */
  item_cap?: number | undefined
  /** A tax of the state on the part of the price of an item between `item_cap` and `up_to`, cents. */
  single_article?: { rate_millionths: number; up_to: number } | undefined
  /**
   * Groceries that the state taxes at a lower rate or not at all. Local taxes fall on them (`taxed`), or as
   * far as the files have a rate on food (`by_file`), or our rate of the state contains them (`included`).
   */
  groceries?: 'taxed' | 'by_file' | 'included' | undefined
  /** Places that free clothing below the price up to which the state frees it. Elsewhere they tax it. */
  clothing_free?: readonly string[] | undefined
  /** Counties that are parts of one city: their rate contains its tax, so no name of a city is missing. */
  city_counties?: readonly string[] | undefined
  /** The ids of cities that fill a county, by the FIPS code of the county: their tax applies in all of it. */
  cities_that_are_counties?: Readonly<Record<string, string>> | undefined
  /** Products on which places may levy a tax of their own. Most of these taxes are not on file. */
  places_may_tax?: readonly string[] | undefined
  /** Further products that the state taxes where a seller in the state is. */
  at_seller?: readonly string[] | undefined
  /** Products of which it is not sure, and why, as a sentence. */
  place_unsure?: { readonly product_types: readonly string[]; readonly why: string } | undefined
  /** Those of them that are on file. */
  own_taxes?: readonly OwnTax[] | undefined
  /**
   * The ZIPs of the postal cities that have a tax or a gap, such as `35201-35298`, by their names. A postal
   * city is not always the city that taxes.
   */
  main_cities?: Readonly<Record<string, string>> | undefined
  /** Those of these ZIPs that lie wholly within the limits of the city. */
  within_city?: Readonly<Record<string, string>> | undefined
  /** Where a local tax is known to be missing. */
  gaps?: readonly LocalGap[] | undefined
  /** Sellers without a place in the state collect no local tax. */
  remote_sellers_exempt?: boolean | undefined
  /** A rate for sellers from elsewhere that registered for it. */
  remote_seller_rate?: RemoteSellerRate | undefined
}

/** `flat`: one rate for sellers from elsewhere, in the whole state. */
export const LOCAL_TYPES = ['county', 'city', 'district', 'flat'] as const

/** A rate with its days, both included. Null: since ever, until further notice. */
export type LocalRate = {
  rate_millionths: number
  /** On food and drugs; absent: the source says nothing. */
  food_millionths?: number
  from: string | null
  to: string | null
}

export type LocalJurisdiction = {
  id: string
  state: string
  type: (typeof LOCAL_TYPES)[number]
  /** The code that the state gives it. */
  code: string
  name: string
  /** Of a county its own; of a city the county it lies in, if that is known. */
  county_fips: string | null
  /** In the order of their days, without an overlap. On a day without a rate there is no tax. */
  rates: readonly LocalRate[]
  /** Districts whose tax applies in the whole city. */
  also: readonly string[]
  /** ZIPs of a city, as far as they are known. */
  zips: readonly string[]
  source: string
  as_of: string
}

/** The book as it is stored: `zips` has a text of `zip5 county permille` entries for each ZIP3. */
export type LocalData = {
  version: string
  states: Readonly<Record<string, LocalState>>
  jurisdictions: readonly LocalJurisdiction[]
  zips: Readonly<Record<string, string>>
  /** By state: the boundaries of its files, the newest edition first. */
  boundaries: Readonly<Record<string, readonly BoundaryEdition[]>>
  /** By state and ZIP3 (`GA:303`): the stamp of what is on file of its ZIP+4. */
  zip4: Readonly<Record<string, string>>
}

/** A county of a ZIP, with its share of the land in thousandths. */
export type CountyOfZip = { county_fips: string; permille: number }

/** What is stored of a state, with its boundaries as in LocalData. */
type StateData = {
  law: LocalState
  jurisdictions: readonly LocalJurisdiction[]
  boundaries: readonly BoundaryEdition[]
}

/** A state of the book, with its places by what a sale knows of them. */
export type StateOfBook = Omit<StateData, 'jurisdictions'> & {
  readonly jurisdictions: ReadonlyMap<string, LocalJurisdiction>
  /** By county FIPS code. */
  readonly counties: ReadonlyMap<string, LocalJurisdiction>
  readonly cities: readonly LocalJurisdiction[]
  /** By plain name: `CA losangeles`. */
  readonly cities_named: () => ReadonlyMap<string, readonly LocalJurisdiction[]>
  /** Cities by the ZIPs that are known to be theirs. */
  readonly cities_of_zip: () => ReadonlyMap<string, readonly LocalJurisdiction[]>
  /** The postal cities of ZIPs. */
  readonly main_cities: () => readonly ZipsOfCity[]
  /** The ZIPs that lie wholly within the limits of their postal city. */
  readonly within_city: () => readonly ZipsOfCity[]
}

/** What a book is opened from. `stored` reads a state; null: nothing is on file of it. */
type LocalSource = Pick<LocalBook, 'version' | 'zips' | 'zip4'> & {
  stored: (state: string) => StateData | null
}

export type LocalBook = {
  readonly version: string
  /** A state such as `CA`, read and indexed when a sale first asks for it; null: nothing is on file of it. */
  readonly state: (id: string) => StateOfBook | null
  /** The text of each ZIP3. A ZIP is read from it when a sale asks for it. */
  readonly zips: ReadonlyMap<string, string>
  /** A cache of the counties of ZIPs that were asked for; the oldest goes first. */
  readonly known_zips: Map<string, CountyOfZip[]>
  /** The stamp of each ZIP3 that has ZIP+4 on file. */
  readonly zip4: ReadonlyMap<string, string>
  /** Those of them that sales asked for, loaded before the sale is assessed; the oldest goes first. */
  readonly known_zip4: Map<string, readonly Zip4Edition[]>
}

/** The book of all local data. */
export function openLocalBook(data: LocalData): LocalBook {
  const { version, zips, zip4, boundaries } = data
  const states = new Map(Object.entries(data.states))
  const ofState = Map.groupBy(data.jurisdictions, ({ state }) => state)
  const stored = (state: string): StateData | null => {
    const law = states.get(state)
    if (law === undefined) return null
    return { law, jurisdictions: ofState.get(state) ?? [], boundaries: boundaries[state] ?? [] }
  }
  return localBookOf({
    version,
    zips: new Map(Object.entries(zips)),
    zip4: new Map(Object.entries(zip4)),
    stored,
  })
}

/** A book whose states are read one by one: all of them take a cold isolate longer than its first sales. */
export function localBookOf({ version, zips, zip4, stored }: LocalSource): LocalBook {
  const opened = new Map<string, StateOfBook>()
  const state = (id: string): StateOfBook | null => {
    const known = opened.get(id)
    if (known !== undefined) return known
    const found = stored(id)
    const indexed = found === null ? null : indexState(found)
    // What the data lacks is not kept: an id may come from a request.
    if (indexed !== null) opened.set(id, indexed)
    return indexed
  }
  return { version, state, zips, known_zips: new Map(), zip4, known_zip4: new Map() }
}

function indexState({ law, jurisdictions, boundaries }: StateData): StateOfBook {
  const cities = jurisdictions.filter(({ type }) => type === 'city')
  const counties = jurisdictions.filter(({ type }) => type === 'county')
  return {
    law,
    boundaries,
    jurisdictions: new Map(jurisdictions.map((each) => [each.id, each])),
    counties: new Map(
      counties.flatMap((each) => (each.county_fips === null ? [] : [[each.county_fips, each]])),
    ),
    cities,
    cities_named: once(() => Map.groupBy(cities, ({ state, name }) => cityKey(state, name))),
    cities_of_zip: once(() => citiesOfZips(cities)),
    main_cities: once(() => zipsOfCities(law.main_cities ?? {})),
    within_city: once(() => zipsOfCities(law.within_city ?? {})),
  }
}

/** The rate of a jurisdiction on a day, millionths; 0: it has no tax then. */
export function localRateOn(jurisdiction: Pick<LocalJurisdiction, 'rates'>, day: string): number {
  return periodOn(jurisdiction, day)?.rate_millionths ?? 0
}

/** The rate on food on a day, millionths; null: no source says it. */
export function foodRateOn(jurisdiction: Pick<LocalJurisdiction, 'rates'>, day: string): number | null {
  return periodOn(jurisdiction, day)?.food_millionths ?? null
}

function periodOn({ rates }: Pick<LocalJurisdiction, 'rates'>, day: string): LocalRate | null {
  for (const rate of rates)
    if ((rate.from === null || rate.from <= day) && (rate.to === null || day <= rate.to)) return rate
  return null
}

function citiesOfZips(cities: readonly LocalJurisdiction[]): Map<string, LocalJurisdiction[]> {
  const found = new Map<string, LocalJurisdiction[]>()
  for (const city of cities) for (const zip of city.zips) found.set(zip, [...(found.get(zip) ?? []), city])
  return found
}

/** The cities of a state that have a name, whatever its spelling. */
export function citiesNamed(book: LocalBook, state: string, name: string): readonly LocalJurisdiction[] {
  return book.state(state)?.cities_named().get(cityKey(state, name)) ?? []
}

/** State and plain name of a city, without what lists and addresses add to it. */
export function cityKey(state: string, name: string): string {
  const bare = ADDED_TO_NAMES.reduce((left, added) => left.replace(added, ''), name.trim())
  return `${state} ${plainName(bare)
    .replace(/^saint/, 'st')
    .replaceAll(/[^a-z]/g, '')}`
}

/** `City of Ruston`, `Superior (Mail Via Louisville)`, `Tallassee Within Elmore Co`, `Jena Sales`. */
const ADDED_TO_NAMES = [
  /^(city|town|village) of (?!the )/i,
  / ?\([^]*/,
  / (?:within|inside) [^]*/i,
  / sales$/i,
]

/** The counties of a ZIP, the largest part first; empty: the ZIP is not known. */
export function countiesOfZip(book: LocalBook, zip5: string): CountyOfZip[] {
  const known = book.known_zips.get(zip5)
  if (known !== undefined) return known
  const found = readZip(book, zip5)
  const [oldest] = book.known_zips.keys()
  if (book.known_zips.size >= KNOWN_MAX && oldest !== undefined) book.known_zips.delete(oldest)
  book.known_zips.set(zip5, found)
  return found
}

const KNOWN_MAX = 2_000

function readZip(book: LocalBook, zip5: string): CountyOfZip[] {
  const line = (book.zips.get(zip5.slice(0, 3)) ?? '')
    .split('\n')
    .find((each) => each.startsWith(zip5.slice(3)))
  if (line === undefined) return []
  return entriesOf(line.slice(3)).toSorted((a, b) => b.permille - a.permille)
}

/** All counties that ZIPs with the same first three digits lie in. */
export function countiesOfZip3(book: LocalBook, zip5: string): CountyOfZip[] {
  const shares = new Map<string, number>()
  for (const line of (book.zips.get(zip5.slice(0, 3)) ?? '').split('\n'))
    for (const { county_fips, permille } of entriesOf(line.slice(3)))
      shares.set(county_fips, (shares.get(county_fips) ?? 0) + permille)
  return [...shares]
    .map(([county_fips, permille]) => ({ county_fips, permille }))
    .toSorted((a, b) => b.permille - a.permille)
}

function entriesOf(text: string): CountyOfZip[] {
  return text
    .split(' ')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [county_fips = '', permille = '1000'] = entry.split(':')
      return { county_fips, permille: Number(permille) }
    })
}
