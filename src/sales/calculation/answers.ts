import * as z from 'zod'
import { LOCAL_FALLBACKS } from '../../engine/sale/sale.ts'
import { SUPPLY_KINDS } from '../../engine/book/product-types.ts'
import { OPEN_FACTS } from '../../engine/ground/fact-names.ts'
import { Amount, batchAnswer, batchResult, Timestamp } from '../../platform/http/answers.ts'
import {
  DecisionReason,
  DiscountFunder,
  ExemptionType,
  GoodsDelivery,
  Importer,
  JurisdictionType,
  LawRegion,
  MarketplaceRole,
  ProductTypeId,
  RateCategory,
  Rounding,
  RuleStatus,
  Scheme,
  SupplyReason,
  TaxabilityReason,
  TaxBehavior,
  TaxType,
} from '../../platform/http/tax-enums.ts'
import { Meta, Rate, Threshold, ThresholdProgress } from '../../tax-data/records/schemas.ts'
import {
  INVOICE_NEEDS,
  INVOICE_TERMS,
  INVOICE_WARNINGS,
  TEXT_SOURCES,
} from '../../engine/ground/invoice-words.ts'
import { LOCAL_TYPES } from '../../engine/regimes/us-local/local-book.ts'
import { LOCAL_METHODS, PRECISIONS } from '../../engine/regimes/us-local/local-stack.ts'
import { DIFFERENCE_REASONS } from './tax-difference.ts'
import { VAT_ID_STATUSES } from '../../platform/database/values/vat-statuses.ts'

const Words = z.array(z.string())

const Answered = { meta: Meta, queried_at: Timestamp }

/** `state`: local taxes are missing; `local`: they are in the answer; `full`: there are none. */
export const Coverage = z.enum(['state', 'local', 'full'])

/** Under which of the seller's registrations a tax is charged. */
export const CHARGED_UNDER = {
  registration_number: z
    .string()
    .optional()
    .describe('Your number under which the tax is charged. Only if the account has stored it'),
  scheme: Scheme.optional().describe('The scheme through which it is charged, beside the number'),
  registration_printed: z
    .literal(false)
    .optional()
    .describe('Only `false`: the number must not be on an invoice (for example IOSS), so it is left out'),
}

/** One of the taxes that a rate is made of, as an invoice prints it. */
export const TaxComponent = z.strictObject({ name: z.string(), rate: z.number(), tax_amount: Amount })

const COMPONENTS = {
  components: z
    .array(TaxComponent)
    .readonly()
    .optional()
    .describe('Only if the rate is made of several taxes: what each of them has of `tax_amount`'),
}

/** One tax of a line, or of the whole sale. Amounts in minor units, the rate as a fraction. */
export const TaxBreakdownEntry = z.strictObject({
  jurisdiction_id: z.string(),
  tax_type: TaxType,
  levied_as: z.string().nullable().describe('The tax that stands instead of sales tax, with its own return'),
  category: RateCategory,
  rate: z.number(),
  taxable_amount: Amount,
  tax_amount: Amount,
  ...COMPONENTS,
  ...CHARGED_UNDER,
})

/** Where the sentence of an invoice comes from. */
export const EinvoiceTextSource = z.enum(TEXT_SOURCES)

const TREATMENT = {
  category: z
    .string()
    .nullable()
    .describe('The category of UNCL5305 (BT-118, BT-151); null: the standard has none for it'),
  exemption_code: z.string().nullable().describe('The VATEX code (BT-121); null: none is needed or exists'),
  exemption_text: z.string().nullable().describe('The sentence that the law prescribes (BT-120)'),
  text_language: z.string().nullable().describe('The language of the sentence; null: of the request'),
  text_source: EinvoiceTextSource.nullable().describe(
    '`unconfirmed`: no source or reader has confirmed the words; `request`: they are your own',
  ),
}

/** What the law of the seller says of a supply that another place taxes. */
export const EinvoiceAtOrigin = z.strictObject({ ...TREATMENT, jurisdiction_id: z.string() })

const EINVOICE_ROW = {
  ...TREATMENT,
  rate_percent: z.string().nullable().describe('In percent, as the invoice writes it; null for O'),
  taxable_amount: Amount,
  tax_amount: Amount,
}

