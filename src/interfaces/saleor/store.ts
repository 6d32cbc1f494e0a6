import type { Context } from '../../platform/context.ts'
import type { ControlDb } from '../../platform/database/databases.ts'
import { required } from '../../platform/database/guard.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import type { saleor_installs } from '../../platform/database/tables/saleor.ts'
import { ApiError } from '../../platform/errors.ts'

export type InstallRow = typeof saleor_installs.$inferSelect

/** The most shops of an account. The list of them has no pages. */
const INSTALLS_MAX = 20

/** The shop of a request from outside, before its account is known. */
export async function readInstall(control: ControlDb, id: string): Promise<InstallRow | null> {
  return control.prepare('SELECT * FROM saleor_installs WHERE id = ?').bind(id).first<InstallRow>()
}

/** A shop of the account. Throws not_found. */
export async function findInstall({ env, principal }: Context, id: string): Promise<InstallRow> {
  const row = await env.DB.prepare('SELECT * FROM saleor_installs WHERE account_id = ? AND id = ?')
    .bind(principal.account_id, id)
    .first<InstallRow>()
  if (row === null) throw new ApiError('not_found')
  return row
}

/** The shops of the account, the oldest first. */
export async function readInstalls({ env, principal }: Context): Promise<InstallRow[]> {
  const { results } = await env.DB.prepare(
    `SELECT * FROM saleor_installs WHERE account_id = ? ORDER BY id LIMIT ${INSTALLS_MAX}`,
  )
    .bind(principal.account_id)
    .all<InstallRow>()
  return results
}

/** The statements that add a shop. Their batch fails with too_many_installs if the account has too many. */
export function insertInstall({ env, principal }: Context, row: InstallRow): D1PreparedStatement[] {
  return [
    ...insertRows(env.DB, 'saleor_installs', [row]),
    required(
      env.DB,
      `(SELECT count(*) FROM saleor_installs WHERE account_id = ?) <= ${INSTALLS_MAX}`,
      [principal.account_id],
      'too_many_installs',
    ),
  ]
}

export function removeInstall({ env, principal }: Context, id: string): D1PreparedStatement {
  return env.DB.prepare('DELETE FROM saleor_installs WHERE account_id = ? AND id = ?').bind(
    principal.account_id,
    id,
  )
}

type RegisteredShop = Pick<InstallRow, 'auth_token' | 'jwks'>

/** Registers a shop, and ends its link. Two registrations at once: the second one changes no row. */
export function registerInstall(
  control: ControlDb,
  { id, account_id, token_hash }: InstallRow,
  { auth_token, jwks }: RegisteredShop,
  now: string,
): D1PreparedStatement {
  return control
    .prepare(
      `UPDATE saleor_installs SET auth_token = ?3, jwks = ?4, jwks_read_at = ?5, registered_at = ?5,
         token_hash = NULL
       WHERE account_id = ?1 AND id = ?2 AND token_hash = ?6 AND token_expires_at > ?5`,
    )
    .bind(account_id, id, auth_token, jwks, now, token_hash)
}

/**
 * Takes the turn to read the keys of a shop again. False if another request has taken it meanwhile: a flood
 * of bad signatures makes us ask the shop once a minute.
 */
export async function takeTurnToReadKeys(
  control: ControlDb,
  { id, account_id, jwks_read_at }: InstallRow,
  now: string,
): Promise<boolean> {
  const { meta } = await control
    .prepare(
      'UPDATE saleor_installs SET jwks_read_at = ? WHERE account_id = ? AND id = ? AND jwks_read_at = ?',
    )
    .bind(now, account_id, id, jwks_read_at)
    .run()
  return meta.changes === 1
}

export async function keepKeys(
  control: ControlDb,
  { id, account_id }: InstallRow,
  jwks: string,
): Promise<void> {
  await control
    .prepare('UPDATE saleor_installs SET jwks = ? WHERE account_id = ? AND id = ?')
    .bind(jwks, account_id, id)
    .run()
}

/**
 * Registered shops whose orders were asked for before `before`, or that have more, the longest ago first.
 * Those of suspended accounts and of ended keys rest.
 */
export async function readDueInstalls(
  control: ControlDb,
  { before, now }: { before: string; now: string },
  limit: number,
): Promise<InstallRow[]> {
  const { results } = await control
    .prepare(
      `SELECT saleor_installs.* FROM saleor_installs
       JOIN accounts ON accounts.id = saleor_installs.account_id
       JOIN api_keys ON api_keys.id = saleor_installs.key_id
       WHERE registered_at IS NOT NULL
         AND (orders_asked_at IS NULL OR orders_asked_at <= ?1 OR orders_cursor IS NOT NULL)
         AND suspended_at IS NULL AND erased_at IS NULL
         AND (revoked_at IS NULL OR revoked_at > ?2) AND (expires_at IS NULL OR expires_at > ?2)
       ORDER BY orders_asked_at, saleor_installs.id LIMIT ?3`,
    )
    .bind(before, now, limit)
    .all<InstallRow>()
  return results
}

/** Takes the turn to read the orders of a shop. False if another run has taken it meanwhile. */
export async function takeTurnToReadOrders(
  control: ControlDb,
  { id, account_id, orders_asked_at }: InstallRow,
  now: string,
): Promise<boolean> {
  const { meta } = await control
    .prepare(
      `UPDATE saleor_installs SET orders_asked_at = ?3
       WHERE account_id = ?1 AND id = ?2 AND orders_asked_at IS ?4`,
    )
    .bind(account_id, id, now, orders_asked_at)
    .run()
  return meta.changes === 1
}

export type OrdersProgress = Pick<InstallRow, 'orders_read_until' | 'orders_cursor'>

/** Keeps how far the orders of a shop were read, and the fault if there was one. A later run has priority. */
export async function keepOrdersProgress(
  control: ControlDb,
  { id, account_id }: InstallRow,
  { orders_read_until, orders_cursor }: OrdersProgress,
  { now, fault }: { now: string; fault: string | null },
): Promise<void> {
  await control
    .prepare(
      `UPDATE saleor_installs SET orders_read_until = ?3, orders_cursor = ?4,
         orders_fault = coalesce(?6, orders_fault),
         orders_fault_at = CASE WHEN ?6 IS NULL THEN orders_fault_at ELSE ?5 END
       WHERE account_id = ?1 AND id = ?2 AND orders_asked_at = ?5`,
    )
    .bind(account_id, id, orders_read_until, orders_cursor, now, fault)
    .run()
}
