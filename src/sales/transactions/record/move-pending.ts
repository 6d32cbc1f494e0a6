import type { Context } from '../../../platform/context.ts'
import { commit } from '../../../platform/writes/commit.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import { countUses } from '../../../parties/exemptions/uses-store.ts'
import { certificatesUsed } from '../sale/sale-context.ts'
import { markLateEntries } from '../sums/late-entries-store.ts'
import { presentTransaction } from '../sale/present.ts'
import type { StoredTransaction, TransactionRow } from '../sale/rows.ts'
import type { Transaction, VoidAnswer } from '../sale/answers.ts'
import { findTransaction, movePending } from '../sale/store.ts'
import { moveCount } from '../sums/counts-store.ts'
import { addSalesToTotals } from '../sums/totals-store.ts'

/**
 * Completes a pending transaction, which then counts in the reports on its own date. Throws
 * transaction_not_pending.
 */
export async function completeTransaction(context: Context, id: string): Promise<Answer<typeof Transaction>> {
  const sale = await findPending(context, id)
  const now = context.now.toISOString()
  const completed: TransactionRow = { ...sale.row, status: 'completed', completed_at: now, updated_at: now }
  const answer = presentTransaction({ ...sale, row: completed })
  await moveTransaction(context, sale, 'completed', answer)
  return answer
}

/** Cancels a pending transaction, which then never counts. Throws transaction_not_pending. */
export async function voidTransaction(context: Context, id: string): Promise<Answer<typeof VoidAnswer>> {
  const sale = await findPending(context, id)
  const answer: Answer<typeof VoidAnswer> = { id, status: 'voided', voided_at: context.now.toISOString() }
  await moveTransaction(context, sale, 'voided', answer)
  return answer
}

async function findPending(context: Context, id: string): Promise<StoredTransaction> {
  const sale = await findTransaction(context, { id })
  const { status } = sale.row
  if (status !== 'pending') {
    const instead = status === 'completed' ? '. Refund it instead' : ''
    throw new ApiError('transaction_not_pending', {
      message: `The transaction is not pending: it is ${status}${instead}`,
    })
  }
  return sale
}

async function moveTransaction(
  context: Context,
  { row }: StoredTransaction,
  to: 'completed' | 'voided',
  answer: object,
): Promise<void> {
  const { books } = context
  const { account_id } = context.principal
  await commit(context, {
    changes: [
      ...movePending(context, row.id, to),
      ...(to === 'completed'
        ? [addSalesToTotals(books, account_id, [row.id]), ...markLateEntries(books, account_id, [row])]
        : countUses(books, account_id, certificatesUsed(row), -1)),
      moveCount(books, account_id, row, 'pending', to),
    ],
    audit: {
      action: `transaction.${to}`,
      resource_id: row.id,
      changed: ['status', `${to}_at`],
      values: {
        status: { old: row.status, new: to },
        [`${to}_at`]: { old: null, new: context.now.toISOString() },
      },
    },
    answer,
  })
}
