import type { BooksDb } from './databases.ts'
import { batchWithEvents, type EventWrite } from './event-writes.ts'
import { guardFailure, required } from './guard.ts'

/**
 * A statement that fails its batch with account_moving unless the account's books are open in this database
 * and the account is not suspended. Put it first in each batch that writes to the books: an isolate may have
 * an old shard in memory, or an account from before its suspension.
 */
export function requireHome(books: BooksDb, account_id: string): D1PreparedStatement {
  const condition: string = "(SELECT home FROM accounts WHERE id = ? AND suspended_at IS NULL) = 'open'"
  return required(books, condition, [account_id], 'account_moving')
}

/**
 * Writes statements and events in one batch if the account's books are open in this database. Sends the
 * events that were written. Throws account_moving.
 */
export async function batchAtHome(
  books: BooksDb,
  account_id: string,
  statements: readonly D1PreparedStatement[],
  events: readonly EventWrite[] = [],
): Promise<void> {
  try {
    await batchWithEvents(books, [requireHome(books, account_id), ...statements], events)
  } catch (thrown) {
    throw guardFailure(thrown)
  }
}

/**
 * The SQL condition that the books of the account in a column are open in this database, and the account is
 * not suspended. Jobs skip all other accounts: their rows are an old or an unfinished copy, or must rest.
 */
export function openHome(column: string): string {
  return `EXISTS (SELECT 1 FROM accounts home
    WHERE home.id = ${column} AND home.home = 'open' AND home.suspended_at IS NULL)`
}

/** The SQL condition that there is no legal hold on the account in a column: its rows may be erased. */
export function notHeld(column: string): string {
  return `NOT EXISTS (SELECT 1 FROM accounts held WHERE held.id = ${column} AND held.held_at IS NOT NULL)`
}

/** The SQL condition that the books of the account in a column are here, also while it is suspended. */
export function atHome(column: string): string {
  return `EXISTS (SELECT 1 FROM accounts home WHERE home.id = ${column} AND home.home = 'open')`
}

/**
 * The SQL condition that the rows of the account in a column are not being copied from or to this database.
 * Some rows of the control database do not move with the books.
 */
export function notMoving(column: string): string {
  return `EXISTS (SELECT 1 FROM accounts home
    WHERE home.id = ${column} AND (home.home = 'open' OR home.shard <> 0))`
}

/**
 * The SQL condition that an attempt at a delivery may begin: the account's books are open in this database,
 * and no mover waits for the attempts to end.
 */
export function beginsAttempts(column: string): string {
  return `${openHome(column)} AND NOT EXISTS
    (SELECT 1 FROM move_fences WHERE move_fences.account_id = ${column} AND draining = 1)`
}

/** The SQL condition that the account in a column is not away: an attempt that has begun may be recorded. */
export function notAway(column: string): string {
  return `EXISTS (SELECT 1 FROM accounts home WHERE home.id = ${column} AND home.home <> 'away')`
}
