import * as z from 'zod'
import { FacilitatedSellerRequest, SellerRequest } from '../../parties/accounts/seller-field.ts'
import { isMoreThanZero } from '../../platform/http/field-rules.ts'
import {
  AddressRequest,
  CertificateNumber,
  Currency,
  JurisdictionId,
  MomentOrDay,
  Money,
  NotNegativeMoney,
  PositiveMoney,
  Quantity,
  RateFraction,
  text,
  UnitAmount,
} from '../../platform/http/fields.ts'
import {
  CustomerType,
  DiscountFunder,
  ExemptionType,
  GoodsDelivery,
  InvoiceLanguageField,
  Importer,
  MarketplaceRole,
  ProductTypeOrCode,
  Rounding,
  SupplyReason,
  TaxBehaviorRequest,
  VatScheme,
} from '../../platform/http/tax-enums.ts'
import type { OwnLine } from '../../tax-data/product-codes/product-of-code.ts'
import { PRODUCT_TYPE_IDS } from '../../engine/book/product-types.ts'
import { LOCAL_FALLBACKS } from '../../engine/sale/sale.ts'
import type { WithAmount } from './line-amounts.ts'

export const CustomerId = text(60).describe(
  'A saved customer. Its verified exemptions apply; `customer` overrides its address and VAT id',
)

/**
 * The same object for calculations, decisions and transactions. Each verb checks whether it has an address.
 */
export const SaleCustomerRequest = z.strictObject({
  address: AddressRequest.optional(),
  vat_id: text(40).nullish(),
  vat_id_validated: z.boolean().nullish().describe("The caller's own check of the VAT id, which wins"),
  type: CustomerType.nullish().describe('Left out: a customer with a good VAT id is a business'),
  vat_scheme: VatScheme.nullish().describe(
    'Left out: that of the saved customer. Null: none falls on this sale',
  ),
})

export const MarketplaceRequest = z
  .strictObject({
    role: MarketplaceRole,
    seller: FacilitatedSellerRequest.optional().describe(
      'Whose sale the marketplace arranges, with `facilitator` alone: the law decides who makes it',
    ),
  })
  .describe('`facilitated`: a marketplace makes the sale for the seller; `facilitator`: the caller is it')

/** An exemption that a request states: of a guest, or of anybody without a certificate on file. */
export const LineExemptionRequest = z
  .strictObject({
    exemption_type: ExemptionType,
    certificate_number: CertificateNumber.nullish(),
    jurisdictions: z
      .array(JurisdictionId)
      .min(1, 'must contain at least one jurisdiction')
      .max(100, 'must contain at most 100 jurisdictions')
      .describe('The line is exempt in these jurisdictions and in their parts'),
  })
  .describe('For a customer without a stored certificate. It is not verified, so keep the certificate')

/** The products of a bundle are named by our types alone, so that each has a rule. */
const BundledProductType = z.enum(
  PRODUCT_TYPE_IDS,
  'must be one of GET /v1/metadata/product-types; a code goes with the line',
)

/** A product of a bundle. */
export const BundledProductRequest = z.strictObject({
  product_type: BundledProductType,
  share: RateFraction.refine(isMoreThanZero, 'must be more than 0').describe(
    'Its part of the price, as a fraction such as 0.6. The shares add up to 1',
  ),
})

/** The products of a line that are sold for its one price. */
export const BundleRequest = z
  .array(BundledProductRequest)
  .min(2, 'must contain at least two products')
  .max(10, 'must contain at most 10 products')
  .describe(
    'Several products for one price. `product_type` of the line names the principal one. The law of the ' +
      'place splits the price by the shares, or taxes the whole: a note on the line says which',
  )

/** Why a line that is marked as not taxable is exempt. */
export const ExemptionReasonRequest = text(500)
  .min(1, 'must not be empty')
  .describe(
    'With `taxable: false` or `supply: false`: the reason that the invoice states, with its article (BT-120)',
  )

/** The view of the invoice. */
export const EinvoiceRequest = z
  .strictObject({
    language: InvoiceLanguageField.optional().describe(
      'The language of the sentences. Default: the language of the law. The answer says which was used',
    ),
  })
  .describe(
    'Adds `einvoice` to the answer and its lines: category, VATEX code, sentence and number of EN 16931',
  )

/** Six digits are the same in all countries; a country adds up to four. */
const HsCode = z
  .string()
  .regex(/^\d{4}\.?\d{2}(\.?\d{2}){0,2}$/, 'must have 6, 8 or 10 digits, such as 6109.10')

/** The product and the price of a line, in a calculation and in a recorded sale. */
export const LINE_PRICE = {
  amount: Money.optional().describe(
    'The price of the whole line, in minor units; negative for a credit. Required without `unit_amount`',
  ),
  unit_amount: UnitAmount.optional(),
  quantity: Quantity.optional(),
  product_type: ProductTypeOrCode,
  description: text(1000).nullish(),
}

/** Whether a line bears tax at all. */
export const TaxableRequest = z
  .boolean()
  .optional()
  .describe('`false`: no tax on this line, even if the law taxes it')

