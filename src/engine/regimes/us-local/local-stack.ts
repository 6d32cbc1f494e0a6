import type { AddressOwner } from '../../sale/sale.ts'
import { invariant } from '../../ground/invariant.ts'
import {
  foodRateOn,
  type LocalBook,
  type LocalJurisdiction,
  localRateOn,
  type LocalState,
  type StateOfBook,
  type OwnTax,
} from './local-book.ts'

/** How exactly the address names the place. `state`: the whole state has one rate for the seller. */
export const PRECISIONS = ['zip4', 'zip5', 'zip5_city', 'county', 'city', 'state', 'none'] as const
type Precision = (typeof PRECISIONS)[number]

/** How the rate was chosen. */
export const LOCAL_METHODS = [
  'zip4_record',
  'only_rate_in_zip',
  'county_of_zip',
  'lowest_in_zip',
  'main_city',
  'largest_area',
  'highest_in_zip',
  'city_named',
  'remote_seller_rate',
  'none',
] as const
type LocalMethod = (typeof LOCAL_METHODS)[number]

/** The jurisdictions that tax one place together. Their rates are in the order of `parts`, millionths. */
export type LocalStack = { parts: readonly LocalJurisdiction[]; rates: readonly number[]; rate: number }

/**
 * A stack that may apply at an address. `permille`: its share of the land of the ZIP; null: unknown.
 * `incomplete`: a tax is levied there that is not on file.
 */
export type LocalCandidate = LocalStack & {
  permille: number | null
  city: LocalJurisdiction | null
  incomplete: boolean
}

/** The local taxes of an address on a product. Rates in millionths, without the state's. */
export type LocalTax = {
  precision: Precision
  method: LocalMethod
  stack: LocalStack
  rate_min: number
  rate_max: number
  /** Empty if there is one rate only. */
  candidates: readonly LocalCandidate[]
  notes: readonly string[]
  base: LocalBase
  /** Taxes that the places levy on this product alone. */
  own: readonly OwnTax[]
  /** A local tax that is not on file is known to be levied there, so the answer lacks it. */
  incomplete: boolean
  /** The tax that stands instead of those of the state and its places; null: it comes on top. */
  levied_as: string | null
}

/** The local taxes of an address by type of product; null: the data has none of it. */
export type LocalTaxes = { readonly of: (product_type: string) => LocalTax | null }

/** What local taxes fall on. */
export type LocalBase = {
  /**
   * `state`: on what bears the general rate of the state; `own`: on the product in any case; `included`: the
   * rate of the state contains them.
   */
  product: 'state' | 'own' | 'included'
  /** The sections of the price of an item of goods, the lowest first; null: they fall on all of it. */
  sections: readonly PriceSection[] | null
  /** A price below which the state frees the product does not free it here. */
  taxed_below_price: boolean
}

/** A section of the price of an item. */
export type PriceSection = {
  /** Minor units of the place's currency; null: all that is left. */
  width: number | null
  /** Whether local taxes fall on it. */
  local: boolean
  /** A further tax of the state on it. */
  further: { rate_millionths: number; levied_as: string } | null
}

export const BASE_OF_STATE: LocalBase = {
  product: 'state',
  sections: null,
  taxed_below_price: false,
}

/** Where and when local taxes are asked for. */
export type LocalPlace = {
  book: LocalBook
  /** What is on file of the state. */
  places: StateOfBook
  law: LocalState
  state: string
  /** The name of the state, for sentences. */
  name: string
  day: string
  /** The rates on food count. */
  food: boolean
  /** Whose address it is, for sentences. */
  whose: AddressOwner
}

export type LocalAddress = { zip5: string | null; zip4: string | null; city: string | null }

export const NO_STACK: LocalStack = { parts: [], rates: [], rate: 0 }

export const POSTAL_CITY =
  'The city of the address was taken for the city that taxes it. ' +
  'The limits of a city and its postal name differ'
export const LOWEST =
  'The ZIP has several rates. The lowest was used, as SSUTA 305 F allows; some addresses pay more'
export const LARGEST =
  'The ZIP has several rates. The rate of its largest part was used; other addresses differ'

/** The stack of jurisdictions, with the districts of each, as far as they have a tax on the day. */
export function stackOf(
  { places, law, day, food }: LocalPlace,
  levying: readonly LocalJurisdiction[],
): LocalStack {
  const districts = levying.flatMap(({ also }) => also)
  const parts = [
    ...levying,
    ...districts.map((id) => invariant(places.jurisdictions.get(id) ?? null, `${id} exists`)),
  ]
  return capped(
    law,
    parts.flatMap((part) => {
      const rate = (food ? foodRateOn(part, day) : null) ?? localRateOn(part, day)
      return rate > 0 ? [{ part, rate }] : []
    }),
  )
}

type RatedPart = { part: LocalJurisdiction; rate: number }

/** Texas: all local parts together are at most 2 % (Tax Code, s. 321.101(f)); the last part yields. */
function capped({ cap_millionths }: LocalState, rated: readonly RatedPart[]): LocalStack {
  let left = cap_millionths ?? Number.MAX_SAFE_INTEGER
  const rates = rated.map((each) => {
    const rate = Math.min(each.rate, left)
    left -= rate
    return rate
  })
  return {
    parts: rated.map(({ part }) => part),
    rates,
    rate: rates.reduce((sum, rate) => sum + rate, 0),
  }
}

/** The first of the stacks in their order, with the range of all candidates. */
export function localTaxOfFirst(
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
    base: BASE_OF_STATE,
    own: [],
    incomplete: false,
    levied_as: null,
  }
}

/** No local tax was found: only the tax of the state, with a note. */
export function localTaxUnknown(note: string): LocalTax {
  return {
    precision: 'none',
    method: 'none',
    stack: NO_STACK,
    rate_min: 0,
    rate_max: 0,
    candidates: [],
    notes: [note],
    base: BASE_OF_STATE,
    own: [],
    incomplete: false,
    levied_as: null,
  }
}
