import type { PriceRule, ProductRule, RateCategory, TaxType, Threshold } from '../book/facts.ts'
import type { LineProduct, PricedLine } from '../sale/lines.ts'
import type { Exemption, OwnedAddress, Sale } from '../sale/sale.ts'
import type { Region } from '../book/regions.ts'
import type { DutyWithoutThreshold, Place, Supply, TaxedKind } from '../regimes/regime.ts'
import type { TaxableLine, TaxComponent } from '../arithmetic/document-tax.ts'
import type { OpenFact, RuleStatus, TaxabilityReason } from './assessment.ts'
import type { TaxablePerson } from '../regimes/taxable-person.ts'
import type { LayerTreatment, TaxLayer } from '../book/layer.ts'
import type { SupplyKind } from '../book/product-types.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { LocalBook } from '../regimes/us-local/local-book.ts'
import type { LocalTax, LocalTaxes } from '../regimes/us-local/local-stack.ts'

/** One sale between the places that its law looks at: step 1. */
export type Walk = {
  readonly book: RateBook
  /** The local taxes; null: they were not loaded. */
  readonly local: LocalBook | null
  readonly sale: Sale
  readonly seller: Place | null
  /** Where the seller is whom the marketplace that asks sells for; null: unknown, or there is none. */
  readonly provider: Place | null
  readonly customer: Place
  /** Where the customer receives what it buys: its own address, or the counter. */
  readonly received_at: OwnedAddress
  /** The sale as its law looks at goods that the customer fetches; null: it fetches none. */
  readonly counter: Walk | null
  /** Its customer fetches the goods: this is the walk of a counter. */
  readonly fetched: boolean
  /** Where goods leave from: the stock, else the seller's place. */
  readonly origin: Place | null
  /** Where supplies on the spot take place; null: the sale says it. */
  readonly performed_at: Place | null
  readonly registrations: Registrations
  /** Whether the customer is a taxable person by the law of its own place. */
  readonly taxable_person: TaxablePerson
  /** Notes on the seller. */
  readonly notes: readonly string[]
}

/** The known registrations of a seller. */
export type Registrations = {
  /** The seller is unknown, so registration is assumed, and the answer says so. */
  assumed: boolean
  /** `seller_registered` of the request, which wins; null: not given. */
  stated: boolean | null
  holds: (registration: string) => boolean
  /** Whether the seller has a registration, or is taken to have it. */
  counts: (registration: string) => boolean
}

/** How goods compare with the limit of a region, which may be set in another currency. */
export type LimitComparison = {
  readonly region: Region
  readonly within: boolean
  /** That the limit is in another currency than the sale; null: it is not. */
  readonly note: string | null
}

/** Where a product is supplied and who accounts for its tax: steps 2 and 3. */
export type Supplied = {
  readonly kind: TaxedKind
  readonly supply: Supply
  /** The place of supply. */
  readonly place: Place
  /** The local taxes of the address; null: it has none, or they are not on file. */
  readonly local: LocalTaxes | null
  /** The taxes of the place that a small business of its country need not charge. */
  readonly freed: readonly TaxLayer[]
  /** The limits that the law asked for. */
  readonly limits: readonly LimitComparison[]
  /** It is supplied at the counter where the customer fetches it. */
  readonly fetched: boolean
  /** Notes on the whole sale. */
  readonly notes: readonly string[]
}

/** One tax that is, or would be, charged. */
export type Charge = TaxComponent & {
  jurisdiction_id: string
  tax_type: TaxType
  /** The tax that stands instead of the general one; null: it is the general one. */
  levied_as: string | null
  category: RateCategory
  /** The taxes that its rate is made of, as the rate has them. Left out: it is one tax. */
  made_of?: string
}

