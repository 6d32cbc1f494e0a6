import type { Context } from '../../platform/context.ts'
import { findCustomerId } from '../../parties/customers/store.ts'
import type { PartOfWrite } from '../../platform/writes/join-writes.ts'
import { ApiError } from '../../platform/errors.ts'
import { writeOfDrafts } from '../../sales/transactions/record/record.ts'
import { noteUnmapped } from '../../tax-data/product-codes/unmapped.ts'
import type { StoredTransaction } from '../../sales/transactions/sale/rows.ts'
import { findTransaction } from '../../sales/transactions/sale/store.ts'
import { writeOfSuperseding } from '../../sales/transactions/record/supersede.ts'
import type { Annotation } from './annotations.ts'
import { DEFAULT_COUNTRY } from './countries.ts'
import { currencyOf } from './currency.ts'
import { type DocumentFields, externalId } from './document.ts'
import type { DocumentKind } from '../../platform/database/values/taxjar-document-kinds.ts'
import { markWithdrawn, type RecordedIds, type StoredDocument } from './documents-store.ts'
import { writeOfPartialRefund } from './refund-recording.ts'
import { documentedRefunds, recordAgain, withdrawRefunds } from './refunds-of-order.ts'
import { taxCodeReader } from './tax-codes.ts'
import { toldCodes } from './told-codes.ts'
import { draftSale, type RecordedAs, saleOfDocument } from './sale-of-document.ts'

/**
 * The write that records a document, the ids of what it records, what its answer says beside it, and the sale
 * with it.
 */
type Recording = { write: PartOfWrite; ids: RecordedIds; told: Annotation; sale?: StoredTransaction }

type Replacement = { writes: PartOfWrite[]; ids: RecordedIds; told: Annotation }

/**
 * Records an order as a sale, and a refund as a refund of its sale. If that sale is not recorded here or was
 * deleted, the refund becomes a sale of negative amounts that says so.
 */
export async function recordingOf(
  context: Context,
  kind: DocumentKind,
  fields: DocumentFields,
  date: string,
): Promise<Recording> {
  if (kind === 'order') return orderRecording(context, fields, date, null)
  return refundRecording(context, fields, date, await findRefundedSale(context, fields))
}

/**
 * Takes back what a document recorded in a sale, and records the document as it is now. An order keeps the
 * currency of its sale.
 */
export async function replacementOf(
  context: Context,
  stored: StoredDocument,
  sale: StoredTransaction,
  fields: DocumentFields,
  date: string,
): Promise<Replacement> {
  if (stored.refund_id !== null) return replacedRefund(context, stored, stored.refund_id, sale, fields, date)
  if (stored.name.kind === 'order') return replacedOrder(context, sale, fields, date)
  const { write, ids, told } = await recordingOf(context, 'refund', fields, date)
  const by = ids.refund_id === null ? ids.transaction_id : null
  return { writes: [await writeOfSuperseding(context, sale, by), write], ids, told }
}

/**
 * Takes back an order and its refunds, and records the order as it is now and the refunds again, on it.
 * Throws 400 if the refunds are larger than the order is now.
 */
async function replacedOrder(
  context: Context,
  sale: StoredTransaction,
  fields: DocumentFields,
  date: string,
): Promise<Replacement> {
  const refunds = await documentedRefunds(context, sale, sale.refunds, 'order')
  const { writes, sale: left } = await withdrawRefunds(context, sale, sale.refunds, () => false)
  const { write, ids, told, sale: after } = await orderRecording(context, fields, date, sale.row.currency)
  const superseding = await writeOfSuperseding(context, left, ids.transaction_id)
  const again =
    after === undefined ? [] : await recordAgain(context, after, refunds, context.now.toISOString())
  return { writes: [...writes, superseding, write, ...again], ids, told }
}

/** Takes back a refund and those after it, and records it as it is now and those after it again. */
async function replacedRefund(
  context: Context,
  stored: StoredDocument,
  refund_id: string,
  sale: StoredTransaction,
  fields: DocumentFields,
  date: string,
): Promise<Replacement> {
  const { writes, left, later } = await withoutRefund(context, sale, refund_id)
  const same = stored.fields.transaction_reference_id === fields.transaction_reference_id
  const target = same ? left : await findRefundedSale(context, fields)
  const { write, ids, told, sale: after } = await refundRecording(context, fields, date, target)
  const again = await recordAgain(context, (same ? after : null) ?? left, later, context.now.toISOString())
  return { writes: [...writes, write, ...again], ids, told }
}

