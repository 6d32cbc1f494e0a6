import { type AnyDb, unchecked } from './databases.ts'
import type { Home } from './homes.ts'

/** A statement that makes a home for an account in a shard, unless there is one. */
export function insertHome(db: AnyDb, account_id: string, home: Home, now: Date): D1PreparedStatement {
  return unchecked(db)
    .prepare(
      `INSERT OR IGNORE INTO accounts (id, name, tier, sandbox, created_at, updated_at, home)
       VALUES (?1, ?1, 'free', 0, ?2, ?2, ?3)`,
    )
    .bind(account_id, now.toISOString(), home)
}

/** The state of the account's books in a database; null if it has none. */
export async function readHome(db: AnyDb, account_id: string): Promise<Home | null> {
  return unchecked(db).prepare('SELECT home FROM accounts WHERE id = ?').bind(account_id).first<Home>('home')
}

export async function writeHome(db: AnyDb, account_id: string, home: Home): Promise<void> {
  await unchecked(db).prepare('UPDATE accounts SET home = ? WHERE id = ?').bind(home, account_id).run()
}

/** Deletes the home of an account in a shard. The control database keeps its row, which is the account. */
export async function deleteHome(db: AnyDb, account_id: string): Promise<void> {
  await unchecked(db).prepare('DELETE FROM accounts WHERE id = ?').bind(account_id).run()
}
