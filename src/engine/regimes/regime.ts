import type { Rounding, TaxBehavior } from '../arithmetic/document-tax.ts'
import type { LeftOut, NotCharged } from '../book/countries.ts'
import type {
  DomesticReverseCharge,
  BundleScope,
  ConsignmentLimit,
  Jurisdiction,
  MixedShipping,
  TaxType,
  ThresholdType,
} from '../book/facts.ts'
import type { Region } from '../book/regions.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { LayerTreatment, TaxLayer } from '../book/layer.ts'
import type {
  Customer,
  CustomerStatus,
  Exemption,
  Importer,
  LocalFallback,
  OwnedAddress,
  Seller,
  VatId,
} from '../sale/sale.ts'
import type { LocalBook } from './us-local/local-book.ts'
import type { LocalTax, LocalTaxes } from './us-local/local-stack.ts'
import type { UnionScheme } from '../ground/schemes.ts'
import type { InvoiceStandard } from '../ground/invoice-details.ts'
import type { SupplyKind } from '../book/product-types.ts'

/** An address as tax law sees it. */
export type Place = {
  /** The closest jurisdiction, or the bare country or territory code if no data covers it. */
  jurisdiction_id: string
  /** As a sentence names it: `France`, `the Netherlands`. */
  name: string
  law: RegimeLaw
  /** The EU member state whose VAT area it is in; `XI` for goods in Northern Ireland; null outside it. */
  vat_state: string | null
  /** The member state of a place in the VAT area; of any other place, the place itself. */
  state: string
  /**
   * The member state whose VAT law governs services there, even if the place is outside the VAT area; null:
   * none.
   */
  service_state: string | null
  /**
   * The kinds of supply and products for which a seller from elsewhere leaves the tax to its business
   * customer (art. 194). With a minus: those for which it surely does not.
   */
  reverse_charged: readonly string[]
  /** Products of which a business that buys at home accounts for the tax. */
  domestic_reverse_charge: readonly DomesticReverseCharge[]
  /** That rule ends once the seller is registered in the state. */
  unless_registered: boolean
  /** The first day on which marketplaces account for sales of others; null: they do not. */
  marketplace_from: string | null
  /** The scope of that law by kind of product; null: it is not on file by kind. */
  marketplace_scope: MarketplaceScope | null
  /** How one delivery charge for taxable and exempt goods is taxed; null: by their prices. */
  mixed_shipping: MixedShipping | null
  price_parts: PriceParts
  /** How several products for one price are taxed; null: it is not on file. */
  bundles: BundleLaw | null
  /** The country or territory has rates of its own that apply within it. */
  covered: boolean
  /** The taxes of the place, the country's first. */
  taxes: readonly TaxLayer[]
  /** Why no tax of the place is computed; null: it is computed, or nobody looked at it. */
  left_out: LeftOut | null
}

/** What the law makes of a part of the price that is not the customer's money. */
export type PricePart = {
  /** Whether it is taxed as a part of the price. */
  taxed: boolean
  /** The law, to be cited. */
  basis: string
  /** Only consumers have this rule, and other customers have the contrary one; left out: all have it. */
  for_consumers?: true
}

/** The parts of a price that are not the customer's money; null: the law on one is not on file. */
export type PriceParts = {
  /** What a third party pays the seller for a discount. */
  readonly funded_discount: PricePart | null
  /** Used goods in part payment. */
  readonly trade_in: PricePart | null
}

/** How a law taxes several products that are sold for one price. */
export type BundleLaw = {
  /** `whole`: as the product with the most tax; `by_share`: each product by itself. */
  readonly taxed: 'whole' | 'by_share'
  /** The law, to be cited. */
  readonly basis: string
  /** The bundles that the law is about. */
  readonly of: BundleScope
  readonly free: readonly FreeBundle[]
  /** False: a tax of the place may follow another law, which is not on file. */
  readonly certain: boolean
}

