import type * as z from 'zod'
import type { Context } from '../context.ts'
import { findCustomerId } from '../customers/store.ts'
import { changedAt, readAgainOnChange } from '../database/read-again.ts'
import { ApiError } from '../errors.ts'
import { writeOfDrafts } from '../transactions/record.ts'
import type { StoredTransaction } from '../transactions/rows.ts'
import { findTransaction } from '../transactions/store.ts'
import { writeOfSuperseding } from '../transactions/supersede.ts'
import type { OrderAnswer } from './answers.ts'
import { commitDocument, documentWrite } from './commit-document.ts'
import { currencyOf } from './currency.ts'
import {
  type DocumentFields,
  type DocumentName,
  externalId,
  isDayAlone,
  newDocument,
  presentDeleted,
  presentDocument,
  PROVIDER,
  withGiven,
} from './document.ts'
import {
  insertDocument,
  readDocument,
  removeDocument,
  replaceDocument,
  type StoredDocument,
} from './documents-store.ts'
import { DUPLICATE, inTheirWords, NOT_FOUND, TaxJarError } from './errors.ts'
import type { TaxJarReply } from './reply.ts'
import { draftSale, saleOfDocument } from './sale-of-document.ts'
import type { DocumentInput } from './schemas.ts'

type OrderReply = TaxJarReply<z.input<typeof OrderAnswer>>

/** Records an order with the tax that it states. Throws 422 if its id is taken. */
export async function createOrder(context: Context, given: DocumentInput): Promise<OrderReply> {
  const fields = newDocument('order', given, context.principal.seller?.country ?? null)
  const name = nameOf(fields)
  await refuseDuplicate(context, name)
  await inTheirWords(placeOf(fields), async () => {
    const currency = await currencyOf(context, fields.from_country)
    const draft = await draftSale(
      context,
      saleOfDocument(context, fields, {
        currency,
        transaction_date: bookDate(given, fields),
        external_id: externalId(fields.provider, fields.transaction_id),
        customer_id: await customerIdOf(context, fields),
      }),
    )
    const recorded = { transaction_id: draft.row.id, refund_id: null, fields }
    await commitDocument(context, [
      writeOfDrafts(context, [draft]),
      documentWrite(insertDocument(context, name, recorded)),
    ])
  })
  return reply(context, fields)
}

/** An order as it was recorded. Throws 404. */
export async function showOrder(context: Context, id: string, provider: string | null): Promise<OrderReply> {
  return reply(context, (await findDocument(context, orderName(id, provider))).fields)
}

/**
 * Changes an order. If its amounts, tax or places change, a new sale replaces the recorded one. Otherwise
 * only the document changes. Throws 404, and 400 if the order has a refund or is in a filed return.
 */
export async function updateOrder(context: Context, id: string, given: DocumentInput): Promise<OrderReply> {
  return readAgainOnChange(async () => {
    const stored = await findDocument(context, orderName(id, given.provider ?? null))
    const fields = withGiven('order', stored.fields, { ...given, transaction_id: id })
    await inTheirWords(placeOf(fields), async () => {
      const sale = await findTransaction(context, { id: stored.transaction_id })
      if (sameSale(context, sale.row.currency, stored.fields, fields))
        await replaceWords(context, stored, fields)
      else await replaceSale(context, { stored, sale, fields, given })
    })
    return reply(context, fields)
  })
}

/** Deletes an order: its sale leaves the books. Throws 404, and 400 as an update does. */
export async function deleteOrder(
  context: Context,
  id: string,
  provider: string | null,
): Promise<OrderReply> {
  return readAgainOnChange(async () => {
    const stored = await findDocument(context, orderName(id, provider))
    const sale = await findTransaction(context, { id: stored.transaction_id })
    await commitDocument(context, [
      await superseding(context, sale, null),
      documentWrite(removeDocument(context, stored)),
    ])
    return { body: { order: presentDeleted(context.principal.account_id, stored.fields) } }
  })
}

