import type { Context } from '../context.ts'
import { fieldError } from '../errors.ts'
import type { Answer } from '../http/answers.ts'
import { presentTransaction } from './present.ts'
import type { TransactionFilter, TransactionsAnswer } from './schemas.ts'
import { listTransactions } from './store.ts'
import { readTransactionCount } from './totals-store.ts'

/**
 * A page of the account's transactions. A cursor costs the same at any depth; an offset reads the rows that
 * it skips.
 */
export async function pageOfTransactions(
  context: Context,
  filter: TransactionFilter,
): Promise<Answer<typeof TransactionsAnswer>> {
  const { from_date = '', to_date = '9999' } = filter
  if (from_date > to_date) throw fieldError('invalid_request', 'to_date', 'must not be before from_date')
  const limit = filter.limit ?? 50
  const offset = filter.offset ?? 0
  const [found, total] = await Promise.all([
    listTransactions(context, filter, limit + 1, offset),
    readTransactionCount(context, filter),
  ])
  const shown = found.slice(0, limit)
  const has_more = found.length > limit
  const last = shown.at(-1)?.row
  return {
    transactions: shown.map(presentTransaction),
    total,
    limit,
    offset,
    has_more,
    next_cursor: has_more && last !== undefined ? `${last.transaction_date}~${last.id}` : null,
  }
}
