import type { BooksDb } from '../../platform/database/databases.ts'
import { required } from '../../platform/database/guard.ts'
import type { Context } from '../../platform/context.ts'
import { fieldError, type Reason } from '../../platform/errors.ts'
import type { CreditedSale } from './credited-sales.ts'
import type { TransactionInput } from './schemas.ts'

/** What credit notes credit of a sale: its total and its tax. Void ones credit nothing. */
const CREDITED_BY = `FROM transactions note WHERE note.account_id = sale.account_id
  AND note.credited_sale = sale.id AND note.status <> 'voided'` as const

const COLUMNS = `id, external_id, currency, day, transaction_date, jurisdiction_id, status,
  total - amount_refunded + (SELECT coalesce(sum(note.total), 0) ${CREDITED_BY}) AS total_left,
  tax_amount - tax_refunded + (SELECT coalesce(sum(note.tax_amount), 0) ${CREDITED_BY}) AS tax_left,
  json_extract(facts, '$.einvoice') AS einvoice,
  (SELECT json_group_array(json_object('position', line.position, 'product_type', line.product_type,
      'tax_rate', line.tax_rate, 'place_of_supply', line.place_of_supply)) FROM transaction_lines line
    WHERE line.account_id = sale.account_id AND line.transaction_id = sale.id) AS lines` as const

/**
 * Fails its batch with a reason if refunds and credit notes of one of these sales exceed its total, or if
 * credit notes name a sale that does not count any more or was not recorded. Put it after the writes.
 */
export function notOverCredited(
  books: BooksDb,
  account_id: string,
  ids: readonly string[],
  reason: Reason,
): D1PreparedStatement {
  const condition = `NOT EXISTS (SELECT 1 FROM json_each(?2) named
    LEFT JOIN transactions sale ON sale.account_id = ?1 AND sale.id = named.value
    WHERE sale.id IS NULL OR (EXISTS (SELECT 1 ${CREDITED_BY})
      AND (sale.status NOT IN ('completed', 'refunded')
        OR sale.amount_refunded - (SELECT sum(note.total) ${CREDITED_BY}) > sale.total)))` as const
  return required(books, condition, [account_id, JSON.stringify(ids)], reason)
}

/** The recorded sales that credit notes name, in one query. */
export async function loadCredited(
  { books, principal }: Context,
  bodies: readonly TransactionInput[],
): Promise<readonly CreditedSale[]> {
  const named = bodies.flatMap(({ credit_note_for }) => (credit_note_for ? [credit_note_for] : []))
  const ids = named.flatMap(({ transaction_id }) => transaction_id ?? [])
  const external_ids = named.flatMap(({ external_id }) => external_id ?? [])
  if (ids.length === 0 && external_ids.length === 0) return []
  const { results } = await books
    .prepare(
      `SELECT ${COLUMNS} FROM transactions sale
     WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))
     UNION SELECT ${COLUMNS} FROM transactions sale
     WHERE account_id = ?1 AND external_id IN (SELECT value FROM json_each(?3))`,
    )
    .bind(principal.account_id, JSON.stringify(ids), JSON.stringify(external_ids))
    .all<CreditedSale>()
  return results
}

/** The sale that a credit note names by an id; null if it names none by id. Throws not_found. */
export function creditedSaleOf(
  { credit_note_for }: TransactionInput,
  sales: readonly CreditedSale[],
): CreditedSale | null {
  if (!credit_note_for || credit_note_for.date !== undefined) return null
  const { transaction_id, external_id } = credit_note_for
  const sale = sales.find((each) =>
    transaction_id === undefined ? each.external_id === external_id : each.id === transaction_id,
  )
  if (sale === undefined) throw fieldError('not_found', 'credit_note_for', 'there is no such transaction')
  return sale
}