/** A row of the VAT breakdown of an invoice (BG-23). Amounts in minor units. */
export const EinvoiceBreakdownRow = z.strictObject(EINVOICE_ROW)

/** What an invoice says of a line. */
export const EinvoiceLineRow = z.strictObject({
  ...EINVOICE_ROW,
  ...COMPONENTS,
  at_origin: EinvoiceAtOrigin.nullable().describe('Null: no other law speaks of it'),
  seller_registrations: z
    .array(z.int())
    .readonly()
    .describe('The numbers of the seller for it, as places in `einvoice.seller_registrations`, from 0'),
})

/** A number of the seller that goes with a sale. */
export const EinvoiceSellerRegistration = z.strictObject({
  jurisdiction_id: z.string().nullable().describe('Who issued the number; null: only a scheme'),
  scheme: z.string().nullable().describe('The scheme through which the tax is declared; null: none'),
  registration_number: z.string().nullable().describe('The number; null: not set, or it must not be printed'),
  term: z
    .enum(INVOICE_TERMS)
    .nullable()
    .describe('The business term for it; null: the number has no field in the document'),
  printed: z.boolean().describe('`false`: the number must not be on the invoice (for example IOSS)'),
})

/** What stands between the view and a right invoice. */
export const EinvoiceWarning = z.strictObject({
  code: z.enum(INVOICE_WARNINGS),
  message: z.string(),
  lines: z.array(z.int()).describe('The lines, counted from 0; the shipping comes after the last one'),
})

/** What an invoice of the sale says of its tax, after EN 16931. */
export const Einvoice = z.strictObject({
  language: z.string().describe('The requested language, or the language of the law'),
  tax_scheme: z.enum(['VAT', 'GST']).nullable().describe('Null: no standard has a category for the tax'),
  breakdown: z.array(EinvoiceBreakdownRow).describe('What has no category is not in it'),
  seller_registrations: z
    .array(EinvoiceSellerRegistration)
    .describe('The numbers of the seller that the invoice may show'),
  requires: z.array(z.enum(INVOICE_NEEDS)).describe('What the invoice needs beside the view'),
  warnings: z.array(EinvoiceWarning).describe('What the view does not know, or what needs a second invoice'),
})

const TAX = {
  net_amount: Amount,
  taxable: z.boolean(),
  taxable_amount: Amount,
  tax_rate: z.number(),
  tax_amount: Amount,
  taxability_reason: TaxabilityReason.nullable(),
  reason_detail: z.string().nullable(),
  tax_if_registered: Amount.nullable(),
  tax_breakdown: z.array(TaxBreakdownEntry),
  rule: RuleStatus,
  notes: Words,
  ...CHARGED_UNDER,
  einvoice: z.array(EinvoiceLineRow).optional().describe('Only if the request has `einvoice`'),
}

/** A fact that the request leaves open, and the rate of the tax if it were so. */
export const LineCondition = z.strictObject({
  fact: z
    .enum(OPEN_FACTS)
    .describe(
      'The field to send: `customer.type`, `product_type` or `quantity`. What no field says: `product`, a ' +
        'kind within the product type; `use`; `sale`, how it is sold; `customer`, who buys',
    ),
  if: z.string().describe('The value to send, or what is taxed otherwise, in words'),
  tax_rate: z
    .number()
    .describe(
      'The rate of the line then, with local taxes, on its whole price. If the seller is not registered: ' +
        'the rate once it is',
    ),
})

/** The exemption that the request states for a line. */
export const StatedExemption = z.strictObject({
  exemption_type: ExemptionType,
  certificate_number: z.string().nullable(),
  jurisdictions: Words,
})

/** A product of a bundle, as the request states it. */
export const BundledProductAnswer = z.strictObject({ product_type: ProductTypeId, share: z.number() })

/** The price of a line, in a calculation and in a recorded sale. */
export const LINE_AMOUNTS = {
  amount: Amount,
  quantity: z.int(),
  unit_amount: Amount.optional().describe('Only if the request has it: `amount` is made of it'),
  unit_quantity: z
    .number()
    .optional()
    .describe(
      'Only with `unit_amount`: the quantity of the request. `quantity` is 1 if it is not a whole ' +
        'number',
    ),
}

