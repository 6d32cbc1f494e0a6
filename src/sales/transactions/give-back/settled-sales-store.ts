import { allColumnsOf } from '../../../platform/database/column-list.ts'
import type { Context } from '../../../platform/context.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { required } from '../../../platform/database/guard.ts'
import type { SettlementRow, TransactionRow } from '../sale/rows.ts'
import type { TransactionInput } from '../sale/schemas.ts'
import type { SettledSale, Settlement } from './settle.ts'
import { TRANSACTION_ROW, withDetails } from '../sale/store.ts'

const SETTLEMENT = allColumnsOf<SettlementRow>()('transaction_id, settled_id, amount, tax_amount, parts')

/** The recorded sales that a final sale settles, with what other final sales have taken off for them. */
export async function loadSettled(
  context: Context,
  { settles = [] }: TransactionInput,
): Promise<readonly SettledSale[]> {
  if (settles.length === 0) return []
  const { books, principal } = context
  const { results: rows } = await books
    .prepare(
      `SELECT ${TRANSACTION_ROW} FROM transactions
       WHERE account_id = ?1 AND (id IN (SELECT value FROM json_each(?2))
         OR external_id IN (SELECT value FROM json_each(?3)))`,
    )
    .bind(
      principal.account_id,
      JSON.stringify(settles.flatMap(({ transaction_id }) => transaction_id ?? [])),
      JSON.stringify(settles.flatMap(({ external_id }) => external_id ?? [])),
    )
    .all<TransactionRow>()
  const [sales, taken, credited] = await Promise.all([
    withDetails(context, rows),
    readSettlements(context, rows),
    readCredited(context, rows),
  ])
  return sales.map((sale) => ({
    ...sale,
    settlements: taken.filter(({ settled_id }) => settled_id === sale.row.id),
    is_credited: credited.has(sale.row.id),
  }))
}

/** The ids of those sales that credit notes name. */
async function readCredited(
  { books, principal }: Context,
  rows: readonly { id: string }[],
): Promise<ReadonlySet<string>> {
  const { results } = await books
    .prepare(
      `SELECT DISTINCT credited_sale AS id FROM transactions
       WHERE account_id = ?1 AND credited_sale IN (SELECT value FROM json_each(?2)) AND status <> 'voided'`,
    )
    .bind(principal.account_id, JSON.stringify(rows.map(({ id }) => id)))
    .all<{ id: string }>()
  return new Set(results.map(({ id }) => id))
}

/** The settlements that count, oldest first. */
async function readSettlements(
  { books, principal }: Context,
  rows: readonly { id: string }[],
): Promise<SettlementRow[]> {
  const { results } = await books
    .prepare(
      `SELECT ${SETTLEMENT} FROM settlements
       WHERE account_id = ?1 AND settled_id IN (SELECT value FROM json_each(?2))
         AND EXISTS (SELECT 1 FROM transactions
           WHERE transactions.id = settlements.transaction_id AND status <> 'voided')
       ORDER BY transaction_id`,
    )
    .bind(principal.account_id, JSON.stringify(rows.map(({ id }) => id)))
    .all<SettlementRow>()
  return results
}

/** Inserts settlements. Fails with concurrent_change if an earlier sale is not as it was read. */
export function insertSettlements(
  { books, principal }: Context,
  settlements: readonly Settlement[],
): D1PreparedStatement[] {
  const { account_id } = principal
  return [
    ...settlements.map(({ row, read }) =>
      required(
        books,
        `EXISTS (SELECT 1 FROM transactions WHERE account_id = ?1 AND id = ?2 AND status = ?3
           AND amount_refunded = CAST(?4 AS INTEGER))
         AND NOT EXISTS (SELECT 1 FROM transactions
           WHERE account_id = ?1 AND credited_sale = ?2 AND status <> 'voided')
         AND CAST(?5 AS INTEGER) = (SELECT coalesce(sum(settlements.amount), 0) FROM settlements
           JOIN transactions ON transactions.id = settlements.transaction_id
           WHERE settlements.account_id = ?1 AND settled_id = ?2 AND transactions.status <> 'voided')`,
        [account_id, row.settled_id, read.status, read.amount_refunded, read.amount_settled],
        'concurrent_change',
      ),
    ),
    ...insertRows(
      books,
      'settlements',
      settlements.map(({ row }) => ({ account_id, ...row })),
    ),
  ]
}
