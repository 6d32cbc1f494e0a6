import type { AddressOwner, LocalFallback } from '../../sale/sale.ts'
import {
  type LocalAddress,
  type LocalBase,
  type LocalCandidate,
  type LocalPlace,
  type LocalTax,
  type LocalTaxes,
  localTaxOfFirst,
  LOWEST,
  NO_STACK,
  POSTAL_CITY,
  type PriceSection,
  stackOf,
} from './local-stack.ts'
import { isWithin } from '../../book/product-types.ts'
import { type BoundaryEdition, editionOn, stackOfZip4 } from './boundaries.ts'
import { taxByCounties } from './local-by-county.ts'
import { ownTaxesAt, taxWithoutGeneral } from './own-taxes.ts'
import { STATE_FIPS } from './state-fips.ts'
import { cityKey, foodRateOn, type LocalBook, type LocalJurisdiction, type LocalState } from './local-book.ts'

/** What is asked: a state, an address in it, the day, and how to choose among several rates. */
type LocalSearch = {
  state: string
  /** The name of the state, for sentences; absent: they need none. */
  name?: string
  address: LocalAddress
  day: string
  fallback: LocalFallback | null
  /** Whether it is goods, on whose price a cap may apply. */
  goods?: boolean
  /** Whose address it is; absent: nobody's. */
  whose?: AddressOwner
}

/** Answers that are kept for each book that is in memory, by ZIP. */
const KNOWN_MAX = 4_000
/** Of one ZIP, because they are compared one by one. */
const OF_ZIP_MAX = 40
const known_taxes = new WeakMap<LocalBook, KnownTaxes>()

/** The ZIP that came first is forgotten first. */
type KnownTaxes = { count: number; by_zip: Map<string, KnownTax[]> }
type KnownTax = { search: LocalSearch; loaded: boolean; taxes: LocalTaxes }

/** The local taxes of general goods at an address, or null if the data has none of it. */
export function localTaxAt(book: LocalBook, search: LocalSearch): LocalTax | null {
  return localTaxesAt(book, search).of('')
}

/**
 * The local taxes of an address. Those of some thousand addresses are kept, five times as fast. An address is
 * found by its ZIP, and then by its fields: a text of all fields would cost more than the rest of the call.
 */
export function localTaxesAt(book: LocalBook, search: LocalSearch): LocalTaxes {
  const { state, address } = search
  const { zip5, zip4 } = address
  // Before the ZIP+4 are loaded, an address has another answer.
  const loaded = zip5 !== null && zip4 !== null && book.known_zip4.has(keyOfZip4(state, zip5))
  const answers = known_taxes.get(book) ?? { count: 0, by_zip: new Map<string, KnownTax[]>() }
  const ofZip = answers.by_zip.get(zip5 ?? '') ?? []
  for (const known of ofZip) if (known.loaded === loaded && isSame(known.search, search)) return known.taxes
  const taxes = taxesOfSearch(book, search)
  if (ofZip.length >= OF_ZIP_MAX) forgetZip(answers, zip5 ?? '')
  if (answers.count >= KNOWN_MAX) forgetZip(answers, answers.by_zip.keys().next().value ?? '')
  const kept = answers.by_zip.get(zip5 ?? '') ?? []
  answers.by_zip.set(zip5 ?? '', [...kept, { search, loaded, taxes }])
  answers.count += 1
  known_taxes.set(book, answers)
  return taxes
}

/** The taxes of an address. Each is found when a product first asks for it. */
function taxesOfSearch(book: LocalBook, search: LocalSearch): LocalTaxes {
  const found = new Map<SpecialProduct, LocalTax | null>()
  const of = (product_type: string): LocalTax | null => {
    const special = specialOf(product_type)
    const known = found.get(special)
    if (known !== undefined) return known
    const tax = findLocalTax(book, search, special)
    found.set(special, tax)
    return tax
  }
  return { of }
}

/** Products whose local taxes may differ from those of other products. */
const SPECIAL = ['groceries', 'clothing', 'prepared_food', 'accommodation'] as const
type SpecialProduct = (typeof SPECIAL)[number] | ''

