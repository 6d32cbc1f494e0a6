import type { Bindings } from '../../platform/bindings.ts'
import type { Context, Principal } from '../../platform/context.ts'
import type { ControlDb } from '../../platform/database/databases.ts'
import { required } from '../../platform/database/guard.ts'
import { notHeld } from '../../platform/database/home.ts'
import { noteErasure } from '../../platform/database/note-erasure.ts'
import { rowsOf, totalOf } from '../../platform/database/results.ts'
import type { people } from '../../platform/database/tables/accounts.ts'
import type { Role } from '../../platform/database/values/roles.ts'
import type { PersonSession } from './cookies.ts'

export type PersonRow = Omit<typeof people.$inferSelect, 'account_id'>

/** People who may have access to an account at once. */
const PEOPLE_MAX = 100
/** Also those who were removed: their rows stay. */
const ROWS_MAX = 1_000

/** An account whose people are asked for or changed. The command line knows no more of a caller. */
type OfAccount = { env: Pick<Bindings, 'DB'>; principal: Pick<Principal, 'account_id'> }

/** A page of the people with access to the account, in the order in which they were added. */
export async function readPeople(
  { env, principal }: OfAccount,
  limit: number,
  offset: number,
): Promise<{ rows: PersonRow[]; total: number }> {
  const [page, count] = await env.DB.batch<PersonRow & { total: number }>([
    env.DB.prepare(
      `SELECT * FROM people WHERE account_id = ?1 AND removed_at IS NULL ORDER BY id LIMIT ?2 OFFSET ?3`,
    ).bind(principal.account_id, limit, offset),
    env.DB.prepare('SELECT count(*) AS total FROM people WHERE account_id = ?1 AND removed_at IS NULL').bind(
      principal.account_id,
    ),
  ])
  return { rows: rowsOf(page), total: totalOf(count) }
}

/** A person of the account, also one who was removed. */
export async function readPerson({ env, principal }: Context, id: string): Promise<PersonRow | null> {
  return env.DB.prepare('SELECT * FROM people WHERE account_id = ?1 AND id = ?2')
    .bind(principal.account_id, id)
    .first<PersonRow>()
}

/**
 * Adds a person, whose earlier sessions stay ended. The batch fails with person_exists, or with
 * too_many_people.
 */
export function insertPerson(db: ControlDb, account_id: string, row: PersonRow): D1PreparedStatement[] {
  return [
    required(
      db,
      'NOT EXISTS (SELECT 1 FROM people WHERE account_id = ?1 AND email = ?2 AND removed_at IS NULL)',
      [account_id, row.email],
      'person_exists',
    ),
    db
      .prepare(
        `INSERT INTO people (id, account_id, email, name, role, created_at, updated_at, signed_out_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6,
           (SELECT max(ended_at) FROM (
              SELECT removed_at AS ended_at FROM people WHERE account_id = ?2 AND email = ?3
              UNION ALL SELECT signed_out_at FROM people WHERE email = ?3)))`,
      )
      .bind(row.id, account_id, row.email, row.name, row.role, row.created_at),
    required(
      db,
      `(SELECT count(*) <= ${ROWS_MAX} AND sum(removed_at IS NULL) <= ${PEOPLE_MAX}
        FROM people WHERE account_id = ?1)`,
      [account_id],
      'too_many_people',
    ),
  ]
}

/** Changes name and role, unless the person was changed since it was read: then no row changes. */
export function updatePerson(
  { env, principal }: Context,
  before: PersonRow,
  { name, role, updated_at }: Pick<PersonRow, 'name' | 'role' | 'updated_at'>,
): D1PreparedStatement {
  return env.DB.prepare(
    `UPDATE people SET name = ?, role = ?, updated_at = ?
     WHERE account_id = ? AND id = ? AND removed_at IS NULL AND updated_at = ?`,
  ).bind(name, role, updated_at, principal.account_id, before.id, before.updated_at)
}

/** Ends the access of a person now, if it has not ended, and the role is still that one. */
export function endPerson(
  { env, principal, now }: OfAccount & { now: Date },
  { id, role }: Pick<PersonRow, 'id' | 'role'>,
): D1PreparedStatement {
  return env.DB.prepare(
    `UPDATE people SET removed_at = ?3, updated_at = ?3
     WHERE account_id = ?1 AND id = ?2 AND removed_at IS NULL AND role = ?4`,
  ).bind(principal.account_id, id, now.toISOString(), role)
}

/**
 * Erases name and e-mail of a person who was removed. The row stays, because history names its id. The batch
 * fails with legal_hold while there is one. A database that is restored later does it again.
 */
export function erasePerson({ env, principal, now }: Context, id: string): D1PreparedStatement[] {
  const { account_id } = principal
  const at = now.toISOString()
  return [
    required(env.DB, notHeld('?1'), [account_id], 'legal_hold'),
    env.DB.prepare(
      `UPDATE people SET email = '', name = '', erased_at = ?3, updated_at = ?3
       WHERE account_id = ?1 AND id = ?2 AND removed_at IS NOT NULL AND erased_at IS NULL`,
    ).bind(account_id, id, at),
    // The kept answer for an Idempotency-Key has both.
    env.DB.prepare(
      `UPDATE idempotency_keys SET answer = '', customer_id = NULL WHERE account_id = ? AND customer_id = ?`,
    ).bind(account_id, id),
    noteErasure(env.DB, { account_id, customer_id: id }, at),
  ]
}

/** A statement that fails its batch with last_owner unless the account still has an owner. */
export function requireOwner({ env, principal }: OfAccount): D1PreparedStatement {
  return required(
    env.DB,
    `EXISTS (SELECT 1 FROM people WHERE account_id = ?1 AND role = 'owner' AND removed_at IS NULL)`,
    [principal.account_id],
    'last_owner',
  )
}

/** An account of a person, as far as the person sees it. */
type AccountOfPerson = { id: string; name: string; sandbox: number; role: Role }

/** The accounts in which an e-mail has access, in the order in which the person was added. */
export async function readAccountsOfPerson(db: ControlDb, email: string): Promise<AccountOfPerson[]> {
  const { results } = await db
    .prepare(
      `SELECT accounts.id, coalesce(seller_name, accounts.name) AS name, sandbox, role
       FROM people JOIN accounts ON accounts.id = people.account_id
       WHERE email = ? AND removed_at IS NULL AND suspended_at IS NULL ORDER BY people.id LIMIT 1000`,
    )
    .bind(email)
    .all<AccountOfPerson>()
  return results
}

/** Ends the sessions of a person in all accounts, by one of them. A session that has ended ends no other. */
export async function endSessions(db: ControlDb, { email, at }: PersonSession, now: Date): Promise<void> {
  await db
    .prepare(
      `UPDATE people SET signed_out_at = ?1
       WHERE email = ?2 AND removed_at IS NULL AND (signed_out_at IS NULL OR signed_out_at < ?3)`,
    )
    .bind(now.toISOString(), email, new Date(at).toISOString())
    .run()
}

/** Records that a person signed in on a day. */
export async function recordSeen(
  db: ControlDb,
  { account_id, key_id }: Context['principal'],
  day: string,
): Promise<void> {
  await db
    .prepare('UPDATE people SET last_seen_at = ? WHERE account_id = ? AND id = ?')
    .bind(day, account_id, key_id)
    .run()
}
