import type { Rounding, TaxBehavior } from '../arithmetic/document-tax.ts'
import type { TaxType } from '../book/facts.ts'
import type { VatScheme } from '../ground/vat-schemes.ts'

/** How to choose among several rates of a ZIP, if the request says so. */
export const LOCAL_FALLBACKS = ['lowest', 'largest', 'highest', 'state_only'] as const
export type LocalFallback = (typeof LOCAL_FALLBACKS)[number]

/** Countries are ISO 3166-1 alpha-2 in upper case, `XI` is Northern Ireland. */
export type Address = {
  country: string
  region?: string | null | undefined
  city?: string | null | undefined
  postal_code?: string | null | undefined
}

/** Whose address it is, or the field of the sale that names it, as a sentence says it. */
export type AddressOwner = 'the address' | 'the customer' | 'the seller' | 'ship_from' | 'supply_address'

/** An address of a sale, and whose it is. */
export type OwnedAddress = { address: Address; whose: AddressOwner }

export type Seller = {
  /** Where the seller is established; null: unknown. */
  address: Address | null
  /**
   * Jurisdiction ids and schemes (`oss_union`, `oss_non_union`, `ioss`) valid on the day; null: unknown.
   */
  registrations: readonly string[] | null
  /** Member states with a fixed establishment on the day, beside its own country. Left out: none. */
  establishments?: readonly string[]
  /** States of the US with an office, staff or stock of the seller on the day. Left out: none. */
  present_in?: readonly string[]
  /** Cross-border sales to consumers in the EU are over 10,000 EUR a year. */
  over_eu_threshold: boolean
  /** The seller uses the small-business scheme of its country, so it charges no tax there. */
  small_business: boolean
  /** Its worldwide turnover in the period of a threshold. Left out or null: unknown. */
  global_turnover?: Turnover | null
  /** The rates that it says itself for places that the data does not cover. Left out or null: none. */
  own_rates?: OwnRatesOfSeller | null
}

/** A rate that the seller says itself. Days are inclusive; `valid_to` null: no end. */
export type OwnRate = {
  /** Null: for all products without a rate of their own. */
  product_type: string | null
  tax_type: TaxType
  rate_millionths: number
  valid_from: string
  valid_to: string | null
  /** Where the seller has it from, in its own words; null: not said. */
  source: string | null
}

/** All own rates of a seller, with the functions that apply them, which few starts evaluate. */
export type OwnRatesOfSeller = {
  places: readonly OwnRates[]
  rules: Pick<typeof import('../terms/own-rates.ts'), 'ownTermsOf'>
}

/**
 * The own rates of a seller in one place. `until`: they replace what the data has, and this is the last day;
 * left out: they are for what it does not have.
 */
type OwnRates = { jurisdiction_id: string; rates: readonly OwnRate[]; until?: string }

/** The taxes that a seller may name for a place that the data does not cover. */
export const OWN_TAX_TYPES = ['VAT', 'GST', 'SALES_TAX'] as const

/** What a seller sold, in minor units. */
export type Turnover = { amount: number; currency: string }

/** A VAT id after its format, check digits and any validation on file were checked. */
export type VatId = {
  /** The member state, `XI`, or country that issued it. */
  country: string
  /** May be relied on for reverse charge and intra-community supply. */
  good: boolean
  /** Known not to be a valid VAT id. */
  invalid: boolean
  /**
   * What a right form is worth without an answer of an authority. `form`: its country publishes no check
   * digits; `nothing`: it does not show a business there. Left out: check digits or an authority confirm it.
   */
  worth?: 'form' | 'nothing'
}

export const CUSTOMER_TYPES = ['individual', 'business'] as const
type CustomerType = (typeof CUSTOMER_TYPES)[number]

export type Customer = {
  address: Address
  type: CustomerType | null
  vat_id: VatId | null
  /** By which the seller charges a second tax beside the VAT. Left out or null: none. */
  vat_scheme?: CustomerScheme | null
}

/** A scheme of the customer, with the law that applies it, which few starts evaluate. */
export type CustomerScheme = {
  id: VatScheme
  law: { treated: typeof import('../terms/es-recargo.ts').withRecargo }
}

/** The part of a customer that shows whether it is a business. */
export type CustomerStatus = Pick<Customer, 'type' | 'vat_id'>

export const EXEMPTION_TYPES = ['resale', 'nonprofit', 'government', 'other'] as const

/**
 * An exemption of the customer: a verified certificate, or what the request states of a line. Dates are
 * inclusive.
 */
export type Exemption = {
  /** The certificate on file; null: the request states the exemption. */
  id: string | null
  jurisdiction_id: string
  exemption_type: (typeof EXEMPTION_TYPES)[number]
  valid_from: string
  valid_to: string | null
}

/** A product of a bundle with its share of the price. The shares of a bundle add up to a million. */
export type BundledProduct = { product_type: string; share_millionths: number }

