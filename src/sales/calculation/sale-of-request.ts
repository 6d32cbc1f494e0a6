import type { Context } from '../../platform/context.ts'
import type { KnownCustomer } from '../../parties/customers/known-customers.ts'
import { fieldError } from '../../platform/errors.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import type {
  Address,
  BundledProduct,
  Exemption,
  Facilitator,
  Sale,
  SaleLine,
} from '../../engine/sale/sale.ts'
import type { VatIdStatus } from '../../platform/database/values/vat-statuses.ts'
import {
  type AskedCalculation,
  type AskedLine,
  type AskedProduct,
  isUsualLine,
  type LineExemption,
} from './asked-calculation.ts'
import { refuseUnknownRegistrations, sellerOf } from '../../parties/accounts/seller.ts'
import type { customerVatIdOf } from '../../parties/customers/customer-vat-id.ts'
import type { customerSchemeOf } from '../../parties/customers/customer-scheme.ts'
import { hasVatId } from '../../parties/customers/has-vat-id.ts'
import { withFieldsOf } from '../../platform/http/engine-fields.ts'
import type { PriceBehavior } from '../../platform/http/tax-enums.ts'
import { shareByWeight } from '../../engine/arithmetic/allocation.ts'
import { MILLION } from '../../engine/arithmetic/rounding.ts'
import type { Rounding, TaxBehavior } from '../../engine/arithmetic/document-tax.ts'
import {
  natureOf,
  productOfNoSupply,
  type ProductTypeName,
  supplyKind,
} from '../../engine/book/product-types.ts'
import { keyOfExemption } from '../../engine/sale/exemptions.ts'
import { discountedAmount } from '../../engine/sale/lines.ts'
import { at, invariant } from '../../engine/ground/invariant.ts'
import { countryLaw } from '../../engine/supply/place.ts'
import { shownPrice } from '../../engine/supply/shown-prices.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import { type AlsoRead, assessSale } from '../../engine/answer/assess.ts'
import type { Assessment } from '../../engine/found/assessment.ts'

const NO_EXEMPTIONS: readonly Exemption[] = []
const NO_BUNDLE: readonly BundledProduct[] = []

/** What few sales need. Null: this isolate has not evaluated it, as the sale does not need it. */
type LateRules = {
  readonly vat_id: typeof customerVatIdOf | null
  readonly scheme: typeof customerSchemeOf | null
  readonly rare_lines: typeof import('./rare-lines.ts') | null
  readonly facilitator: Facilitator['rules'] | null
  readonly open_facts: Sale['open_facts']
  readonly country_alone: Sale['country_alone']
}

/** The sale of a request, and what the VAT id of its customer is. */
export type SaleOfRequest = { sale: Sale; vat_id_status: VatIdStatus }

const NO_VAT_ID = { status: 'none', vat_id: null } as const

/**
 * Converts a request to a sale on a day YYYY-MM-DD. Fields of the request win over the customer on file.
 * Throws invalid_request for `customer` if no address is known, and unknown_jurisdiction for a registration
 * that the data lacks.
 */
