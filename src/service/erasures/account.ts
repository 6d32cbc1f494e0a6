import { eraseFilesLater } from '../../parties/exemptions/document-store.ts'
import type { BooksDb, BooksTable, SharedTable } from '../../platform/database/databases.ts'
import { MOVED_TABLES } from '../shards/tables.ts'
import { clearCounters, eraseSlice } from './account-store.ts'

/**
 * What an erasure does to each table of the books. Sellers must keep the records of their sales, for up to
 * ten years (Implementing Regulation (EU) 282/2011, art. 63c(3)), and returns and audit events prove what was
 * declared. These rows contain no names, and the addresses that decided the tax.
 */
export const AT_ERASURE: Readonly<Record<BooksTable | SharedTable, 'erased' | 'kept'>> = {
  account_usage: 'kept',
  customers: 'erased',
  exemptions: 'erased',
  document_parts: 'erased',
  // The job that deletes the files needs them.
  document_erasures: 'kept',
  vat_validations: 'erased',
  transactions: 'kept',
  transaction_lines: 'kept',
  refunds: 'kept',
  settlements: 'kept',
  taxjar_documents: 'erased',
  tax_totals: 'kept',
  transaction_counts: 'kept',
  day_changes: 'erased',
  returns: 'kept',
  return_checks: 'kept',
  return_submissions: 'kept',
  obligation_marks: 'kept',
  filed_rows: 'kept',
  audit_events: 'kept',
  audit_seals: 'kept',
  idempotency_keys: 'erased',
  events: 'erased',
  threshold_states: 'erased',
  unknown_codes: 'erased',
  webhooks: 'erased',
  webhook_deliveries: 'erased',
  webhook_attempts: 'erased',
}

/**
 * Deletes the rows of an erased account that the law does not require, in at most so many slices. Returns the
 * deleted rows by table, and whether none is left.
 */
export async function eraseRows(
  books: BooksDb,
  id: string,
  at: string,
  slices = Number.POSITIVE_INFINITY,
): Promise<{ erased: Record<string, number>; done: boolean }> {
  const erased: Record<string, number> = {}
  let left = slices
  await eraseFilesLater(books, id, at).run()
  // Children first, because rows refer to their parents.
  for (const table of MOVED_TABLES.toReversed()) {
    if (AT_ERASURE[table.table] === 'kept') continue
    erased[table.table] = 0
    for (let rows = -1; rows !== 0; left -= 1) {
      if (left <= 0) return { erased, done: false }
      rows = await eraseSlice(books, table, id)
      erased[table.table] = (erased[table.table] ?? 0) + rows
    }
  }
  await clearCounters(books, id).run()
  return { erased, done: true }
}
