import type { Context } from '../context.ts'
import type { ListedExemption } from './list-store.ts'
import { OF_CUSTOMERS } from './store.ts'

/** Many times the certificates of a page of customers. */
const HELD_MAX = 2_000

export type HeldExemption = Pick<
  ListedExemption,
  'customer_id' | 'jurisdiction_id' | 'valid_from' | 'valid_to'
>

/** The verified exemptions of some customers that have not ended before a day; at most 2,000. */
export async function heldByCustomers(
  { books, principal }: Context,
  customer_ids: ReadonlySet<string>,
  day: string,
): Promise<HeldExemption[]> {
  if (customer_ids.size === 0) return []
  const { results } = await books
    .prepare(
      `SELECT customer_id, jurisdiction_id, valid_from, valid_to FROM ${OF_CUSTOMERS}
       WHERE account_id = ? AND customer_id IN (SELECT value FROM json_each(?)) AND status = 'verified'
         AND (valid_to IS NULL OR valid_to >= ?)
       LIMIT ${HELD_MAX}`,
    )
    .bind(principal.account_id, JSON.stringify([...customer_ids]), day)
    .all<HeldExemption>()
  return results
}