export function saleOf(
  context: Pick<Context, 'principal'>,
  book: RateBook,
  asked: AskedCalculation,
  day: string,
  known: KnownCustomer | null,
  late: LateRules,
): SaleOfRequest {
  const { customer } = asked
  refuseUnknownRegistrations(book, asked.seller)
  if (asked.facilitated_seller !== null)
    refuseUnknownRegistrations(book, asked.facilitated_seller, 'marketplace.seller')
  const seller = sellerOf(context, asked.seller, day)
  const counter = asked.delivery === 'pickup' ? (asked.ship_from ?? seller.address) : null
  const address = customer?.address ?? known?.address ?? counter
  if (!address) throw missingAddress(asked)
  const vat = hasVatId(customer, known)
    ? invariant(late.vat_id, 'VAT ids can be read')(context, customer, known, address.country)
    : NO_VAT_ID
  if (!asked.line_items.every(isUsualLine)) refuseWrongLines(book, asked.line_items)
  if (late.rare_lines !== null) asked.line_items.forEach(late.rare_lines.refuseWrongReason)
  const read = readingOf(book, asked, { customer: address, counter })
  const lines = asked.line_items.map((line) => soldLine(line, day, read))
  const sale: Sale = {
    currency: asked.currency,
    day,
    seller,
    customer: {
      address,
      type: customer?.type ?? null,
      vat_id: vat.vat_id,
      vat_scheme: late.scheme?.(customer, known, address) ?? null,
    },
    ship_from: asked.ship_from,
    importer: asked.importer,
    delivery: asked.delivery,
    marketplace: asked.marketplace,
    facilitator: facilitatorOf(asked, late.facilitator),
    supply_address: asked.supply_address,
    lines: withDocumentDiscount(lines, asked),
    shipping: shippingOfRequest(asked, lines, read),
    rounding: asked.rounding ?? roundingAt(book, asked.supply_address ?? counter ?? address),
    seller_registered: asked.seller_registered,
    exemptions: known?.exemptions ?? NO_EXEMPTIONS,
    local_fallback: asked.local_fallback,
    explain: asked.explain,
    einvoice:
      asked.einvoice === null
        ? null
        : { exemption_reasons: asked.line_items.map(({ exemption_reason }) => exemption_reason) },
    rare_lines: late.rare_lines,
    open_facts: late.open_facts ?? null,
    country_alone: late.country_alone ?? null,
  }
  return { sale, vat_id_status: vat.status }
}

/** The caller as the marketplace; null: it is none. */
export function facilitatorOf(
  { marketplace, facilitated_seller: seller }: Pick<AskedCalculation, 'marketplace' | 'facilitated_seller'>,
  rules: Facilitator['rules'] | null,
): Facilitator | null {
  if (marketplace !== 'facilitator') return null
  return { seller, rules: invariant(rules, 'it is known whose sale it is') }
}

/** How the request names the engine's parameters. */
const SALE_FIELDS = {
  day: 'transaction_date',
  lines: 'line_items',
  shipping: 'shipping_cost',
  'seller.address': 'seller',
}

/** Assesses the sale of a request. Throws a Refusal that names the field of the request. */
export function assessRequest(
  sale: Sale,
  book: RateBook,
  local: LocalBook | null,
  also?: AlsoRead,
): Assessment {
  return withFieldsOf(SALE_FIELDS, () => assessSale(sale, book, local, also))
}

/** How tax is rounded where a sale takes place, if the request does not say it. */
function roundingAt(book: RateBook, address: Address): Rounding {
  return countryLaw(book, address).rounding ?? 'line'
}

/** Whether the price of a product contains its tax. */
type PriceReading = (asked: PriceBehavior, product_type: ProductTypeName) => TaxBehavior

function readingOf(
  book: RateBook,
  { supply_address }: AskedCalculation,
  at: { customer: Address; counter: Address | null },
): PriceReading {
  const places = { ...at, supply: supply_address }
  return (asked, product_type) => (asked === 'by_place' ? shownPrice(book, product_type, places) : asked)
}

/** The line of a sale on a day YYYY-MM-DD, field by field: a spread takes ten times as long. */
function soldLine(asked: AskedLine, day: string, read: PriceReading): SaleLine {
  const { exemption, discount } = asked
  return {
    amount: asked.amount,
    discount,
    // Of none, the law would look at the price of one, which is nothing too.
    quantity: asked.quantity || 1,
    quantity_open: asked.quantity_open ?? false,
    product_type: asked.supply_reason === null ? asked.product_type : productOfNoSupply(asked.supply_reason),
    tax_behavior: read(asked.tax_behavior, asked.product_type),
    // What is no supply bears no tax for that reason.
    taxable: asked.taxable || !asked.supply,
    live: asked.live,
    business_only: asked.business_only ?? false,
    exemptions: exemption === null ? NO_EXEMPTIONS : statedExemptions(exemption, day),
    funded_discount: asked.discount_funded_by === 'manufacturer' ? discount : 0,
    trade_in: asked.trade_in,
    bundle: asked.bundle.length === 0 ? NO_BUNDLE : asked.bundle.map(bundledProduct),
  }
}

