import { type AnyDb, unchecked } from '../../platform/database/databases.ts'
import { guarded, required } from '../../platform/database/guard.ts'
import type { Home } from '../../platform/database/homes.ts'

/** The account and the id of the mover that writes. */
type Fenced = { account_id: string; owner: string }

/**
 * The statements that make a process the only mover of an account in a database. A mover from before fails
 * there from then on. They fail with account_moving if a later one is there already.
 */
export function fence(db: AnyDb, { account_id, owner }: Fenced): D1PreparedStatement[] {
  const write = db
    .prepare(
      `INSERT INTO move_fences (account_id, owner) VALUES (?1, ?2)
       ON CONFLICT DO UPDATE SET owner = ?2 WHERE owner <= ?2`,
    )
    .bind(account_id, owner)
  return guarded(db, write, 'account_moving')
}

/** Lets no further attempt at a delivery of the account begin in a database, or lets them begin again. */
export function drain(db: AnyDb, { account_id, owner }: Fenced, draining = true): D1PreparedStatement {
  return db
    .prepare('UPDATE move_fences SET draining = ? WHERE account_id = ? AND owner = ?')
    .bind(draining ? 1 : 0, account_id, owner)
}

/** Ends what `fence` and `drain` began. */
export function endFence(db: AnyDb, { account_id, owner }: Fenced): D1PreparedStatement {
  return db.prepare('DELETE FROM move_fences WHERE account_id = ? AND owner = ?').bind(account_id, owner)
}

/**
 * A statement that fails its batch with account_moving unless the mover is still the last one in this
 * database, and the account has this home there. Null: any home.
 */
export function requireFence(
  db: AnyDb,
  { account_id, owner }: Fenced,
  home: Home | null,
): D1PreparedStatement {
  const condition: string = `EXISTS (SELECT 1 FROM move_fences WHERE account_id = ?1 AND owner = ?2)
    AND (?3 IS NULL OR (SELECT home FROM accounts WHERE id = ?1) = ?3)`
  return required(db, condition, [account_id, owner, home], 'account_moving')
}

/** Changes the home of an account in a database. Put `requireFence` before it. */
export function writeHome(db: AnyDb, account_id: string, home: Home): D1PreparedStatement {
  return unchecked(db).prepare('UPDATE accounts SET home = ? WHERE id = ?').bind(home, account_id)
}

/** Deletes the home of an account in a shard, if its books are elsewhere. */
export function deleteHome(db: AnyDb, account_id: string): D1PreparedStatement {
  return unchecked(db).prepare("DELETE FROM accounts WHERE id = ? AND home = 'away'").bind(account_id)
}
