import type { AnyDb } from './databases.ts'

/**
 * The statements of a batch that may change or delete protected rows of an account: audit events with their
 * seals, and filed returns with their rows. Triggers refuse such statements unless `open_doors` names the
 * account. The door is open within the batch alone. Only for moving an account to another database, and for
 * erasure at the end of a period of retention.
 */
export function throughDoor(
  db: AnyDb,
  account_id: string,
  reason: string,
  statements: readonly D1PreparedStatement[],
): D1PreparedStatement[] {
  return [
    db.prepare('INSERT INTO open_doors (account_id, reason) VALUES (?, ?)').bind(account_id, reason),
    ...statements,
    db.prepare('DELETE FROM open_doors WHERE account_id = ?').bind(account_id),
  ]
}
