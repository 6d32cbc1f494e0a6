import { lineage } from '../book/rate-book.ts'
import type { Region } from '../book/regions.ts'
import { dueAtBorder, SELLER_IMPORTS } from './importer.ts'
import { nationalTax, nationalTaxesSince, taxedByShare } from './national-tax.ts'
import {
  type Deal,
  type FacilitatedSale,
  isEstablishedUnder,
  type Place,
  type PriceParts,
  type RegimeLaw,
  type Supply,
  type TaxedSupply,
  type UntaxedSupply,
} from './regime.ts'
import { isTaxablePerson } from './taxable-person.ts'

/** The first day of a rule. `always`: as far back as the data goes; `never`: the country has no such rule. */
export type Since = 'always' | 'never' | `${number}-${number}-${number}`

/** A rule of the act: its section, and what it says as one sentence for people. */
type Rule = { section: string; detail: string }

/** What is sold abroad is an export, or it is supplied where the customer is. Left out: an export. */
type Exported = Rule & { reason?: 'export' | 'not_subject_to_tax' }

/** What the operator of a marketplace accounts for in place of the seller. */
type MarketplaceRule = {
  /** Kinds of supply, product types, and `low_value_goods`: goods from abroad within the limit. */
  supplies: readonly string[]
  /** For `abroad` only what sellers abroad sell to consumers. */
  sellers: 'abroad' | 'all'
  /** `lawful`: from the day of the data on which marketplaces account for sales of others. */
  since: Since | 'lawful'
  section: string
}

/** What tells one country with a single GST or VAT from another. */
export type NationalGst = {
  /** The region of the data. It is also the code of the country, its registration and its businesses' ids. */
  id: Region
  name: string
  /** The act of all sections below. */
  act: string
  /** Rules without a first day were checked from this day. */
  checked_from: string
  /** Sections: a supply within the country, one on the spot, one of an unknown seller, a small business. */
  home: { within: string; on_site: string; destination: string; small_business: string }
  /**
   * The sections by which what a third party pays, and what the customer gives in kind, is consideration.
   * Left out: not on file.
   */
  consideration?: { of_others: string; in_kind: string }
  /** The section by which several supplies for one price are taxed by their shares. Left out: not on file. */
  bundles?: string
  /** The section by which the sale of a voucher for several supplies is no supply. Left out: not on file. */
  vouchers?: string
  exports: { goods: Exported; services: Exported }
  /** A seller abroad charges consumers for services from these days on. */
  remote: Rule & { digital: Since; service: Since }
  /** Services from abroad to a business with an id of the country. */
  business: Rule & { outcome: 'reverse_charge' | 'not_subject_to_tax' }
  /**
   * The sections by which goods from abroad are taxed at the sale to a consumer, at the sale of a seller that
   * imports them, and else at the border.
   */
  imports: {
    low_value: { since: Since; section: string }
    by_seller: string
    consumer: string
    business: string
  }
  marketplace: readonly MarketplaceRule[]
}

/**
 * The law of a country with one GST or VAT: it taxes what is sold within it and what sellers abroad sell to
 * its consumers. A business shows itself by an id of the country. A new country of that kind is one value of
 * `NationalGst`.
 */
