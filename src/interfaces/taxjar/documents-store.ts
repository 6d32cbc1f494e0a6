import type { Context } from '../../platform/context.ts'
import { guarded } from '../../platform/database/guard.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import type { PartOfWrite } from '../../platform/writes/join-writes.ts'
import type { taxjar_documents } from '../../platform/database/tables/taxjar.ts'
import type { DocumentFields, DocumentName } from './document.ts'

type DocumentRow = Omit<typeof taxjar_documents.$inferSelect, 'account_id'>

/** Our sale and, unless the document is a sale of its own, our refund that a document recorded. */
export type RecordedIds = Pick<DocumentRow, 'transaction_id' | 'refund_id'>

type Recorded = RecordedIds & { fields: DocumentFields }

export type StoredDocument = Recorded & { name: DocumentName; updated_at: string }

const NAMED = 'account_id = ? AND kind = ? AND provider = ? AND document_id = ?'

/** The values of NAMED. */
function namedBy({ principal }: Context, { kind, provider, document_id }: DocumentName) {
  return [principal.account_id, kind, provider, document_id]
}

/** The document with a name; null: there is none. */
export async function readDocument(context: Context, name: DocumentName): Promise<StoredDocument | null> {
  const row = await context.books
    .prepare(`SELECT transaction_id, refund_id, body, updated_at FROM taxjar_documents WHERE ${NAMED}`)
    .bind(...namedBy(context, name))
    .first<Pick<DocumentRow, 'transaction_id' | 'refund_id' | 'body' | 'updated_at'>>()
  if (row === null) return null
  const { body, ...stored } = row
  return { ...stored, name, fields: JSON.parse(body) }
}

/**
 * In place of the id of a refund: the refund left the books with its order. The row stays, so that the shop
 * can delete the document after the order, as WooCommerce does. It is in no list.
 */
export const WITHDRAWN = 'withdrawn'

/** The documents of the refunds of a sale. */
export async function readRefundDocuments(
  { books, principal }: Context,
  transaction_id: string,
): Promise<StoredDocument[]> {
  const { results } = await books
    .prepare(
      `SELECT provider, document_id, transaction_id, refund_id, body, updated_at FROM taxjar_documents
       WHERE account_id = ? AND kind = 'refund' AND transaction_id = ? AND refund_id IS NOT NULL`,
    )
    .bind(principal.account_id, transaction_id)
    .all<Omit<DocumentRow, 'kind'>>()
  return results.map(({ provider, document_id, body, refund_id, updated_at }) => ({
    name: { kind: 'refund', provider, document_id },
    transaction_id,
    refund_id,
    fields: JSON.parse(body),
    updated_at,
  }))
}

/** Marks the documents of the refunds of a sale as withdrawn with it. */
export function markWithdrawn({ books, principal, now }: Context, transaction_id: string): PartOfWrite {
  const mark = books
    .prepare(
      `UPDATE taxjar_documents SET refund_id = ?, updated_at = ?
       WHERE account_id = ? AND kind = 'refund' AND transaction_id = ? AND refund_id IS NOT NULL`,
    )
    .bind(WITHDRAWN, now.toISOString(), principal.account_id, transaction_id)
  return writeOf([mark])
}

/** The ids of documents between two moments, oldest first. */
export async function readDocumentIds(
  { books, principal }: Context,
  { kind, provider }: Omit<DocumentName, 'document_id'>,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<string[]> {
  const { results } = await books
    .prepare(
      `SELECT document_id FROM taxjar_documents
       WHERE account_id = ? AND kind = ? AND provider = ? AND transaction_date BETWEEN ? AND ?
         AND refund_id IS NOT ?
       ORDER BY transaction_date, document_id LIMIT ?`,
    )
    .bind(principal.account_id, kind, provider, from, to, WITHDRAWN, limit)
    .all<{ document_id: string }>()
  return results.map(({ document_id }) => document_id)
}

/** Adds a document. Its batch fails if there is one with this name. */
export function insertDocument(
  { books, principal, now }: Context,
  name: DocumentName,
  recorded: Recorded,
): PartOfWrite {
  const at = now.toISOString()
  const row = { account_id: principal.account_id, ...name, ...columnsOf(recorded) }
  return writeOf(insertRows(books, 'taxjar_documents', [{ ...row, created_at: at, updated_at: at }]))
}

/** Replaces a document. Fails with concurrent_change if it changed since it was read. */
export function replaceDocument(
  context: Context,
  { name, updated_at }: StoredDocument,
  recorded: Recorded,
  changed_at: string,
): PartOfWrite {
  const columns = { ...columnsOf(recorded), updated_at: changed_at }
  const set = Object.keys(columns).map((column) => `${column} = ?`)
  const update = context.books
    .prepare(`UPDATE taxjar_documents SET ${set.join(', ')} WHERE ${NAMED} AND updated_at = ?`)
    .bind(...Object.values(columns), ...namedBy(context, name), updated_at)
  return writeOf(guarded(context.books, update, 'concurrent_change'))
}

/** Deletes a document. Fails with concurrent_change if it changed since it was read. */
export function removeDocument(context: Context, { name, updated_at }: StoredDocument): PartOfWrite {
  const remove = context.books
    .prepare(`DELETE FROM taxjar_documents WHERE ${NAMED} AND updated_at = ?`)
    .bind(...namedBy(context, name), updated_at)
  return writeOf(guarded(context.books, remove, 'concurrent_change'))
}

function columnsOf({ transaction_id, refund_id, fields }: Recorded) {
  const { transaction_date, customer_id } = fields
  return { transaction_id, refund_id, transaction_date, customer_id, body: JSON.stringify(fields) }
}

function writeOf(changes: readonly D1PreparedStatement[]): PartOfWrite {
  return { changes, audit: [], events: [], stores: {} }
}
