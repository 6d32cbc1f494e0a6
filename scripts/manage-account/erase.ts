import { commitSystemChange } from '../../src/platform/writes/system-change.ts'
import { AT_ERASURE, eraseRows } from '../../src/service/erasures/account.ts'
import { countRows, endAccess, markErased } from '../../src/service/erasures/account-store.ts'
import { noteErasure } from '../../src/platform/database/note-erasure.ts'
import { MOVED_TABLES } from '../../src/service/shards/tables.ts'
import { type ManageTools, settledAccount, suspendAccount } from './manage-account.ts'

/** Rows by table. */
type Erasure = { erased: Record<string, number>; kept: Record<string, number> }

/**
 * Erases an account: ends its keys and its calendar address, suspends it for ever, and deletes everything
 * that the law does not require. In slices: call it again after a crash. Returns the deleted rows of this
 * call, and the rows that stay.
 */
export async function eraseAccount(tools: ManageTools, id: string): Promise<Erasure> {
  const { control, shardOf, clock } = tools
  if ((await settledAccount(control, id)).held_at !== null)
    throw new Error(`There is a legal hold on ${id}: release it first`)
  await suspendAccount(tools, id)
  const { shard } = await settledAccount(control, id)
  const { books } = shardOf(shard)
  const now = clock()
  const at = now.toISOString()
  await commitSystemChange(control, now, {
    changes: [
      ...endAccess(control, id, at),
      markErased(control, id, at),
      noteErasure(control, { account_id: id, customer_id: '' }, at),
    ],
    audit: [{ account_id: id, action: 'account.erased', resource_id: id, changed: ['erased_at'] }],
    only_if: {
      sql: 'EXISTS (SELECT 1 FROM accounts WHERE accounts.id = entry.account_id AND erased_at IS NULL)',
      values: [],
    },
  })
  if (shard > 0) await markErased(books, id, at).run()
  const { erased } = await eraseRows(books, id, at)
  const kept: Record<string, number> = {}
  for (const table of MOVED_TABLES.toReversed())
    if (AT_ERASURE[table.table] === 'kept') kept[table.table] = await countRows(books, table, id)
  return { erased, kept }
}