export function nationalGst(country: NationalGst): RegimeLaw {
  const { id, name, home, vouchers, bundles } = country
  const issuers: ReadonlySet<string> = new Set([id])
  const here = (seller: Place | null) => isEstablishedUnder(law, seller)
  const taxed = (place: Place, established: boolean, section: string, detail: string): TaxedSupply => ({
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: [id],
    established,
    basis: article(country, section),
    detail,
  })
  const law: RegimeLaw & { id: Region } = {
    ...nationalTax,
    id,
    name,
    supply: {
      within: ({ customer, establishment }) =>
        taxed(customer, here(establishment), home.within, `Seller and customer are in ${name}`),
      from: (deal) => exported(country, deal),
      to: (deal) => {
        const registered = isTaxablePerson(law, deal, deal.kind)
        const rule = registered ? null : chargedFromAbroad(country, deal)
        if (rule === null && deal.kind === 'goods' && deal.importer === 'seller') {
          const sold = taxed(
            deal.customer,
            here(deal.establishment),
            country.imports.by_seller,
            SELLER_IMPORTS,
          )
          return { ...sold, by_importer: true }
        }
        return rule === null
          ? notCharged(country, deal, registered)
          : taxed(deal.customer, deal.kind === 'goods' && here(deal.establishment), rule.section, rule.detail)
      },
      at: ({ place, establishment }) =>
        taxed(place, here(establishment), home.on_site, 'The supply is taxed where it takes place'),
      // GST Act 1999 (AU), s. 38-190; GST Act 1985 (NZ), s. 8(4), 11A(1)(k), 11A(2).
      performed_for: 'unregistered',
      destination: (customer) =>
        taxed(
          customer,
          false,
          home.destination,
          'The seller is not known, so the tax of the destination applies',
        ),
    },
    taxes: nationalTaxesSince(country.checked_from),
    idsOfBusinesses: () => issuers,
    marketplaceAccounts: (sale) => {
      const rule = country.marketplace.find((each) => isAccountedFor(law, each, sale))
      return rule === undefined ? null : article(country, rule.section)
    },
    small_business: article(country, home.small_business),
    price_parts: pricePartsOf(country),
    bundles: bundles === undefined ? null : taxedByShare(article(country, bundles)),
    vouchers: vouchers === undefined ? null : { basis: article(country, vouchers), from: null },
    // One threshold for all sellers, unless the data has one for residents and one for the others.
    thresholds: (book, { place, seller }) => ({
      types: ['GST_REGISTRATION'],
      jurisdictions: lineage(book, place.jurisdiction_id),
      scopes: [here(seller) ? 'resident' : 'non_resident', 'all'],
      without: 'unknown',
      passed: false,
    }),
  }
  return law
}

function article({ act }: NationalGst, section: string): string {
  return `${act}, ${section}`
}

function pricePartsOf(country: NationalGst): PriceParts {
  const { consideration } = country
  if (consideration === undefined) return nationalTax.price_parts
  return {
    funded_discount: { taxed: true, basis: article(country, consideration.of_others) },
    trade_in: { taxed: true, basis: article(country, consideration.in_kind) },
  }
}

function isInForce(since: Since, day: string): boolean {
  return since === 'always' || (since !== 'never' && since <= day)
}

function exported(country: NationalGst, { kind, origin, customer }: Deal): UntaxedSupply {
  const {
    section,
    detail,
    reason = 'export',
  } = kind === 'goods' ? { ...country.exports.goods } : country.exports.services
  const place = reason === 'export' ? origin : customer
  return { kind: 'untaxed', reason, place: place.jurisdiction_id, basis: article(country, section), detail }
}

/** The rule by which a seller abroad charges a consumer; null: it does not. */
function chargedFromAbroad({ id, remote, imports }: NationalGst, deal: Deal): Rule | null {
  const { kind, day } = deal
  if (kind !== 'goods') return isInForce(remote[kind], day) ? remote : null
  const { since, section } = imports.low_value
  const taxed = isInForce(since, day) && deal.withinConsignmentLimit(id)
  return taxed ? { section, detail: 'Goods of low value are taxed at the sale' } : null
}

/** The border or a business customer accounts for the tax, or nobody does. */
function notCharged(country: NationalGst, { kind, customer, importer }: Deal, registered: boolean): Supply {
  const { business, imports, remote } = country
  const place = customer.jurisdiction_id
  const untaxed = (section: string, detail: string): UntaxedSupply => {
    const basis = article(country, section)
    return { kind: 'untaxed', reason: 'not_subject_to_tax', place, basis, detail }
  }
  if (kind === 'goods') {
    const section = registered ? imports.business : imports.consumer
    return { ...untaxed(section, dueAtBorder('GST', importer)), by_importer: true }
  }
  if (!registered) return untaxed(remote.section, NOT_FROM_ABROAD)
  if (business.outcome === 'not_subject_to_tax') return untaxed(business.section, business.detail)
  const { section, detail } = business
  return { kind: 'reverse_charge', place, basis: article(country, section), detail }
}

const NOT_FROM_ABROAD = 'Sellers abroad do not charge consumers for such a service on this day'

function isAccountedFor(
  law: RegimeLaw & { id: Region },
  { supplies, sellers, since }: MarketplaceRule,
  sale: FacilitatedSale,
): boolean {
  const { kind, product_type, establishment, customer, day, lawful, origin } = sale
  if (since === 'lawful' ? !lawful : !isInForce(since, day)) return false
  const abroad = !isEstablishedUnder(law, establishment) && !isTaxablePerson(law, customer, kind)
  if (sellers === 'abroad' && !abroad) return false
  if (supplies.includes(product_type) || supplies.includes(kind)) return true
  const imported = kind === 'goods' && origin !== null && origin.law !== law
  return imported && supplies.includes('low_value_goods') && sale.withinConsignmentLimit(law.id)
}
