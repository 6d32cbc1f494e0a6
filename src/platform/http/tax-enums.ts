import { FILING_FREQUENCIES } from '../kit/calendar.ts'
import * as z from 'zod'
import { ROUNDINGS, TAX_BEHAVIORS } from '../../engine/arithmetic/document-tax.ts'
import { FACTS_REGIONS } from '../../engine/book/regions.ts'
import { DECISION_REASONS, RULE_STATUSES, TAXABILITY_REASONS } from '../../engine/found/assessment.ts'
import { JURISDICTION_TYPES, RATE_CATEGORIES, TAX_TYPES } from '../../engine/book/facts.ts'
import { PRODUCT_TYPE_IDS, SUPPLY_REASONS } from '../../engine/book/product-types.ts'
import { INVOICE_LANGUAGES } from '../../engine/ground/invoice-words.ts'
import {
  CUSTOMER_TYPES,
  DISCOUNT_FUNDERS,
  GOODS_DELIVERIES,
  EXEMPTION_TYPES,
  IMPORTERS,
  MARKETPLACE_ROLES,
} from '../../engine/sale/sale.ts'
import { SCHEMES } from '../../engine/ground/schemes.ts'
import { VAT_SCHEMES } from '../../engine/ground/vat-schemes.ts'

/** The enums of the engine, as requests and answers write them. */
export const TaxBehavior = z.enum(TAX_BEHAVIORS)
/** How a request states prices. */
export const PRICE_BEHAVIORS = [...TAX_BEHAVIORS, 'by_place'] as const
export type PriceBehavior = (typeof PRICE_BEHAVIORS)[number]
export const TaxBehaviorRequest = z
  .enum(PRICE_BEHAVIORS)
  .describe(
    '`by_place`: `exclusive` in the United States and Canada, `inclusive` elsewhere. What counts is where ' +
      'the supply takes place, else the country of the customer. The answer says which was used. ' +
      'Default: the value of the request, else `exclusive`',
  )
export const Rounding = z.enum(ROUNDINGS)
export const CustomerType = z.enum(CUSTOMER_TYPES)
export const MarketplaceRole = z.enum(MARKETPLACE_ROLES)
export const Importer = z
  .enum(IMPORTERS)
  .describe('Who imports goods from abroad. `seller`: delivered duty paid, so the sale is taxed on arrival')
export const DiscountFunder = z.enum(DISCOUNT_FUNDERS)
/** Why money on a sale pays for no supply. */
export const SupplyReason = z.enum(SUPPLY_REASONS)
export const GoodsDelivery = z
  .enum(GOODS_DELIVERIES)
  .describe(
    'How the goods reach the customer. `pickup`: it fetches them, so they are taxed where they are, at ' +
      '`ship_from` or else at the seller, and `customer` may be left out. A retail delivery fee is due for ' +
      '`motor_vehicle` alone, post and parcel services included. Left out: a motor vehicle',
  )
export const ExemptionType = z.enum(EXEMPTION_TYPES)
export const InvoiceLanguageField = z.enum(INVOICE_LANGUAGES)
export const FilingFrequency = z.enum(FILING_FREQUENCIES)
export const Scheme = z.enum(SCHEMES)
export const VatScheme = z
  .enum(VAT_SCHEMES)
  .describe(
    '`es_recargo`: a retailer in Spain under the recargo de equivalencia, so its seller in Spain charges ' +
      'this second tax beside the VAT on goods',
  )
export const TaxType = z.enum(TAX_TYPES)
export const RateCategory = z.enum(RATE_CATEGORIES)
export const JurisdictionType = z.enum(JURISDICTION_TYPES)
export const LawRegion = z.enum(FACTS_REGIONS)
export const TaxabilityReason = z.enum(TAXABILITY_REASONS)
export const RuleStatus = z
  .enum(RULE_STATUSES)
  .describe(
    '`default`: no rule for the product is in the data, so the standard rate was used. ' +
      '`uncertain`: the rule in the data is not sure, or was never verified',
  )
export const DecisionReason = z.enum(DECISION_REASONS)
export const ProductTypeId = z.enum(PRODUCT_TYPE_IDS)
/** The forms of the codes that Stripe, TaxJar and Avalara have for products, and of ours for no supply. */
export const PEER_CODE =
  /^(?:txcd_\d{8}|no_supply_[a-z_]{3,8}|\d{5}|\d{7,8}(?:[A-Z]\d{4})?|[A-Z]{1,2}\d[0-9A-Z]{4,7}|NT|AT|FR)$/
// Without `abort`, the fault of a misspelt type would be that of this form alone.
const PeerCode = z.string().regex(PEER_CODE, { abort: true }).brand<'PeerCode'>()
export type PeerCode = z.output<typeof PeerCode>
/** A product type in a request, or a code that Stripe, TaxJar or Avalara has for it. */
export const ProductTypeOrCode = z.union(
  [ProductTypeId, PeerCode],
  'must be one of GET /v1/metadata/product-types, such as physical_goods or saas',
)
/** A product as a request names it. */
export type ProductNamed = z.output<typeof ProductTypeOrCode>
