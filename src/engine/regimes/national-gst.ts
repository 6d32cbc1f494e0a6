import { isWithin } from '../book/product-types.ts'
import { nameInSentence } from '../book/names.ts'
import { lineage } from '../book/rate-book.ts'
import type { InvoiceStandard } from '../ground/invoice-details.ts'
import type { Region } from '../book/regions.ts'
import { invariant } from '../ground/invariant.ts'
import { dueAtBorder, SELLER_IMPORTS } from './importer.ts'
import { nationalTax, nationalTaxesSince, taxedByShare } from './national-tax.ts'
import {
  type BusinessIds,
  type Deal,
  type FacilitatedSale,
  type Place,
  type PriceParts,
  type RegimeLaw,
  type Supply,
  type TaxedSupply,
  type UntaxedSupply,
} from './regime.ts'
import { isTaxablePerson } from './taxable-person.ts'
import type { SchemeId } from '../ground/schemes.ts'

/** The first day of a rule. `always`: it is older than the data. `never`: the country has no such rule. */
type Since = 'always' | 'never' | `${number}-${number}-${number}`

/** A rule of the act: its section, and what it says as one sentence for people. */
type Rule = { section: string; detail: string }

/** The rule on sales to abroad: an export, or a supply in the customer's country. Left out: an export. */
type Exported = Rule & { reason?: 'export' | 'not_subject_to_tax' }

/** The sales for which a marketplace accounts instead of the seller. */
type MarketplaceRule = {
  /** Kinds of supply, product types, and `low_value_goods`: goods from abroad within the limit. */
  supplies: readonly string[]
  /**
   * Whose sales. `abroad`: what sellers abroad sell to consumers; `home`: sellers in the country;
   * `unregistered`: those of them that are not registered.
   */
  sellers: 'abroad' | 'home' | 'unregistered' | 'all'
  /** `lawful`: from the day of the data on which marketplaces account for sales of others. */
  since: Since | 'lawful'
  /** The last day of the rule. Left out: it is in force. */
  until?: string
  section: string
  /** A condition of the rule that no request states. */
  note?: string
}

/** Sections: a supply within the country, one on the spot, one of an unknown seller, a small business. */
type HomeSections = { within: string; on_site: string; destination: string; small_business?: string }

/** The sections by which goods from abroad are taxed at the sale, or else at the border. */
type ImportSections = {
  /**
   * The sale to a consumer. `of: registered`: no limit by item, but each sale of a registered seller, to
   * businesses too. Left out: goods within the limit of the data.
   */
  low_value: { since: Since; section: string; of?: 'registered' }
  /** The sale of a seller that imports the goods. */
  by_seller: string
  consumer: string
  business: string
}

/** What differs between countries with one GST or VAT. */
type NationalGst = {
  /** The region of the data. It is also the code of the country, its registration and its businesses' ids. */
  id: Region
  name: string
  /** What the act calls the tax. Left out: GST. */
  tax?: 'VAT'
  /** The countries of one tax area: a registration and an id of any counts in all. Left out: `id` alone. */
  countries?: readonly string[]
  /** Territories that are abroad for goods alone. */
  outside_for_goods?: readonly string[]
  /** The scheme under which sellers abroad register for what they sell to its consumers. Left out: none. */
  scheme?: SchemeId
  /** Sellers abroad register if they choose to, or once they are appointed. Left out: by the thresholds. */
  registration?: 'choice' | 'appointed'
  /** The act of all sections below. */
  act: string
  /** Rules without a first day were checked from this day. */
  checked_from: string
  /** Null: sales within the country are not covered. */
  home: HomeSections | null
  /** The end of the note on an uncovered sale, `this service covers only …`. Left out: all is covered. */
  covers?: string
  /** The kinds of product that are covered. Left out: all. */
  sells?: RegimeLaw['sells']
  /**
   * The sections that count payments of a third party, and payments in kind, as consideration. Left out: not
   * on file.
   */
  consideration?: { of_others: string; in_kind: string }
  /** The section by which several supplies for one price are taxed by their shares. Left out: not on file. */
  bundles?: string
  /** The section by which the sale of a voucher for several supplies is no supply. Left out: not on file. */
  vouchers?: string
  /** Left out `digital`: as services. Null: not covered. */
  exports: { goods: Exported; services: Exported; digital?: Exported } | null
  /**
   * A seller abroad charges consumers for services from these days on. `registered`: only a seller that is
   * registered does; `not_covered`: it is not on file. `others`: why the seller does not charge.
   */
  remote: Rule & { digital: Since; service: Since | 'registered' | 'not_covered'; others?: Rule }
  /**
   * Services from abroad to a business with an id of the country. `unless_registered`: a registered seller
   * charges it. `by_nature`: no id decides, but whether the digital service is for businesses alone. Null:
   * the seller charges businesses like consumers.
   */
  business:
    | (Rule & {
        outcome: 'reverse_charge' | 'not_subject_to_tax'
        unless_registered?: true
        by_nature?: true
      })
    | null
  /** Businesses are charged, but some are exempt: the first day, and a note on it. Left out: none is. */
  everybody?: { since: Since; note: string }
  /** What is not certain about the law on digital services, as one sentence. Left out: nothing. */
  caveat?: string
  /** Null: not covered. */
  imports: ImportSections | null
  marketplace: readonly MarketplaceRule[]
  /** The standard of its invoices. Left out: none has categories for its tax. */
  invoices?: InvoiceStandard
  /** Left out: a sale that no rule names is left to the seller. */
  marketplace_on_file?: false
  /** The tax of a rate is rounded once on an invoice, unless the request says otherwise. */
  rounding?: 'document'
  /** The smallest tax in its currency. Left out: a minor unit. */
  tax_unit?: RegimeLaw['tax_unit']
}

