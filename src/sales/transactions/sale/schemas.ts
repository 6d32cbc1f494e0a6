import * as z from 'zod'
import { SellerRequest } from '../../../parties/accounts/seller-field.ts'
import {
  EinvoiceRequest,
  ExpectedTotal,
  LINE_FACTS,
  LINE_PRICE,
  LocalFallback,
  PlacePolicy,
  MarketplaceRequest,
  SaleCustomerRequest,
  TaxableRequest,
} from '../../calculation/schemas.ts'
import type { WithAmount } from '../../calculation/line-amounts.ts'
import { Metadata } from '../../../parties/customers/schemas.ts'
import {
  AddressRequest,
  CalendarDate,
  Country,
  Currency,
  ExternalId,
  JurisdictionId,
  MemberState,
  MomentOrDay,
  Money,
  NotNegativeMoney,
  PositiveMoney,
  Quantity,
  RateFraction,
  text,
} from '../../../platform/http/fields.ts'
import { TOKEN_MAX } from '../../calculation/token-limit.ts'
import { cursorField, pageFields } from '../../../platform/http/page.ts'
import {
  GoodsDelivery,
  Importer,
  ProductTypeOrCode,
  Rounding,
  TaxabilityReason,
  TaxBehaviorRequest,
} from '../../../platform/http/tax-enums.ts'
import type { OwnLine } from '../../../tax-data/product-codes/product-of-code.ts'
import { INVOICE_LANGUAGES } from '../../../engine/ground/invoice-words.ts'
import {
  EVIDENCE_STATUSES,
  EVIDENCE_TYPES,
  SHOWN_STATUSES,
  TAX_SOURCES,
} from '../../../platform/database/values/transaction-statuses.ts'
import {
  hasAmountOrQuantity,
  hasAmountWithTax,
  isOneGiven,
  isOneLineNamed,
  isOneSaleNamed,
} from './request-rules.ts'

export const TransactionStatus = z.enum(SHOWN_STATUSES)
export const TaxSource = z.enum(TAX_SOURCES)
export const EvidenceType = z.enum(EVIDENCE_TYPES)
export const EvidenceStatus = z.enum(EVIDENCE_STATUSES)

export const TransactionLineRequest = z.strictObject({
  ...LINE_PRICE,
  taxable: TaxableRequest,
  tax_behavior: TaxBehaviorRequest.optional(),
  tax_rate: RateFraction.nullish().describe('As a fraction, such as 0.19'),
  tax_amount: Money.nullish().describe(
    'The tax of the invoice, in minor units. Give it for every line, or for no line to have it calculated',
  ),
  reference: text(255)
    .nullish()
    .describe('Your own name for the line. On a credit note: the name or the id of the credited line'),
  discount: NotNegativeMoney.optional().describe(
    'Taken off the amount before tax, in minor units. The recorded amount is what remains',
  ),
  ...LINE_FACTS,
})

/** Postage, which is recorded as a line of product type `shipping`. */
export const TransactionShipping = z.strictObject({
  amount: Money,
  tax_behavior: TaxBehaviorRequest.optional(),
  tax_rate: RateFraction.nullish(),
  tax_amount: Money.nullish().describe('Required if the lines state their tax'),
})

/** A retail delivery fee that the invoice states, beside lines that state their tax. */
export const TransactionFee = z.strictObject({
  jurisdiction_id: JurisdictionId.describe('The state that levies it, such as `US-CO`'),
  tax_amount: Money.describe('In minor units; negative for a credit'),
})

export const Payment = z.strictObject({
  date: CalendarDate,
  amount: Money.describe('In minor units of the transaction currency'),
  reference: text(255).nullish().describe('Such as the id at the payment processor'),
})

