import * as z from 'zod'
import {
  BundledProductAnswer,
  CHARGED_UNDER,
  Einvoice,
  EinvoiceBreakdownRow,
  EinvoiceLineRow,
  LINE_AMOUNTS,
  NOT_A_SUPPLY,
  TaxBreakdownEntry,
  TraceStep,
} from '../../calculation/answers.ts'
import { Amount, batchAnswer, batchResult, Timestamp } from '../../../platform/http/answers.ts'
import { PAGE_ANSWER } from '../../../platform/http/page.ts'
import {
  DiscountFunder,
  GoodsDelivery,
  Importer,
  MarketplaceRole,
  Rounding,
  TaxabilityReason,
} from '../../../platform/http/tax-enums.ts'
import { EvidenceStatus, EvidenceType, TaxSource, TransactionStatus } from './schemas.ts'

/** A line of a transaction. Amounts in minor units, rates as fractions. */
export const TransactionLine = z.strictObject({
  id: z.string(),
  ...LINE_AMOUNTS,
  product_type: z.string(),
  description: z.string().nullable(),
  reference: z.string().nullable(),
  discount: Amount.describe('What was taken off the price: `amount` is what remains'),
  discount_funded_by: DiscountFunder.optional().describe('Only if it is not the seller'),
  trade_in: Amount.optional().describe('What used goods in part payment counted for, if there were any'),
  bundle: z.array(BundledProductAnswer).optional().describe('The products of a line that has several'),
  ...NOT_A_SUPPLY,
  notes: z
    .array(z.string())
    .optional()
    .describe('Only if the line was recorded with a product code of another service: what it leaves open'),
  taxable: z.boolean(),
  net_amount: Amount,
  taxable_amount: Amount,
  tax_rate: z.number(),
  tax_amount: Amount,
  taxability_reason: TaxabilityReason.nullable(),
  reason_detail: z.string().nullable(),
  tax_breakdown: z.array(TaxBreakdownEntry),
  ...CHARGED_UNDER,
  settles: z.string().nullable().describe('The earlier sale whose charge this line takes off; else null'),
  einvoice: z.array(EinvoiceLineRow).optional().describe('Only if the request has `einvoice`'),
})

/** What a refund gave back of a line. */
export const RefundedLine = z.strictObject({ id: z.string(), net_amount: Amount, tax_amount: Amount })

export const Refund = z.strictObject({
  id: z.string(),
  amount: Amount,
  tax_amount: Amount,
  reason: z.string(),
  refunded_at: Timestamp,
  external_id: z.string().nullable(),
  credit_note_number: z.string().nullable(),
  line_items: z
    .array(RefundedLine)
    .nullable()
    .describe('The lines that the refund names; null: it was spread over all lines'),
  einvoice: z
    .array(EinvoiceBreakdownRow)
    .optional()
    .describe('What its credit note says: the view of the sale. Only if the request has `einvoice`'),
})

export const PaymentAnswer = z.strictObject({
  date: z.iso.date(),
  amount: Amount,
  reference: z.string().nullable(),
})

export const EvidenceAnswer = z.strictObject({
  type: EvidenceType,
  country: z.string(),
  value: z.string().nullable(),
  from_provider: z.boolean(),
})

/** What an authority answered about the customer's VAT id, as it was at the sale. */
export const VatProofAnswer = z.strictObject({
  vat_id: z.string(),
  valid: z.boolean(),
  source: z.string().describe('The authority, or `caller` if the request gave the answer'),
  consultation_number: z.string().nullable(),
  checked_at: Timestamp,
})

/** A certificate of the customer as it was at the sale, or an exemption that the request stated. */
export const CertificateAnswer = z.strictObject({
  exemption_id: z.string().nullable().describe('Null: the request stated the exemption'),
  jurisdiction_id: z.string(),
  exemption_type: z.string(),
  certificate_number: z.string().nullable(),
  valid_from: z.iso.date(),
  valid_to: z.iso.date().nullable(),
  line_items: z.array(z.string()).describe('The ids of the lines that it covers'),
})

/** An address as far as it decides tax. */
export const RecordedAddress = z.strictObject({
  country: z.string(),
  region: z.string().nullable(),
  postal_code: z.string().nullable(),
  city: z.string().optional().describe('The city; left out: none was given'),
})

