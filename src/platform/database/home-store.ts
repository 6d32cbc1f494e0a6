import { type AnyDb, type ControlDb, unchecked } from './databases.ts'
import type { Home } from './homes.ts'

/** The state of the account's books in a database; null if it has none. */
export async function readHome(db: AnyDb, account_id: string): Promise<Home | null> {
  return unchecked(db).prepare('SELECT home FROM accounts WHERE id = ?').bind(account_id).first<Home>('home')
}

/** Whether a move of the account's books has begun and not ended. One that has ended may have an old copy. */
export async function isMoving(control: ControlDb, account_id: string): Promise<boolean> {
  const moving = control
    .prepare('SELECT 1 FROM account_moves WHERE account_id = ? AND finished_at IS NULL')
    .bind(account_id)
  return (await moving.first()) !== null
}