/** A piece of evidence of the customer's place (Implementing Regulation (EU) 282/2011, art. 24b, 24f). */
export const Evidence = z.strictObject({
  type: EvidenceType,
  country: Country,
  value: text(255)
    .nullish()
    .describe('Such as the IP address. Stays with the sale as proof, also if the customer is erased'),
  from_provider: z
    .boolean()
    .optional()
    .describe(
      'Given by a third party of the payment or delivery. Then one piece is enough, if you sell at most ' +
        '€100,000 of such services a year to other member states',
    ),
})

/** An authority's answer about the customer's VAT id, which the caller got. */
export const VatProofRequest = z.strictObject({
  valid: z.boolean(),
  checked_at: MomentOrDay,
  consultation_number: text(100).nullish().describe('The number that VIES or HMRC gave the answer'),
})

/** The seller of a recorded sale, with what says who it is. No tax depends on that. */
const SellerOfSale = SellerRequest.extend({
  vat_id: text(30)
    .nullish()
    .describe('Kept with the sale. If the account has stored no such number, it is another seller'),
  reference: text(255)
    .nullish()
    .describe('Your own id of another seller, such as a merchant of your platform. Kept with the sale'),
})

/** A sale has at most one fee today, because its goods are delivered to one place. */
const FEES_MAX = 5

/** The facts that the answer of a calculation repeats from its request. */
const StatedInCalculation = z.looseObject({
  seller: SellerRequest.optional().describe('Who sells, if it is not the account'),
  ship_from: AddressRequest.optional().describe('Where the goods leave from, or are picked up'),
  importer: Importer.optional(),
  delivery: GoodsDelivery.optional(),
  marketplace: MarketplaceRequest.optional(),
  supply_address: AddressRequest.optional().describe('Where a service is supplied'),
  seller_registered: z.boolean().optional(),
  rounding: Rounding.optional().describe('Whether each line is rounded, or the document'),
  local_fallback: LocalFallback.optional().describe('What was to be done without local rates'),
  place_policy: PlacePolicy.optional().describe('Whether a country alone was enough of the address'),
})

/** The answer of a calculation, as it was given. Unknown fields are left alone. */
export const RecordedCalculation = z.looseObject({
  currency: Currency,
  jurisdiction_id: JurisdictionId.optional(),
  transaction_date: CalendarDate.optional(),
  discount_amount: NotNegativeMoney.optional(),
  line_items: z
    .array(
      z.looseObject({
        ...TransactionLineRequest.shape,
        amount: Money,
        quantity: z.int().min(0).max(1_000_000_000).optional(),
        unit_quantity: Quantity.optional(),
        tax_rate: RateFraction,
        tax_amount: Money,
        stated: z
          .looseObject({
            taxable: z.boolean().optional().describe('Only `false`: the request marked the line as untaxed'),
            live: z.boolean().optional().describe('Whether the service is held live'),
            business_only: z.boolean().optional().describe('Whether it is sold to businesses alone'),
            discount: NotNegativeMoney.optional().describe('The discount of the line alone'),
          })
          .optional()
          .describe('What the request of the calculation stated of the line'),
      }),
    )
    .min(1)
    .max(500),
  shipping_cost: z
    .looseObject({ ...TransactionShipping.shape, tax_rate: RateFraction, tax_amount: Money })
    .nullish(),
  fees: z.array(z.looseObject(TransactionFee.shape)).max(FEES_MAX).optional(),
  stated: StatedInCalculation.optional().describe(
    'What the request of the calculation stated. A field of this request wins',
  ),
})

/** Exactly one of the fields: a recorded sale, or the day of a sale that is not recorded here. */
export const CreditNoteFor = z
  .strictObject({
    transaction_id: text(60).optional(),
    external_id: ExternalId.optional(),
    date: CalendarDate.optional().describe('The day of the sale, if it is not recorded here'),
  })
  .refine(isOneGiven, 'give one of transaction_id, external_id and date')