/** Why a line pays for no supply, in a calculation and in a recorded sale. */
export const NOT_A_SUPPLY = {
  supply: z.literal(false).optional().describe('Only if the line pays for no supply'),
  supply_reason: SupplyReason.optional().describe('Why it is none; only with `supply`'),
}

const STATED_ADDRESS = {
  country: z.string(),
  region: z.string().optional(),
  city: z.string().optional(),
  postal_code: z.string().optional(),
}

/** A place that a request states. */
export const StatedAddress = z.strictObject(STATED_ADDRESS)

/** The seller that a request states. */
export const StatedSeller = z.strictObject({
  ...STATED_ADDRESS,
  registrations: Words.optional(),
  establishments: Words.optional().describe('Where the seller has establishments'),
  small_business: z.boolean().optional(),
  over_eu_threshold: z.boolean().optional().describe('Whether the threshold of the Union is passed'),
  global_turnover: z
    .strictObject({ amount: Amount, currency: z.string() })
    .optional()
    .describe('The worldwide turnover that the request states'),
})

/** The marketplace that a request states. */
export const StatedMarketplace = z.strictObject({
  role: MarketplaceRole.describe('Of the account in this sale'),
  seller: z.strictObject({ ...STATED_ADDRESS, registrations: Words.optional() }).optional(),
})

/** Facts of a request that its answer does not show otherwise. */
export const StatedFacts = z.strictObject({
  seller: StatedSeller.optional().describe('Only if it is not what the account is'),
  ship_from: StatedAddress.optional(),
  importer: Importer.optional(),
  delivery: GoodsDelivery.optional().describe('How the goods reach the customer'),
  marketplace: StatedMarketplace.optional(),
  supply_address: StatedAddress.optional(),
  seller_registered: z.boolean().optional(),
  rounding: Rounding.optional().describe('As the request asks for it'),
  local_fallback: z.enum(LOCAL_FALLBACKS).optional().describe('As the request asks for it'),
  place_policy: z.literal('approximate').optional().describe('The country alone was enough'),
})

/** The same of a line. */
export const StatedOfLine = z.strictObject({
  taxable: z.literal(false).optional(),
  live: z.literal(true).optional().describe('Only `true`: the service is held live'),
  business_only: z.literal(true).optional().describe('Only `true`: it is sold to businesses alone'),
  discount: Amount.optional().describe(
    'The discount of the line alone, where somebody pays for a discount and the sale has another one',
  ),
})

/** A line of a calculation. Amounts in minor units. */
export const TaxLine = z.strictObject({
  reference: z.string().nullable(),
  ...LINE_AMOUNTS,
  product_type: ProductTypeId,
  description: z.string().nullable(),
  tax_behavior: TaxBehavior,
  discount: Amount,
  exemption: StatedExemption.optional().describe('As the request states it; only if it does'),
  discount_funded_by: DiscountFunder.optional().describe('Only if it is not the seller'),
  conditions: z
    .array(LineCondition)
    .optional()
    .describe(
      'Only if a fact that the request leaves open would change the tax; `rule` is not `specific` then',
    ),
  trade_in: Amount.optional().describe('Only if the request has one'),
  bundle: z.array(BundledProductAnswer).optional().describe('Only if the request has one'),
  exemption_reason: z.string().optional().describe('Only if the request has one'),
  hs_code: z.string().optional().describe('Only if the request has one'),
  stated: StatedOfLine.optional().describe('Further facts of the request, for the record of the sale'),
  ...NOT_A_SUPPLY,
  no_such_tax: z
    .literal(true)
    .optional()
    .describe('Only if the country has no VAT, GST or sales tax on the line; `reason_detail` has the day'),
  collected_by: z
    .enum(['payer', 'recipient'])
    .optional()
    .describe(
      'Only if the seller charges nothing because the card issuer or bank of the customer collects the tax ' +
        '(`payer`), or the customer accounts for it (`recipient`)',
    ),
  ...TAX,
})

export const ShippingTax = z.strictObject({ amount: Amount, tax_behavior: TaxBehavior, ...TAX })

