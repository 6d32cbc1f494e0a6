import { eraseFilesLater } from '../../parties/exemptions/document-store.ts'
import type { BooksDb, BooksTable, SharedTable } from '../../platform/database/databases.ts'
import { readFilled } from '../shards/delete-store.ts'
import { MOVED_TABLES } from '../shards/tables.ts'
import { clearCounters, eraseSlice, SLICE } from './account-store.ts'

/**
 * What an erasure does to each table of the books. Sellers must keep the records of their sales, for up to
 * ten years (Implementing Regulation (EU) 282/2011, art. 63c(3)), and returns and audit events prove what was
 * declared. These rows contain no names, and the addresses that decided the tax.
 */
export const AT_ERASURE: Readonly<Record<BooksTable | SharedTable, 'erased' | 'kept'>> = {
  account_usage: 'kept',
  customers: 'erased',
  exemptions: 'erased',
  certificate_requests: 'erased',
  document_parts: 'erased',
  // The job that deletes the files needs them.
  document_erasures: 'kept',
  vat_validations: 'erased',
  vat_checks: 'erased',
  vat_check_ids: 'erased',
  transactions: 'kept',
  transaction_lines: 'kept',
  refunds: 'kept',
  settlements: 'kept',
  // Chests have what `transactions` and `transaction_lines` have.
  sealed_accounts: 'kept',
  chests: 'kept',
  chest_blocks: 'kept',
  chest_refs: 'kept',
  taxjar_documents: 'erased',
  tax_totals: 'kept',
  transaction_counts: 'kept',
  day_changes: 'erased',
  returns: 'kept',
  return_checks: 'kept',
  return_submissions: 'kept',
  obligation_marks: 'kept',
  filed_rows: 'kept',
  // Their objects have what `filed_rows` had.
  sealed_returns: 'kept',
  audit_events: 'kept',
  audit_seals: 'kept',
  audit_chests: 'kept',
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
  // Children first, because rows refer to their parents.
  const tables = MOVED_TABLES.toReversed().filter(({ table }) => AT_ERASURE[table] === 'erased')
  const filled = await readFilled(books, tables, id)
  if (filled.has('document_parts') || filled.has('exemptions')) await eraseFilesLater(books, id, at).run()
  for (const table of tables) {
    erased[table.table] = 0
    for (let more = filled.has(table.table); more; left -= 1) {
      if (left <= 0) return { erased, done: false }
      const rows = await eraseSlice(books, table, id)
      erased[table.table] = (erased[table.table] ?? 0) + rows
      more = rows >= SLICE
    }
  }
  if (filled.size > 0) await clearCounters(books, id).run()
  return { erased, done: true }
}