/** An earlier recorded sale whose tax the final sale takes off. */
export const SettledSaleRequest = z
  .strictObject({
    transaction_id: text(60).optional(),
    external_id: ExternalId.optional(),
    amount: PositiveMoney.optional().describe(
      'With tax, in minor units. Left out: all that is left of it, at most the total of this sale',
    ),
  })
  .refine(isOneSaleNamed, 'give one of transaction_id and external_id')

export const TransactionRequest = z.strictObject({
  external_id: ExternalId.nullish().describe('Your own reference, unique in the account'),
  customer_id: text(60).nullish().describe('The id of a saved customer'),
  customer: SaleCustomerRequest.optional().describe('May be left out with `delivery: pickup`'),
  calculation: RecordedCalculation.optional().describe(
    'The answer of POST /v1/calculate, to record it as it is, instead of currency, line_items and ' +
      'shipping_cost. It has the other facts of its request in `stated`; give the customer beside it',
  ),
  calculation_token: text(TOKEN_MAX)
    .optional()
    .describe(
      'The `calculation_token` of POST /v1/calculate, to record that answer as it is, with its customer',
    ),
  line_items: z
    .array(TransactionLineRequest)
    .min(1, 'must contain at least one line')
    .max(500, 'must contain at most 500 lines')
    .optional()
    .describe('Required unless `calculation` or `calculation_token` is given'),
  shipping_cost: TransactionShipping.nullish().describe('Recorded as a line of product type `shipping`'),
  fees: z
    .array(TransactionFee)
    .max(FEES_MAX)
    .optional()
    .describe(
      'Retail delivery fees of the invoice. Left out, with lines that state no tax: they are calculated',
    ),
  discount_amount: NotNegativeMoney.optional().describe(
    'A discount on the whole sale, in minor units. Shared between the lines by their prices',
  ),
  ship_from: AddressRequest.nullish().describe('Where the goods leave from, or are picked up'),
  importer: Importer.nullish(),
  delivery: GoodsDelivery.nullish(),
  supplied_from: MemberState.nullish().describe(
    'The member state of the fixed establishment that supplied the services. It changes no tax: the ' +
      'return of the one-stop shop names it. Left out: the place of the seller',
  ),
  marketplace: MarketplaceRequest.nullish(),
  invoice_number: text(100).nullish(),
  consignment_number: text(100)
    .nullish()
    .describe('Of the delivery, if you are directly involved in it. The records of IOSS need it'),
  vat_proof: VatProofRequest.nullish().describe(
    'Left out: the last answer about the VAT id of the saved customer',
  ),
  metadata: Metadata.optional(),
  payments: z.array(Payment).max(50, 'must contain at most 50 payments').optional(),
  evidence: z.array(Evidence).max(20, 'must contain at most 20 pieces').optional(),
  currency: Currency.optional().describe(
    'ISO 4217. Required unless `calculation` or `calculation_token` is given',
  ),
  jurisdiction_id: JurisdictionId.nullish().describe(
    'Where the sale is taxed. Left out: decided by the addresses. Must agree with that, unless the lines ' +
      'state their tax',
  ),
  seller_registered: z.boolean().nullish(),
  seller: SellerOfSale.optional().describe(
    "Left out: the account's profile and registrations. If its country, its registrations or its VAT id " +
      'are not those of the account, the sale is of another seller: no return and no threshold counts it',
  ),
  supply_address: AddressRequest.nullish().describe(
    'The place of an event, of a property or of a service that is taxed where it takes place',
  ),
  tax_behavior: TaxBehaviorRequest.optional(),
  rounding: Rounding.optional().describe('Left out: `line`, and `document` for sales in Japan'),
  status: z
    .enum(['pending', 'completed'], 'must be pending or completed')
    .optional()
    .describe('Left out: `completed`'),
  transaction_date: MomentOrDay.nullish().describe(
    'Left out: now. A date is that day in the time zone of the account',
  ),
  credit_note_for: CreditNoteFor.nullish().describe(
    'The sale that this credit note corrects. Returns list it as a correction of the period of that sale. ' +
      'A recorded sale gives its place, rates, exemptions and currency, whatever has changed since, and is ' +
      'credited and refunded up to its total. One that is named by `date` is assessed as of that day',
  ),
  settles: z
    .array(SettledSaleRequest)
    .min(1, 'must contain at least one sale')
    .max(20, 'must contain at most 20 sales')
    .optional()
    .describe(
      'Earlier recorded sales that this final sale settles: deposits, single-purpose vouchers. ' +
        '`line_items` are the whole supply; lines are added that take off what the earlier sales charged',
    ),
  expected_total: ExpectedTotal.nullish(),
  einvoice: EinvoiceRequest.nullish(),
})
/** A sale as it was requested: products may be named by codes of other services. */
export type TransactionRequested = z.output<typeof TransactionRequest>