/** Bundles that are not taxed if their taxable products are at most this part of the price. */
export type FreeBundle = { readonly of: BundleScope; readonly up_to_millionths: number }

/** What a law on marketplaces says of kinds of product. A kind in neither list is not on file. */
export type MarketplaceScope = {
  /** Kinds that the marketplace accounts for, each with its first day. */
  readonly covers: ReadonlyMap<string, string>
  /** Kinds that are left to the seller. */
  readonly leaves: readonly string[]
  /** The law; null: no citation is on file. */
  readonly statute: string | null
}

/** Kinds of supply that the place-of-supply rules decide by the two parties. */
export type DealKind = 'goods' | 'digital' | 'service'

/** These kinds, and supplies that are taxed where they take place. */
export type TaxedKind = DealKind | 'on_site'

/** Every kind but shipping. Step 2 finds whether `property` and `performed` are on the spot or a service. */
export type ProductKind = Exclude<SupplyKind, 'shipping'>

/** A supply that is taxed where it takes place. */
export type Performance = {
  place: Place
  /** Where the seller is established; null: unknown. */
  establishment: Place | null
  /** All countries in which it is established. */
  established_in: readonly string[]
  customer: CustomerStatus
  product_type: string
  holds: (registration: string) => boolean
}

/** A sale that a marketplace makes for a seller, taxed at `place`. */
export type FacilitatedSale = {
  kind: TaxedKind
  product_type: string
  place: Place
  establishment: Place | null
  origin: Place | null
  customer: CustomerStatus
  /** The service is for businesses alone. */
  business_only: boolean
  day: string
  /** The place has a law on marketplaces in force. */
  lawful: boolean
  holds: (registration: string) => boolean
  withinConsignmentLimit: (region: ConsignmentLimit['region']) => boolean
}

/** One kind of supply between two places, as the place-of-supply rules look at it. */
export type Deal = {
  kind: DealKind
  /** Where the supply comes from: the place that goods leave, else the establishment. */
  origin: Place
  /** Where the seller is established. */
  establishment: Place
  /** All countries in which it is established: its own, and those of its fixed establishments. */
  established_in: readonly string[]
  customer: Place
  type: Customer['type']
  vat_id: VatId | null
  /** The customer attends an event by a stream while it takes place. */
  live: boolean
  /** Whether the customer is a taxable person by the law of its own place. */
  taxable_person: boolean
  /** A service that a consumer abroad buys at its own place. */
  intangible: boolean
  /** The service is for businesses alone, by its nature or its terms. */
  business_only: boolean
  day: string
  over_eu_threshold: boolean
  /** Who imports the goods; null: not said. */
  importer: Importer | null
  /** Whether the seller has a registration or scheme. */
  holds: (registration: string) => boolean
  /** Whether the goods are within the value up to which the region taxes them at the sale. */
  withinConsignmentLimit: (region: ConsignmentLimit['region']) => boolean
}

export type UntaxedReason =
  | 'export'
  | 'intra_community_supply'
  | 'not_subject_to_tax'
  | 'not_supported'
  | 'marketplace_collects'
  | 'seller_accounts'
  | 'small_business'
  | 'not_a_supply'

/** The fields of every supply. `basis` cites the law, `detail` is one sentence for people. */
type Cited = {
  place: string
  basis: string
  detail: string
  /** The importer of the goods decided it; left out: it did not matter. */
  by_importer?: true
}

/** A supply that a place taxes and for which the seller accounts. */
export type TaxedSupply = Cited & {
  kind: 'taxed'
  /** Registrations and schemes that entitle the seller to charge; registrationsFor has those of one tax. */
  registrations: readonly string[]
  established: boolean
  /** What the law of the origin says of a supply that another place taxes; left out: nothing. */
  at_origin?: UntaxedSupply
  /** A rule of the place that is not on file and may change who accounts for the tax; left out: none. */
  doubt?: string
  /** No rate is on file, and the seller says its own one; left out: the data has the rate. */
  by_own_rate?: true
}

