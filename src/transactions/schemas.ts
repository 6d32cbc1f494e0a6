import * as z from 'zod'
import { batchAnswer } from '../http/batch-answer.ts'
import { ProductTypeField, SellerField } from '../calculation/schemas.ts'
import {
  AddressFields,
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
import { PAGE_ANSWER, pageFields } from '../http/page.ts'

const TaxBehavior = z.enum(['exclusive', 'inclusive'])
export const Status = z.enum(['pending', 'completed', 'refunded', 'voided'])

const LineField = z.strictObject({
  amount: Money,
  quantity: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000_000_000).optional(),
  product_type: ProductTypeField,
  description: text(1000).nullish(),
  taxable: z.boolean().optional(),
  tax_behavior: TaxBehavior.optional(),
  tax_rate: RateFraction.nullish(),
  tax_amount: Money.nullish(),
})

const CustomerField = z.strictObject({
  address: AddressFields.optional(),
  vat_id: text(40).nullish(),
  vat_id_validated: z.boolean().nullish(),
  type: z.enum(['individual', 'business']).nullish(),
})

const Transaction = z.strictObject({
  external_id: ExternalId.nullish(),
  customer_id: text(60).nullish(),
  customer: CustomerField.optional(),
  line_items: z
    .array(LineField)
    .min(1, 'must hold at least one line')
    .max(500, 'must hold at most 500 lines'),
  currency: Currency,
  jurisdiction_id: JurisdictionId.nullish(),
  seller_registered: z.boolean().nullish(),
  seller: SellerField.optional(),
  supply_address: AddressFields.nullish(),
  tax_behavior: TaxBehavior.optional(),
  rounding: z.enum(['line', 'document']).optional(),
  status: z.enum(['pending', 'completed'], 'must be pending or completed').optional(),
  transaction_date: Moment.nullish(),
})

export const TransactionRequest = z.compile(Transaction)
export type TransactionBody = z.output<typeof Transaction>

export const TransactionBatchRequest = z.strictObject({
  transactions: z
    .array(z.unknown())
    .min(1, 'must hold at least one transaction')
    .max(50, 'must hold at most 50 transactions'),
})

export const RefundRequest = z.strictObject({
  amount: PositiveMoney,
  reason: text(500).min(1, 'must not be empty'),
})
export type RefundBody = z.output<typeof RefundRequest>

export const TransactionsQuery = z.strictObject({
  ...pageFields(100),
  cursor: text(100)
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z~txn_[0-9a-z]{26}$/, 'is not a cursor of this list')
    .optional(),
  from_date: CalendarDate.optional(),
  to_date: CalendarDate.optional(),
  jurisdiction_id: JurisdictionId.optional(),
  status: Status.optional(),
})
export type TransactionFilter = z.output<typeof TransactionsQuery>

const Timestamp = z.iso.datetime()
const Amount = z.int()

const Line = z.strictObject({
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
  taxability_reason: z.string().nullable(),
  reason_detail: z.string().nullable(),
  tax_breakdown: z.array(
    z.strictObject({
      jurisdiction_id: z.string(),
      tax_type: z.string(),
      category: z.string(),
      rate: z.number(),
      taxable_amount: Amount,
      tax_amount: Amount,
    }),
  ),
})

const Refund = z.strictObject({
  id: z.string(),
  amount: Amount,
  tax_amount: Amount,
  reason: z.string(),
  refunded_at: Timestamp,
})

const TRANSACTION = {
  id: z.string(),
  external_id: z.string().nullable(),
  customer: z.strictObject({
    id: z.string().nullable(),
    vat_id: z.string().nullable(),
    address: z.strictObject({
      country: z.string(),
      region: z.string().nullable(),
      postal_code: z.string().nullable(),
    }),
  }),
  line_items: z.array(Line),
  subtotal: Amount,
  tax_amount: Amount,
  total: Amount,
  currency: z.string(),
  tax_rate: z.number(),
  tax_source: z.enum(['calculated', 'given']),
  tax_variance: Amount.nullable(),
  jurisdiction_id: z.string(),
  seller_registered: z.boolean(),
  reverse_charge: z.boolean(),
  status: Status,
  amount_refunded: Amount,
  tax_refunded: Amount,
  refund: Refund.optional(),
  refunds: z.array(Refund),
  data_version: z.string().nullable(),
  transaction_date: Timestamp,
  completed_at: Timestamp.nullable(),
  voided_at: Timestamp.optional(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const TransactionAnswer = z.strictObject({ ...TRANSACTION, queried_at: Timestamp })

export const TransactionsAnswer = z.strictObject({
  transactions: z.array(z.strictObject(TRANSACTION)),
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

export const TransactionBatchAnswer = batchAnswer(TRANSACTION)
