import type { BooksDb } from '../../src/platform/database/databases.ts'

/** The number of attempts at deliveries of an account that are under way. */
export async function countLeases(books: BooksDb, account_id: string, now: string): Promise<number> {
  const count = await books
    .prepare(
      `SELECT count(*) AS n
       FROM webhooks JOIN webhook_deliveries delivery ON delivery.webhook_id = webhooks.id
       WHERE webhooks.account_id = ? AND delivery.status = 'pending' AND delivery.leased_until > ?`,
    )
    .bind(account_id, now)
    .first<number>('n')
  return count ?? 0
}
