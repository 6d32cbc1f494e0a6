import { us } from '../../engine/regimes/us.ts'
import type {
  Address,
  DiscountFunder,
  Exemption,
  FacilitatedSeller,
  GoodsDelivery,
  Importer,
  MarketplaceRole,
  SaleLine,
} from '../../engine/sale/sale.ts'
import type { VatScheme } from '../../engine/ground/vat-schemes.ts'
import { fieldError } from '../../platform/errors.ts'
import type { PriceBehavior } from '../../platform/http/tax-enums.ts'
import type { ReadCode } from '../../tax-data/product-codes/product-of-code.ts'
import type { InvoiceLanguage } from '../../engine/ground/invoice-words.ts'
import type { SupplyReason } from '../../engine/book/product-types.ts'
import type { CalculateBody } from './schemas.ts'

/** An exemption that a request states for a line. */
export type LineExemption = {
  exemption_type: Exemption['exemption_type']
  certificate_number: string | null
  jurisdictions: readonly string[]
}

/** A product of a bundle, with its share of the price as a fraction. */
export type AskedProduct = NonNullable<CalculateBody['line_items'][number]['bundle']>[number]

/** A line that was asked for. Amounts in minor units. */
export type AskedLine = Omit<SaleLine, 'exemptions' | 'funded_discount' | 'tax_behavior' | 'bundle'> & {
  reference: string | null
  /** The price of one unit; null: the request states that of the line. */
  unit_amount: number | null
  description: string | null
  product_type: CalculateBody['line_items'][number]['product_type']
  tax_behavior: PriceBehavior
  exemption: LineExemption | null
  discount_funded_by: DiscountFunder
  /** Empty: the line is one product. */
  bundle: readonly AskedProduct[]
  /** The code of another service that named the product; null: a type of ours did. */
  code: ReadCode | null
  /** Why the caller marks the line as not taxable; null: not said. */
  exemption_reason: string | null
  /** The code of the customs tariff; null: not said. */
  hs_code: string | null
  /** Whether the line pays for a supply. */
  supply: boolean
  /** Why it does not; null: not said. */
  supply_reason: SupplyReason | null
}

type AskedCustomer = {
  address: Address | null
  vat_id: string | null
  vat_id_validated: boolean | null
  type: NonNullable<CalculateBody['customer']>['type'] | null
  /** Undefined: that of the saved customer. */
  vat_scheme: VatScheme | null | undefined
}

/**
 * What a request asks for. A field that was left out has its default, or null if it has none. All requests
 * give objects of one shape, so V8 keeps the code that it optimised for it.
 */
export type AskedCalculation = {
  currency: string
  transaction_date: string | null
  /** Undefined: the account sells, with its profile and registrations. */
  seller: CalculateBody['seller']
  customer_id: string | null
  customer: AskedCustomer | null
  ship_from: Address | null
  importer: Importer | null
  delivery: GoodsDelivery | null
  marketplace: MarketplaceRole | null
  /** Whom the marketplace sells for, if it is the caller; null: not said. */
  facilitated_seller: FacilitatedSeller | null
  supply_address: Address | null
  line_items: AskedLine[]
  shipping_cost: { amount: number; tax_behavior: PriceBehavior } | null
  discount_amount: number
  /** Null: as the law of the place says. */
  rounding: NonNullable<CalculateBody['rounding']> | null
  local_fallback: NonNullable<CalculateBody['local_fallback']> | null
  /** Whether a country alone is enough of an address. */
  country_alone: boolean
  explain: boolean
  seller_registered: boolean | null
  data_version: string | null
  compare: NonNullable<CalculateBody['compare']> | null
  /** What the caller charges, in minor units; null: not said. */
  expected_total: number | null
  /** The view of the invoice; a null language is that of the law. Null: not asked for. */
  einvoice: { language: InvoiceLanguage | null } | null
  /** Whether the answer has a token by which it can be recorded. */
  calculation_token: boolean
}

/** The calculation that a validated request asks for. Amounts stay in minor units. */
export function askedCalculation(body: CalculateBody): AskedCalculation {
  const { customer, shipping_cost } = body
  const tax_behavior = body.tax_behavior ?? 'exclusive'
  return {
    currency: body.currency,
    transaction_date: body.transaction_date ?? null,
    seller: askedSeller(body.seller),
    customer_id: body.customer_id ?? null,
    customer: customer === undefined ? null : askedCustomer(customer),
    ship_from: askedAddress(body.ship_from),
    importer: body.importer ?? null,
    delivery: body.delivery ?? null,
    marketplace: body.marketplace?.role ?? null,
    facilitated_seller: facilitatedSellerOf(body.marketplace),
    supply_address: askedAddress(body.supply_address),
    line_items: body.line_items.map((line) => askedLine(line, tax_behavior)),
    shipping_cost: shipping_cost
      ? { amount: shipping_cost.amount, tax_behavior: shipping_cost.tax_behavior ?? tax_behavior }
      : null,
    discount_amount: body.discount_amount ?? 0,
    rounding: body.rounding ?? null,
    local_fallback: body.local_fallback ?? null,
    country_alone: body.place_policy === 'approximate',
    explain: body.explain ?? false,
    seller_registered: body.seller_registered ?? null,
    data_version: body.data_version ?? null,
    compare: body.compare ?? null,
    expected_total: body.expected_total ?? null,
    einvoice: body.einvoice ? { language: body.einvoice.language ?? null } : null,
    calculation_token: body.calculation_token ?? false,
  }
}