/**
 * The law of a country with one GST or VAT: it taxes what is sold within it and what sellers abroad sell to
 * its consumers. A business gives an id of the country. A new country of that kind is one value of
 * `NationalGst`.
 */
export function nationalGst(country: NationalGst): RegimeLaw {
  const { id, name, home, vouchers, bundles, countries, rounding, business } = country
  const issuers: ReadonlySet<string> = new Set(countries ?? [id])
  const held = [...issuers, ...(country.scheme === undefined ? [] : [country.scheme])]
  const believed = business?.by_nature === true
  const law: RegimeLaw & { id: Region } = {
    ...nationalTax,
    id,
    name,
    supply: suppliesOf(country, () => law),
    taxes: nationalTaxesSince(country.checked_from),
    business_ids: business === null ? NOBODY : believed ? null : { goods: issuers, others: issuers },
    marketplaceAccounts: (sale) => {
      const rule = country.marketplace.find((each) => isAccountedFor(law, each, sale))
      return rule === undefined ? null : article(country, rule.section)
    },
    marketplaceNote: (sale) =>
      country.marketplace.find((each) => isAccountedFor(law, each, sale))?.note ?? null,
    small_business: home?.small_business === undefined ? null : article(country, home.small_business),
    price_parts: pricePartsOf(country),
    bundles: bundles === undefined ? null : taxedByShare(article(country, bundles)),
    invoices: { standard: () => country.invoices ?? null, numbers: 'country' },
    vouchers: vouchers === undefined ? null : { basis: article(country, vouchers), from: null },
    ...(held.length > 1 && { registrationsAt: () => held }),
    ...(rounding !== undefined && { rounding }),
    ...(country.tax_unit !== undefined && { tax_unit: country.tax_unit }),
    ...(believed && { asks_business_only: true }),
    ...(country.sells !== undefined && { sells: country.sells }),
    ...(home === null && country.covers !== undefined && { only: country.covers }),
    isMarketplaceLawOnFile: () => country.marketplace_on_file !== false,
    // One threshold for all sellers, unless the data has some for residents, the others, and mail order.
    thresholds: (book, { place, seller, kind, origin }) => ({
      types: home === null && seller?.law === law ? [] : [`${country.tax ?? 'GST'}_REGISTRATION`],
      jurisdictions: lineage(book, place.jurisdiction_id),
      scopes: [
        ...(kind === 'goods' && origin !== null && origin.law !== law ? ['mail_order'] : []),
        seller?.law === law ? 'resident' : 'non_resident',
        'all',
      ],
      without: country.registration ?? 'unknown',
      passed: false,
    }),
  }
  return law
}

