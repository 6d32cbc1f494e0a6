import { nameInSentence } from '../book/names.ts'
import type { Supplied, Walk } from '../found/found.ts'
import type { FacilitatedSale, Place } from '../regimes/regime.ts'
import type { Address } from '../sale/sale.ts'
import { lawNotOnFile } from './accounted-for.ts'
import { placeNamed } from './place.ts'
import { registrationsOf } from './walk.ts'

/** The same sale as the seller on the marketplace asks for it. */
export type SellersSide = {
  supplied: (seller: Walk) => Supplied
  sale: (seller: Walk, place: Place) => FacilitatedSale
}

/** Who may sell through the marketplace, with its side of the sale. `home` null: its place is known. */
type PossibleSeller = { home: boolean | null; registered: boolean; walk: Walk; supplied: Supplied }

const NONE: readonly never[] = []

/**
 * Steps 2 and 3 for a marketplace that asks itself. The law is asked as it is for the seller, so one side
 * alone accounts for the tax. Without the seller, a note says on what that depends.
 */
export function supplyOfFacilitator(walk: Walk, own: Supplied, sellers: SellersSide): Supplied {
  const { provider, sale } = walk
  const here = own.kind === 'on_site' ? own.place : walk.customer
  const places = provider === null ? [here, ...ABROAD.map((id) => placeNamed(walk.book, id))] : [provider]
  const possible = places.flatMap((place) => possibleSellers(walk, place, here, sellers))
  const [first] = possible
  if (provider === null || first === undefined) return withNotes(own, [whoseSale(possible, own, sellers)])
  const doubt = sale.facilitator?.seller?.registrations === null ? conditionOf(possible, own) : null
  const notes = doubt === null ? NONE : [doubt]
  return isOfMarketplace(first) ? withNotes(own, notes) : ofSeller(first, sellers, notes)
}

function withNotes(supplied: Supplied, notes: readonly string[]): Supplied {
  return notes.length === 0 ? supplied : { ...supplied, notes: [...supplied.notes, ...notes] }
}

/** A sale that the seller makes: it is none of the marketplace. */
function ofSeller(seller: PossibleSeller, sellers: SellersSide, notes: readonly string[]): Supplied {
  const { supplied } = seller
  const { supply } = supplied
  const unknown = unknownLaw(seller, sellers)
  return {
    ...supplied,
    supply: {
      kind: 'untaxed',
      reason: 'seller_accounts',
      place: supply.place,
      basis: supply.basis,
      detail: SELLER_MAKES_THE_SALE,
    },
    local: null,
    freed: NONE,
    notes: unknown === null ? notes : [...notes, `${unknown}. ${ASSUMED_OF_SELLER}`],
  }
}

/** That the data does not say who accounts for the sale of a seller; null: it says it. */
function unknownLaw({ walk, supplied }: PossibleSeller, sellers: SellersSide): string | null {
  const { supply, place } = supplied
  return lawNotOnFile(sellers.sale(walk, supply.kind === 'taxed' ? place : walk.customer))
}

const SELLER_MAKES_THE_SALE =
  'No law in the data makes the marketplace the supplier, so the seller makes the sale and owes its tax'
const ASSUMED_OF_SELLER = 'The answer assumes that the seller accounts for it. Ask the tax office'

/**
 * A place that no law in the data knows, as ISO 3166-1 leaves the code to its users; and one whose law keeps
 * some services at the place of the seller (Directive 2006/112/EC, art. 45).
 */
const ABROAD = ['ZZ', 'DE']

/** A seller of a place, without and with registrations if they are unknown. `here`: the likely place. */
function possibleSellers(
  walk: Walk,
  place: Place,
  here: Place,
  sellers: SellersSide,
): readonly PossibleSeller[] {
  const { sale, customer, provider } = walk
  const { address, registrations } = sale.facilitator?.seller ?? {
    address: { country: place.jurisdiction_id },
    registrations: null,
  }
  const stated = registrations === null ? [false, true] : [null]
  // Goods leave an unknown place, if neither it nor the seller is known.
  const unknown = sale.ship_from === null && provider === null
  const origins = unknown ? new Set([place, customer]) : [walk.origin ?? place]
  const home = provider === null ? place.law === here.law : null
  return stated.flatMap((registered) =>
    [...origins].map((origin) => {
      const side = walkOfSeller(walk, { address, place, origin, registrations }, registered)
      return { home, registered: registered !== false, walk: side, supplied: sellers.supplied(side) }
    }),
  )
}