/** A supply for which the seller accounts for no tax. */
export type UntaxedSupply = Cited & {
  kind: 'untaxed'
  reason: UntaxedReason
  /** A registered seller would charge it, so its threshold matters; left out: it would not. */
  until_registered?: true
  /** A seller abroad surely charges nothing there; left out: tax may be due, or the data has the tax. */
  not_charged?: NotCharged
  /** Where it goes, if the data does not have the tax there, and what it is here; left out: it does. */
  uncovered?: { place: string; at_origin: UntaxedSupply }
}

/** Where a supply is taxed and who accounts for it. */
export type Supply = TaxedSupply | (Cited & { kind: 'reverse_charge' }) | UntaxedSupply

/** A question about the threshold that obliges a seller to register for one tax. */
export type ThresholdQuestion = {
  layer: TaxLayer
  place: Place
  seller: Place | null
  kind: TaxedKind
  /** Where goods leave from; null: unknown, or not goods. */
  origin: Place | null
  /** The seller says that its cross-border sales in the Union are over the threshold. */
  over_eu_threshold: boolean
  /** It has fixed establishments in other countries, too; left out: none. */
  established_elsewhere?: boolean
  /** States in which it has an office, staff or stock; left out: none. */
  present_in?: readonly string[] | undefined
}

/** A question for the local taxes of a supply in a state. */
export type LocalQuestion = {
  jurisdiction_id: string
  /** The name of the state, for sentences. */
  state_name: string
  kind: SupplyKind
  /** Where the buyer receives the supply, or where it takes place. */
  destination: OwnedAddress
  /** Where a seller that is established in the state sells from; null: it is not established there. */
  origin: OwnedAddress | null
  day: string
  fallback: LocalFallback | null
  /** The registrations and schemes of the seller; null: unknown. */
  registrations: readonly string[] | null
  /** The seller is established in the state, has an office, staff or stock there, or sells from there. */
  present: boolean
  /** A marketplace makes the sale for others. */
  marketplace: boolean
}

/**
 * The duty to register if no threshold is on record: from the first sale, unknown, not before the first
 * threshold, at the seller's choice, or only for sellers whom the tax office appoints.
 */
export type DutyWithoutThreshold = 'first_sale' | 'unknown' | 'not_yet' | 'choice' | 'appointed'

/** Which records of thresholds answer the question, and the law if there is no record. */
export type ThresholdLaw = {
  /** Types of threshold that count. Empty: no threshold can apply. */
  types: readonly ThresholdType[]
  /** Jurisdictions whose record counts, the closest first. */
  jurisdictions: readonly string[]
  /** Scopes of the record in order of preference; else any. */
  scopes: readonly string[]
  without: DutyWithoutThreshold
  /** The seller itself says that it has passed the threshold. */
  passed: boolean
}

/** Regions that addresses of a country name but that are no part of it for tax, with the law that says so. */
export type PostalRegions = {
  regions: readonly { code: string; name: string }[]
  /** The code of the region that a code, an id or a name names; null: none of them. */
  ofName: (region: string) => string | null
  /** The code of the region of a postal code without spaces and hyphens; null: it is in none of them. */
  ofPostalCode: (code: string) => string | null
  law: RegimeLaw
}

/** How addresses decide the place. */
type AddressLaw = {
  /** The tax is that of a state or province, so the country alone is not enough. */
  regional: boolean
  /** The form of a postal code without spaces and hyphens; null: not checked. */
  postal_code: RegExp | null
  /** Left out: all regions of its addresses are jurisdictions. */
  apart?: PostalRegions
}

/** A line for which schemeOf finds the scheme. */
export type DeclaredLine = {
  place_of_supply: string
  product_type: string
  /** It bears a tax, even if that is so small that it is rounded to 0. */
  bears_tax: boolean
  /** The customer fetches the goods of the sale. */
  fetched: boolean
  /** Of goods: the country or member state that they leave. Null: unknown, or no goods. */
  origin: string | null
  /** Of imported goods: they are in a consignment of low value, which the import scheme takes. */
  low_value: boolean
}