/** The place of supply by the law of the country. `self`: that law, once it is made. */
function suppliesOf(country: NationalGst, self: () => RegimeLaw): RegimeLaw['supply'] {
  const { id, name, home } = country
  const registrations = country.countries ?? [id]
  const here = (seller: Place | null) => seller?.law === self()
  const taxed = (place: Place, established: boolean, section: string, detail: string): TaxedSupply => ({
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations,
    established,
    basis: article(country, section),
    detail,
  })
  return {
    within: (deal) => {
      const { customer, establishment } = deal
      if (country.exports !== null && leavesForGoods(country, deal)) return exported(country, deal)
      if (home === null) return notCovered(country, customer)
      return taxed(customer, here(establishment), home.within, `Seller and customer are in ${name}`)
    },
    from: (deal) => (country.exports === null ? null : exported(country, deal)),
    to: (deal) => {
      const { imports } = country
      const registered = isBusinessBuyer(country, deal)
      if (!isCovered(country, deal)) return notCovered(country, deal.customer)
      const rule = registered ? null : chargedFromAbroad(country, deal)
      if (rule === null && deal.kind === 'goods' && deal.importer === 'seller' && imports !== null) {
        const sold = taxed(deal.customer, here(deal.establishment), imports.by_seller, SELLER_IMPORTS)
        return { ...sold, by_importer: true }
      }
      if (rule === null) return notCharged(country, deal, registered)
      const established = deal.kind === 'goods' && here(deal.establishment)
      const { scheme } = country
      const sold = taxed(deal.customer, established, rule.section, rule.detail)
      const supply =
        scheme === undefined || here(deal.establishment)
          ? sold
          : { ...sold, registrations: [...registrations, scheme] }
      const doubt = [doubtOfBusiness(country, deal), doubtOfDigital(country, deal)].filter(isText).join('. ')
      return doubt === '' ? supply : { ...supply, doubt }
    },
    at: ({ place, establishment }) =>
      home === null
        ? notCovered(country, place)
        : taxed(place, here(establishment), home.on_site, 'The supply is taxed where it takes place'),
    // GST Act 1999 (AU), s. 38-190; GST Act 1985 (NZ), s. 8(4), 11A(1)(k), 11A(2).
    performed_for: 'unregistered',
    destination: (customer) =>
      home === null
        ? notCovered(country, customer)
        : taxed(
            customer,
            false,
            home.destination,
            'The seller is unknown, so the tax of the destination applies',
          ),
  }
}

/** Where businesses are charged like consumers, no id frees anybody. */
const NOBODY: BusinessIds = { goods: new Set(), others: new Set() }