/** The exemption that was applied to a sale. */
export const AppliedExemption = z.strictObject({
  id: z.string().nullable().describe('The stored certificate; null: the request states the exemption'),
  jurisdiction_id: z.string(),
  exemption_type: ExemptionType,
  valid_from: z.string(),
  valid_to: z.string().nullable(),
})

/** A rule that was applied, in the order of work. `line` counts from 0; null: the whole sale. */
export const TraceStep = z.strictObject({
  step: z.string(),
  line: z.int().nullable(),
  rule: z.string(),
  outcome: z.string(),
  basis: z.string().nullable(),
})

/** Why a line bears its tax. */
export const CalculatedLineInWords = z.strictObject({
  sentence: z.string().describe('The reason in words, with names and money'),
  badge: z.string().describe('One or two words, such as `Reverse charge` or `Standard rate`'),
  steps: z.array(TraceStep).describe('The rules of the line, with names and money'),
})

/** Why a calculated sale bears its tax. */
export const CalculationInWords = z.strictObject({
  lines: z.array(CalculatedLineInWords).describe('In the order of the request, the shipping last'),
  steps: z.array(TraceStep).describe('The rules of the whole sale'),
})

export const VatIdStatus = z.enum(VAT_ID_STATUSES)

export const CalculationCustomer = z.strictObject({
  jurisdiction_id: z.string(),
  vat_id_status: VatIdStatus,
})

export const CollectDecision = z.strictObject({
  collect: z.boolean(),
  reason: DecisionReason,
  must_register: z.boolean().nullable(),
})

/** A county, city or district with its tax. */
export const LocalPart = z.strictObject({
  id: z.string(),
  type: z.enum(LOCAL_TYPES),
  name: z.string(),
  rate: z.number(),
  source: z.string(),
  as_of: z.iso.date(),
})

/** What may also apply at the address. */
export const LocalCandidateAnswer = z.strictObject({
  rate: z.number(),
  names: Words,
  share: z.number().nullable().describe('Its share of the ZIP area'),
})

/** The local taxes of the place, without the state's. */
export const LocalBlock = z.strictObject({
  precision: z.enum(PRECISIONS),
  method: z.enum(LOCAL_METHODS),
  rate: z.number(),
  rate_min: z.number(),
  rate_max: z.number(),
  parts: z.array(LocalPart),
  candidates: z.array(LocalCandidateAnswer),
  note: z.string().nullable(),
})

export const DifferenceReason = z.enum(DIFFERENCE_REASONS)

/** Our tax minus that of another service, with the likely reason. Amounts in minor units. */
const DIFFERENCE = {
  tax_amount: Amount.describe('The tax of the other service'),
  difference: Amount.describe('Our tax minus the tax of the other service'),
  reason: DifferenceReason,
  detail: z.string().describe('The one change of the sale for which the other figure is right'),
}

export const LineComparison = z.strictObject(DIFFERENCE)

export const TaxComparison = z.strictObject({
  provider: z.string(),
  ...DIFFERENCE,
  lines: z.array(LineComparison).nullable().describe('Null if the request gives no lines to compare'),
})

/** A fee that a place levies once on a sale, on top of its taxes. `tax_amount` of the sale contains it. */
export const SaleFee = z.strictObject({
  jurisdiction_id: z.string(),
  tax_type: TaxType,
  name: z.string().describe('What the law calls it on an invoice'),
  tax_amount: Amount,
})

/** Customs duty that the goods bear at the border beside the tax. No amount of the sale contains it. */
export const CustomsDuty = z.strictObject({
  name: z.string(),
  currency: z.string(),
  per_item: Amount.nullable().describe(
    'For each tariff subheading of six digits. Null: it depends on the goods, and is not computed',
  ),
  items: z.int().nullable().describe('How many subheadings. Null: a line of goods has no `hs_code`'),
  amount: Amount.nullable().describe('`per_item` for all of them. Null: one of the two is unknown'),
  effective_from: z.iso.date(),
  effective_to: z.iso.date().nullable(),
  source: z.string(),
  source_url: z.string(),
  message: z.string(),
})

