import type { BooksTable, SharedTable } from '../../src/platform/database/databases.ts'
import { commitSystemChange } from '../../src/platform/database/system-change.ts'
import { MOVED_TABLES } from '../../src/service/shards/tables.ts'
import { markErased } from './accounts-store.ts'
import { eraseFilesLater } from '../../src/parties/exemptions/document-store.ts'
import { clearCounters, countRows, endAccess, eraseSlice } from './erase-store.ts'
import { type ManageTools, settledAccount, suspendAccount } from './manage-account.ts'

/**
 * What an erasure does to each table of the books. Sellers must keep the records of their sales, for up to
 * ten years (Implementing Regulation (EU) 282/2011, art. 63c(3)), and returns and audit events prove what was
 * declared. These rows contain no names, and the addresses that decided the tax.
 */
const AT_ERASURE: Readonly<Record<BooksTable | SharedTable, 'erased' | 'kept'>> = {
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

/** Rows by table. */
type Erasure = { erased: Record<string, number>; kept: Record<string, number> }

/**
 * Erases an account: ends its keys and its calendar address, suspends it for ever, and deletes everything
 * that the law does not require. In slices: call it again after a crash. Returns the deleted rows of this
 * call, and the rows that stay.
 */
export async function eraseAccount(tools: ManageTools, id: string): Promise<Erasure> {
  const { control, shardOf, clock } = tools
  await suspendAccount(tools, id)
  const { shard } = await settledAccount(control, id)
  const { books } = shardOf(shard)
  const now = clock()
  const at = now.toISOString()
  await commitSystemChange(control, now, {
    changes: [...endAccess(control, id, at), markErased(control, id, at)],
    audit: [{ account_id: id, action: 'account.erased', resource_id: id, changed: ['erased_at'] }],
    only_if: {
      sql: 'EXISTS (SELECT 1 FROM accounts WHERE accounts.id = entry.account_id AND erased_at IS NULL)',
      values: [],
    },
  })
  if (shard > 0) await markErased(books, id, at).run()
  const result: Erasure = { erased: {}, kept: {} }
  await eraseFilesLater(books, id, at).run()
  // Children first, because rows refer to their parents.
  for (const table of MOVED_TABLES.toReversed()) {
    if (AT_ERASURE[table.table] === 'kept') {
      result.kept[table.table] = await countRows(books, table, id)
      continue
    }
    let rows = 0
    for (let slice = await eraseSlice(books, table, id); slice > 0;) {
      rows += slice
      slice = await eraseSlice(books, table, id)
    }
    result.erased[table.table] = rows
  }
  await clearCounters(books, id).run()
  return result
}