/** The one of them that a product is or is a part of, such as groceries for bread; else ''. */
function specialOf(product_type: string): SpecialProduct {
  return SPECIAL.find((special) => isWithin(product_type, special)) ?? ''
}

function isSame(known: LocalSearch, { state, address, day, fallback, goods, whose }: LocalSearch): boolean {
  return (
    known.state === state &&
    known.day === day &&
    known.address.zip4 === address.zip4 &&
    known.address.city === address.city &&
    known.fallback === fallback &&
    known.goods === goods &&
    known.whose === whose
  )
}

function forgetZip(answers: KnownTaxes, zip5: string): void {
  answers.count -= answers.by_zip.get(zip5)?.length ?? 0
  answers.by_zip.delete(zip5)
}

/**
 * The local taxes at an address, or null if the data has none of it. The boundary file of the state decides
 * if it has the ZIP; else the counties and cities of the ZIP do.
 */
function findLocalTax(book: LocalBook, search: LocalSearch, special: SpecialProduct): LocalTax | null {
  const { state, name = 'the state', address, day, fallback, whose = 'the address' } = search
  const places = book.state(state)
  if (places === null) return null
  const { law } = places
  const food = special === 'groceries'
  const place = { book, places, law, state, name, day, food, whose }
  if (law.coverage !== 'local') return taxWithoutGeneral(ownTaxesAt(place, special, address, null))
  const found = taxByBoundaries(place, address, fallback) ?? taxByCounties(place, address, fallback)
  const own = ownTaxesAt(place, special, address, found)
  return { ...found, base: localBaseOf(law, search, special, found), own }
}

function localBaseOf(
  law: LocalState,
  { goods = false, day }: LocalSearch,
  special: SpecialProduct,
  { stack }: LocalTax,
): LocalBase {
  return {
    product: special === 'groceries' ? baseOfGroceries(law, stack, day) : 'state',
    sections: goods ? sectionsOf(law) : null,
    taxed_below_price:
      special === 'clothing' &&
      law.clothing_free !== undefined &&
      !stack.parts.some(({ id }) => law.clothing_free?.includes(id)),
  }
}

/**
 * Florida taxes the first 5,000 USD of an item (s. 212.054(2)(b), F.S.), Tennessee the first 1,600 USD, and
 * there the state has a further tax on what is between that and 3,200 USD (T.C.A. 67-6-202, 67-6-702).
 */
function sectionsOf({ item_cap, single_article }: LocalState): readonly PriceSection[] | null {
  if (item_cap === undefined) return null
  const lowest = { width: item_cap, local: true, further: null }
  const rest = { width: null, local: false, further: null }
  if (single_article === undefined) return [lowest, rest]
  const { rate_millionths, up_to } = single_article
  const further = { rate_millionths, levied_as: 'SINGLE_ARTICLE' }
  return [lowest, { width: up_to - item_cap, local: false, further }, rest]
}

function baseOfGroceries(
  { groceries }: LocalState,
  { parts }: LocalTax['stack'],
  day: string,
): LocalBase['product'] {
  if (groceries === undefined) return 'state'
  if (groceries !== 'by_file') return groceries === 'taxed' ? 'own' : 'included'
  return parts.some((part) => foodRateOn(part, day) !== null) ? 'own' : 'state'
}

/** By the record of the ZIP+4, else by the records of the ZIP; null: there are none. */
function taxByBoundaries(
  place: LocalPlace,
  { zip5, zip4, city }: LocalAddress,
  fallback: LocalFallback | null,
): LocalTax | null {
  const edition = editionOn(place.places.boundaries, place.day)
  if (edition === null || zip5 === null) return null
  const exact = zip4 === null ? null : taxOfZip4(place, zip5, zip4)
  if (exact !== null) return exact
  const candidates = candidatesOfZip(place, edition, zip5)
  const [first] = candidates
  if (first === undefined) return null
  const several = new Set(candidates.map(({ rate }) => rate)).size > 1
  const notes = [
    ...(zip4 !== null && several ? [`The ZIP+4 ${zip5}-${zip4} is not in the data, so the ZIP decided`] : []),
    ...(place.day < edition.from ? [`Boundaries before ${edition.from} are not in the data`] : []),
  ]
  const ofCity = city === null ? [] : candidates.filter((each) => isIn(each, place.state, city))
  if (ofCity.length > 0)
    return localTaxOfFirst('zip5_city', 'city_named', ofCity, candidates, [...notes, POSTAL_CITY])
  return chosenInZip(candidates, fallback, notes, (edition.zips[zip5]?.[0] ?? -1) >= 0)
}