const CALCULATED = {
  currency: z.string(),
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  coverage: Coverage,
  local: LocalBlock.nullable(),
  transaction_date: z.iso.date(),
  customer: CalculationCustomer,
  subtotal: Amount,
  discount_amount: Amount,
  tax_amount: Amount,
  total: Amount,
  tax_rate: z.number(),
  seller_registered: z.boolean(),
  reverse_charge: z.boolean(),
  line_items: z.array(TaxLine),
  shipping_cost: ShippingTax.nullable(),
  fees: z.array(SaleFee).describe('Retail delivery fees. No line contains them'),
  customs_duty: CustomsDuty.optional().describe('Only for goods from abroad, where a duty is in the data'),
  tax_breakdown: z.array(TaxBreakdownEntry),
  decision: CollectDecision,
  exemption: AppliedExemption.nullable(),
  notes: Words,
  trace: z.array(TraceStep).optional(),
  in_words: CalculationInWords.optional().describe('The reason in words, only if the request has `explain`'),
  comparison: TaxComparison.optional().describe('Only if the request has `compare`'),
  einvoice: Einvoice.optional().describe('Only if the request has `einvoice`'),
  stated: StatedFacts.optional().describe(
    'Facts of the request that decide, only if it has any. A sale that is recorded from this answer has them',
  ),
  calculation_token: z
    .string()
    .nullable()
    .optional()
    .describe(
      'Only if the request has it. `POST /v1/transactions` records this answer by it, for 60 minutes and ' +
        'in this account. Null: the cart is too large for one, so send the answer as `calculation`',
    ),
  meta: Meta,
}

export const Calculation = z.strictObject(CALCULATED)

export const CalculateAnswer = z.strictObject({ ...CALCULATED, queried_at: Timestamp })

export const CalculateBatchResult = batchResult(Calculation)

export const CalculateBatchAnswer = batchAnswer(CalculateBatchResult)

export const TaxedJurisdiction = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: JurisdictionType,
  region: LawRegion,
  currency: z.string(),
  tax_system: z.string(),
  coverage: Coverage,
})

/** A city and the local rate of an address there. */
export const CityRateAnswer = z.strictObject({
  name: z.string(),
  rate: z.number().describe('Its local taxes together, as a fraction'),
})

export const RatesAnswer = z.strictObject({
  jurisdiction: TaxedJurisdiction.nullable(),
  date: z.iso.date(),
  combined_rate: z
    .number()
    .nullable()
    .describe(
      'What a consumer pays for `product_type`, or else the sum of the standard rates. Null if the data ' +
        'has no such rate, and for a `region`',
    ),
  rates: z.array(Rate),
  total: z.int(),
  rule: RuleStatus.nullable().describe('Null without `product_type`'),
  local: LocalBlock.nullable().describe('The local taxes of `postal_code`, without the tax of the state'),
  cities: z
    .array(CityRateAnswer)
    .optional()
    .describe('The cities of the county. Only if the city decides the local taxes, and the request has none'),
  notes: Words,
  ...Answered,
})

export const ThresholdsAnswer = z.strictObject({
  thresholds: z.array(Threshold),
  total: z.int(),
  notes: Words.describe('Why the list is empty, if it is'),
  ...Answered,
})

/** A question that a decision asked, in the order of asking. */
export const DecisionStep = z.strictObject({
  code: DecisionReason,
  outcome: z.enum(['yes', 'no']),
  detail: z.string(),
})

export const DecisionAnswer = z.strictObject({
  jurisdiction_id: z.string(),
  collect: z.boolean(),
  reason: DecisionReason,
  reasons: z.array(DecisionStep),
  seller_registered: z.boolean(),
  must_register: z.boolean().nullable(),
  threshold: Threshold.nullable(),
  progress: ThresholdProgress.nullable(),
  explanation: z.string(),
  notes: Words,
  ...Answered,
})

export const ProductType = z.strictObject({
  id: ProductTypeId,
  name: z.string(),
  kind: z.enum(SUPPLY_KINDS),
  description: z.string(),
  broader: ProductTypeId.nullable().describe(
    'The type whose rule is used, with a note, if a place has none. Restaurant drinks and magazines take ' +
      'no rule that lowers the tax',
  ),
})

export const ProductTypesAnswer = z.strictObject({
  product_types: z.array(ProductType),
  total: z.int(),
  queried_at: Timestamp,
})
