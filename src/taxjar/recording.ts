import type { Context } from '../context.ts'
import { findCustomerId } from '../customers/store.ts'
import type { PartOfWrite } from '../database/join-writes.ts'
import { ApiError } from '../errors.ts'
import { writeOfDeletedRefund } from '../transactions/delete-refund.ts'
import { writeOfDrafts } from '../transactions/record.ts'
import { writeOfRefund } from '../transactions/refund.ts'
import { noteUnmapped } from '../product-codes/unmapped.ts'
import type { StoredTransaction } from '../transactions/rows.ts'
import { findTransaction } from '../transactions/store.ts'
import { writeOfSuperseding } from '../transactions/supersede.ts'
import type { Annotation } from './annotations.ts'
import { DEFAULT_COUNTRY } from './countries.ts'
import { currencyOf } from './currency.ts'
import { type DocumentFields, externalId } from './document.ts'
import type { DocumentKind } from './document-kinds.ts'
import type { RecordedIds, StoredDocument } from './documents-store.ts'
import { TaxJarError } from './errors.ts'
import { refundOfSale } from './refund-of-sale.ts'
import { taxCodeReader } from './tax-codes.ts'
import { toldCodes } from './told-codes.ts'
import { draftSale, type RecordedAs, saleOfDocument } from './sale-of-document.ts'

/** The write that records a document, the ids of what it records, and what its answer says beside it. */
type Recording = { write: PartOfWrite; ids: RecordedIds; told: Annotation }

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
): Promise<{ writes: PartOfWrite[]; ids: RecordedIds; told: Annotation }> {
  if (stored.refund_id !== null) {
    const back = await withdrawalOf(context, stored, sale, null)
    const same = stored.fields.transaction_reference_id === fields.transaction_reference_id
    const target = same ? back.sale : await findRefundedSale(context, fields)
    const { write, ids, told } = await refundRecording(context, fields, date, target)
    return { writes: [back.write, write], ids, told }
  }
  const { write, ids, told } =
    stored.name.kind === 'order'
      ? await orderRecording(context, fields, date, sale.row.currency)
      : await recordingOf(context, 'refund', fields, date)
  const by = ids.refund_id === null ? ids.transaction_id : null
  return { writes: [(await withdrawalOf(context, stored, sale, by)).write, write], ids, told }
}

/**
 * The write that takes back the refund or the whole sale of a document, and the sale as it is then. `by`: the
 * sale that replaces it. Throws refund_not_latest, transaction_not_replaceable.
 */
export async function withdrawalOf(
  context: Context,
  { refund_id }: StoredDocument,
  sale: StoredTransaction,
  by: string | null,
): Promise<{ write: PartOfWrite; sale: StoredTransaction }> {
  return refund_id === null
    ? { write: await writeOfSuperseding(context, sale, by), sale }
    : writeOfDeletedRefund(context, sale, refund_id)
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
    return JSON.stringify([fields.transaction_reference_id, sale, lines])
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
    const { refund, write } = await writeOfPartialRefund(context, sale, fields, date)
    return { write, ids: { transaction_id: sale.row.id, refund_id: refund.id }, told: {} }
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
  const draft = await draftSale(context, sale)
  return {
    write: writeOfDrafts(context, [draft]),
    ids: { transaction_id: draft.row.id, refund_id: null },
    told: toldCodes(lines),
  }
}

/** By lines if they fit, else as a whole with the stated tax. */
async function writeOfPartialRefund(
  context: Context,
  sale: StoredTransaction,
  fields: DocumentFields,
  date: string,
) {
  const readCode = await taxCodeReader(fields.line_items)
  const { by_line, whole } = refundOfSale(sale, fields, readCode, {
    reason: `Refund ${fields.transaction_id}`,
    refunded_at: date,
    external_id: externalId(fields.provider, fields.transaction_id),
  })
  if ((whole.amount ?? 0) < 1)
    throw new TaxJarError(400, 'the refund gives nothing back: amount, shipping and sales_tax are 0')
  for (const asked of by_line === null ? [whole] : [by_line, whole])
    try {
      return await writeOfRefund(context, sale, asked)
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.reason !== 'refund_exceeds_remaining') throw thrown
    }
  const order = fields.transaction_reference_id ?? ''
  throw new TaxJarError(400, `the refund is larger than what is left of order ${order}`)
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
