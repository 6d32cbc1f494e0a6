import type { Context } from '../context.ts'
import { fieldError } from '../errors.ts'
import type { CreditedSale } from './credited-sales.ts'
import type { TransactionInput } from './schemas.ts'

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
      `SELECT id, external_id, currency, day FROM transactions
     WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))
     UNION SELECT id, external_id, currency, day FROM transactions
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