function isCovered({ imports, remote }: NationalGst, { kind }: Deal): boolean {
  return kind === 'goods' ? imports !== null : remote[kind] !== 'not_covered'
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

function notCovered(country: NationalGst, { jurisdiction_id }: Place): UntaxedSupply {
  const { name, covers = '' } = country
  const detail =
    `In ${nameInSentence(name)}, this service covers only ${covers}. No tax was computed, but tax ` +
    'may be due'
  return {
    kind: 'untaxed',
    reason: 'not_supported',
    place: jurisdiction_id,
    basis: `${country.act}: not covered`,
    detail,
  }
}

/** Whether goods leave the tax area within the country, or come into it from there. */
function leavesForGoods({ outside_for_goods = [] }: NationalGst, { kind, origin, customer }: Deal): boolean {
  const [from, to] = [origin, customer].map((place) => outside_for_goods.includes(place.jurisdiction_id))
  return kind === 'goods' && (from === true || to === true)
}

function holdsAny({ id, countries = [id] }: NationalGst, { holds }: Deal): boolean {
  return countries.some(holds)
}

/** Whether the buyer accounts for the tax, or nobody does, because it is a business. */
function isBusinessBuyer(country: NationalGst, deal: Deal): boolean {
  const { business } = country
  if (business === null) return false
  if (business.by_nature) return deal.kind === 'digital' && deal.business_only
  if (business.unless_registered && holdsAny(country, deal)) return false
  return deal.taxable_person
}

/** Why a business that is charged may be exempt; null: it is not, or the customer is no business. */
function doubtOfBusiness({ business, everybody }: NationalGst, deal: Deal): string | null {
  const { kind, type, vat_id, day } = deal
  if (kind !== 'digital' || (type !== 'business' && vat_id === null)) return null
  if (business?.by_nature === true) return MAY_BE_FOR_BUSINESSES
  return everybody !== undefined && isInForce(everybody.since, day) ? everybody.note : null
}

function doubtOfDigital({ caveat }: NationalGst, { kind }: Deal): string | null {
  return kind === 'digital' && caveat !== undefined ? caveat : null
}

const isText = (text: string | null) => text !== null

const MAY_BE_FOR_BUSINESSES =
  'The customer may account for the tax itself if the service is only for businesses, by nature or by ' +
  'contract. Set business_only on the line'

function exported(country: NationalGst, { kind, origin, customer }: Deal): UntaxedSupply {
  const { goods, services, digital = services } = invariant(country.exports, 'exports are covered')
  const { section, detail, reason = 'export' } = { goods, service: services, digital }[kind]
  const place = reason === 'export' ? origin : customer
  return { kind: 'untaxed', reason, place: place.jurisdiction_id, basis: article(country, section), detail }
}

/** The rule by which a seller abroad charges a consumer; null: it does not. */
function chargedFromAbroad(country: NationalGst, deal: Deal): Rule | null {
  const { id, remote, imports, outside_for_goods = [] } = country
  const { kind, day, customer } = deal
  if (kind !== 'goods') {
    const since = remote[kind]
    if (since === 'not_covered') return null
    const charged = since === 'registered' ? holdsAny(country, deal) : isInForce(since, day)
    return charged ? remote : null
  }
  if (imports === null || outside_for_goods.includes(customer.jurisdiction_id)) return null
  const { since, section, of } = imports.low_value
  if (!isInForce(since, day)) return null
  if (of === 'registered') return holdsAny(country, deal) ? { section, detail: SOLD_FROM_ABROAD } : null
  return deal.withinConsignmentLimit(id)
    ? { section, detail: 'Goods of low value are taxed at the sale' }
    : null
}

const SOLD_FROM_ABROAD = 'A registered seller abroad supplies its goods where they arrive'

/** The border or a business customer accounts for the tax, or nobody does. */
function notCharged(country: NationalGst, { kind, customer, importer }: Deal, registered: boolean): Supply {
  const { business, imports, remote, tax = 'GST' } = country
  const place = customer.jurisdiction_id
  const untaxed = (section: string, detail: string): UntaxedSupply => {
    const basis = article(country, section)
    return { kind: 'untaxed', reason: 'not_subject_to_tax', place, basis, detail }
  }
  if (kind === 'goods' && imports !== null) {
    const section = registered ? imports.business : imports.consumer
    const at_border = { ...untaxed(section, dueAtBorder(tax, importer)), by_importer: true } as const
    return imports.low_value.of === 'registered' ? { ...at_border, until_registered: true } : at_border
  }
  const { section, detail } = remote.others ?? { section: remote.section, detail: NOT_FROM_ABROAD }
  if (!registered || business === null) return untaxed(section, detail)
  if (business.outcome === 'not_subject_to_tax') return untaxed(business.section, business.detail)
  return { kind: 'reverse_charge', place, basis: article(country, business.section), detail: business.detail }
}

const NOT_FROM_ABROAD = 'Sellers abroad do not charge consumers for such a service on this day'

function isAccountedFor(
  law: RegimeLaw & { id: Region },
  { supplies, sellers, since, until }: MarketplaceRule,
  sale: FacilitatedSale,
): boolean {
  const { kind, product_type, establishment, customer, day, lawful, origin } = sale
  if (since === 'lawful' ? !lawful : !isInForce(since, day)) return false
  if (until !== undefined && until < day) return false
  // Where the nature of a service decides, all that is not for businesses alone is for consumers.
  const consumer =
    law.asks_business_only === true ? !sale.business_only : !isTaxablePerson(law, customer, kind)
  if (!isSaleOf(sellers, establishment?.law === law, consumer, sale)) return false
  if (supplies.some((each) => each === kind || isWithin(product_type, each))) return !sale.business_only
  const imported = kind === 'goods' && origin !== null && origin.law !== law && consumer
  return imported && supplies.includes('low_value_goods') && sale.withinConsignmentLimit(law.id)
}

function isSaleOf(
  sellers: MarketplaceRule['sellers'],
  established: boolean,
  consumer: boolean,
  { holds, place }: FacilitatedSale,
): boolean {
  if (sellers === 'all') return true
  if (sellers === 'abroad') return !established && consumer
  return established && (sellers === 'home' || !holds(place.jurisdiction_id))
}
