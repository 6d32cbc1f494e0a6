import type { BooksDb } from '../../platform/database/databases.ts'
import { atHome } from '../../platform/database/home.ts'

type SealedRow = { id: string; secret: string; previous_secret: string | null }

/**
 * Webhooks of all accounts after `after` whose secrets are not encrypted under the key with this id.
 * Suspended accounts too: when they go on, the old key is gone.
 */
export async function readSealed(
  books: BooksDb,
  key_id: string,
  after: string,
  limit: number,
): Promise<SealedRow[]> {
  const { results } = await books
    .prepare(
      `SELECT id, secret, previous_secret FROM webhooks
       WHERE id > ?1 AND (substr(secret, -9) <> '.' || ?2 OR substr(previous_secret, -9) <> '.' || ?2)
         AND ${atHome('webhooks.account_id')}
       ORDER BY id LIMIT ?3`,
    )
    .bind(after, key_id, limit)
    .all<SealedRow>()
  return results
}

/**
 * How many webhooks at home in this database have a secret that is not encrypted under the key with this id.
 * Old copies of moved accounts do not count: they are never used again.
 */
export async function countSealedOtherwise(books: BooksDb, key_id: string): Promise<number> {
  const count = await books
    .prepare(
      `SELECT count(*) AS n FROM webhooks
       WHERE (substr(secret, -9) <> '.' || ?1 OR substr(previous_secret, -9) <> '.' || ?1)
         AND ${atHome('webhooks.account_id')}`,
    )
    .bind(key_id)
    .first<number>('n')
  return count ?? 0
}

/**
 * Replaces encrypted secrets. A row that has another secret than `before` stays as it is. One statement for
 * all rows, because all jobs of a tick together have 1,000 statements.
 */
export function replaceSealed(
  books: BooksDb,
  rows: readonly (SealedRow & { before: string })[],
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE webhooks SET secret = sealed.secret, previous_secret = sealed.previous_secret
       FROM (SELECT value ->> 'id' AS id, value ->> 'before' AS before, value ->> 'secret' AS secret,
               value ->> 'previous_secret' AS previous_secret FROM json_each(?)) AS sealed
       WHERE webhooks.id = sealed.id AND webhooks.secret = sealed.before
         AND ${atHome('webhooks.account_id')}`,
    )
    .bind(JSON.stringify(rows))
}