/** The scheme through which a line is declared; '' is the seller's own registration. */
export type LineScheme = '' | UnionScheme | 'below_eu_threshold'

/**
 * A rule on vouchers, and its first day; null: it is older than the data. `postage`: the law that does not
 * tax a charge for sending vouchers alone. Left out: this charge is a service.
 */
export type VoucherLaw = { basis: string; from: string | null; postage?: string }

/** How invoices under a law state its tax. */
type InvoiceLaw = {
  /** The standard for a supply at a place; null: none has categories for its tax. */
  standard: (place: Place, kind: TaxedKind) => InvoiceStandard | null
  /** The numbers of the seller that are printed for a tax: that of the country, one for each tax, or none. */
  numbers: 'country' | 'by_tax' | 'none'
}

/** Everything that is particular to a country or union. The steps of a calculation do not name countries. */
export type RegimeLaw = {
  /** The region of the data to which the law applies. */
  id: Region | 'uncovered'
  name: string
  /**
   * The place of supply. `within`: origin and customer are in the regime; `from`: only the origin is; `to`:
   * only the customer is; `at`: the supply takes place there; `destination`: the seller is unknown. `from`
   * returns null if the law of the origin says nothing, and a taxed supply if the tax is due at home.
   */
  supply: {
    within: (deal: Deal) => Supply
    from: (deal: Deal) => Supply | null
    to: (deal: Deal) => Supply
    at: (performance: Performance) => Supply
    destination: (customer: Place) => Supply
    /** The law by which goods that the customer fetches are supplied where they are; left out: `within`'s. */
    fetched?: string
    /** One customs declaration has goods of the scheme for small parcels or others: excise goods take all. */
    excise_takes_parcel?: true
    /** A supply from or to another regime that stays within the area of this one; null: it does not. */
    shared?: (deal: Deal) => Supply | null
    /**
     * Whose service is taxed where it is carried out. `consumers`: not that of businesses, who buy at their
     * own place; `unregistered`: all but businesses with an id of the country; `all`: everybody's. For
     * `consumers`, services connected with land are taxed there for businesses too.
     */
    performed_for: 'consumers' | 'unregistered' | 'all'
    /**
     * The law by which the commission of an intermediary is supplied to a consumer where the sale is that it
     * arranges; left out: it is a service as others.
     */
    arranged?: string
    /** A supply abroad has the reason of the seller's law, even if the customer accounts for the tax. */
    outranks_reverse_charge?: boolean
  }
  /** Who issues the ids by which businesses are known; null: the request's `type` is believed. */
  business_ids: BusinessIds | null
  /** The law by which the marketplace accounts for the tax; null: the seller does. */
  marketplaceAccounts: (sale: FacilitatedSale) => string | null
  /** What the duty of the marketplace depends on and the sale does not say; left out or null: nothing. */
  marketplaceNote?: (sale: FacilitatedSale) => string | null
  /** Whether it is on file who accounts for a sale by the law on marketplaces; left out: it always is. */
  isMarketplaceLawOnFile?: (sale: FacilitatedSale) => boolean
  /** The law by which a small business at home charges no tax; null: there is no such scheme. */
  small_business: string | null
  /** The law by which a small business from elsewhere charges no tax at a place; null: none does. */
  smallBusinessFromAbroad?: (
    place: Place,
    establishment: Place | null,
    seller: Seller,
    day: string,
  ) => string | null
  /** The law by which the sale of a voucher for several kinds of supply is no supply; null: not on file. */
  vouchers: VoucherLaw | null
  /** The law by which a deposit on a container has the tax of its drink; left out or null: it has its own. */
  depositFollows?: (place: Place) => string | null
  /** A deposit that a rule exempts is only passed on, and so is not a supply. */
  deposits_passed_on?: true
  /** The first day for which the rules on sales from and to other regimes are on file; null: always. */
  cross_border_from: string | null
  /** The kinds of product that are covered; left out: all. */
  sells?: readonly SupplyKind[]
  /** What alone is covered, as the end of a sentence, because sales at home are not; left out: all is. */
  only?: string
  /** Whether the law applies in a jurisdiction of its region. */
  covers: (jurisdiction: Jurisdiction) => boolean
  /** Which member states of the Union a jurisdiction belongs to. */
  memberStates: (jurisdiction: Jurisdiction) => MemberStates
  /** The taxes of a place, the country's first. */
  taxes: (book: RateBook, jurisdiction_id: string) => TaxLayer[]
  /** How tax is rounded if the request does not say it; left out: by line. */
  rounding?: Rounding
  /** The smallest tax in its currency, if that is more than a minor unit. */
  tax_unit?: { currency: string; minor_units: number }
  /** The customer accounts for digital services that are for businesses alone: the line says if it is. */
  asks_business_only?: true
  /** How consumers are shown prices: with tax or without it. */
  shown_prices: TaxBehavior
  /** Registrations that count as one in a jurisdiction. */
  registrationsAt: (book: RateBook, jurisdiction_id: string) => readonly string[]
  thresholds: (book: RateBook, question: ThresholdQuestion) => ThresholdLaw
  address: AddressLaw
  schemeOf: (line: DeclaredLine, seller: Seller, customer: Customer) => LineScheme
  invoices: InvoiceLaw
  /** The taxes of its provinces beside the federal one; null: a place has one tax, or its own only. */
  provinces: ProvincialLaw | null
  /** The local taxes at an address in one of its states; null: the rates of the data are all of the tax. */
  localTaxes: ((local: LocalBook, question: LocalQuestion) => LocalTaxes) | null
  /** The parts of a price that are not the customer's money. The data of a place says otherwise for it. */
  price_parts: PriceParts
  /** Several products for one price; null: not on file. The data of a place says otherwise for it. */
  bundles: BundleLaw | null
  /**
   * Whether places in the jurisdiction may levy a tax on this product that the answer lacks. `freed`: the
   * jurisdiction itself does not tax it, and whether this binds its places is not on file. `local`: the local
   * taxes that are in the answer. Null: they levy none.
   */
  placesMayTax:
    | ((
        book: LocalBook | null,
        jurisdiction_id: string,
        product: { product_type: string; freed: boolean },
        local: LocalTax | null,
      ) => boolean)
    | null
}