export const RecordedMarketplace = z.strictObject({
  role: MarketplaceRole,
  seller: z
    .strictObject({
      country: z.string(),
      region: z.string().nullish(),
      registrations: z.array(z.string()).optional().describe('Left out: unknown'),
    })
    .optional()
    .describe('Whom you sell for as the marketplace; left out: not said'),
})

/** The customer as the sale was taxed. */
export const TransactionCustomer = z.strictObject({
  id: z.string().nullable(),
  vat_id: z.string().nullable(),
  address: RecordedAddress,
})

/** What a final sale takes off for an earlier sale. `amount` is with tax. */
export const SettledSale = z.strictObject({
  transaction_id: z.string(),
  amount: Amount,
  tax_amount: Amount,
})

/** A place with its name. */
export const NamedPlace = z.strictObject({ id: z.string(), name: z.string() })

/** What the service would have charged on a line whose tax was given. */
export const TaxInsteadOfGiven = z.strictObject({
  tax_amount: Amount,
  taxable_amount: Amount,
  tax_rate: z.number(),
})

/** Why a recorded line bears its tax, as it was decided when the sale was recorded. */
export const LineExplanation = z.strictObject({
  line_item_id: z.string().describe('The id of the line, `li_…`'),
  sentence: z.string().describe('The reason in words, with names and money'),
  badge: z.string().describe('One or two words, such as `Reverse charge` or `Standard rate`'),
  tax_from: z
    .enum(['calculated', 'given', 'settled', 'credited'])
    .describe(
      '`given`: the caller stated it; `settled`: it takes off what an earlier sale charged; ' +
        '`credited`: a credit note refunds it, as its sale was taxed',
    ),
  place: NamedPlace.describe('Where the line is taxed'),
  product_type: z.string(),
  product: z.string().describe('The name of the product type'),
  taxability_reason: TaxabilityReason.nullable(),
  tax_rate: z.number(),
  taxable_amount: Amount,
  tax_amount: Amount,
  taxes: z
    .array(
      z.strictObject({
        place: NamedPlace.describe('Who levies the tax'),
        tax_type: z.string(),
        tax_rate: z.number(),
        taxable_amount: Amount,
        tax_amount: Amount,
      }),
    )
    .describe('The taxes of the line; they add up to its tax, unless the caller gave it'),
  calculated: TaxInsteadOfGiven.nullable().describe('Null unless the tax was given and could be calculated'),
  steps: z.array(TraceStep).describe('The rules that were applied, with their legal basis'),
})

/** What a refund gave back, with the rate of the sale. */
export const RefundExplanation = z.strictObject({
  refund_id: z.string(),
  sentence: z.string().describe('The refund in words'),
  parts: z
    .array(
      z.strictObject({
        line_item_id: z.string().nullable().describe('Null: in old refunds, a group of lines'),
        tax_rate: z.number(),
        net_amount: Amount,
        tax_amount: Amount,
      }),
    )
    .describe('The refunded parts of lines'),
})

/** Why a sale bears its tax. It was kept with the sale, and is never calculated again. */
export const SaleExplanation = z.strictObject({
  data_version: z.string().nullable(),
  rounding: Rounding.describe('Whether each line was rounded, or the document'),
  steps: z.array(TraceStep).describe('The rules that were applied to the whole sale'),
  lines: z.array(LineExplanation).describe('All lines of the sale, with its shipping and fees'),
  refunds: z.array(RefundExplanation).describe('A refund has the reason of its sale'),
})

