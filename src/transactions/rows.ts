import type { refunds, transaction_lines, transactions } from '../database/tables/sales.ts'

/** A transaction as it is stored. Amounts in minor units, the rate in millionths, truth as 0 and 1. */
export type TransactionRow = Omit<typeof transactions.$inferSelect, 'account_id'>

/** A line as it is stored; `tax_breakdown` is JSON of the entries as the API shows them. */
export type LineRow = Omit<typeof transaction_lines.$inferSelect, 'account_id'>

/** `parts` is JSON of RefundPart[]. */
export type RefundRow = Omit<typeof refunds.$inferSelect, 'account_id'>

export type StoredTransaction = {
  row: TransactionRow
  lines: readonly LineRow[]
  refunds: readonly RefundRow[]
}
