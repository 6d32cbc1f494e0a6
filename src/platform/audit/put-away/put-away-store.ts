import { type AnyDb, type BooksDb, unchecked } from '../../database/databases.ts'
import { throughDoor } from '../../database/doors.ts'
import { required } from '../../database/guard.ts'
import { batchAtHome, openHome } from '../../database/home.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { rowsOf } from '../../database/results.ts'
import type { audit_chests } from '../../database/tables/audit.ts'
import type { AuditRow } from '../hash-event.ts'
import type { NewSeal } from '../seal-store.ts'

export type AuditChest = typeof audit_chests.$inferSelect

/** What the object of a chest has. */
export type Contents = { events: AuditRow[]; seals: NewSeal[] }

/** Events of an account from one id to another, after those of the chest before, if there is one. */
export type RangeOfEvents = Pick<AuditChest, 'account_id' | 'first_id' | 'last_id' | 'previous_sha256'> & {
  after: string
  previous_id: string | null
  previous_object: string | null
}

/** The parts of a backup are of many moments: one must not have events, and another their chest. */
const NO_BACKUP = "NOT EXISTS (SELECT 1 FROM job_cursors WHERE job_cursors.name = 'backup')" as const

/**
 * An event that may leave: it recorded a sale, both have ids of one half minute, and no chain ends with it.
 * So whoever looks for the events of a sale knows where they can be.
 */
const MAY_GO = `event.account_id = ?1 AND event.id BETWEEN ?2 AND ?3
  AND event.action = 'transaction.created' AND substr(event.id, 5, 7) = substr(event.resource_id, 5, 7)
  AND EXISTS (SELECT 1 FROM audit_seals seal WHERE seal.audit_id = event.id AND seal.account_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM audit_seals seal WHERE seal.audit_id = event.id AND seal.account_id = ?1
    AND seal.position = (SELECT max(position) FROM audit_seals last
      WHERE last.account_id = ?1 AND last.chain = seal.chain))` as const

/** The next range of an account that has so many more events from before an id; null: there is none. */
export async function findRange(books: BooksDb, size: number, before: string): Promise<RangeOfEvents | null> {
  const events = `FROM audit_events WHERE account_id = place.account_id AND id > place.after AND id < ?1
    ORDER BY id LIMIT 1` as const
  return unchecked(books)
    .prepare(
      `SELECT * FROM (
         SELECT place.*, (SELECT id ${events}) AS first_id,
           (SELECT id ${events} OFFSET ${size - 1}) AS last_id
         FROM (SELECT accounts.id AS account_id, coalesce(last.last_id, '') AS after,
             coalesce(last.sha256, '') AS previous_sha256, last.first_id AS previous_id,
             last.object AS previous_object
           FROM accounts LEFT JOIN audit_chests last ON last.account_id = accounts.id
             AND last.first_id = (SELECT max(first_id) FROM audit_chests WHERE account_id = accounts.id)
           WHERE ${openHome('accounts.id')} AND ${NO_BACKUP} AND EXISTS (SELECT 1 FROM account_usage
             WHERE account_usage.account_id = accounts.id AND audit_events >= ${size})) place)
       WHERE last_id IS NOT NULL LIMIT 1`,
    )
    .bind(before)
    .first<RangeOfEvents>()
}

/** The events of a range that may leave, and their seals. */
export async function readContents(
  books: BooksDb,
  { account_id, first_id, last_id }: RangeOfEvents,
): Promise<Contents> {
  const bound = [account_id, first_id, last_id]
  const [events, seals] = await books.batch([
    books.prepare(`SELECT * FROM audit_events event WHERE ${MAY_GO} ORDER BY id`).bind(...bound),
    books
      .prepare(
        `SELECT * FROM audit_seals WHERE +account_id = ?1
           AND audit_id IN (SELECT id FROM audit_events event WHERE ${MAY_GO}) ORDER BY chain, position`,
      )
      .bind(...bound),
  ])
  return { events: rowsOf<AuditRow>(events), seals: rowsOf<NewSeal>(seals) }
}

/**
 * Adds the row of a chest, and deletes the events and seals that it has. Throws concurrent_change if another
 * tick has done that, or a backup has begun.
 */
export async function takeOut(
  books: BooksDb,
  { account_id, after, first_id, last_id, previous_sha256 }: RangeOfEvents,
  { events, seals }: Contents,
  written: Pick<AuditChest, 'object' | 'content' | 'sha256'>,
  now: Date,
): Promise<void> {
  const ids = JSON.stringify(events.map(({ id }) => id))
  const last = `coalesce((SELECT last_id FROM audit_chests WHERE account_id = ?1
    ORDER BY first_id DESC LIMIT 1), '') = ?2` as const
  const times = { events: events.length, sealed_at: now.toISOString() }
  const row = { account_id, first_id, last_id, previous_sha256, ...written, ...times }
  await batchAtHome(books, account_id, [
    required(books, NO_BACKUP, [], 'concurrent_change'),
    required(books, last, [account_id, after], 'concurrent_change'),
    ...insertRows(books, 'audit_chests', [row]),
    ...throughDoor(books, account_id, 'audit events in a chest', [
      books
        .prepare(
          'DELETE FROM audit_seals WHERE +account_id = ?1 AND audit_id IN (SELECT value FROM json_each(?2))',
        )
        .bind(account_id, ids),
      required(books, 'changes() = ?', [seals.length], 'concurrent_change'),
      books
        .prepare(
          'DELETE FROM audit_events WHERE +account_id = ?1 AND id IN (SELECT value FROM json_each(?2))',
        )
        .bind(account_id, ids),
      required(books, 'changes() = ?', [events.length], 'concurrent_change'),
    ]),
    books
      .prepare('UPDATE account_usage SET audit_events = max(0, audit_events - ?2) WHERE account_id = ?1')
      .bind(account_id, events.length),
  ])
}

/** The last chest of an account that begins before an id; null: there is none. */
export async function lastChestBefore(
  books: AnyDb,
  account_id: string,
  before: string,
): Promise<AuditChest | null> {
  return books
    .prepare(
      `SELECT * FROM audit_chests WHERE account_id = ?1 AND first_id < ?2 ORDER BY first_id DESC LIMIT 1`,
    )
    .bind(account_id, before)
    .first<AuditChest>()
}

/** The next chests of an account after an id, in the order of their events. */
export async function chestsAfter(
  books: AnyDb,
  account_id: string,
  after: string,
  limit: number,
): Promise<AuditChest[]> {
  const { results } = await books
    .prepare(
      `SELECT * FROM audit_chests WHERE account_id = ?1 AND first_id > ?2 ORDER BY first_id LIMIT ${limit}`,
    )
    .bind(account_id, after)
    .all<AuditChest>()
  return results
}

/** The chests that can have events whose ids begin with one of these texts, the first ones of many. */
export async function chestsWith(
  books: AnyDb,
  account_id: string,
  begins: readonly string[],
  limit: number,
): Promise<AuditChest[]> {
  const { results } = await books
    .prepare(
      `SELECT * FROM audit_chests WHERE account_id = ?1 AND first_id IN (
         SELECT chest.first_id FROM json_each(?2) begun CROSS JOIN audit_chests chest
           ON chest.account_id = ?1 AND chest.first_id <= begun.value || '~' AND chest.first_id >= coalesce(
             (SELECT max(first_id) FROM audit_chests WHERE account_id = ?1 AND first_id <= begun.value),
             begun.value))
       ORDER BY first_id LIMIT ${limit}`,
    )
    .bind(account_id, JSON.stringify(begins))
    .all<AuditChest>()
  return results
}
