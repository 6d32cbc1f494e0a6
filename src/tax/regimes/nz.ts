import { lineage } from '../book/rate-book.ts'
import type { Place } from './regime.ts'
import { nationalTax, nationalTaxesSince } from './national-tax.ts'
import {
  type Deal,
  type FacilitatedSale,
  isEstablishedUnder,
  type Performance,
  type RegimeLaw,
  type Supply,
  type TaxedSupply,
  type UntaxedSupply,
} from './regime.ts'
import { isTaxablePerson } from './taxable-person.ts'

const ISSUERS: ReadonlySet<string> = new Set(['NZ'])

/** Listed services: lodging, rides, delivered food and drink. */
const LISTED_SERVICES: ReadonlySet<string> = new Set([
  'accommodation',
  'passenger_transport',
  'ground_transport',
  'prepared_food',
])

/** Goods and services tax of New Zealand: Goods and Services Tax Act 1985. */
export const nz: RegimeLaw = {
  ...nationalTax,
  id: 'NZ',
  name: 'New Zealand',
  supply: { within, from, to, at, destination },
  taxes: nationalTaxesSince('2018-06-21'),
  idsOfBusinesses: () => ISSUERS,
  marketplaceAccounts,
  small_business: 'GST Act 1985, s. 51(1)',
  // GST Act 1985, s. 51(1): one threshold for sellers at home and abroad.
  thresholds: (book, { place }) => ({
    types: ['GST_REGISTRATION'],
    jurisdictions: lineage(book, place.jurisdiction_id),
    scopes: ['all'],
    without: 'unknown',
    passed: false,
  }),
}

function within(deal: Deal): Supply {
  return taxed(
    deal.customer,
    isEstablishedUnder(nz, deal.establishment),
    's. 8(1)',
    'Seller and customer are in New Zealand',
  )
}

function from(deal: Deal): UntaxedSupply {
  const goods = deal.kind === 'goods'
  return {
    kind: 'untaxed',
    reason: 'export',
    place: deal.origin.jurisdiction_id,
    basis: `GST Act 1985, ${goods ? 's. 11(1)(a)' : 's. 11A(1)(k)'}`,
    detail: goods
      ? 'Goods that leave New Zealand are zero-rated as an export'
      : 'A service to a customer outside New Zealand is zero-rated',
  }
}

function to(deal: Deal): Supply {
  const registered = isTaxablePerson(nz, deal, deal.kind)
  if (deal.kind === 'goods') return importedGoods(deal, registered)
  if (!registered)
    return taxed(deal.customer, false, 's. 8(3)(c), 8B', 'Remote services to consumers are taxed')
  return {
    kind: 'reverse_charge',
    place: deal.customer.jurisdiction_id,
    basis: 'GST Act 1985, s. 8(4B), 8(4D)',
    detail: 'The customer is registered for GST and accounts for any tax itself',
  }
}

/** Each item counts by itself. Up to 1,000 NZD it is taxed at the sale, above that at the border. */
function importedGoods(deal: Deal, registered: boolean): Supply {
  if (!registered && deal.withinConsignmentLimit('NZ'))
    return taxed(
      deal.customer,
      isEstablishedUnder(nz, deal.establishment),
      's. 8(3)(ab), 10B',
      'Goods of low value are taxed at the sale',
    )
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.customer.jurisdiction_id,
    basis: registered ? 'GST Act 1985, s. 8(4E), 12' : 'GST Act 1985, s. 12',
    detail: 'The goods are imported: GST is due at the border, not charged by the seller',
  }
}

/**
 * The operator of an electronic marketplace accounts for remote services and goods of low value of sellers
 * abroad, and since 2024-04-01 for listed services of all sellers: lodging, rides and delivered meals.
 */
function marketplaceAccounts(sale: FacilitatedSale): string | null {
  const { kind, product_type, origin, establishment, customer, day, lawful } = sale
  if (LISTED_SERVICES.has(product_type)) return day >= '2024-04-01' ? 'GST Act 1985, s. 8C, 60C' : null
  if (!lawful || kind === 'on_site' || isEstablishedUnder(nz, establishment)) return null
  if (isTaxablePerson(nz, customer, kind)) return null
  if (kind !== 'goods') return 'GST Act 1985, s. 60C'
  const imported = origin !== null && origin.law !== nz
  return imported && sale.withinConsignmentLimit('NZ') ? 'GST Act 1985, s. 60C' : null
}

function at({ place, establishment }: Performance): Supply {
  return taxed(
    place,
    isEstablishedUnder(nz, establishment),
    's. 8',
    'The supply is taxed where it takes place',
  )
}

function destination(customer: Place): Supply {
  return taxed(customer, false, 's. 8', 'The seller is not known, so the tax of the destination applies')
}

function taxed(place: Place, established: boolean, section: string, detail: string): TaxedSupply {
  const basis = `GST Act 1985, ${section}`
  return { kind: 'taxed', place: place.jurisdiction_id, registrations: ['NZ'], established, basis, detail }
}
