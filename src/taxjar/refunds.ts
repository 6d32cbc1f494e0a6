import type * as z from 'zod'
import type { Context } from '../context.ts'
import type { PartOfWrite } from '../database/join-writes.ts'
import { changedAt, readAgainOnChange } from '../database/read-again.ts'
import { ApiError } from '../errors.ts'
import { writeOfDeletedRefund } from '../transactions/delete-refund.ts'
import { writeOfDrafts } from '../transactions/record.ts'
import { writeOfRefund } from '../transactions/refund.ts'
import type { StoredTransaction } from '../transactions/rows.ts'
import { findTransaction } from '../transactions/store.ts'
import { writeOfSuperseding } from '../transactions/supersede.ts'
import type { RefundAnswer } from './answers.ts'
import { commitDocument, documentWrite } from './commit-document.ts'
import { DEFAULT_COUNTRY } from './countries.ts'
import { currencyOf } from './currency.ts'
import {
  type DocumentFields,
  type DocumentName,
  externalId,
  newDocument,
  presentDeleted,
  presentDocument,
  PROVIDER,
  withGiven,
} from './document.ts'
import { insertDocument, removeDocument, replaceDocument, type StoredDocument } from './documents-store.ts'
import { inTheirWords, TaxJarError } from './errors.ts'
import {
  bookDate,
  customerIdOf,
  findDocument,
  placeOf,
  refuseDuplicate,
  replaceWords,
  sameSale,
} from './orders.ts'
import { refundOfSale } from './refund-of-sale.ts'
import type { TaxJarReply } from './reply.ts'
import { draftSale, saleOfDocument } from './sale-of-document.ts'
import type { DocumentInput } from './schemas.ts'

type RefundReply = TaxJarReply<z.input<typeof RefundAnswer>>

/** For the log line: the sale of a refund is not recorded here. */
const UNKNOWN_ORDER = 'refund_of_unknown_order'

/**
 * Records a refund with the tax and the lines that it states. If its order is not recorded here or was
 * deleted, it becomes a sale of negative amounts that says so. Throws 422 if its id is taken, and 400 if it
 * is larger than what is left of the order.
 */
export async function createRefund(context: Context, given: DocumentInput): Promise<RefundReply> {
  const fields = newDocument('refund', given, context.principal.seller?.country ?? null)
  await refuseDuplicate(context, nameOf(fields))
  return readAgainOnChange(async () => {
    const { write, ids, note } = await inTheirWords(placeOf(fields), async () =>
      recordingOf(context, fields, bookDate(given, fields), await findSale(context, fields)),
    )
    await commitDocument(context, [
      write,
      documentWrite(insertDocument(context, nameOf(fields), { ...ids, fields })),
    ])
    return { ...reply(context, fields), note }
  })
}

/** A refund as it was recorded. Throws 404. */
export async function showRefund(
  context: Context,
  id: string,
  provider: string | null,
): Promise<RefundReply> {
  return reply(context, (await findDocument(context, refundName(id, provider))).fields)
}

/**
 * Changes a refund. If its amounts change, the recorded one is taken back and a new one is recorded. Throws
 * 404, and 400 if the order has a later refund or the refund is in a filed return.
 */
export async function updateRefund(context: Context, id: string, given: DocumentInput): Promise<RefundReply> {
  return readAgainOnChange(async () => {
    const stored = await findDocument(context, refundName(id, given.provider ?? null))
    const fields = withGiven('refund', stored.fields, { ...given, transaction_id: id })
    const { row } = await findTransaction(context, { id: stored.transaction_id })
    if (isSameRefund(context, row.currency, stored.fields, fields))
      await replaceWords(context, stored, fields)
    else await replaceRefund(context, stored, fields, given)
    return reply(context, fields)
  })
}

/** Deletes a refund: it leaves the books. Throws 404, and 400 as an update does. */
export async function deleteRefund(
  context: Context,
  id: string,
  provider: string | null,
): Promise<RefundReply> {
  return readAgainOnChange(async () => {
    const stored = await findDocument(context, refundName(id, provider))
    const write = await takingBack(context, stored, null)
    await commitDocument(context, [write, documentWrite(removeDocument(context, stored))])
    return { body: { refund: presentDeleted(context.principal.account_id, stored.fields) } }
  })
}

async function replaceRefund(
  context: Context,
  stored: StoredDocument,
  fields: DocumentFields,
  given: DocumentInput,
): Promise<void> {
  await inTheirWords(placeOf(fields), async () => {
    const date = given.transaction_date ? bookDate(given, fields) : await recordedDate(context, stored)
    const { writes, ids } = await replacingWrites(context, stored, fields, date)
    const at = changedAt(context.now, stored.updated_at)
    await commitDocument(context, [
      ...writes,
      documentWrite(replaceDocument(context, stored, { ...ids, fields }, at)),
    ])
  })
}

/** When our books say that a refund was made. */
async function recordedDate(
  context: Context,
  { transaction_id, refund_id }: StoredDocument,
): Promise<string> {
  const { row, refunds } = await findTransaction(context, { id: transaction_id })
  return refunds.find(({ id }) => id === refund_id)?.refunded_at ?? row.transaction_date
}