/** Whom the marketplace sells for. Throws invalid_request if the caller is that seller itself. */
export function facilitatedSellerOf(given: CalculateBody['marketplace']): FacilitatedSeller | null {
  if (!given?.seller) return null
  if (given.role === 'facilitated')
    throw fieldError('invalid_request', 'marketplace.seller', 'goes with facilitator: you are the seller')
  const { country, region, registrations } = given.seller
  return { address: { country, region: region ?? null }, registrations: registrations ?? null }
}

function askedSeller(given: CalculateBody['seller']): CalculateBody['seller'] {
  if (given === undefined) return undefined
  return {
    country: given.country,
    region: given.region ?? null,
    city: given.city ?? null,
    postal_code: given.postal_code ?? null,
    registrations: given.registrations,
    establishments: given.establishments,
    small_business: given.small_business,
    over_eu_threshold: given.over_eu_threshold,
    global_turnover: given.global_turnover,
  }
}

function askedCustomer(given: NonNullable<CalculateBody['customer']>): AskedCustomer {
  return {
    address: askedAddress(given.address),
    vat_id: given.vat_id ?? null,
    vat_id_validated: given.vat_id_validated ?? null,
    type: given.type ?? null,
    vat_scheme: given.vat_scheme,
  }
}

function askedAddress(given: Address | null | undefined): Address | null {
  if (!given) return null
  return {
    country: given.country,
    region: given.region ?? null,
    city: given.city ?? null,
    postal_code: given.postal_code ?? null,
  }
}

const NO_BUNDLE: readonly never[] = []

function askedLine(given: CalculateBody['line_items'][number], tax_behavior: PriceBehavior): AskedLine {
  return {
    reference: given.reference ?? null,
    description: given.description ?? null,
    amount: given.amount,
    discount: given.discount ?? 0,
    quantity: given.quantity ?? 1,
    quantity_open: given.quantity === undefined && given.unit_amount === undefined,
    unit_amount: given.unit_amount ?? null,
    product_type: given.product_type,
    tax_behavior: given.tax_behavior ?? tax_behavior,
    // Of what is no supply, `true` contradicts, and is refused.
    taxable: given.taxable ?? given.supply !== false,
    live: given.live ?? false,
    business_only: given.business_only ?? false,
    exemption: given.exemption ? askedExemption(given.exemption) : null,
    discount_funded_by: given.discount_funded_by ?? 'seller',
    trade_in: given.trade_in ?? 0,
    bundle: given.bundle ?? NO_BUNDLE,
    code: given.code ?? null,
    exemption_reason: given.exemption_reason ?? null,
    hs_code: given.hs_code ?? null,
    supply: given.supply ?? true,
    supply_reason: given.supply_reason ?? null,
  }
}

/** Whether a line says nothing that few lines say. The answer then repeats nothing of it. */
export function isUsualLine(asked: AskedLine): boolean {
  const { exemption, discount_funded_by, trade_in, bundle, unit_amount, exemption_reason, live } = asked
  const plain = exemption === null && discount_funded_by === 'seller' && unit_amount === null && !live
  if (asked.hs_code !== null || !asked.supply || asked.supply_reason !== null) return false
  return plain && trade_in === 0 && bundle.length === 0 && exemption_reason === null
}

/**
 * Whether a fact may be open: no rule for plain goods has a condition, but for holidays of American states.
 * `country`: that of the customer; undefined: not known yet.
 */
export function mayLeaveOpen(
  { line_items, shipping_cost }: AskedCalculation,
  country: string | undefined,
): boolean {
  if (shipping_cost !== null || country === undefined || country === us.id) return true
  return line_items.some(({ product_type, bundle }) => product_type !== 'physical_goods' || bundle.length > 0)
}

/** Whether a line is a deposit, or says that it is no supply. */
export function isRareLine({ supply, supply_reason, product_type }: AskedLine): boolean {
  return !supply || supply_reason !== null || product_type === 'bottle_deposit'
}

function askedExemption({
  exemption_type,
  certificate_number = null,
  jurisdictions,
}: NonNullable<CalculateBody['line_items'][number]['exemption']>): LineExemption {
  return { exemption_type, certificate_number, jurisdictions }
}
