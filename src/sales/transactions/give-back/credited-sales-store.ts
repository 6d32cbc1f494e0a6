import type { BooksDb } from '../../../platform/database/databases.ts'
import { required } from '../../../platform/database/guard.ts'
import type { Context } from '../../../platform/context.ts'
import { fieldError } from '../../../platform/errors.ts'
import type { CreditedSale } from './credited-sales.ts'
import type { TransactionInput } from '../sale/schemas.ts'
import { findTransactions } from '../sale/store.ts'

/** A sale as a write has to find it: with the ids of all that takes from it, sorted. */
export type SaleAsRead = { id: string; takers: readonly string[] }

/**
 * Fails its batch with concurrent_change unless each of these sales counts, and exactly these refunds, credit
 * notes and final sales take from it. Put it after the writes, and name what they add.
 */
export function takenAsRead(
  books: BooksDb,
  account_id: string,
  sales: readonly SaleAsRead[],
): D1PreparedStatement {
  const condition = `NOT EXISTS (SELECT 1 FROM json_each(?2) named
    LEFT JOIN transactions sale ON sale.account_id = ?1 AND sale.id = named.value ->> 'id'
    WHERE sale.id IS NULL OR sale.status NOT IN ('completed', 'refunded')
      OR (named.value ->> 'takers') <> (SELECT coalesce(group_concat(id), '') FROM (
        SELECT id FROM refunds WHERE account_id = ?1 AND transaction_id = sale.id
        UNION ALL SELECT id FROM transactions
          WHERE account_id = ?1 AND credited_sale = sale.id AND status <> 'voided'
        UNION ALL SELECT final.id ${SETTLED}
        UNION ALL SELECT refunds.id ${SETTLED}
          JOIN refunds ON refunds.account_id = ?1 AND refunds.transaction_id = final.id
        UNION ALL SELECT note.id ${SETTLED}
          CROSS JOIN transactions note ON note.account_id = ?1 AND note.credited_sale = final.id
            AND note.status IN ('completed', 'refunded')
        ORDER BY id)))`
  const named = sales.map(({ id, takers }) => ({ id, takers: takers.join(',') }))
  return required(books, condition, [account_id, JSON.stringify(named)], 'concurrent_change')
}

const SETTLED = `FROM settlements JOIN transactions final ON settlements.account_id = ?1
  AND settled_id = sale.id AND final.id = settlements.transaction_id AND final.status <> 'voided'` as const

/** The recorded sales that credit notes name, in one trip. */
export async function loadCredited(
  context: Context,
  bodies: readonly TransactionInput[],
): Promise<readonly CreditedSale[]> {
  const named = bodies.flatMap(({ credit_note_for }) => (credit_note_for ? [credit_note_for] : []))
  const ids = named.flatMap(({ transaction_id }) => transaction_id ?? [])
  const external_ids = named.flatMap(({ external_id }) => external_id ?? [])
  if (ids.length === 0 && external_ids.length === 0) return []
  return findTransactions(context, { ids, external_ids })
}

/** The sale that a credit note names by an id; null if it names none by id. Throws not_found. */
export function creditedSaleOf(
  { credit_note_for }: TransactionInput,
  sales: readonly CreditedSale[],
): CreditedSale | null {
  if (!credit_note_for || credit_note_for.date !== undefined) return null
  const { transaction_id, external_id } = credit_note_for
  const sale = sales.find(({ row }) =>
    transaction_id === undefined ? row.external_id === external_id : row.id === transaction_id,
  )
  if (sale === undefined) throw fieldError('not_found', 'credit_note_for', 'there is no such transaction')
  return sale
}