/** The writes that take a refund back and record another one instead. */
async function replacingWrites(
  context: Context,
  stored: StoredDocument,
  fields: DocumentFields,
  date: string,
) {
  if (stored.refund_id === null) {
    const { write, ids } = await recordingOf(context, fields, date, await findSale(context, fields))
    const by = ids.refund_id === null ? ids.transaction_id : null
    return { writes: [await takingBack(context, stored, by), write], ids }
  }
  const back = await takenBack(context, stored, stored.refund_id)
  const same = stored.fields.transaction_reference_id === fields.transaction_reference_id
  const target = same ? back.sale : await findSale(context, fields)
  const { write, ids } = await recordingOf(context, fields, date, target)
  return { writes: [back.write, write], ids }
}

type Recording = {
  write: PartOfWrite
  ids: { transaction_id: string; refund_id: string | null }
  note: string | null
}

/** The write of a refund, of a recorded sale or of an unknown one. */
async function recordingOf(
  context: Context,
  fields: DocumentFields,
  date: string,
  sale: StoredTransaction | null,
): Promise<Recording> {
  if (sale === null) return creditOf(context, fields, date)
  const { refund, write } = await refundWrite(context, sale, fields, date)
  return { write, ids: { transaction_id: sale.row.id, refund_id: refund.id }, note: null }
}

/** By lines if they fit, else as a whole with the stated tax. */
async function refundWrite(context: Context, sale: StoredTransaction, fields: DocumentFields, date: string) {
  const { by_line, whole } = refundOfSale(sale, fields, {
    reason: `Refund ${fields.transaction_id}`,
    refunded_at: date,
    external_id: externalId(fields.provider, fields.transaction_id),
  })
  if ((whole.amount ?? 0) < 1)
    throw new TaxJarError(400, 'the refund gives nothing back: amount, shipping and sales_tax are 0')
  if (by_line !== null) {
    try {
      return await writeOfRefund(context, sale, by_line)
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.reason !== 'refund_exceeds_remaining') throw thrown
    }
  }
  try {
    return await writeOfRefund(context, sale, whole)
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.reason !== 'refund_exceeds_remaining') throw thrown
    throw new TaxJarError(
      400,
      `the refund is larger than what is left of order ${fields.transaction_reference_id ?? ''}`,
    )
  }
}

async function creditOf(context: Context, fields: DocumentFields, date: string): Promise<Recording> {
  const draft = await draftSale(
    context,
    saleOfDocument(context, fields, {
      currency: await currencyOf(context, fields.from_country),
      transaction_date: date,
      // Orders and refunds may have the same id.
      external_id: `refund:${externalId(fields.provider, fields.transaction_id)}`,
      customer_id: await customerIdOf(context, fields),
      metadata: { taxjar_refund_of: fields.transaction_reference_id ?? '', taxjar_unknown_order: 'true' },
    }),
  )
  return {
    write: writeOfDrafts(context, [draft]),
    ids: { transaction_id: draft.row.id, refund_id: null },
    note: UNKNOWN_ORDER,
  }
}

/** The write that takes a refund back. `by`: the sale that replaces one that was a sale of its own. */
async function takingBack(context: Context, stored: StoredDocument, by: string | null): Promise<PartOfWrite> {
  if (stored.refund_id !== null) return (await takenBack(context, stored, stored.refund_id)).write
  return writeOfSuperseding(context, await findTransaction(context, { id: stored.transaction_id }), by)
}

/** The write that takes a refund of a recorded sale back, and the sale as it is then. */
async function takenBack(context: Context, { transaction_id }: StoredDocument, refund_id: string) {
  const sale = await findTransaction(context, { id: transaction_id })
  try {
    return await writeOfDeletedRefund(context, sale, refund_id)
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.reason !== 'refund_not_latest') throw thrown
    throw new TaxJarError(400, 'the order has a later refund: change or delete that one first')
  }
}

/** The sale that a refund names; null: it is not recorded here, or not completed. */
async function findSale(context: Context, fields: DocumentFields): Promise<StoredTransaction | null> {
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

/** Whether a refund changes only words. One without a place takes that of its order. */
function isSameRefund(
  context: Context,
  currency: string,
  before: DocumentFields,
  after: DocumentFields,
): boolean {
  const placed = (fields: DocumentFields) => ({ ...fields, to_country: fields.to_country ?? DEFAULT_COUNTRY })
  return (
    before.transaction_reference_id === after.transaction_reference_id &&
    sameSale(context, currency, placed(before), placed(after))
  )
}

function nameOf({ provider, transaction_id }: DocumentFields): DocumentName {
  return refundName(transaction_id, provider)
}

function refundName(document_id: string, provider: string | null): DocumentName {
  return { kind: 'refund', provider: provider ?? PROVIDER, document_id }
}

function reply({ principal }: Context, fields: DocumentFields): RefundReply {
  return { body: { refund: presentDocument(principal.account_id, fields) } }
}
