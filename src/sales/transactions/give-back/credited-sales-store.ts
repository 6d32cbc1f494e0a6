import type { BooksDb } from '../../../platform/database/databases.ts'
import { required } from '../../../platform/database/guard.ts'
import type { Context } from '../../../platform/context.ts'
import { fieldError, type Reason } from '../../../platform/errors.ts'
import type { CreditedSale } from './credited-sales.ts'
import type { NoteOnSale, TransactionRow } from '../sale/rows.ts'
import type { TransactionInput } from '../sale/schemas.ts'
import { findTransactions } from '../sale/store.ts'

/** A sale as a write has to find it: what was refunded, and the sum of its credit notes, negative. */
export type SaleAsRead = Pick<TransactionRow, 'id' | 'amount_refunded'> & { credited: number }

/**
 * Fails its batch with a reason unless each of these sales counts, and is refunded and credited as told here.
 * Put it after the writes.
 */
export function creditedAsRead(
  books: BooksDb,
  account_id: string,
  sales: readonly SaleAsRead[],
  reason: Reason,
): D1PreparedStatement {
  const condition = `NOT EXISTS (SELECT 1 FROM json_each(?2) named
    LEFT JOIN transactions sale ON sale.account_id = ?1 AND sale.id = named.value ->> 'id'
    WHERE sale.id IS NULL OR sale.status NOT IN ('completed', 'refunded')
      OR sale.amount_refunded <> named.value ->> 'amount_refunded'
      OR (SELECT coalesce(sum(note.total), 0) FROM transactions note
        WHERE note.account_id = ?1 AND note.credited_sale = sale.id AND note.status <> 'voided')
        <> named.value ->> 'credited')`
  return required(books, condition, [account_id, JSON.stringify(sales)], reason)
}

/** The recorded sales that credit notes name, in one trip. */
export async function loadCredited(
  context: Context,
  bodies: readonly TransactionInput[],
): Promise<readonly CreditedSale[]> {
  const named = bodies.flatMap(({ credit_note_for }) => (credit_note_for ? [credit_note_for] : []))
  const ids = named.flatMap(({ transaction_id }) => transaction_id ?? [])
  const external_ids = named.flatMap(({ external_id }) => external_id ?? [])
  if (ids.length === 0 && external_ids.length === 0) return []
  const found = await findTransactions(context, { ids, external_ids })
  return found.map((sale) => ({ ...sale, credited_before: sumOfNotes(sale.notes) }))
}

export function sumOfNotes(notes: readonly NoteOnSale[]): number {
  return notes.reduce((sum, { total }) => sum + total, 0)
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