/** A sale as it is without a refund and the later ones, and the writes that take them back. */
async function withoutRefund(context: Context, sale: StoredTransaction, refund_id: string) {
  const at = sale.refunds.findIndex(({ id }) => id === refund_id)
  // Another request deleted it after the caller learnt its id: the caller has to look again.
  if (at < 0) throw new ApiError('concurrent_change')
  const later = await documentedRefunds(context, sale, sale.refunds.slice(at + 1), 'refund')
  const { writes, sale: left } = await withdrawRefunds(
    context,
    sale,
    sale.refunds.slice(at),
    (id) => id === refund_id,
  )
  return { writes, left, later }
}

/**
 * The writes that take back what a document recorded. With an order go the refunds that were recorded in this
 * form. Later refunds of the same order stay. Throws 400 for a refund of another form.
 */
export async function withdrawalOf(
  context: Context,
  { name, transaction_id, refund_id }: StoredDocument,
  sale: StoredTransaction,
): Promise<PartOfWrite[]> {
  if (refund_id !== null) {
    const { writes, left, later } = await withoutRefund(context, sale, refund_id)
    return [...writes, ...(await recordAgain(context, left, later, context.now.toISOString()))]
  }
  if (name.kind === 'refund' || sale.refunds.length === 0)
    return [await writeOfSuperseding(context, sale, null)]
  await documentedRefunds(context, sale, sale.refunds, 'order')
  const { writes, sale: left } = await withdrawRefunds(context, sale, sale.refunds, () => true)
  return [...writes, markWithdrawn(context, transaction_id), await writeOfSuperseding(context, left, null)]
}

/** Whether the books would contain the same. A refund without a place takes that of its order. */
export async function isSameRecord(
  context: Context,
  currency: string,
  before: DocumentFields,
  after: DocumentFields,
): Promise<boolean> {
  const readCode = await taxCodeReader([...before.line_items, ...after.line_items])
  const recorded = (fields: DocumentFields) => {
    const placed = { ...fields, to_country: fields.to_country ?? DEFAULT_COUNTRY }
    const { line_items, ...sale } = saleOfDocument(context, placed, {
      currency,
      transaction_date: fields.transaction_date,
      external_id: fields.transaction_id,
      customer_id: fields.customer_id,
      readCode,
    })
    const lines = line_items?.map(({ description: _words, reference: _name, ...line }) => line)
    const { transaction_reference_id, exemption_type } = fields
    return JSON.stringify([transaction_reference_id, exemption_type, sale, lines])
  }
  return recorded(before) === recorded(after)
}

async function orderRecording(
  context: Context,
  fields: DocumentFields,
  date: string,
  currency: string | null,
): Promise<Recording> {
  return saleRecording(context, fields, {
    currency: currency ?? (await currencyOf(context, fields.from_country)),
    transaction_date: date,
    external_id: externalId(fields.provider, fields.transaction_id),
  })
}

async function refundRecording(
  context: Context,
  fields: DocumentFields,
  date: string,
  sale: StoredTransaction | null,
): Promise<Recording> {
  if (sale !== null) {
    const recorded = await writeOfPartialRefund(context, sale, fields, date)
    const ids = { transaction_id: sale.row.id, refund_id: recorded.refund.id }
    return { write: recorded.write, ids, told: {}, sale: recorded.sale }
  }
  const recording = await saleRecording(context, fields, {
    currency: await currencyOf(context, fields.from_country),
    transaction_date: date,
    // Orders and refunds may have the same id.
    external_id: `refund:${externalId(fields.provider, fields.transaction_id)}`,
    metadata: { taxjar_refund_of: fields.transaction_reference_id ?? '', taxjar_unknown_order: 'true' },
  })
  return { ...recording, told: { ...recording.told, note: 'refund_of_unknown_order' } }
}

/** A sale of the document. A customer that is not on file is left out. */
async function saleRecording(
  context: Context,
  fields: DocumentFields,
  recorded: Omit<RecordedAs, 'customer_id' | 'readCode'>,
): Promise<Recording> {
  const customer_id = fields.customer_id === null ? null : await findCustomerId(context, fields.customer_id)
  const readCode = await taxCodeReader(fields.line_items)
  const sale = saleOfDocument(context, fields, { ...recorded, customer_id, readCode })
  const lines = sale.line_items ?? []
  noteUnmapped(context, lines)
  const draft = await draftSale(context, fields, sale)
  return {
    write: writeOfDrafts(context, [draft]),
    ids: { transaction_id: draft.row.id, refund_id: null },
    told: toldCodes(lines),
    sale: { row: draft.row, lines: draft.lines, refunds: [] },
  }
}

/** The sale that a refund names; null: it is not recorded here, or not completed. */
async function findRefundedSale(context: Context, fields: DocumentFields): Promise<StoredTransaction | null> {
  const reference = fields.transaction_reference_id
  if (reference === null) return null
  try {
    const sale = await findTransaction(context, { external_id: externalId(fields.provider, reference) })
    return sale.row.status === 'completed' || sale.row.status === 'refunded' ? sale : null
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.reason === 'not_found') return null
    throw thrown
  }
}
