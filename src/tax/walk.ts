import type { TaxabilityReason, TraceStep } from './assessment.ts'
import { compareConsignment } from './consignment.ts'
import type { TaxComponent } from './arithmetic/document-tax.ts'
import type { ProductRule, Rate, RateCategory, TaxType } from './book/facts.ts'
import { findPlace, type Place } from './place.ts'
import type { LayerTreatment } from './book/product-rules.ts'
import type { SupplyKind } from './book/product-types.ts'
import type { RateBook } from './book/rate-book.ts'
import type { Supply } from './regimes/regime.ts'
import { type Registrations, registrationsOf } from './registration.ts'
import type { Exemption, Sale } from './sale.ts'

/** One tax that is, or would be, charged. */
export type Charge = TaxComponent & {
  jurisdiction_id: string
  tax_type: TaxType
  category: RateCategory
  standard: boolean
}

/**
 * On what terms a product is sold here: everything about its tax but the amount. Shared by all lines of that
 * product type.
 */
export type Terms = {
  kind: SupplyKind
  supply: Supply
  charges: readonly Charge[]
  /** What would be charged, were the seller registered. */
  uncollected: readonly Charge[]
  reason: TaxabilityReason | null
  detail: string | null
  registered: boolean
  exemption: Exemption | null
  /** A rule that depends on the price of an item. */
  price_rule: ProductRule | null
  notes: readonly string[]
  treatments: readonly LayerTreatment[]
}

/** One sale on its way through the rules: what was found out so far, so that nothing is decided twice. */
export type Walk = {
  book: RateBook
  sale: Sale
  seller: Place | null
  customer: Place
  business: boolean
  registrations: Registrations
  withinConsignmentLimit: (region: 'EU' | 'UK' | 'AU') => boolean
  supplies: Map<string, Supply>
  terms: Map<string, Terms>
  notes: string[]
  trace: TraceStep[] | null
  rates_used: Rate[]
  rules_used: ProductRule[]
}

/**
 * Step 1, where: the jurisdictions of seller and customer. Throws a Refusal when the address does not tell.
 */
export function beginWalk(sale: Sale, book: RateBook): Walk {
  const { vat_id, type, address } = sale.customer
  const customer = findPlace(book, address, 'customer.address')
  const walk: Walk = {
    book,
    sale,
    seller: sale.seller.address === null ? null : findPlace(book, sale.seller.address, 'seller', true),
    customer,
    business: type === 'business' || (vat_id !== null && !vat_id.invalid),
    registrations: registrationsOf(sale.seller, sale.seller_registered),
    withinConsignmentLimit: (region) => withinConsignmentLimit(walk, region),
    supplies: new Map(),
    terms: new Map(),
    notes: [],
    trace: sale.explain ? [] : null,
    rates_used: [],
    rules_used: [],
  }
  record(walk, 'where', 'customer address', customer.jurisdiction_id, null)
  if (walk.seller === null)
    addOnce(
      walk.notes,
      'The country of the seller is not known: no cross-border rule was applied, the tax of the destination was computed',
    )
  if (walk.registrations.assumed)
    addOnce(walk.notes, 'Nothing is known of the seller and its registrations: registration was assumed')
  return walk
}

/** Adds what is not there yet. For lists so short that a set costs more. */
export function addOnce<T>(list: T[], item: T): void {
  if (!list.includes(item)) list.push(item)
}

/** Keeps a step for the trace when one was asked for. */
export function record(
  walk: Walk,
  step: string,
  rule: string,
  outcome: string,
  basis: string | null,
  line: number | null = null,
): void {
  walk.trace?.push({ step, line, rule, outcome, basis })
}

function withinConsignmentLimit(walk: Walk, region: 'EU' | 'UK' | 'AU'): boolean {
  const { within, exchange } = compareConsignment(walk.book, walk.sale, region, walk.customer.jurisdiction_id)
  if (exchange === 'no_rate')
    addOnce(
      walk.notes,
      `No exchange rate is known for ${walk.sale.currency}: the value of the consignment was taken as within the limit`,
    )
  if (exchange === 'indicative')
    addOnce(
      walk.notes,
      'The value of the consignment was compared with a limit in another currency at an indicative exchange rate',
    )
  record(walk, 'consignment_value', `limit of ${region}`, within ? 'within' : 'above', null)
  return within
}
