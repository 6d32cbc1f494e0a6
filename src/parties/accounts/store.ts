import type { ControlDb } from '../../platform/database/databases.ts'
import { rowsOf, totalOf } from '../../platform/database/results.ts'
import type { Context } from '../../platform/context.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import type { accounts, api_keys } from '../../platform/database/tables/accounts.ts'

export type AccountRow = Omit<typeof accounts.$inferSelect, 'seller_name' | 'platform_id' | 'external_id'>

export type ApiKeyRow = Omit<typeof api_keys.$inferSelect, 'account_id'>

/** The caller's own account. */
export async function readAccount({ env, principal }: Context): Promise<AccountRow | null> {
  return env.DB.prepare(
    `SELECT id, coalesce(seller_name, name) AS name, tier, sandbox, country, region, city, postal_code, line1,
       line2, vat_id, vat_id_policy, small_business, over_eu_threshold, created_at, updated_at, time_zone,
       uk_stagger, fiscal_year_start, taxjar_api, taxjar_currency, taxjar_state_only, refuses_unknown_codes,
       global_turnover, global_turnover_currency, establishments, four_eyes
     FROM accounts WHERE id = ?`,
  )
    .bind(principal.account_id)
    .first<AccountRow>()
}

/** The own rates of the caller's account, as they are stored. */
export async function readOwnRates({ env, principal }: Context): Promise<string> {
  const stored = await env.DB.prepare('SELECT own_rates FROM accounts WHERE id = ?')
    .bind(principal.account_id)
    .first<string>('own_rates')
  return invariant(stored, 'the account of a key exists')
}

/** Replaces them, unless they were changed since they were read: then no row changes. */
export function replaceOwnRates(
  { env, principal }: Context,
  before: string,
  after: string,
): D1PreparedStatement {
  return env.DB.prepare('UPDATE accounts SET own_rates = ? WHERE id = ? AND own_rates = ?').bind(
    after,
    principal.account_id,
    before,
  )
}

/** The VAT id of an account, its country if the id has no prefix, and its tier. Null: no such account. */
export async function readOwnVatId(
  db: ControlDb,
  account_id: string,
): Promise<Pick<AccountRow, 'vat_id' | 'country' | 'tier'> | null> {
  return db
    .prepare('SELECT vat_id, country, tier FROM accounts WHERE id = ?')
    .bind(account_id)
    .first<Pick<AccountRow, 'vat_id' | 'country' | 'tier'>>()
}

/** The time zone of an account. */
export async function readTimeZone(control: ControlDb, account_id: string): Promise<string> {
  const zone = await control
    .prepare('SELECT time_zone FROM accounts WHERE id = ?')
    .bind(account_id)
    .first<string>('time_zone')
  return invariant(zone, 'an account with books exists')
}

/** Gives the account a country if it has none. */
export function setCountryIfNone({ env, principal, now }: Context, country: string): D1PreparedStatement {
  return env.DB.prepare(
    'UPDATE accounts SET country = ?2, updated_at = ?3 WHERE id = ?1 AND country IS NULL',
  ).bind(principal.account_id, country, now.toISOString())
}

/**
 * Replaces the account's profile, unless it was changed since it was read: then no row changes. The
 * operator's name for the account stays, because the command line finds it by that name.
 */
export function updateAccount(
  { env, principal }: Context,
  before: AccountRow,
  row: AccountRow,
): D1PreparedStatement {
  return env.DB.prepare(
    `UPDATE accounts SET seller_name = ?, country = ?, region = ?, city = ?, postal_code = ?, line1 = ?,
       line2 = ?, vat_id = ?, vat_id_policy = ?, small_business = ?, time_zone = ?, uk_stagger = ?,
       fiscal_year_start = ?,
       taxjar_api = ?, taxjar_currency = ?, taxjar_state_only = ?, refuses_unknown_codes = ?,
       global_turnover = ?, global_turnover_currency = ?, establishments = ?, four_eyes = ?, updated_at = ?
     WHERE id = ? AND updated_at = ?`,
  ).bind(
    row.name,
    row.country,
    row.region,
    row.city,
    row.postal_code,
    row.line1,
    row.line2,
    row.vat_id,
    row.vat_id_policy,
    row.small_business,
    row.time_zone,
    row.uk_stagger,
    row.fiscal_year_start,
    row.taxjar_api,
    row.taxjar_currency,
    row.taxjar_state_only,
    row.refuses_unknown_codes,
    row.global_turnover,
    row.global_turnover_currency,
    row.establishments,
    row.four_eyes,
    row.updated_at,
    principal.account_id,
    before.updated_at,
  )
}

