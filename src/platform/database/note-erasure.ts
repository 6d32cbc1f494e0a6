import { type AnyDb, unchecked } from './databases.ts'

/** A customer, one of the people of an account (`customer_id` is `person_…`), or a whole account (''). */
export type Erased = { account_id: string; customer_id: string }

/** Notes an erasure in its own batch. A tick takes it to the list outside of the databases. */
export function noteErasure(db: AnyDb, { account_id, customer_id }: Erased, at: string): D1PreparedStatement {
  return unchecked(db)
    .prepare('INSERT OR IGNORE INTO erasures (account_id, customer_id, erased_at) VALUES (?, ?, ?)')
    .bind(account_id, customer_id, at)
}
