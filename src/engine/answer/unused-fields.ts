import type { Terms, Walk } from '../found/found.ts'
import type { Sale } from '../sale/sale.ts'

const NONE: readonly never[] = []

/**
 * A note on each detail of the sale that decided nothing: the caller sent it because it matters to it.
 * `terms` are those of all lines.
 */
export function notesOnUnused({ sale }: Walk, terms: readonly Terms[]): readonly string[] {
  const { supply_address, ship_from, importer, marketplace, local_fallback, exemptions } = sale
  const pickup = sale.delivery === 'pickup' ? sale.delivery : null
  const given = supply_address ?? ship_from ?? importer ?? marketplace ?? local_fallback ?? pickup
  if (given === null && exemptions.length === 0 && !isBusinessOnly(sale)) return NONE
  return FIELDS.flatMap(({ name, isGiven, isUsed, why }) =>
    isGiven(sale) && !terms.some(isUsed) ? `${name} not used, because ${why}` : NONE,
  )
}

function isBusinessOnly({ lines }: Sale): boolean {
  return lines.some(({ business_only }) => business_only === true)
}

type GivenField = {
  name: string
  isGiven: (sale: Sale) => boolean
  isUsed: (terms: Terms) => boolean
  why: string
}

const FIELDS: readonly GivenField[] = [
  {
    name: 'supply_address was',
    isGiven: ({ supply_address }) => supply_address !== null,
    isUsed: ({ supplied }) => supplied.kind === 'on_site',
    why: 'no line is taxed where it takes place',
  },
  {
    name: 'ship_from was',
    isGiven: ({ ship_from }) => ship_from !== null,
    // Where a state taxes its sellers at their own place, the stock is that place.
    isUsed: ({ supplied, local }) => supplied.kind === 'goods' || supplied.fetched || local !== null,
    why: 'no line is goods',
  },
  {
    name: 'delivery was',
    isGiven: ({ delivery }) => delivery === 'pickup',
    isUsed: ({ supplied }) => supplied.fetched,
    why: 'no line is goods that the customer picks up at ship_from or at the place of the seller',
  },
  {
    name: 'importer was',
    isGiven: ({ importer }) => importer !== null,
    isUsed: ({ supplied }) => supplied.supply.by_importer === true,
    why: 'no goods of this sale are taxed by their importer',
  },
  {
    name: 'marketplace was',
    isGiven: ({ marketplace }) => marketplace === 'facilitated',
    isUsed: ({ supplied, reason }) => supplied.supply.kind === 'taxed' || reason === 'marketplace_collects',
    why: 'no line has a tax that the seller or the marketplace accounts for',
  },
  {
    name: 'business_only was',
    isGiven: isBusinessOnly,
    isUsed: ({ kind, supplied }) => kind === 'digital' && supplied.place.law.asks_business_only === true,
    why: 'no line is a digital service in a country whose law asks for it',
  },
  {
    name: 'local_fallback was',
    isGiven: ({ local_fallback }) => local_fallback !== null,
    isUsed: ({ local }) => local !== null && local.candidates.length > 1 && local.method !== 'city_named',
    why: 'no line has a choice of several local rates',
  },
  {
    name: 'The exemptions of the customer were',
    isGiven: ({ exemptions }) => exemptions.length > 0,
    isUsed: ({ exemption }) => exemption !== null && exemption.id !== null,
    why: 'none is for a tax of this sale on its day',
  },
]