/** `found_taxable`: what a calculation that was given back found. */
export type LineBody = OwnLine<WithAmount<z.output<typeof TransactionLineRequest>>> & {
  found_taxable?: boolean | undefined
}

type CalculationRequested = NonNullable<TransactionRequested['calculation']>

/** A sale whose products are types of ours. */
export type TransactionInput = Omit<
  TransactionRequested,
  'line_items' | 'calculation' | 'calculation_token'
> & {
  line_items?: readonly LineBody[]
  calculation?: CalculationRequested & {
    line_items: OwnLine<CalculationRequested['line_items'][number]>[]
  }
}

/** A request whose lines and currency are complete: see completeRequest. */
export type TransactionBody = Omit<TransactionInput, 'calculation' | 'shipping_cost' | 'fees'> & {
  currency: string
  line_items: readonly LineBody[]
  /** Of a calculation that was given back: which rate of several its ZIP has. */
  local_fallback?: z.output<typeof LocalFallback> | undefined
  /** Of the same: whether a country alone is enough. */
  place_policy?: z.output<typeof PlacePolicy> | undefined
}

export const TransactionBatchRequest = z.strictObject({
  // Each is validated by itself, so the schema is only named for the OpenAPI document.
  transactions: z
    .array(z.unknown().meta({ $ref: '#/components/schemas/TransactionRequest' }))
    .min(1, 'must contain at least one transaction')
    .max(50, 'must contain at most 50 transactions')
    .describe('One that is refused does not affect the others and has its error in the results'),
})

export type TransactionBatchBody = z.output<typeof TransactionBatchRequest>

/** What is given back of one line. Without amount and quantity: all that is left of it. */
export const RefundLineRequest = z
  .strictObject({
    id: text(60).optional().describe('The id of the line, `li_…`'),
    reference: text(255)
      .optional()
      .describe(
        'Instead of id: the `reference` of the line in the sale. No other line of the sale may have it',
      ),
    amount: Money.optional().describe('Including tax, with the sign of the line'),
    quantity: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
    tax_amount: Money.optional().describe(
      'The tax in the amount, as your credit note states it, with the sign of the line. Left out: pro rata',
    ),
  })
  .refine(isOneLineNamed, 'give either id or reference')
  .refine(hasAmountOrQuantity, 'give amount or quantity, not both')
  .refine(hasAmountWithTax, 'give amount with tax_amount')

export const RefundRequest = z.strictObject({
  amount: PositiveMoney.optional().describe(
    'Including tax, in minor units; at most the amount not refunded yet. Alone it is spread over all lines ' +
      'pro rata. With line_items or shipping it may be left out, and must be their sum',
  ),
  rest: z
    .literal(true)
    .optional()
    .describe('Instead of amount: refunds all that is left, and what the sale settles can be settled again'),
  tax_amount: NotNegativeMoney.optional().describe(
    'The tax in the amount, as your credit note states it. Left out: pro rata. With line_items or shipping ' +
      'it must be the sum of their taxes',
  ),
  reason: text(500).min(1, 'must not be empty'),
  line_items: z.array(RefundLineRequest).min(1, 'must contain at least one line').max(500).optional(),
  shipping: z.literal(true).optional().describe('Refunds everything that is left of the shipping'),
  refunded_at: MomentOrDay.nullish().describe(
    'Left out: now. Not before the sale. A date is that day in the time zone of the account',
  ),
  external_id: ExternalId.nullish().describe('Your own reference, unique among the refunds of the account'),
  credit_note_number: text(100).nullish(),
})
export type RefundBody = z.output<typeof RefundRequest>