function isIn({ parts }: LocalCandidate, state: string, city: string): boolean {
  return parts.some(({ type, name }) => type === 'city' && cityKey(state, name) === cityKey(state, city))
}

function taxOfZip4(place: LocalPlace, zip5: string, zip4: string): LocalTax | null {
  const edition = editionOn(place.book.known_zip4.get(keyOfZip4(place.state, zip5)) ?? [], place.day)
  const found = edition === null ? null : stackOfZip4(edition, zip5, zip4)
  if (found === null) return null
  const notes = found.disputed ? [DISPUTED] : []
  return localTaxOfFirst('zip4', 'zip4_record', [candidateOf(place, found.ids)], [], notes)
}

const DISPUTED = 'The state’s file gives this ZIP+4 several rates. The lowest was used (SSUTA 305 F)'

/** The key of a ZIP3 among the ZIP+4 of a book. */
function keyOfZip4(state: string, zip5: string): string {
  return `${state}:${zip5.slice(0, 3)}`
}

/** The keys of the ZIP+4 that decide about a ZIP: of the states on file in which it has several stacks. */
export function keysOfZip4({ state, zip4 }: LocalBook, zip5: string): string[] {
  return Object.keys(STATE_FIPS).flatMap((id) => {
    const key = keyOfZip4(id, zip5)
    const editions = zip4.has(key) ? (state(id)?.boundaries ?? []) : []
    return editions.some(({ zips }) => (zips[zip5]?.length ?? 0) > 1) ? [key] : []
  })
}

/** The stacks of a ZIP, that of its five-digit record first. */
function candidatesOfZip(place: LocalPlace, edition: BoundaryEdition, zip5: string): LocalCandidate[] {
  return (edition.zips[zip5] ?? []).flatMap((stack) => {
    const ids = edition.stacks[stack]
    return ids === undefined ? [] : [candidateOf(place, ids)]
  })
}

function candidateOf(place: LocalPlace, ids: readonly string[]): LocalCandidate {
  const parts = ids.flatMap((id): LocalJurisdiction[] => {
    const found = place.places.jurisdictions.get(id)
    return found === undefined ? [] : [{ ...found, also: [] }]
  })
  return {
    ...stackOf(place, parts),
    permille: null,
    city: parts.find(({ type }) => type === 'city') ?? null,
    incomplete: false,
  }
}

/** The rate of the five-digit record is the one of SSUTA 305 F; without one it is the lowest of the ZIP. */
function chosenInZip(
  candidates: readonly LocalCandidate[],
  fallback: LocalFallback | null,
  notes: readonly string[],
  has_record: boolean,
): LocalTax {
  const byRate = candidates.toSorted((a, b) => a.rate - b.rate)
  if (byRate[0]?.rate === byRate.at(-1)?.rate)
    return localTaxOfFirst('zip5', 'only_rate_in_zip', candidates, [], notes)
  switch (fallback) {
    case 'highest':
      return localTaxOfFirst('zip5', 'highest_in_zip', byRate.toReversed(), candidates, notes)
    case 'state_only':
      return { ...localTaxOfFirst('none', 'none', candidates, candidates, notes), stack: NO_STACK }
    case 'lowest':
    case 'largest':
    case null: {
      const order = has_record && fallback === null ? candidates : byRate
      return localTaxOfFirst('zip5', 'lowest_in_zip', order, candidates, [...notes, LOWEST])
    }
  }
}
