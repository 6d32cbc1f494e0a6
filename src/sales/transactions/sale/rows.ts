import type { RateComponent } from '../../../engine/book/rate-components.ts'
import type { ChargedUnder } from '../../calculation/charged-under.ts'
import type {
  refunds,
  settlements,
  transaction_lines,
  transactions,
} from '../../../platform/database/tables/sales.ts'

/**
 * A transaction as it is stored. Amounts in minor units, the rate in millionths, truth as 0 and 1. Its
 * reasons are read only where they are told, and whether it is searchable only by the tick.
 */
export type TransactionRow = Omit<typeof transactions.$inferSelect, 'account_id' | 'reasons' | 'searchable'>

/**
 * A line as it is stored. `tax_breakdown` is JSON of StoredTax[], `portions` of LinePart[] or null for a line
 * with one rate.
 */
export type LineRow = Omit<typeof transaction_lines.$inferSelect, 'account_id'>

/**
 * One tax of a line, or what a refund gave back of it. Amounts in minor units, the rate as a fraction. A line
 * also has the number under which the tax was charged, if that was on file.
 */
export type StoredTax = ChargedUnder & {
  jurisdiction_id: string
  tax_type: string
  levied_as: string | null
  rate: number
  taxable_amount: number
  tax_amount: number
  /** The taxes that the rate is made of. Left out: it is one tax. */
  components?: readonly RateComponent[]
}

/** A part of a line with one rate. Amounts in minor units, the rate in millionths. */
export type LinePart = {
  tax_rate: number
  /** The taxability reason, '' for none. */
  reason: string
  net_amount: number
  taxable_amount: number
  tax_amount: number
  /** The second tax in it. Left out: the first part has that of the line. */
  provincial_tax_amount?: number
}

/**
 * What a refund gives back of a part of a line, with the columns of its row in tax_totals. In old refunds, of
 * a group of lines.
 */
export type RefundPart = LinePart & {
  /** The position of its line; missing in refunds that were recorded by groups of lines. */
  position?: number
  /** Counts the parts of a line with several rates. */
  portion?: number
  /** The number of articles given back, if the refund named it. */
  quantity?: number
  place_of_supply: string
  scheme: string
  product_type: string
  /** The type of the customer's certificate for the line, '' for none. */
  exemption: string
  /** 1 for the part that counts the refund for its product type. */
  opens_product: number
  provincial_tax_amount: number
  /** By jurisdiction, if returns of the place list them. Missing in refunds of earlier releases. */
  taxes?: StoredTax[]
}

/** `parts` is JSON of RefundPart[]. */
export type RefundRow = Omit<typeof refunds.$inferSelect, 'account_id'>

/** What a final sale takes off for an earlier one. `parts` is JSON of RefundPart[]. */
export type SettlementRow = Omit<typeof settlements.$inferSelect, 'account_id'>

/**
 * What was taken of a sale by a settlement, or with `freed_from`, less than nothing: what came free when a
 * refund or credit note, whose id is `transaction_id`, gave back the final sale `freed_from`.
 */
export type SettlementTaken = SettlementRow & { freed_from?: string }

/** A credit note of a sale that counts: what it credits, negative. `credits` is JSON of KeptCredit[]. */
export type NoteOnSale = Pick<TransactionRow, 'id' | 'subtotal' | 'tax_amount' | 'total' | 'status'> & {
  /** Null: it was recorded before its lines were matched with those of its sale. */
  credits: string | null
}

/** What a credit note takes from a part of a line of its sale. Amounts with the sign of the line. */
export type KeptCredit = [
  position: number,
  portion: number,
  net_amount: number,
  taxable_amount: number,
  tax_amount: number,
  provincial_tax_amount: number,
]

export type StoredTransaction = {
  row: TransactionRow
  lines: readonly LineRow[]
  refunds: readonly RefundRow[]
  /** Those that name this sale, the oldest first. Left out: they were not read. */
  notes?: readonly NoteOnSale[]
  /** What final sales have taken off for this sale. Left out: they were not read. */
  settlements?: readonly SettlementTaken[]
}

export type WholeSale = StoredTransaction & Required<Pick<StoredTransaction, 'notes' | 'settlements'>>
