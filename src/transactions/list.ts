import type { Context } from '../context.ts'
import { fieldError } from '../errors.ts'
import type { Answer } from '../http/answers.ts'
import { presentTransaction } from './present.ts'
import type { TransactionsAnswer } from './answers.ts'
import { requireTypeIfNamed } from '../product-codes/product-of-code.ts'
import type { TransactionFilter } from './schemas.ts'
import { listTransactions } from './list-store.ts'
import { readTransactionCount } from './counts-store.ts'

/** The filters of lists whose rows are not counted, because no sum of them is kept. */
const UNCOUNTED = ['customer_id', 'currency', 'product_type', 'external_id_prefix'] as const

/**
 * A page of the account's transactions. A cursor costs the same at any depth; an offset reads the rows that
 * it skips.
 */
export async function pageOfTransactions(
  context: Context,
  requested: TransactionFilter,
): Promise<Answer<typeof TransactionsAnswer>> {
  const filter = { ...requested, product_type: await requireTypeIfNamed(requested.product_type) }
  const { from_date = '', to_date = '9999' } = filter
  if (from_date > to_date) throw fieldError('invalid_request', 'to_date', 'must not be before from_date')
  const limit = filter.limit ?? 50
  const offset = filter.offset ?? 0
  const uncounted = UNCOUNTED.find((name) => filter[name] !== undefined)
  if (uncounted !== undefined && offset > 0)
    throw fieldError('invalid_request', 'offset', `cannot be given beside ${uncounted}: use cursor`)
  const [{ sales, next }, total] = await Promise.all([
    listTransactions(context, filter, limit, offset),
    uncounted === undefined ? readTransactionCount(context, filter) : null,
  ])
  return {
    transactions: sales.map(presentTransaction),
    total,
    limit,
    offset,
    has_more: next !== null,
    next_cursor: next === null ? null : `${next.transaction_date}~${next.id}`,
  }
}
