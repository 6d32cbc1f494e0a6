import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { joinWrites, type PartOfWrite } from '../../platform/writes/join-writes.ts'
import { changedAt, readAgainOnChange } from '../../platform/database/read-again.ts'
import { findTransaction } from '../../sales/transactions/sale/store.ts'
import { annotated } from './annotations.ts'
import type { DocumentKind } from '../../platform/database/values/taxjar-document-kinds.ts'
import {
  dateOf,
  type DocumentFields,
  type DocumentName,
  isDayAlone,
  newDocument,
  presentDeleted,
  presentDocument,
  PROVIDER,
  type ShownDocument,
  withGiven,
} from './document.ts'
import {
  insertDocument,
  readDocument,
  readDocumentIds,
  removeDocument,
  replaceDocument,
  type StoredDocument,
  WITHDRAWN,
} from './documents-store.ts'
import { DUPLICATE, inTheirWords, NOT_FOUND, TaxJarError } from './errors.ts'
import { isSameRecord, recordingOf, replacementOf, withdrawalOf } from './recording.ts'
import type { DocumentInput, DocumentsQuery } from './schemas.ts'

/** `{ order: … }` or `{ refund: … }`. */
type DocumentReply = Record<string, ShownDocument>

const IDS_MAX = 5_000

/** The ids of the documents of a kind within some days. Throws 400 if there are more than 5,000. */
export async function listDocuments(
  context: Context,
  kind: DocumentKind,
  query: z.output<typeof DocumentsQuery>,
): Promise<string[]> {
  const { transaction_date: day, from_transaction_date, to_transaction_date, provider } = query
  const [first, last] = [day ?? from_transaction_date, day ?? to_transaction_date]
  const ids = await readDocumentIds(
    context,
    { kind, provider: provider ?? PROVIDER },
    {
      from: first ? dateOf(first).slice(0, 10) : '',
      to: last ? `${dateOf(last).slice(0, 10)}T23:59:59.999Z` : '~',
      limit: IDS_MAX + 1,
    },
  )
  if (ids.length <= IDS_MAX) return ids
  throw new TaxJarError(400, `there are more than ${IDS_MAX} ${kind}s: give fewer days`)
}

/** A document as it was recorded. Throws 404. */
export async function showDocument(context: Context, name: DocumentName): Promise<DocumentReply> {
  return replyOf(context, name, (await findDocument(context, name)).fields)
}

/**
 * Records an order or a refund with the tax and the lines that it states. Throws 422 if its id is taken, and
 * 400 if a refund is larger than what is left of its order.
 */
export async function createDocument(
  context: Context,
  kind: DocumentKind,
  given: DocumentInput,
): Promise<DocumentReply> {
  const fields = newDocument(kind, given, context.principal.seller?.country ?? null)
  const name = { kind, provider: fields.provider, document_id: fields.transaction_id }
  // Before anything else is found wrong with it: shops then send it as an update.
  const before = await readDocument(context, name)
  if (before !== null && before.refund_id !== WITHDRAWN) throw new TaxJarError(422, DUPLICATE)
  const removed = before === null ? [] : [removeDocument(context, before)]
  return readAgainOnChange(async () =>
    inTheirWords(addressOf(fields), async () => {
      const { write, ids, told } = await recordingOf(context, kind, fields, dateInBooks(given, fields))
      await commitDocument(context, [write, ...removed, insertDocument(context, name, { ...ids, fields })])
      return annotated(replyOf(context, name, fields), told)
    }),
  )
}

/**
 * Changes a document. If its amounts, tax or places change, the recorded sale or refund is replaced by a new
 * one. Otherwise only the document changes. Throws 404, and 400 if a refund or a filed return stands against
 * the change.
 */
export async function updateDocument(
  context: Context,
  name: DocumentName,
  given: DocumentInput,
): Promise<DocumentReply> {
  return readAgainOnChange(async () => {
    const stored = await findDocument(context, name)
    const fields = withGiven(name.kind, stored.fields, { ...given, transaction_id: name.document_id })
    return inTheirWords(addressOf(fields), async () => {
      const sale = await findTransaction(context, { id: stored.transaction_id })
      const at = changedAt(context.now, stored.updated_at)
      if (await isSameRecord(context, sale.row.currency, stored.fields, fields)) {
        const write = replaceDocument(context, stored, { ...stored, fields }, at)
        await commitDocument(context, [{ ...write, audit: [wordsChanged(stored)] }])
      } else {
        const refunded = sale.refunds.find(({ id }) => id === stored.refund_id)?.refunded_at
        const date = given.transaction_date
          ? dateInBooks(given, fields)
          : (refunded ?? sale.row.transaction_date)
        const { writes, ids, told } = await replacementOf(context, stored, sale, fields, date)
        await commitDocument(context, [...writes, replaceDocument(context, stored, { ...ids, fields }, at)])
        return annotated(replyOf(context, name, fields), told)
      }
      return replyOf(context, name, fields)
    })
  })
}

/**
 * Deletes a document: its sale or refund leaves the books. With an order go its refunds, whose documents can
 * still be deleted. Throws 404, and 400 as an update does.
 */
export async function deleteDocument(context: Context, name: DocumentName): Promise<DocumentReply> {
  return readAgainOnChange(async () => {
    const stored = await readDocument(context, name)
    if (stored === null) throw new TaxJarError(404, NOT_FOUND)
    const writes =
      stored.refund_id === WITHDRAWN
        ? [{ ...NOTHING, audit: [wordsChanged(stored)] }]
        : await withdrawalOf(context, stored, await findTransaction(context, { id: stored.transaction_id }))
    await commitDocument(context, [...writes, removeDocument(context, stored)])
    return { [name.kind]: presentDeleted(context.principal.account_id, stored.fields) }
  })
}

async function findDocument(context: Context, name: DocumentName): Promise<StoredDocument> {
  const stored = await readDocument(context, name)
  if (stored === null || stored.refund_id === WITHDRAWN) throw new TaxJarError(404, NOT_FOUND)
  return stored
}

const NOTHING: PartOfWrite = { changes: [], audit: [], stores: {}, events: [] }

/** The audit entry of a change that the books do not contain, such as that of a street. */
function wordsChanged({ transaction_id }: StoredDocument) {
  return { action: 'transaction.document_updated', resource_id: transaction_id, changed: ['document'] }
}

/** Writes a document with its sale or refund in one batch. Throws 422 if a document has its name. */
async function commitDocument(context: Context, parts: readonly PartOfWrite[]): Promise<void> {
  try {
    await commit(context, { ...joinWrites(parts), answer: {} })
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message.includes('UNIQUE constraint failed: taxjar_documents'))
      throw new TaxJarError(422, DUPLICATE)
    throw thrown
  }
}

/** The date of a document for our books: a day alone is that day in the time zone of the account. */
function dateInBooks({ transaction_date }: DocumentInput, fields: DocumentFields): string {
  return transaction_date && isDayAlone(transaction_date)
    ? fields.transaction_date.slice(0, 10)
    : fields.transaction_date
}

/** The address that errors name. */
function addressOf({ to_state, to_zip }: DocumentFields) {
  return { state: to_state, zip: to_zip }
}

function replyOf({ principal }: Context, { kind }: DocumentName, fields: DocumentFields): DocumentReply {
  return { [kind]: presentDocument(principal.account_id, fields) }
}