/** How one recorded sale is shown. */
export const TransactionQuery = z.strictObject({
  explain: z
    .literal('true', 'must be true, or left out')
    .optional()
    .describe('`true` adds `explanation`: the reason for the tax of the sale, as it was decided at the time'),
  einvoice: z
    .enum([...INVOICE_LANGUAGES, 'law'])
    .optional()
    .describe(
      'Adds the view of its invoice, as it was kept with the sale, in this language. ' +
        '`law`: in the language of the law',
    ),
})
export type TransactionAsked = z.output<typeof TransactionQuery>

/** The place of a transaction in lists: its date and id. */
export const TRANSACTION_CURSOR = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z~txn_[0-9a-z]{26}$/

/** The place of a transaction in a list by date or by amount. */
const LIST_CURSOR = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z|[A-Z]{3}~-?\d{1,16})~txn_[0-9a-z]{26}$/

/** What a search of transactions looks for, in lists and in exports. */
export const SEARCH_FILTER = {
  q: text(100)
    .trim()
    .min(1, 'must not be empty')
    .optional()
    .describe(
      'Only transactions whose `external_id` or invoice number begins with this text or ends with its ' +
        'digits; or a word of the name, the e-mail or its domain of whose saved customer begins with it, ' +
        'in any case and without accents; or whose VAT id begins with it, with or without its prefix; or ' +
        'whose total is this amount, such as `139.23`; or whose `id` it is',
    ),
  no_tax: z.literal('true', 'must be true, or left out').optional().describe('Only transactions without tax'),
  variance: z
    .literal('true', 'must be true, or left out')
    .optional()
    .describe(
      'Only transactions whose `tax_variance` is neither null nor 0: their tax was given, and differs',
    ),
  reason: TaxabilityReason.optional().describe('Only transactions with a line of this taxability reason'),
  exemption_id: z
    .string()
    .regex(/^(exm_[0-9a-z]{26}|none)$/, 'must be the id of an exemption, or none')
    .optional()
    .describe('Only transactions that use this certificate; `none`: only transactions without one'),
  of_other_seller: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .describe('`true`: only transactions of other sellers than the account; `false`: only its own'),
}

export const TransactionSort = z.enum(['newest', 'oldest', 'largest', 'smallest'])

export const TransactionsQuery = z.strictObject({
  ...pageFields(100),
  cursor: cursorField(LIST_CURSOR),
  sort: TransactionSort.optional().describe(
    'Left out: `newest`. `largest` and `smallest` list one currency after the other, each by its total',
  ),
  sums: z
    .literal('true', 'must be true, or left out')
    .optional()
    .describe('`true` adds `sums` of all transactions that match'),
  from_date: CalendarDate.optional().describe('The first day, in the time zone of the account'),
  to_date: CalendarDate.optional().describe('The last day, in the time zone of the account'),
  jurisdiction_id: JurisdictionId.optional().describe('Only transactions of this jurisdiction'),
  status: TransactionStatus.optional().describe('Only transactions with this status'),
  customer_id: text(60).optional().describe('Only transactions of this saved customer'),
  currency: Currency.optional().describe('Only transactions in this currency'),
  product_type: ProductTypeOrCode.optional().describe('Only transactions with a line of this type'),
  external_id_prefix: text(255)
    .min(1, 'must not be empty')
    .optional()
    .describe('Only transactions whose `external_id` begins with this text; at most 1,000 may'),
  ...SEARCH_FILTER,
})
export type TransactionFilter = z.output<typeof TransactionsQuery>
