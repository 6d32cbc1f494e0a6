import {
  isEstablishedElsewhere,
  type Address,
  type Exemption,
  type Facilitator,
  type Importer,
  type MarketplaceRole,
  type Sale,
  type SaleLine,
  type Seller,
  type VatId,
} from '../sale/sale.ts'
import { discountedAmount } from '../sale/lines.ts'
import type { Threshold } from '../book/facts.ts'
import { natureOf, type ProductNature, supplyKind } from '../book/product-types.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { Exposure } from '../terms/exposure.ts'
import { partOfLine } from '../parts/part-of-line.ts'
import { findPlace, sellerPlace } from '../supply/place.ts'
import type { Place, TaxedKind } from '../regimes/regime.ts'
import { termsOfProduct } from '../terms/terms.ts'
import type { Terms, Walk } from '../found/found.ts'
import { type Sales, thresholdsAt } from '../terms/thresholds.ts'

/** The question whether a seller has to collect in a jurisdiction. Unknown values are null. */
export type CollectQuestion = {
  place: Place
  seller: Seller
  seller_registered: boolean | null
  customer_type: 'individual' | 'business' | null
  vat_id: VatId | null
  /** Where the goods leave from; null: the seller's place. */
  ship_from: Address | null
  /** Who imports goods from abroad. */
  importer: Importer | null
  /** Where a supply takes place that is taxed there; null: at `place`. */
  supply_address: Address | null
  marketplace: MarketplaceRole | null
  /** The marketplace, if it asks. Left out or null: it does not. */
  facilitator?: Facilitator | null
  exemptions: readonly Exemption[]
  product_type: string | null
  /** The price of an item without tax, for limits and for rules that depend on a price. */
  price: { amount: number; currency: string } | null
  day: string
  /**
   * The sales into the jurisdiction that a threshold counts in its measurement period. Without a threshold:
   * all sales. Null: unknown.
   */
  sales: (threshold: Threshold | null) => Sales | null
}

/** A question with the terms of its sale and the seller's exposures. */
export type QuestionWithTerms = {
  question: CollectQuestion
  walk: Walk
  terms: Terms
  exposures: readonly Exposure[]
}

/** The thresholds that the answer to a question may depend on. */
export function thresholdsOfQuestion(question: Omit<CollectQuestion, 'sales'>, book: RateBook): Threshold[] {
  const { place, seller, day } = question
  const established = sellerPlace({ seller }, book)
  const asker = {
    place,
    seller: established,
    kind: kindOf(question.product_type),
    origin: originOf(question, established, book),
    over_eu_threshold: seller.over_eu_threshold,
    established_elsewhere: isEstablishedElsewhere(seller),
    present_in: seller.present_in,
  }
  return thresholdsAt(book, asker, day)
}

/** Where goods leave from: their stock, else the seller's place. */
function originOf(
  { product_type, ship_from }: Omit<CollectQuestion, 'sales'>,
  seller: Place | null,
  book: RateBook,
): Place | null {
  if (kindOf(product_type) !== 'goods') return null
  return ship_from === null ? seller : findPlace(book, ship_from, 'ship_from', 'country')
}

/** The sale that a question is about. Sales over the threshold count as they do in a calculation. */
export function saleOfQuestion(question: CollectQuestion, passed: boolean): Sale {
  const { place, seller, price } = question
  return {
    currency: price?.currency ?? 'EUR',
    day: question.day,
    // The exposures compare its turnover.
    seller: { ...seller, over_eu_threshold: seller.over_eu_threshold || passed, global_turnover: null },
    customer: {
      address: { country: place.jurisdiction_id },
      type: question.customer_type,
      vat_id: question.vat_id,
    },
    ship_from: question.ship_from,
    importer: question.importer,
    delivery: null,
    marketplace: question.marketplace,
    facilitator: question.facilitator ?? null,
    supply_address: question.supply_address,
    lines: price === null ? [] : [lineOf(question, price.amount)],
    shipping: null,
    rounding: 'line',
    seller_registered: question.seller_registered,
    exemptions: question.exemptions,
    local_fallback: null,
    einvoice: null,
    explain: false,
  }
}

function lineOf({ product_type }: CollectQuestion, amount: number): SaleLine {
  return {
    amount,
    discount: 0,
    quantity: 1,
    product_type: product_type ?? ANY_PRODUCT,
    tax_behavior: 'exclusive',
    taxable: true,
    live: false,
    exemptions: [],
    funded_discount: 0,
    trade_in: 0,
    bundle: [],
  }
}

/** The terms on which the sale of a question is taxed. */
export function termsOfQuestion(walk: Walk, { product_type }: CollectQuestion): Terms {
  const [line] = walk.sale.lines
  const product = {
    product_type: product_type ?? ANY_PRODUCT,
    nature: (product_type === null ? undefined : natureOf(product_type)) ?? ANY_NATURE,
    line: line ?? null,
    follows_goods: false,
    is_sent: false,
  }
  const terms = termsOfProduct(walk, product, { supplies: new Map(), terms: new Map() })
  return line === undefined ? terms : partOfLine(walk, { line, price: discountedAmount(line) }, terms).terms
}

/** A question without a product uses the rate of physical goods: the standard rate. */
const ANY_PRODUCT = 'physical_goods'
/** It counts as a digital supply, which every regime taxes from abroad. */
const ANY_NATURE: ProductNature = {
  kind: 'digital',
  voucher: false,
  no_supply: false,
  deposit: false,
  intangible: false,
  shipped: false,
}

/**
 * The kind by which a threshold is found: a service that is tied to a place takes place where the question
 * asks.
 */
export function kindOf(product_type: string | null): TaxedKind {
  const kind = product_type === null ? 'digital' : (supplyKind(product_type) ?? 'digital')
  if (kind === 'property' || kind === 'performed') return 'on_site'
  return kind === 'shipping' ? 'service' : kind
}