/** Who made a sale, as the request stated it. */
export const RecordedSeller = z.strictObject({
  country: z.string(),
  region: z.string().optional(),
  registrations: z.array(z.string()).optional(),
  small_business: z.boolean().optional(),
  vat_id: z.string().optional(),
  reference: z.string().optional(),
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
  tax_variance: Amount.nullable().describe(
    'The tax of the request less the calculated one. If the calculated one is recorded: `expected_total` ' +
      'less the total; null if they agree',
  ),
  jurisdiction_id: z.string(),
  seller_registered: z.boolean(),
  reverse_charge: z.boolean(),
  status: TransactionStatus,
  amount_refunded: Amount,
  tax_refunded: Amount,
  refund: Refund.optional().describe('The latest of `refunds`'),
  refunds: z.array(Refund),
  data_version: z.string().nullable(),
  invoice_number: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  payments: z.array(PaymentAnswer),
  evidence: z.array(EvidenceAnswer),
  evidence_status: EvidenceStatus.describe(
    '`sufficient`: two pieces of different types, or one of a provider, name the country',
  ),
  ship_from: RecordedAddress.nullable(),
  importer: Importer.optional(),
  delivery: GoodsDelivery.optional().describe('How the goods reached the customer; left out: not said'),
  supply_address: RecordedAddress.optional(),
  supplied_from: z.string().nullable(),
  marketplace: RecordedMarketplace.nullable(),
  seller: RecordedSeller.optional().describe('The seller that the request stated; left out: it stated none'),
  of_other_seller: z
    .literal(true)
    .optional()
    .describe(
      'The seller is another one than the account, so no return, threshold or report total counts the sale',
    ),
  consignment_number: z.string().nullable(),
  vat_proof: VatProofAnswer.nullable().describe('Stays with the sale if the customer is erased'),
  certificates: z
    .array(CertificateAnswer)
    .describe('The certificates that cover lines. They stay with the sale if the customer is erased'),
  discount_amount: Amount.describe('All discounts of the sale'),
  settles: z.array(SettledSale).describe('The earlier sales that this final sale settles'),
  credited_day: z.iso.date().nullable().describe('The day of the sale that a credit note corrects'),
  credited_sale: z.string().nullable().describe('The recorded sale that a credit note corrects'),
  transaction_date: Timestamp,
  completed_at: Timestamp.nullable(),
  voided_at: Timestamp.optional(),
  superseded_at: Timestamp.optional().describe('When the sale was replaced or deleted; it counts nowhere'),
  superseded_by: z.string().nullable().optional().describe('The sale that replaced it; null: it was deleted'),
  einvoice: Einvoice.optional().describe('Only if the request has `einvoice`'),
  notes: z
    .array(z.string())
    .optional()
    .describe(
      'Only when it is recorded: the likely cause if its total is not its `expected_total`, and that it is ' +
        'of another seller',
    ),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Transaction = z.strictObject(TRANSACTION)

/** A transaction of a list, with the name of its customer. */
export const ListedTransaction = z.strictObject({
  ...TRANSACTION,
  customer_name: z
    .string()
    .nullable()
    .describe('Of the saved customer, as it is today. Null: no saved customer, no name, or erased'),
})

/** Sums of the transactions of a list in one currency, in minor units. */
export const TransactionSums = z.strictObject({
  currency: z.string(),
  transactions: z.int(),
  subtotal: Amount,
  tax_amount: Amount,
  total: Amount,
  amount_refunded: Amount,
  tax_refunded: Amount,
})

export const TransactionAnswer = z.strictObject({ ...TRANSACTION, queried_at: Timestamp })

/** A transaction, and with `explain=true` its reason. */
export const ExplainedTransaction = z.strictObject({
  ...TRANSACTION,
  explanation: SaleExplanation.nullable()
    .optional()
    .describe('With `explain=true`: the reason for the tax of the sale. Null: no reason was kept'),
  explanation_note: z
    .string()
    .nullable()
    .optional()
    .describe('With `explain=true`: what the explanation lacks, as a sentence'),
  queried_at: Timestamp,
})

export const TransactionsAnswer = z.strictObject({
  transactions: z.array(ListedTransaction),
  ...PAGE_ANSWER,
  total: z
    .int()
    .nullable()
    .describe(
      'Null with any of `customer_id`, `currency`, `product_type`, `external_id_prefix`, `q`, `no_tax`, ' +
        '`variance`, `reason`, `exemption_id`, `of_other_seller`',
    ),
  search_complete: z
    .boolean()
    .optional()
    .describe(
      'Only with `q`: false if more transactions match than a search looks at, if more than 10,000 ' +
        'customers have names of over four words, or if more than 10,000 changes were made in the last ' +
        'minutes',
    ),
  sums: z
    .array(TransactionSums)
    .nullable()
    .optional()
    .describe(
      'With `sums=true`: the sums of all pages by currency. Without `status`, of the transactions ' +
        'that count: completed and refunded. Without `of_other_seller`, of the own ones. Null: more than ' +
        '10,000 transactions would have to be read',
    ),
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
