import type { BooksDb } from '../../platform/database/databases.ts'
import { required } from '../../platform/database/guard.ts'

/** A statement that counts new deliveries of a batch on a day, for each of their accounts. */
export function countDeliveries(
  books: BooksDb,
  delivery_ids: readonly string[],
  day: string,
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO account_usage (account_id, delivery_day, deliveries)
       SELECT account_id, ?2, count(*) FROM webhook_deliveries
       WHERE id IN (SELECT value FROM json_each(?1)) GROUP BY account_id
       ON CONFLICT (account_id) DO UPDATE SET
         deliveries = iif(delivery_day = excluded.delivery_day, deliveries, 0) + excluded.deliveries,
         delivery_day = excluded.delivery_day`,
    )
    .bind(JSON.stringify(delivery_ids), day)
}

/** A statement that fails its batch with quota_exceeded if an account has too many deliveries on a day. */
export function withinDeliveries(
  books: BooksDb,
  account_id: string,
  day: string,
  quota: number,
): D1PreparedStatement {
  return required(
    books,
    `coalesce((SELECT iif(delivery_day = ?2, deliveries, 0) FROM account_usage WHERE account_id = ?1), 0)
       <= ?3`,
    [account_id, day, quota],
    'quota_exceeded',
  )
}