/** Who issues the ids of businesses that buy goods, and of those that buy anything else. */
export type BusinessIds = { readonly goods: ReadonlySet<string>; readonly others: ReadonlySet<string> }

/** The Union's states of a jurisdiction; null: it is in none. */
export type MemberStates = {
  /** The state whose VAT area it belongs to; `XI` for goods in Northern Ireland. */
  goods: string | null
  /** The state whose VAT law governs services there, even if goods are outside its VAT area. */
  services: string | null
}

/** The law of a federation whose provinces tax beside the country: each tax has a registration of its own. */
type ProvincialLaw = {
  /** What a province levies in addition to the federal tax. */
  taxes: readonly TaxType[]
  /** Registrations that entitle the seller to charge one tax of a supply. Any one of them is enough. */
  registrationFor: (layer: TaxLayer, supply: TaxedSupply) => readonly string[]
  /** Whether the seller charges one tax without a registration on file, because it is established there. */
  isEstablishedFor: (layer: TaxLayer, supply: TaxedSupply, seller: Place | null) => boolean
  /** The rate that remains of a tax, millionths; null: the exemption frees all of it. */
  remainsAfterExemption: (
    treatment: LayerTreatment,
    exemption: Exemption,
    book: RateBook,
    day: string,
  ) => number | null
  /** Names one of the taxes of a place in a sentence. */
  nameOfTax: (layer: TaxLayer, place: string) => string
}
