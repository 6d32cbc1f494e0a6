import type { TaxLayer } from '../book/layer.ts'
import { lineage, type RateBook } from '../book/rate-book.ts'
import type { BundleLaw, MemberStates, RegimeLaw } from './regime.ts'

const OUTSIDE_THE_UNION: MemberStates = { goods: null, services: null }

/** The parts of a law that are the same in each country with one VAT or GST. */
export const nationalTax = {
  business_ids: null,
  marketplaceAccounts: () => null,
  small_business: null,
  vouchers: null,
  cross_border_from: null,
  covers: () => true,
  memberStates: () => OUTSIDE_THE_UNION,
  taxes: nationalTaxesSince('2015-01-01'),
  shown_prices: 'inclusive',
  registrationsAt: (book, jurisdiction_id) => lineage(book, jurisdiction_id),
  address: { regional: false, postal_code: null },
  schemeOf: () => '',
  invoices: { standard: () => null, numbers: 'none' },
  localTaxes: null,
  placesMayTax: null,
  price_parts: { funded_discount: null, trade_in: null },
  bundles: null,
  provinces: null,
} as const satisfies Partial<RegimeLaw>

/** The one tax of a country. Rules without a first day were checked from the day that is given. */
export function nationalTaxesSince(checked_from: string): RegimeLaw['taxes'] {
  return (book, jurisdiction_id) => nationalTaxes(book, jurisdiction_id, checked_from)
}

function nationalTaxes(book: RateBook, jurisdiction_id: string, checked_from: string): TaxLayer[] {
  const tax_type = book.jurisdictions.get(jurisdiction_id)?.tax_system === 'GST' ? 'GST' : 'VAT'
  return [
    {
      tax_type,
      jurisdiction_id: withRates(book, jurisdiction_id, tax_type),
      rules_from: jurisdiction_id,
      checked_from,
    },
  ]
}

/**
 * The jurisdiction whose rates apply in a place. A territory treated as its country (the Sovereign Base Areas
 * as Cyprus) may have no rates of its own. A territory with another tax than its country (the Canary Islands,
 * Jersey) never has the rates of the country.
 */
function withRates(book: RateBook, jurisdiction_id: string, tax_type: 'VAT' | 'GST'): string {
  const system = book.jurisdictions.get(jurisdiction_id)?.tax_system
  for (const id of lineage(book, jurisdiction_id)) {
    if (book.jurisdictions.get(id)?.tax_system !== system) break
    for (const rate of book.rates.get(id) ?? []) if (rate.tax_type === tax_type) return id
  }
  return jurisdiction_id
}

/** A law that taxes each product of a bundle on its share of the price. */
export function taxedByShare(basis: string): BundleLaw {
  return { taxed: 'by_share', basis, of: 'all', free: [], certain: true }
}
