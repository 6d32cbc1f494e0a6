import type { Context } from '../../platform/context.ts'
import { required } from '../../platform/database/guard.ts'
import type { accounts } from '../../platform/database/tables/accounts.ts'

/** An account under a platform, with the number of the shard that contains its books. */
export type PlatformAccountRow = Pick<
  typeof accounts.$inferSelect,
  'id' | 'tier' | 'sandbox' | 'suspended_at' | 'created_at' | 'shard'
> & { external_id: string; name: string }

const COLUMNS =
  `id, external_id, coalesce(seller_name, name) AS name, tier, sandbox, suspended_at, created_at,
  shard` as const

/** An account under the caller's platform by its id, or by the platform's reference; null: there is none. */
export async function readPlatformAccount(
  { env, principal }: Context,
  by: 'id' | 'external_id',
  value: string,
): Promise<PlatformAccountRow | null> {
  return env.DB.prepare(`SELECT ${COLUMNS} FROM accounts WHERE platform_id = ?1 AND ${by} = ?2`)
    .bind(principal.account_id, value)
    .first<PlatformAccountRow>()
}

/** A page of the accounts under the caller's platform before `cursor`, newest first. */
export async function readPlatformAccounts(
  { env, principal }: Context,
  cursor: string | undefined,
  limit: number,
): Promise<PlatformAccountRow[]> {
  const { results } = await env.DB.prepare(
    `SELECT ${COLUMNS} FROM accounts WHERE platform_id = ?1 AND (?2 IS NULL OR id < ?2)
     ORDER BY id DESC LIMIT ?3`,
  )
    .bind(principal.account_id, cursor ?? null, limit)
    .all<PlatformAccountRow>()
  return results
}

/** A statement that fails its batch with account_suspended if the account under the platform is suspended. */
export function requireNotSuspended({ env, principal }: Context, id: string): D1PreparedStatement {
  return required(
    env.DB,
    'EXISTS (SELECT 1 FROM accounts WHERE platform_id = ?1 AND id = ?2 AND suspended_at IS NULL)',
    [principal.account_id, id],
    'account_suspended',
  )
}