/** What a line says beside its product and price, in a calculation and in a recorded sale. */
export const LINE_FACTS = {
  business_only: z
    .boolean()
    .optional()
    .describe('A digital service only for businesses, by its nature or its terms. Japan asks for it'),
  live: z.boolean().optional().describe('An event that is streamed while it takes place'),
  exemption: LineExemptionRequest.nullish(),
  discount_funded_by: DiscountFunder.optional().describe(
    'Who funds the `discount` of the line. `manufacturer`: a third party that pays you for it. ' +
      'Default: `seller`',
  ),
  trade_in: NotNegativeMoney.optional().describe(
    'What used goods that the customer gives in part payment count for, in minor units',
  ),
  bundle: BundleRequest.optional(),
  exemption_reason: ExemptionReasonRequest.nullish(),
  supply: z
    .boolean()
    .optional()
    .describe(
      '`false`: the money pays for no supply. It has no tax, is in the total, and in no return, ' +
        'threshold or exempt turnover. Needs `supply_reason`',
    ),
  supply_reason: SupplyReason.nullish().describe(
    'With `supply: false`: what the money is for. A charge that the customer has to pay for a service is a ' +
      'supply: `service_charge` is a product type',
  ),
  hs_code: HsCode.nullish().describe(
    'The code of the customs tariff. A calculation counts it for the customs duty beside the tax',
  ),
}

export const CalculateLineRequest = z.strictObject({
  reference: text(255).nullish().describe('Your own name for the line; the answer contains it'),
  ...LINE_PRICE,
  tax_behavior: TaxBehaviorRequest.optional(),
  discount: PositiveMoney.optional().describe('Taken off the amount before tax, in minor units'),
  taxable: TaxableRequest,
  ...LINE_FACTS,
})

export const ShippingRequest = z.strictObject({ amount: Money, tax_behavior: TaxBehaviorRequest.optional() })

/** What the caller is about to charge. */
export const ExpectedTotal = Money.describe(
  'The total that your shop shows, in minor units. If the answer has another one, a note says both and the ' +
    'likely cause: major units, prices with tax, shipping that was left out. It changes no tax',
)

/** Shadow mode: what another service computed for the same sale. Amounts in minor units. */
export const CompareRequest = z.strictObject({
  provider: text(60).describe('Your name for the other service, such as `stripe`'),
  tax_amount: Money.describe('Its tax on the whole sale, shipping included'),
  lines: z
    .array(z.strictObject({ tax_amount: Money }))
    .min(1)
    .max(500, 'must contain at most 500 lines')
    .optional()
    .describe('Its tax on each of the `line_items`, in their order'),
})

export const LocalFallback = z.enum(LOCAL_FALLBACKS)
/** What to do if an address names a country alone where the tax is that of a state or province. */
export const PlacePolicy = z.enum(['strict', 'approximate'])

export const CalculateRequest = z.strictObject({
  currency: Currency.describe('ISO 4217'),
  transaction_date: MomentOrDay.nullish().describe(
    'The day whose rates are used, in the time zone of the account. Left out: today there',
  ),
  seller: SellerRequest.optional().describe("Left out: the account's profile and registrations"),
  customer_id: CustomerId.nullish(),
  customer: SaleCustomerRequest.optional().describe('May be left out with `delivery: pickup`'),
  ship_from: AddressRequest.nullish().describe(
    'Where the goods leave from, or are picked up: a warehouse, a shop. Left out: the place of the ' +
      'seller',
  ),
  importer: Importer.nullish(),
  delivery: GoodsDelivery.nullish(),
  marketplace: MarketplaceRequest.nullish(),
  supply_address: AddressRequest.nullish().describe(
    'The place of an event, of a property or of a service that is taxed where it takes place',
  ),
  line_items: z
    .array(CalculateLineRequest)
    .min(1, 'must contain at least one line')
    .max(500, 'must contain at most 500 lines'),
  shipping_cost: ShippingRequest.nullish().describe("Taxed by the jurisdiction's rule for shipping"),
  discount_amount: PositiveMoney.optional().describe(
    'A discount on the whole sale, in minor units. Shared between the lines by their prices',
  ),
  tax_behavior: TaxBehaviorRequest.optional(),
  rounding: Rounding.optional().describe('Left out: `line`, and `document` for sales in Japan and Taiwan'),
  local_fallback: LocalFallback.nullish().describe(
    'Which rate to use if a ZIP of the United States has several. Left out: by the rule of the state',
  ),
  place_policy: PlacePolicy.nullish().describe(
    'If the address names a country alone where the tax is that of a state or province: `strict` refuses ' +
      'it, as if left out; `approximate` answers with the tax of the country as a whole, and a note',
  ),
  explain: z
    .boolean()
    .optional()
    .describe('`true` adds `trace`: the rules that led to the result, and `in_words`: the same in sentences'),
  seller_registered: z
    .boolean()
    .nullish()
    .describe('Overrides the registrations for the jurisdiction of the sale'),
  data_version: text(60).nullish().describe('Calculates with an earlier version of the tax data'),
  compare: CompareRequest.nullish().describe(
    'The tax that another service computed for this sale. Adds `comparison` to the answer',
  ),
  expected_total: ExpectedTotal.nullish(),
  einvoice: EinvoiceRequest.nullish(),
  calculation_token: z
    .literal(true, 'must be true, or left out')
    .optional()
    .describe(
      'Adds `calculation_token` to the answer, for a shop that keeps nothing between quote and payment',
    ),
})
/** A calculation as it was requested: products may be named by codes of other services. */
export type CalculateRequested = z.output<typeof CalculateRequest>
/** A calculation whose lines have amounts and types of ours. */
export type CalculateBody = Omit<CalculateRequested, 'line_items'> & {
  line_items: readonly OwnLine<WithAmount<CalculateRequested['line_items'][number]>>[]
}

export const CalculateBatchRequest = z.strictObject({
  // Each is validated by itself, so the schema is only named for the OpenAPI document.
  calculations: z
    .array(z.unknown().meta({ $ref: '#/components/schemas/CalculateRequest' }))
    .min(1)
    .max(100, 'must contain at most 100 calculations')
    .describe('One that is refused does not affect the others and has its error in the results'),
})

export type CalculateBatchBody = z.output<typeof CalculateBatchRequest>
