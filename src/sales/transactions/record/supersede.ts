import type { Context } from '../../../platform/context.ts'
import { valuesOf } from '../../../platform/database/audit-values.ts'
import type { PartOfWrite } from '../../../platform/writes/join-writes.ts'
import { ApiError } from '../../../platform/errors.ts'
import { countUses } from '../../../parties/exemptions/uses-store.ts'
import { certificatesUsed } from '../sale/sale-context.ts'
import type { StoredTransaction } from '../sale/rows.ts'
import { markLateEntries } from '../sums/late-entries-store.ts'
import { markSuperseded } from '../sale/store.ts'
import { moveCount } from '../sums/counts-store.ts'
import { addSalesToTotals } from '../sums/totals-store.ts'

/**
 * The write that takes a completed or pending sale out of the books, because another one replaces it or
 * because it is deleted (`superseded_by` is null). The row stays. Totals, and so thresholds, are corrected in
 * the same batch. Put it before the write of the new sale. Throws transaction_not_replaceable, and
 * concurrent_change if it is superseded already. The write fails with period_already_filed and
 * concurrent_change.
 */
export async function writeOfSuperseding(
  context: Context,
  { row }: StoredTransaction,
  superseded_by: string | null,
): Promise<PartOfWrite> {
  // Another request superseded it after the caller learnt its id: the caller has to look again.
  if (row.superseded_at !== null) throw new ApiError('concurrent_change')
  const { status } = row
  if (status !== 'completed' && status !== 'pending') throw new ApiError('transaction_not_replaceable')
  const { books, principal } = context
  const { account_id } = principal
  const superseded_at = context.now.toISOString()
  const after = { ...row, status: 'superseded', external_id: null, superseded_at, superseded_by }
  return {
    changes: [
      addSalesToTotals(books, account_id, [row.id], -1),
      ...(await markSuperseded(context, row, { superseded_at, superseded_by })),
      ...countUses(books, account_id, certificatesUsed(row), -1),
      moveCount(books, account_id, row, status, 'superseded'),
      ...markLateEntries(books, account_id, [row]),
    ],
    stores: {},
    events: [],
    audit: [
      {
        action: 'transaction.superseded',
        resource_id: row.id,
        changed: ['status', 'external_id', 'superseded_at', 'superseded_by'],
        values: await valuesOf(row, after),
      },
    ],
  }
}
