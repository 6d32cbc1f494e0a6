import * as z from 'zod'
import { SellerRequest } from '../accounts/seller-field.ts'
import { SaleCustomerRequest } from '../calculation/schemas.ts'
import { TaxBreakdownEntry } from '../calculation/answers.ts'
import { Amount, batchAnswer, batchResult, Timestamp } from '../http/answers.ts'
import {
  AddressRequest,
  CalendarDate,
  Currency,
  ExternalId,
  JurisdictionId,
  Moment,
  Money,
  PositiveMoney,
  RateFraction,
  text,
} from '../http/fields.ts'
import { cursorField, PAGE_ANSWER, pageFields } from '../http/page.ts'
import { ProductTypeRequest, Rounding, TaxabilityReason, TaxBehavior } from '../http/tax-enums.ts'
import { TAX_SOURCES, TRANSACTION_STATUSES } from './statuses.ts'

export const TransactionStatus = z.enum(TRANSACTION_STATUSES)
export const TaxSource = z.enum(TAX_SOURCES)

export const TransactionLineRequest = z.strictObject({
  amount: Money.describe('The price of the whole line, in minor units; negative for a credit'),
  quantity: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000_000_000).optional(),
  product_type: ProductTypeRequest,
  description: text(1000).nullish(),
  taxable: z.boolean().optional().describe('`false`: no tax on this line, even if the law taxes it'),
  tax_behavior: TaxBehavior.optional().describe('Left out: the `tax_behavior` of the request'),
  tax_rate: RateFraction.nullish().describe('As a fraction, such as 0.19'),
  tax_amount: Money.nullish().describe(
    'The tax of the invoice, in minor units. Give it for every line, or for no line to have it calculated',
  ),
})

export const TransactionRequest = z.compile(
  z.strictObject({
    external_id: ExternalId.nullish().describe('Your own reference, unique in the account'),
    customer_id: text(60).nullish().describe('The id of a customer on file'),
    customer: SaleCustomerRequest.optional(),
    line_items: z
      .array(TransactionLineRequest)
      .min(1, 'must contain at least one line')
      .max(500, 'must contain at most 500 lines'),
    currency: Currency.describe('ISO 4217'),
    jurisdiction_id: JurisdictionId.nullish().describe(
      'Where the sale is taxed. Left out: decided by the addresses',
    ),
    seller_registered: z.boolean().nullish(),
    seller: SellerRequest.optional().describe("Left out: the account's profile and registrations"),
    supply_address: AddressRequest.nullish().describe(
      'The place of an event, of a property or of a service that is taxed where it takes place',
    ),
    tax_behavior: TaxBehavior.optional().describe(
      'For all lines without one of their own. Left out: `exclusive`',
    ),
    rounding: Rounding.optional().describe('Left out: `line`'),
    status: z
      .enum(['pending', 'completed'], 'must be pending or completed')
      .optional()
      .describe('Left out: `completed`'),
    transaction_date: Moment.nullish().describe('Left out: now'),
  }),
)
export type TransactionBody = z.output<typeof TransactionRequest>

export const TransactionBatchRequest = z.strictObject({
  // Each is validated by itself, so the schema is only named for the OpenAPI document.
  transactions: z
    .array(z.unknown().meta({ $ref: '#/components/schemas/TransactionRequest' }))
    .min(1, 'must contain at least one transaction')
    .max(50, 'must contain at most 50 transactions')
    .describe('One that is refused does not affect the others and has its error in the results'),
})

export const RefundRequest = z.strictObject({
  amount: PositiveMoney.describe('Including tax, in minor units; at most the amount not refunded yet'),
  reason: text(500).min(1, 'must not be empty'),
})
export type RefundBody = z.output<typeof RefundRequest>

/** The place of a transaction in lists: its date and id. */
export const TRANSACTION_CURSOR = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z~txn_[0-9a-z]{26}$/

export const TransactionsQuery = z.strictObject({
  ...pageFields(100),
  cursor: cursorField(TRANSACTION_CURSOR),
  from_date: CalendarDate.optional().describe('The first day, in UTC'),
  to_date: CalendarDate.optional().describe('The last day, in UTC'),
  jurisdiction_id: JurisdictionId.optional().describe('Only transactions of this jurisdiction'),
  status: TransactionStatus.optional().describe('Only transactions with this status'),
})
export type TransactionFilter = z.output<typeof TransactionsQuery>

/** A line of a transaction. Amounts in minor units, rates as fractions. */
export const TransactionLine = z.strictObject({
  id: z.string(),
  amount: Amount,
  quantity: z.int(),
  product_type: z.string(),
  description: z.string().nullable(),
  taxable: z.boolean(),
  net_amount: Amount,
  taxable_amount: Amount,
  tax_rate: z.number(),
  tax_amount: Amount,
  taxability_reason: TaxabilityReason.nullable(),
  reason_detail: z.string().nullable(),
  tax_breakdown: z.array(TaxBreakdownEntry),
})

export const Refund = z.strictObject({
  id: z.string(),
  amount: Amount,
  tax_amount: Amount,
  reason: z.string(),
  refunded_at: Timestamp,
})

/** The customer as the sale was taxed. */
export const TransactionCustomer = z.strictObject({
  id: z.string().nullable(),
  vat_id: z.string().nullable(),
  address: z.strictObject({
    country: z.string(),
    region: z.string().nullable(),
    postal_code: z.string().nullable(),
  }),
})

const TRANSACTION = {
  id: z.string(),
  external_id: z.string().nullable(),
  customer: TransactionCustomer,
  line_items: z.array(TransactionLine),
  subtotal: Amount,
  tax_amount: Amount,
  total: Amount,
  currency: z.string(),
  tax_rate: z.number(),
  tax_source: TaxSource,
  tax_variance: Amount.nullable(),
  jurisdiction_id: z.string(),
  seller_registered: z.boolean(),
  reverse_charge: z.boolean(),
  status: TransactionStatus,
  amount_refunded: Amount,
  tax_refunded: Amount,
  refund: Refund.optional().describe('The latest of `refunds`'),
  refunds: z.array(Refund),
  data_version: z.string().nullable(),
  transaction_date: Timestamp,
  completed_at: Timestamp.nullable(),
  voided_at: Timestamp.optional(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Transaction = z.strictObject(TRANSACTION)

export const TransactionAnswer = z.strictObject({ ...TRANSACTION, queried_at: Timestamp })

export const TransactionsAnswer = z.strictObject({
  transactions: z.array(Transaction),
  ...PAGE_ANSWER,
  next_cursor: z.string().nullable(),
  queried_at: Timestamp,
})

export const RefundAnswer = z.strictObject({
  id: z.string(),
  status: z.literal('refunded'),
  refund: Refund,
  refunds: z.array(Refund),
  amount_refunded: Amount,
  tax_refunded: Amount,
  queried_at: Timestamp,
})

export const VoidAnswer = z.strictObject({
  id: z.string(),
  status: z.literal('voided'),
  voided_at: Timestamp,
  queried_at: Timestamp,
})

export const TransactionBatchResult = batchResult(Transaction)

export const TransactionBatchAnswer = batchAnswer(TransactionBatchResult)
