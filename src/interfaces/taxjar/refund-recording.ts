import type { Context } from '../../platform/context.ts'
import type { PartOfWrite } from '../../platform/writes/join-writes.ts'
import { ApiError } from '../../platform/errors.ts'
import { writeOfRefund } from '../../sales/transactions/give-back/refund.ts'
import { withRefund } from '../../sales/transactions/give-back/refunded-sale.ts'
import type { RefundRow, StoredTransaction } from '../../sales/transactions/sale/rows.ts'
import { type DocumentFields, externalId } from './document.ts'
import { TaxJarError } from './errors.ts'
import { refundOfSale } from './refund-of-sale.ts'
import { taxCodeReader } from './tax-codes.ts'

/** The write of a refund, and its sale with it. */
type RecordedRefund = { refund: RefundRow; write: PartOfWrite; sale: StoredTransaction }

/**
 * Records a refund of a sale by lines if they fit, else as a whole with the stated tax. Throws 400 if it
 * gives nothing back, or more than what is left.
 */
export async function writeOfPartialRefund(
  context: Context,
  sale: StoredTransaction,
  fields: DocumentFields,
  date: string,
): Promise<RecordedRefund> {
  const { by_line, whole } = refundOfSale(sale, fields, await taxCodeReader(fields.line_items), {
    reason: `Refund ${fields.transaction_id}`,
    refunded_at: date,
    external_id: externalId(fields.provider, fields.transaction_id),
  })
  if ((whole.amount ?? 0) < 1)
    throw new TaxJarError(400, 'the refund is empty: amount, shipping and sales_tax are 0')
  for (const asked of by_line === null ? [whole] : [by_line, whole])
    try {
      const { refund, write } = await writeOfRefund(context, sale, asked)
      return { refund, write, sale: withRefund(sale, refund) }
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.reason !== 'refund_exceeds_remaining') throw thrown
    }
  const order = fields.transaction_reference_id ?? ''
  throw new TaxJarError(400, `the refund is larger than what is left of order ${order}`)
}