const NOT_REVOKED = 'account_id = ?1 AND (revoked_at IS NULL OR revoked_at > ?2)'
const USABLE = `${NOT_REVOKED} AND (expires_at IS NULL OR expires_at > ?2)`

/** A page of the keys that are still valid, oldest first, and their total number. */
export async function readApiKeys(
  { env, principal, now }: Context,
  limit: number,
  offset: number,
): Promise<{ rows: ApiKeyRow[]; total: number }> {
  const at = now.toISOString()
  const [page, count] = await env.DB.batch<ApiKeyRow & { total: number }>([
    env.DB.prepare(`SELECT * FROM api_keys WHERE ${USABLE} ORDER BY id LIMIT ?3 OFFSET ?4`).bind(
      principal.account_id,
      at,
      limit,
      offset,
    ),
    env.DB.prepare(`SELECT count(*) AS total FROM api_keys WHERE ${USABLE}`).bind(principal.account_id, at),
  ])
  return { rows: rowsOf(page), total: totalOf(count) }
}

/** A key of the account that was not revoked. It may have expired. */
export async function readApiKey({ env, principal, now }: Context, id: string): Promise<ApiKeyRow | null> {
  return env.DB.prepare(`SELECT * FROM api_keys WHERE ${NOT_REVOKED} AND id = ?3`)
    .bind(principal.account_id, now.toISOString(), id)
    .first<ApiKeyRow>()
}

type NewApiKeyRow = Omit<ApiKeyRow, 'revoked_at' | 'last_used_at'>

export function insertApiKey(db: ControlDb, account_id: string, row: NewApiKeyRow): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO api_keys (id, account_id, name, hash, prefix, scopes, expires_at, created_at, made_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(
      row.id,
      account_id,
      row.name,
      row.hash,
      row.prefix,
      row.scopes,
      row.expires_at,
      row.created_at,
      row.made_by,
    )
}

/** Revokes a key now, even if a rotation left it some hours. */
export function endApiKey({ env, principal, now }: Context, id: string): D1PreparedStatement {
  return env.DB.prepare(
    `UPDATE api_keys SET revoked_at = ?2
     WHERE account_id = ?1 AND id = ?3 AND (revoked_at IS NULL OR revoked_at > ?2)`,
  ).bind(principal.account_id, now.toISOString(), id)
}

/** Sets the end of a key that has no end yet. If two rotations run at once, the second changes no row. */
export function retireApiKey(
  { env, principal }: Context,
  id: string,
  revoked_at: string,
): D1PreparedStatement {
  return env.DB.prepare(
    'UPDATE api_keys SET revoked_at = ? WHERE account_id = ? AND id = ? AND revoked_at IS NULL',
  ).bind(revoked_at, principal.account_id, id)
}

export type NewAccountRow = Pick<
  typeof accounts.$inferSelect,
  | 'id'
  | 'name'
  | 'seller_name'
  | 'tier'
  | 'sandbox'
  | 'created_at'
  | 'shard'
  | 'home'
  | 'platform_id'
  | 'external_id'
>

/** Adds an account, unless another one has this name, or its external id on its platform. */
export function insertAccount(db: ControlDb, row: NewAccountRow): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO accounts (id, name, tier, sandbox, created_at, updated_at, shard, home, seller_name,
         platform_id, external_id)
       VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8, ?9, ?10)
       ON CONFLICT DO NOTHING`,
    )
    .bind(
      row.id,
      row.name,
      row.tier,
      row.sandbox,
      row.created_at,
      row.shard,
      row.home,
      row.seller_name,
      row.platform_id,
      row.external_id,
    )
}

/** The account with the name that the operator gave it; null if there is none. */
export async function readAccountNamed(
  db: ControlDb,
  name: string,
): Promise<Pick<typeof accounts.$inferSelect, 'id' | 'sandbox' | 'tier' | 'shard' | 'suspended_at'> | null> {
  return db
    .prepare('SELECT id, sandbox, tier, shard, suspended_at FROM accounts WHERE name = ?')
    .bind(name)
    .first()
}
