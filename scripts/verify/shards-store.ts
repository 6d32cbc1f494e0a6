import { type AnyDb, type BooksDb, type ControlDb, unchecked } from '../../src/platform/database/databases.ts'
import type { Home } from '../../src/platform/database/homes.ts'
import { momentOf } from '../../src/platform/database/ids.ts'
import type { MoveRow } from '../../src/service/shards/moves-store.ts'

const PAGE = 1_000
/** After the last account, homes without an account may follow. */
const BETWEEN = '?1 < %s AND (?2 IS NULL OR %s <= ?2)'
const between = (column: string) => BETWEEN.replaceAll('%s', column)

/** The next accounts by id, with the shard that the control database names. */
export async function readAccountPage(
  control: ControlDb,
  after: string,
): Promise<{ id: string; shard: number }[]> {
  const { results } = await control
    .prepare(`SELECT id, shard FROM accounts WHERE id > ? ORDER BY id LIMIT ${PAGE}`)
    .bind(after)
    .all<{ id: string; shard: number }>()
  return results
}

export async function readMovesBetween(
  control: ControlDb,
  after: string,
  last: string | null,
): Promise<MoveRow[]> {
  const condition: string = between('account_id')
  const { results } = await unchecked(control)
    .prepare(`SELECT * FROM account_moves WHERE ${condition}`)
    .bind(after, last)
    .all<MoveRow>()
  return results
}

/** The homes of accounts in a shard by id. */
export async function readHomesBetween(
  books: BooksDb,
  number: number,
  after: string,
  last: string | null,
): Promise<{ id: string; number: number; home: Home }[]> {
  const condition: string = between('id')
  const { results } = await unchecked(books)
    .prepare(`SELECT id, home FROM accounts WHERE ${condition}`)
    .bind(after, last)
    .all<{ id: string; home: Home }>()
  return results.map(({ id, home }) => ({ id, number, home }))
}

/** When the account last wrote in a database; null: never. */
export async function readLastWrite(books: AnyDb, account_id: string): Promise<Date | null> {
  const id = await books
    .prepare('SELECT max(id) AS id FROM audit_events WHERE account_id = ?')
    .bind(account_id)
    .first<string>('id')
  return id === null ? null : momentOf(id)
}

/** How many secrets of webhooks each encryption key has sealed, by the id of the key. */
export async function countByKey(books: BooksDb): Promise<{ key: string; webhooks: number }[]> {
  const { results } = await books
    .prepare(
      `SELECT iif(substr(secret, -9, 1) = '.', substr(secret, -8), 'none') AS key, count(*) AS webhooks
       FROM webhooks GROUP BY 1 ORDER BY 1`,
    )
    .all<{ key: string; webhooks: number }>()
  return results
}