type Replacement = {
  stored: StoredDocument
  sale: StoredTransaction
  fields: DocumentFields
  given: DocumentInput
}

async function replaceSale(context: Context, { stored, sale, fields, given }: Replacement): Promise<void> {
  const draft = await draftSale(
    context,
    saleOfDocument(context, fields, {
      currency: sale.row.currency,
      transaction_date: given.transaction_date ? bookDate(given, fields) : sale.row.transaction_date,
      external_id: externalId(fields.provider, fields.transaction_id),
      customer_id: await customerIdOf(context, fields),
    }),
  )
  const recorded = { transaction_id: draft.row.id, refund_id: null, fields }
  await commitDocument(context, [
    await superseding(context, sale, draft.row.id),
    writeOfDrafts(context, [draft]),
    documentWrite(replaceDocument(context, stored, recorded, changedAt(context.now, stored.updated_at))),
  ])
}

/** Changes what the books do not contain, such as a street. */
export async function replaceWords(
  context: Context,
  stored: StoredDocument,
  fields: DocumentFields,
): Promise<void> {
  const recorded = { transaction_id: stored.transaction_id, refund_id: stored.refund_id, fields }
  await commitDocument(context, [
    {
      ...documentWrite(replaceDocument(context, stored, recorded, changedAt(context.now, stored.updated_at))),
      audit: [
        { action: 'transaction.document_updated', resource_id: stored.transaction_id, changed: ['document'] },
      ],
    },
  ])
}

async function superseding(context: Context, sale: StoredTransaction, by: string | null) {
  try {
    return await writeOfSuperseding(context, sale, by)
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.reason !== 'transaction_not_replaceable') throw thrown
    throw new TaxJarError(400, 'the order has refunds: delete them before you change or delete the order')
  }
}

/** Whether the books would contain the same sale. */
export function sameSale(
  context: Context,
  currency: string,
  before: DocumentFields,
  after: DocumentFields,
): boolean {
  const recorded = (fields: DocumentFields) => {
    const { line_items, ...sale } = saleOfDocument(context, fields, {
      currency,
      transaction_date: fields.transaction_date,
      external_id: fields.transaction_id,
      customer_id: fields.customer_id,
    })
    const lines = line_items?.map(({ description: _words, reference: _name, ...line }) => line)
    return JSON.stringify([sale, lines])
  }
  return recorded(before) === recorded(after)
}

/** The date of a document for our books: a day alone is that day in the time zone of the account. */
export function bookDate({ transaction_date }: DocumentInput, fields: DocumentFields): string {
  return transaction_date && isDayAlone(transaction_date)
    ? fields.transaction_date.slice(0, 10)
    : fields.transaction_date
}

/** Our id of the customer of a document; null: it names none, or none that is on file. */
export async function customerIdOf(
  context: Context,
  { customer_id }: DocumentFields,
): Promise<string | null> {
  return customer_id === null ? null : findCustomerId(context, customer_id)
}

/**
 * Throws 422 if there is a document with this name, before anything else is found wrong with it: shops then
 * send it as an update.
 */
export async function refuseDuplicate(context: Context, name: DocumentName): Promise<void> {
  if ((await readDocument(context, name)) !== null) throw new TaxJarError(422, DUPLICATE)
}

/** A document by its name. Throws 404. */
export async function findDocument(context: Context, name: DocumentName): Promise<StoredDocument> {
  const stored = await readDocument(context, name)
  if (stored === null) throw new TaxJarError(404, NOT_FOUND)
  return stored
}

function nameOf({ provider, transaction_id }: DocumentFields): DocumentName {
  return orderName(transaction_id, provider)
}

function orderName(document_id: string, provider: string | null): DocumentName {
  return { kind: 'order', provider: provider ?? PROVIDER, document_id }
}

/** The address that errors name. */
export function placeOf({ to_state, to_zip }: DocumentFields) {
  return { state: to_state, zip: to_zip }
}

function reply({ principal }: Context, fields: DocumentFields): OrderReply {
  return { body: { order: presentDocument(principal.account_id, fields) } }
}
