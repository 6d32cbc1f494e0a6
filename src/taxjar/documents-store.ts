import type { Context } from '../context.ts'
import { guarded } from '../database/guard.ts'
import { insertRows } from '../database/insert-rows.ts'
import type { taxjar_documents } from '../database/tables/taxjar.ts'
import type { DocumentFields, DocumentName } from './document.ts'

type DocumentRow = Omit<typeof taxjar_documents.$inferSelect, 'account_id'>

/** A stored document, with our sale and refund that it recorded. */
export type StoredDocument = {
  name: DocumentName
  transaction_id: string
  refund_id: string | null
  fields: DocumentFields
  updated_at: string
}

/** The document with a name; null: there is none. */
export async function readDocument(
  { books, principal }: Context,
  name: DocumentName,
): Promise<StoredDocument | null> {
  const row = await books
    .prepare(
      `SELECT transaction_id, refund_id, body, updated_at FROM taxjar_documents
       WHERE account_id = ? AND kind = ? AND provider = ? AND document_id = ?`,
    )
    .bind(principal.account_id, name.kind, name.provider, name.document_id)
    .first<Pick<DocumentRow, 'transaction_id' | 'refund_id' | 'body' | 'updated_at'>>()
  if (row === null) return null
  const { body, ...stored } = row
  return { ...stored, name, fields: JSON.parse(body) }
}

/** The ids of documents between two moments, oldest first. */
export async function listDocuments(
  { books, principal }: Context,
  { kind, provider }: Omit<DocumentName, 'document_id'>,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<string[]> {
  const { results } = await books
    .prepare(
      `SELECT document_id FROM taxjar_documents
       WHERE account_id = ? AND kind = ? AND provider = ? AND transaction_date BETWEEN ? AND ?
       ORDER BY transaction_date, document_id LIMIT ?`,
    )
    .bind(principal.account_id, kind, provider, from, to, limit)
    .all<{ document_id: string }>()
  return results.map(({ document_id }) => document_id)
}

type Recorded = { transaction_id: string; refund_id: string | null; fields: DocumentFields }

/** Adds a document. Its batch fails if there is one with this name. */
export function insertDocument(
  { books, principal, now }: Context,
  { kind, provider, document_id }: DocumentName,
  { transaction_id, refund_id, fields }: Recorded,
): D1PreparedStatement[] {
  const at = now.toISOString()
  return insertRows(books, 'taxjar_documents', [
    {
      account_id: principal.account_id,
      kind,
      provider,
      document_id,
      transaction_id,
      refund_id,
      transaction_date: fields.transaction_date,
      customer_id: fields.customer_id,
      body: JSON.stringify(fields),
      created_at: at,
      updated_at: at,
    },
  ])
}

/** Replaces a document. Fails with concurrent_change if it changed since it was read. */
export function replaceDocument(
  { books, principal }: Context,
  { name, updated_at }: StoredDocument,
  { transaction_id, refund_id, fields }: Recorded,
  changed_at: string,
): D1PreparedStatement[] {
  const update = books
    .prepare(
      `UPDATE taxjar_documents SET transaction_id = ?, refund_id = ?, transaction_date = ?, customer_id = ?,
         body = ?, updated_at = ?
       WHERE account_id = ? AND kind = ? AND provider = ? AND document_id = ? AND updated_at = ?`,
    )
    .bind(
      transaction_id,
      refund_id,
      fields.transaction_date,
      fields.customer_id,
      JSON.stringify(fields),
      changed_at,
      principal.account_id,
      name.kind,
      name.provider,
      name.document_id,
      updated_at,
    )
  return guarded(books, update, 'concurrent_change')
}

/** Deletes a document. Fails with concurrent_change if it changed since it was read. */
export function removeDocument(
  { books, principal }: Context,
  { name, updated_at }: StoredDocument,
): D1PreparedStatement[] {
  const remove = books
    .prepare(
      `DELETE FROM taxjar_documents
       WHERE account_id = ? AND kind = ? AND provider = ? AND document_id = ? AND updated_at = ?`,
    )
    .bind(principal.account_id, name.kind, name.provider, name.document_id, updated_at)
  return guarded(books, remove, 'concurrent_change')
}