type SellerOnMarketplace = {
  address: Address
  place: Place
  origin: Place
  registrations: readonly string[] | null
}

function walkOfSeller(
  walk: Walk,
  { address, place, origin, registrations }: SellerOnMarketplace,
  registered: boolean | null,
): Walk {
  const seller = {
    address,
    registrations: registrations ?? NONE,
    over_eu_threshold: false,
    small_business: false,
  }
  return {
    ...walk,
    sale: {
      ...walk.sale,
      marketplace: 'facilitated',
      facilitator: null,
      seller,
      seller_registered: registered,
    },
    seller: place,
    origin,
    registrations: registrationsOf(seller, registered),
  }
}

function isOfMarketplace({ supplied: { supply } }: PossibleSeller): boolean {
  return supply.kind === 'untaxed' && supply.reason === 'marketplace_collects'
}

/** Whether the marketplace makes the sale of a seller that is not known. */
function whoseSale(possible: readonly PossibleSeller[], own: Supplied, sellers: SellersSide): string {
  const condition = conditionOf(possible, own)
  if (condition !== null) return condition
  const [first] = possible
  if (first !== undefined && isOfMarketplace(first))
    return `The marketplace makes the sale by law (${lawsOf(possible)}), so ${ITS_OWN_PLACE}`
  const unknown = first === undefined ? null : unknownLaw(first, sellers)
  return `${unknown ?? NOT_THE_SUPPLIER}. ${ONLY_IN_ITS_OWN_NAME}`
}

const ITS_OWN_PLACE = 'its own place and registrations count as those of the seller'
const NOT_THE_SUPPLIER = 'No law in the data makes a marketplace the supplier of such a sale'
const ONLY_IN_ITS_OWN_NAME = 'It makes this sale only if the seller lets it sell in its own name'

/** On what it depends whether the marketplace makes the sale; null: it makes that of each seller, or none. */
function conditionOf(possible: readonly PossibleSeller[], { place }: Supplied): string | null {
  const known = possible.filter(isOfMarketplace)
  if (known.length === 0 || known.length === possible.length) return null
  const some = (home: boolean, registered: boolean) =>
    known.some((each) => (each.home ?? home) === home && each.registered === registered) ? 'y' : 'n'
  const key = some(false, false) + some(false, true) + some(true, false) + some(true, true)
  const seller = CONDITIONS[key] ?? 'is one whom this law names in'
  // Goods in Northern Ireland: a seller of the United Kingdom or of the Union makes the sale itself.
  const laws =
    key === ABROAD_ALONE
      ? possible.flatMap((each) => (isOfMarketplace(each) ? [] : (each.walk.seller?.law.name ?? [])))
      : known.map(({ supplied }) => supplied.place.law.name).slice(0, 1)
  const where = [...new Set(laws)].map(nameInSentence).join(' or ') || place.name
  return (
    `The marketplace makes this sale only if the seller ${seller} ${where} (${lawsOf(known)}). ` +
    'Else the seller accounts for its tax. Send marketplace.seller with its registrations'
  )
}

const ABROAD_ALONE = 'yynn'

/** By whom the marketplace sells for: abroad, abroad with a registration, at home, at home with one. */
const CONDITIONS: Readonly<Record<string, string>> = {
  [ABROAD_ALONE]: 'is not established in',
  nnyy: 'is established in',
  ynyn: 'is not registered in',
  ynnn: 'is neither established nor registered in',
  nnyn: 'is established but not registered in',
  yyyn: 'is not both established and registered in',
}

function lawsOf(possible: readonly PossibleSeller[]): string {
  return [...new Set(possible.map(({ supplied }) => supplied.supply.basis))].join('; ')
}
