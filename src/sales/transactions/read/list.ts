import type { Context } from '../../../platform/context.ts'
import { readCustomerNames } from '../../../parties/customers/search-store.ts'
import { fieldError } from '../../../platform/errors.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import { presentTransaction } from '../sale/present.ts'
import type { ListedTransaction, TransactionsAnswer } from '../sale/answers.ts'
import { requireTypeIfNamed } from '../../../tax-data/product-codes/product-of-code.ts'
import type { TransactionFilter } from '../sale/schemas.ts'
import { cursorOf, isByAmount, listTransactions, sumTransactions } from './list-store.ts'
import { readTransactionCount } from '../sums/counts-store.ts'
import type { StoredTransaction } from '../sale/rows.ts'
import { searchSales } from './search-store.ts'

/** The filters of lists whose rows are not counted, because no sum of them is kept. */
const UNCOUNTED = [
  'customer_id',
  'currency',
  'product_type',
  'external_id_prefix',
  'q',
  'no_tax',
  'variance',
  'reason',
  'exemption_id',
  'of_other_seller',
] as const

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
  refuseOffset(filter, uncounted)
  const found = filter.q === undefined ? undefined : await searchSales(context, filter.q)
  const sought = { ...filter, ids: found?.ids }
  const [{ sales, next }, total, sums] = await Promise.all([
    listTransactions(context, sought, limit, offset),
    uncounted === undefined ? readTransactionCount(context, filter) : null,
    filter.sums === undefined ? undefined : sumTransactions(context, sought),
  ])
  return {
    transactions: await withNames(context, sales),
    total,
    ...(found !== undefined && { search_complete: found.complete }),
    ...(sums !== undefined && { sums }),
    limit,
    offset,
    has_more: next !== null,
    next_cursor: next === null ? null : cursorOf(filter, next),
  }
}

function refuseOffset(filter: TransactionFilter, uncounted: string | undefined): void {
  const beside = isByAmount(filter) ? 'sort' : uncounted
  if (beside !== undefined && (filter.offset ?? 0) > 0)
    throw fieldError('invalid_request', 'offset', `cannot be given beside ${beside}: use cursor`)
}

async function withNames(
  context: Context,
  sales: readonly StoredTransaction[],
): Promise<Answer<typeof ListedTransaction>[]> {
  const ids = sales.flatMap(({ row }) => row.customer_id ?? [])
  const names = await readCustomerNames(context, [...new Set(ids)])
  return sales.map((sale) => ({
    ...presentTransaction(sale),
    customer_name: names.get(sale.row.customer_id ?? '') ?? null,
  }))
}