/** One tax that a seller may not collect yet: how to register for it, and from when the seller has to. */
export type Duty = {
  layer: TaxLayer
  /** Registrations and schemes. Any one of them is enough. */
  registrations: readonly string[]
  /** Passing it obliges the seller to register; null: no threshold with an amount is on record. */
  threshold: Threshold | null
  /** The other limit of that threshold: passing either one obliges. Null: it has one limit. */
  other_limit: Threshold | null
  without: DutyWithoutThreshold
  /** The seller says that it has passed the threshold. */
  passed: boolean
  /** It depends on the seller's worldwide turnover, which is unknown. */
  depends_on_turnover: boolean
  /** The VAT or GST exempts the product, so a first sale of it alone obliges nobody to register. */
  exempt: boolean
}

/** A rule that depends on the price of an item. */
export type PricedRule = {
  readonly rule: ProductRule
  readonly price_rule: PriceRule
  /** Minor units of the currency of the rule's jurisdiction. */
  readonly price_threshold: number
}

/** The terms on which a product is sold here: everything about its tax except the amount. */
export type Terms = {
  readonly kind: SupplyKind
  readonly supplied: Supplied
  readonly treatments: readonly LayerTreatment[]
  /** What the rules of the treatments are worth. */
  readonly rule: RuleStatus
  /** Those of the notes that say what the rules lack, and what is uncertain in them. */
  readonly rule_notes: readonly string[]
  /** Facts that the request leaves open, and that would change the tax. */
  readonly conditions: readonly OpenFact[]
  /** The seller may charge a tax of the place, even if that tax does not fall on the product. */
  readonly registered: boolean
  readonly charges: readonly Charge[]
  /** The taxes that a registered seller would charge. */
  readonly uncollected: readonly Charge[]
  /** Taxes on the product that the seller may not charge yet. */
  readonly duties: readonly Duty[]
  readonly reason: TaxabilityReason | null
  /** Why a line bears no tax, as one sentence. */
  readonly detail: string | null
  readonly exemption: Exemption | null
  /** A rule that depends on the price of an item. */
  readonly price_rule: PricedRule | null
  readonly notes: readonly string[]
  /** The local taxes of the place; null: it has none, or they are not on file. */
  readonly local: LocalTax | null
  /** Places may levy a tax on this product alone, which is not on file. */
  readonly lacks_local: boolean
}

/**
 * A part of a line that is sold on one set of terms. Shipping of different goods has several; a bundle and a
 * price with sections may have them. Its base is less than its amount if only the excess over a price is
 * taxed.
 */
export type Part = TaxableLine<Charge> & {
  terms: Terms
  /** The price after the discount, minor units, signed. */
  amount: number
  /** Notes on the whole sale. */
  notes: readonly string[]
}

/** The taxes of a part, in the order of its components. */
export type TaxesOf = (taxable: TaxableLine<Charge>) => readonly number[]

/** A product of a line, with its part of the price. */
export type SoldProduct = { readonly product: LineProduct; readonly part: Part }

/** The products that a line is sold as: at least one. */
export type SoldProducts = readonly [SoldProduct, ...SoldProduct[]]

/** What the law made of several products for one price. */
export type FoundBundle = {
  /** The terms of each product by itself, which the law looked at. */
  readonly alone: readonly Terms[]
  /** What was done, in a word and as one sentence. */
  readonly outcome: string
  readonly note: string
  /** Whether the law on file decides it. */
  readonly certain: boolean
  /** The law; null: none decided. */
  readonly basis: string | null
}

/** A part of a line before its charges are put on it. Amounts in minor units, signed. */
export type Cut = Pick<Part, 'terms' | 'amount' | 'base' | 'notes'>

/** The parts of a line: at least one. */
export type PartsOfLine = readonly [Part, ...Part[]]

/**
 * A line of the sale with its parts, and notes on the details that the request states of it. `bundle` is null
 * for a line of one product.
 */
export type LineInParts = PricedLine & {
  parts: PartsOfLine
  notes: readonly string[]
  bundle: FoundBundle | null
}
