import { lineage } from '../book/rate-book.ts'
import type { Place, Deal, RegimeLaw, Supply, TaxedKind, UntaxedSupply } from './regime.ts'
import { nationalTax } from './national-tax.ts'

/** Countries and territories whose tax the data does not have. No rate is invented for them. */
export const uncovered: RegimeLaw = {
  ...nationalTax,
  id: 'uncovered',
  name: 'not covered',
  supply: {
    within: (deal) =>
      sameTerritory(deal)
        ? withinTerritory(deal.customer)
        : notSupported(deal.customer, deal.kind, deal.establishment),
    from: () => null,
    to: ({ customer, kind, establishment }) => notSupported(customer, kind, establishment),
    at: ({ place, establishment }) =>
      isHere(place, establishment) ? withinTerritory(place) : notSupported(place, 'on_site', establishment),
    destination: (customer) => notSupported(customer, null, null),
    performed_for: 'consumers',
  },
  // A territory with the VAT of its state, such as Réunion.
  invoices: {
    standard: ({ service_state }) => (service_state === null ? null : 'eu'),
    numbers: 'country',
  },
  thresholds: (book, { place }) => ({
    types: ['VAT_REGISTRATION'],
    jurisdictions: lineage(book, place.jurisdiction_id),
    scopes: ['all'],
    without: 'first_sale',
    passed: false,
  }),
}

function sameTerritory(deal: Deal): boolean {
  const { customer, kind, origin } = deal
  if (!customer.covered) return false
  if (origin.jurisdiction_id === customer.jurisdiction_id) return true
  return (
    kind !== 'goods' && customer.service_state !== null && customer.service_state === origin.service_state
  )
}

/** A seller of the same territory, or of the member state whose VAT the territory has for services. */
function isHere(place: Place, establishment: Place | null): boolean {
  if (establishment === null || !place.covered) return false
  if (establishment.jurisdiction_id === place.jurisdiction_id) return true
  return place.service_state !== null && establishment.service_state === place.service_state
}

/** Territories outside the VAT area of the Union that have rates of their own, such as Åland or Réunion. */
function withinTerritory(place: Place): Supply {
  const { jurisdiction_id, service_state } = place
  return {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: service_state === null ? [jurisdiction_id] : [jurisdiction_id, service_state],
    established: true,
    basis: 'Directive 2006/112/EC, art. 6: the territory has a tax of its own',
    detail: 'Seller and customer are in the same territory',
  }
}

/** `from`: where the seller is established; null: unknown. */
function notSupported(place: Place, kind: TaxedKind | null, from: Place | null): UntaxedSupply {
  const { jurisdiction_id, name, left_out } = place
  const supply = { kind: 'untaxed', reason: 'not_supported', place: jurisdiction_id } as const
  const why = left_out === null ? '' : `. ${left_out.why}`
  if (left_out?.no_such_tax !== undefined && (left_out.services_only !== true || isService(kind)))
    return {
      ...supply,
      basis: 'The country or territory has no such tax',
      detail: `${left_out.why}, as of ${left_out.no_such_tax}. No tax was computed`,
      not_charged: { no_such_tax: true },
    }
  const basis = 'No data for this country or territory'
  const uncovered = `This service does not cover the tax of ${name}`
  const { collected_by } = left_out ?? {}
  if (collected_by === undefined || kind !== 'digital' || from?.jurisdiction_id === jurisdiction_id)
    return { ...supply, basis, detail: `${uncovered}. No tax was computed, but tax may be due${why}` }
  return {
    ...supply,
    basis,
    detail: `${uncovered}. A seller abroad charges nothing for this service${why}`,
    ...(collected_by !== 'nobody' && { not_charged: { collected_by } }),
  }
}

function isService(kind: TaxedKind | null): boolean {
  return kind !== null && kind !== 'goods'
}
