import type { Context } from '../../platform/context.ts'
import type { PartOfWrite } from '../../platform/writes/join-writes.ts'
import { writeOfDeletedRefund } from '../../sales/transactions/give-back/delete-refund.ts'
import type { RefundRow, StoredTransaction } from '../../sales/transactions/sale/rows.ts'
import { readRefundDocuments, replaceDocument, type StoredDocument } from './documents-store.ts'
import { TaxJarError } from './errors.ts'
import { writeOfPartialRefund } from './refund-recording.ts'

/** A refund with the document that recorded it. */
type DocumentedRefund = { refund: RefundRow; document: StoredDocument }

/** All of them are in one batch. */
const TOGETHER_MAX = 50

/** What a change stands against that would take back a refund of another form. */
const STANDS = {
  order: 'the order has a refund that was not recorded with /v2/transactions/refunds',
  refund: 'the order has a later refund that was not recorded with /v2/transactions/refunds',
} as const

/**
 * Refunds of a sale with their documents, to change what is `asked`. Throws 400 if one was recorded in
 * another form: its shop does not know that it goes, and nothing there takes it back. Throws 400 also for
 * more than 50.
 */
export async function documentedRefunds(
  context: Context,
  sale: StoredTransaction,
  refunds: readonly RefundRow[],
  asked: keyof typeof STANDS,
): Promise<DocumentedRefund[]> {
  if (refunds.length === 0) return []
  if (refunds.length > TOGETHER_MAX)
    throw new TaxJarError(400, `the order has more than ${TOGETHER_MAX} refunds that would change with it`)
  const documents = await readRefundDocuments(context, sale.row.id)
  return refunds.map((refund) => {
    const document = documents.find(({ refund_id }) => refund_id === refund.id)
    if (document === undefined)
      throw new TaxJarError(400, `${STANDS[asked]} (${refund.id}): it cannot be taken back, so both stay`)
    return { refund, document }
  })
}

/**
 * Takes refunds of a sale out of the books, the latest first, as each rests on those before it. Webhooks hear
 * of those that are gone for good.
 */
export async function withdrawRefunds(
  context: Context,
  sale: StoredTransaction,
  refunds: readonly RefundRow[],
  isGone: (id: string) => boolean,
): Promise<{ writes: PartOfWrite[]; sale: StoredTransaction }> {
  const writes: PartOfWrite[] = []
  let left = sale
  for (const { id } of refunds.toReversed()) {
    const back = await writeOfDeletedRefund(context, left, id)
    writes.push(isGone(id) ? back.write : { ...back.write, events: [] })
    left = back.sale
  }
  return { writes, sale: left }
}

/**
 * Records withdrawn refunds again, on what their sale is now, with their days. Nobody is told: they give back
 * what they gave back before.
 */
export async function recordAgain(
  context: Context,
  sale: StoredTransaction,
  refunds: readonly DocumentedRefund[],
  changed_at: string,
): Promise<PartOfWrite[]> {
  const writes: PartOfWrite[] = []
  let left = sale
  for (const { refund, document } of refunds) {
    const { fields } = document
    const again = await writeOfPartialRefund(context, left, fields, refund.refunded_at)
    const ids = { transaction_id: sale.row.id, refund_id: again.refund.id }
    writes.push(
      { ...again.write, events: [] },
      replaceDocument(context, document, { ...ids, fields }, changed_at),
    )
    left = again.sale
  }
  return writes
}