function bundledProduct({ product_type, share }: AskedProduct): BundledProduct {
  return { product_type, share_millionths: Math.round(share * MILLION) }
}

/** What a request states holds for the day of the sale. */
function statedExemptions({ exemption_type, jurisdictions }: LineExemption, day: string): Exemption[] {
  return jurisdictions.map((jurisdiction_id) => ({
    id: null,
    jurisdiction_id,
    exemption_type,
    valid_from: day,
    valid_to: day,
  }))
}

/** Throws unknown_jurisdiction: a misspelt one would free nothing, and look like a customer who pays. */
function refuseUnknownExemptions(book: RateBook, lines: readonly AskedLine[]): void {
  lines.forEach(({ exemption }, line) =>
    exemption?.jurisdictions.forEach((id, index) => {
      if (!book.jurisdictions.has(id))
        throw fieldError(
          'unknown_jurisdiction',
          `line_items[${line}].exemption.jurisdictions[${index}]`,
          `there is no jurisdiction ${JSON.stringify(id)}`,
        )
    }),
  )
}

/** Throws what a line that says more than most lines may be refused for. */
function refuseWrongLines(book: RateBook, lines: readonly AskedLine[]): void {
  lines.forEach(refuseLive)
  lines.forEach(refuseFunderOfNothing)
  lines.forEach(refuseBundle)
  lines.forEach(refuseReason)
  refuseUnknownExemptions(book, lines)
}

function missingAddress({ customer, customer_id, delivery }: AskedCalculation): Error {
  if (delivery === 'pickup')
    return fieldError('invalid_request', 'ship_from', 'give the place where the customer picks up the goods')
  if (customer_id)
    return fieldError('invalid_request', 'customer', 'give an address: the saved customer has none')
  if (customer) return fieldError('invalid_request', 'customer.address', 'is required')
  return fieldError('invalid_request', 'customer', 'give customer or customer_id')
}

/** Types of product that a customer may attend by a stream while they take place: art. 54(1). */
const LIVE: ReadonlySet<string> = new Set(['streaming', 'event_admission', 'live_training'])

function refuseLive({ live, product_type }: AskedLine, index: number): void {
  if (!live || LIVE.has(product_type)) return
  const detail = `is for ${[...LIVE].join(', ')}, not for ${product_type}`
  throw fieldError('invalid_request', `line_items[${index}].live`, detail)
}

function refuseFunderOfNothing({ discount, discount_funded_by }: AskedLine, index: number): void {
  if (discount_funded_by === 'seller' || discount > 0) return
  throw fieldError(
    'invalid_request',
    `line_items[${index}].discount_funded_by`,
    'needs a discount of the line',
  )
}

function refuseReason({ exemption_reason, taxable }: AskedLine, index: number): void {
  if (exemption_reason === null || !taxable) return
  throw fieldError('invalid_request', `line_items[${index}].exemption_reason`, 'goes with taxable: false')
}

/** Throws invalid_request if the shares are not the whole price, or the products are not of the line. */
function refuseBundle({ bundle, product_type, live }: AskedLine, index: number): void {
  if (bundle.length === 0) return
  const refusal = (field: string, detail: string) =>
    fieldError('invalid_request', `line_items[${index}].${field}`, detail)
  const sum = bundle.reduce((shares, { share }) => shares + Math.round(share * MILLION), 0)
  if (sum !== MILLION) throw refusal('bundle', `the shares add up to ${sum / MILLION}, not to 1`)
  const types = bundle.map((each) => each.product_type)
  const twice = types.findIndex((type, position) => types.indexOf(type) !== position)
  if (twice >= 0)
    throw refusal(`bundle[${twice}].product_type`, `${types[twice]} is there twice: add up its shares`)
  const shipping = types.findIndex((type) => supplyKind(type) === 'shipping')
  if (shipping >= 0)
    throw refusal(`bundle[${shipping}].product_type`, 'shipping is not part of a bundle: use shipping_cost')
  if (!types.includes(product_type))
    throw refusal('product_type', 'must be one of the products of the bundle')
  if (live) throw refusal('live', 'does not go with bundle')
}

