import { allColumnsOf } from '../../platform/database/column-list.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf, totalOf } from '../../platform/database/results.ts'
import type { Context } from '../../platform/context.ts'
import type { registrations } from '../../platform/database/tables/accounts.ts'
import { ApiError } from '../../platform/errors.ts'

export type Registration = Omit<typeof registrations.$inferSelect, 'account_id'>

const COLUMNS = allColumnsOf<Registration>()(
  `id, jurisdiction_id, scheme, registration_number, valid_from, valid_to, created_at,
  updated_at, filing_frequency`,
)

/** A page of the account's registrations, newest first, and how many there are. */
export async function readRegistrations(
  { env, principal }: Context,
  limit: number,
  offset: number,
): Promise<{ rows: Registration[]; total: number }> {
  const { account_id } = principal
  const [rows, count] = await env.DB.batch<Registration & { total: number }>([
    env.DB.prepare(
      `SELECT ${COLUMNS} FROM registrations WHERE account_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
    ).bind(account_id, limit, offset),
    env.DB.prepare('SELECT count(*) AS total FROM registrations WHERE account_id = ?').bind(account_id),
  ])
  return { rows: rowsOf(rows), total: totalOf(count) }
}

/** A registration of the account. Throws not_found. */
export async function readRegistration(context: Context, id: string): Promise<Registration> {
  const row = await context.env.DB.prepare(
    `SELECT ${COLUMNS} FROM registrations WHERE account_id = ? AND id = ?`,
  )
    .bind(context.principal.account_id, id)
    .first<Registration>()
  if (row === null) throw new ApiError('not_found')
  return row
}

export function insertRegistration(
  { env, principal }: Context,
  registration: Registration,
): D1PreparedStatement {
  const { id, jurisdiction_id, scheme, registration_number, valid_from, valid_to, created_at, updated_at } =
    registration
  return env.DB.prepare(
    `INSERT INTO registrations (account_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).bind(
    principal.account_id,
    id,
    jurisdiction_id,
    scheme,
    registration_number,
    valid_from,
    valid_to,
    created_at,
    updated_at,
    registration.filing_frequency,
  )
}

/** The registrations of the account with these ids. */
export async function readRegistrationsOf(
  { env, principal }: Context,
  ids: readonly string[],
): Promise<Registration[]> {
  const { results } = await env.DB.prepare(
    `SELECT ${COLUMNS} FROM registrations
     WHERE account_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  )
    .bind(principal.account_id, JSON.stringify(ids))
    .all<Registration>()
  return results
}

/** Adds a registration unless it is there. */
export function addRegistrationIfNew(
  { env, principal }: Context,
  registration: Registration,
): D1PreparedStatement[] {
  const row = { account_id: principal.account_id, ...registration }
  return insertRows(env.DB, 'registrations', [row], 'OR IGNORE')
}

/** Changes one row, or no row if it was changed or deleted since it was read. */
export function replaceRegistration(
  { env, principal }: Context,
  before: Registration,
  registration: Registration,
): D1PreparedStatement {
  const { id, jurisdiction_id, scheme, registration_number, valid_from, valid_to, updated_at } = registration
  return env.DB.prepare(
    `UPDATE registrations SET jurisdiction_id = ?, scheme = ?, registration_number = ?,
       valid_from = ?, valid_to = ?, updated_at = ?, filing_frequency = ?
     WHERE account_id = ? AND id = ? AND updated_at = ?`,
  ).bind(
    jurisdiction_id,
    scheme,
    registration_number,
    valid_from,
    valid_to,
    updated_at,
    registration.filing_frequency,
    principal.account_id,
    id,
    before.updated_at,
  )
}

export function removeRegistration({ env, principal }: Context, id: string): D1PreparedStatement {
  return env.DB.prepare('DELETE FROM registrations WHERE account_id = ? AND id = ?').bind(
    principal.account_id,
    id,
  )
}