export type SaleLine = {
  /** The line's total in minor units, before the discount; negative for a credit. */
  amount: number
  /** Not negative; reduces the magnitude of the amount. */
  discount: number
  /** More than 0. No whole number, such as 1.5 kg: it tells no number of pieces. */
  quantity: number
  /** The request does not say the quantity, so it counts as one. Left out: it says it. */
  quantity_open?: boolean
  product_type: string
  tax_behavior: TaxBehavior
  /** False: the caller says that the line bears no tax. */
  taxable: boolean
  /** An event that the customer attends by a stream while it takes place. */
  live: boolean
  /** A service for businesses alone, by its nature or its terms. Left out: not said. */
  business_only?: boolean
  /** The exemption that the request states for this line, once for each of its jurisdictions. */
  exemptions: readonly Exemption[]
  /** The part of the discount that a third party, such as the manufacturer, pays the seller; not negative. */
  funded_discount: number
  /** What used goods that the customer gives in part payment count for; not negative. */
  trade_in: number
  /** The products that are sold for the one price; empty: the line is one product. */
  bundle: readonly BundledProduct[]
}

/** Who bears a discount: a third party is one that pays the seller for it. */
export const DISCOUNT_FUNDERS = ['seller', 'manufacturer'] as const
export type DiscountFunder = (typeof DISCOUNT_FUNDERS)[number]

/**
 * `facilitated`: a marketplace makes the sale for the seller. `facilitator`: the caller is the marketplace.
 */
export const MARKETPLACE_ROLES = ['facilitated', 'facilitator'] as const
export type MarketplaceRole = (typeof MARKETPLACE_ROLES)[number]

/** Whom a marketplace sells for. `registrations` null: unknown. */
export type FacilitatedSeller = { address: Address; registrations: readonly string[] | null }

/** A marketplace that asks, with the function that decides whose sale it is, which few starts evaluate. */
export type Facilitator = {
  /** Null: unknown. */
  seller: FacilitatedSeller | null
  rules: Pick<typeof import('../supply/facilitator.ts'), 'supplyOfFacilitator'>
}

/** Who declares imported goods to customs and pays the tax at the border. */
export const IMPORTERS = ['seller', 'customer'] as const
export type Importer = (typeof IMPORTERS)[number]

/**
 * How goods reach the customer. What it fetches (`pickup`) is supplied where it is. Some states levy a fee on
 * delivery by a motor vehicle, post included.
 */
export const GOODS_DELIVERIES = ['motor_vehicle', 'pickup', 'other'] as const
export type GoodsDelivery = (typeof GOODS_DELIVERIES)[number]

export type Sale = {
  currency: string
  /** The day whose law applies, `YYYY-MM-DD`. */
  day: string
  seller: Seller
  customer: Customer
  /** Where the goods leave from; null: the seller's place. */
  ship_from: Address | null
  /** Who imports goods from abroad; null: not said, so the customer is assumed, and the answer says so. */
  importer: Importer | null
  /** How the goods reach the customer; null: not said, so by a motor vehicle, and the answer says so. */
  delivery: GoodsDelivery | null
  /** The part of a marketplace in the sale; null: there is none. */
  marketplace: MarketplaceRole | null
  /** The caller as the marketplace. Left out or null: it is none. */
  facilitator?: Facilitator | null
  /** Where an event takes place, a property lies, a service is performed. */
  supply_address: Address | null
  lines: readonly SaleLine[]
  shipping: SaleLine | null
  rounding: Rounding
  /** Overrides the registrations; null: the registrations decide. */
  seller_registered: boolean | null
  exemptions: readonly Exemption[]
  /** How to choose among several local rates of a ZIP; null: by the rule of the state. */
  local_fallback: LocalFallback | null
  /** Whether to keep the trace of rules. */
  explain: boolean
  /** What the view of its invoice has to know; null: no view is asked for. */
  einvoice: EinvoiceAsked | null
  /** What lines for no supply and deposits need, which few starts evaluate. Left out or null: it has none. */
  rare_lines?: RareLines | null
  /** What finds the facts that are open, which few starts evaluate. Left out or null: none is looked for. */
  open_facts?: FactRules | null
  /** What answers for a country alone, where the request allows it. Left out or null: a region is needed. */
  country_alone?: CountryAlone | null
}

/** Finds the place of an address that names a country alone. */
type CountryAlone = Pick<typeof import('../supply/country-alone.ts'), 'placeOfCountry'>

/** The functions for facts that a request leaves open. */
type FactRules = Pick<
  typeof import('../terms/open-facts.ts'),
  'openFactsOf' | 'openInTreatment' | 'rateOfCharges' | 'withOpenQuantity'
>

/** The functions for lines that few sales have. */
type RareLines = Pick<typeof import('../terms/no-supply.ts'), 'termsOfNoSupply'> &
  Pick<typeof import('../parts/deposits.ts'), 'sellingInOrder'>

/** Where goods leave from, or are fetched: their stock, else the seller's own place; null: unknown. */
export function stockOf({
  ship_from,
  seller,
  facilitator,
}: Pick<Sale, 'ship_from' | 'seller' | 'facilitator'>): OwnedAddress | null {
  if (ship_from !== null) return { address: ship_from, whose: 'ship_from' }
  const address = facilitator?.seller?.address ?? seller.address
  return address === null ? null : { address, whose: 'the seller' }
}

/**
 * `exemption_reasons`: by line, why the caller marks it as not taxable, in its own words; null: not said.
 */
export type EinvoiceAsked = { exemption_reasons: readonly (string | null)[] }

/** Whether a seller has fixed establishments in other states than its own. */
export function isEstablishedElsewhere({ address, establishments = [] }: Seller): boolean {
  return establishments.some((state) => state !== address?.country)
}