/**
 * Shares a discount on the whole sale between its lines by their prices. Negative lines take no part, and
 * lessen that of their type of product. Throws discount_exceeds_amount: the bound is what the lines come to.
 */
function withDocumentDiscount(
  lines: readonly SaleLine[],
  { discount_amount: discount, shipping_cost }: AskedCalculation,
): readonly SaleLine[] {
  if (discount === 0) return lines
  // A discount is on what is sold: it lessens no tip, donation or fee.
  const all = lines.map((line) => (natureOf(line.product_type)?.no_supply ? 0 : discountedAmount(line)))
  // A deposit is paid back whole, so only a discount that is larger than all else lessens it.
  const sold = all.map((price, index) => (natureOf(at(lines, index).product_type)?.deposit ? 0 : price))
  const prices = discount > sumOf(sold) ? all : sold
  const sum = sumOf(prices)
  if (discount > sum) {
    const beside = shipping_cost ? '. Shipping is not discounted: send its price after the discount' : ''
    const detail = `discount ${discount} is larger than the sum of the lines, ${sum}${beside}`
    throw fieldError('discount_exceeds_amount', 'discount_amount', detail)
  }
  const shares = prices.some((price) => price < 0)
    ? shareBesideCredits(discount, lines, prices)
    : shareByWeight(discount, prices)
  return lines.map((line, index) => ({ ...line, discount: line.discount + at(shares, index) }))
}

function sumOf(prices: readonly number[]): number {
  return prices.reduce((sum, price) => sum + price, 0)
}

/** First by type of product, whose negative lines lessen its share, then by its positive lines. */
function shareBesideCredits(
  discount: number,
  lines: readonly SaleLine[],
  prices: readonly number[],
): readonly number[] {
  const types = [...new Set(lines.map(({ product_type }) => product_type))]
  const pricesOf = (type: string) =>
    prices.map((price, index) => (at(lines, index).product_type === type ? price : 0))
  const sums = types.map((type) => Math.max(sumOf(pricesOf(type)), 0))
  const shares = shareByWeight(discount, sums).map((share, index) =>
    share === 0
      ? []
      : shareByWeight(
          share,
          pricesOf(at(types, index)).map((price) => Math.max(price, 0)),
        ),
  )
  return lines.map((_, line) => shares.reduce((sum, ofType) => sum + (ofType[line] ?? 0), 0))
}

function shippingOfRequest(
  { shipping_cost }: AskedCalculation,
  lines: readonly SaleLine[],
  read: PriceReading,
): SaleLine | null {
  if (!shipping_cost) return null
  return {
    amount: shipping_cost.amount,
    discount: 0,
    quantity: 1,
    product_type: 'shipping',
    tax_behavior: read(shipping_cost.tax_behavior, 'shipping'),
    taxable: true,
    live: false,
    exemptions: exemptionsOfAll(lines),
    funded_discount: 0,
    trade_in: 0,
    bundle: NO_BUNDLE,
  }
}

/** The exemption that all lines state: the shipping rests on it, too. */
function exemptionsOfAll(lines: readonly SaleLine[]): readonly Exemption[] {
  const first = lines[0]
  if (first === undefined || first.exemptions.length === 0) return NO_EXEMPTIONS
  const key = keyOfExemption(first)
  return lines.every((line) => keyOfExemption(line) === key) ? first.exemptions : NO_EXEMPTIONS
}
