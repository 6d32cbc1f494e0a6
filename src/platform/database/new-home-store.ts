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
