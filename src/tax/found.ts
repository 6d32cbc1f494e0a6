import type { TaxableLine, TaxComponent } from './arithmetic/document-tax.ts'
import type { TaxabilityReason, TraceStep } from './assessment.ts'
import type { ConsignmentLimit, ProductRule, Rate, RateCategory, TaxType, Threshold } from './book/facts.ts'
import type { LayerTreatment, TaxLayer } from './book/product-rules.ts'
import type { SupplyKind } from './book/product-types.ts'
import type { RateBook } from './book/rate-book.ts'
import type { Place, RegimeLaw, Supply } from './regimes/regime.ts'
import type { LocalBook } from './regimes/us-local/local-book.ts'
import type { LocalTax } from './regimes/us-local/local-stack.ts'
import type { Exemption, Sale, SaleLine } from './sale.ts'

/** One sale on its way through the rules, with everything found so far. No step decides anything twice. */
export type Walk = {
  readonly book: RateBook
  /** The local taxes; null: they were not loaded. */
  readonly local: LocalBook | null
  readonly sale: Sale
  readonly seller: Place | null
  readonly customer: Place
  /** Where goods leave from: the stock, else the seller's place. */
  readonly origin: Place | null
  /** Where a supply that is taxed on the spot takes place. Throws region_required. */
  readonly performance: (walk: Walk, product_type: string) => Place
  readonly registrations: Registrations
  /** The customer's regime compares each item with a limit, so goods have terms by line. */
  readonly item_limit: ConsignmentLimit | null
  readonly supplies: Map<string, Supply>
  readonly terms: Map<string, Terms>
  readonly notes: string[]
  readonly trace: TraceStep[] | null
  readonly rates_used: Rate[]
  readonly rules_used: ProductRule[]
}

/** The known registrations of a seller. */
export type Registrations = {
  /** The seller is unknown, so registration is assumed, and the answer says so. */
  assumed: boolean
  /** `seller_registered` of the request, which wins; null: not given. */
  stated: boolean | null
  holds: (registration: string) => boolean
}

/** The product whose terms are asked for. `line` is null if only the product is known, not its price. */
export type Product = { product_type: string; kind: SupplyKind; line: SaleLine | null }

/** One tax that is, or would be, charged. */
export type Charge = TaxComponent & {
  jurisdiction_id: string
  tax_type: TaxType
  /** The tax that stands instead of the general one; null: it is the general one. */
  levied_as: string | null
  category: RateCategory
}

/** A product that the law taxes here, with the local taxes of the place. */
export type Taxed = { walk: Walk; law: RegimeLaw; kind: SupplyKind; local: LocalTax | null }

/** One tax that a seller may not collect yet: how to register for it, and from when the seller has to. */
export type Duty = {
  layer: TaxLayer
  /** Registrations and schemes. Any one of them is enough. */
  registrations: readonly string[]
  /** Passing it obliges the seller to register; null: no threshold with an amount is on record. */
  threshold: Threshold | null
  /** Without a threshold: registration is due from the first sale, or no duty is known. */
  without: 'first_sale' | 'unknown'
  /** The seller says that it has passed the threshold. */
  passed: boolean
}

/** The terms on which a product is sold here: everything about its tax except the amount. */
export type Terms = {
  readonly kind: SupplyKind
  readonly supply: Supply
  readonly treatments: readonly LayerTreatment[]
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
  readonly price_rule: ProductRule | null
  readonly notes: readonly string[]
  /** The local taxes of the place; null: it has none, or they are not on file. */
  readonly local: LocalTax | null
}

/** A piece of a line that is sold on one set of terms. Only shipping of different goods has several parts. */
export type Part = {
  terms: Terms
  /** The price after the discount, minor units, signed. */
  amount: number
  /** The amount that the charges fall on; less than `amount` if only the excess over a price is taxed. */
  taxable: TaxableLine<Charge>
}

/** A line of the sale with its parts: at least one. */
export type LineInParts = { line: SaleLine; parts: readonly Part[] }
