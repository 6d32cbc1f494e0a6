import type { ControlDb } from '../../platform/database/databases.ts'
import type { Principal } from '../../platform/context.ts'
import { ACCOUNT_COLUMNS, foundPrincipal, type PrincipalRow } from './principal-store.ts'

/** An account that is asked without a key: what it may is nothing, and its name is that of the seller. */
type AskedSeller = { principal: Principal; name: string }

/**
 * The account as the principal `acting_as`, which has no scope; null: there is none, or it is suspended or
 * erased.
 */
export async function readSeller(
  control: ControlDb,
  account_id: string,
  acting_as: string,
): Promise<AskedSeller | null> {
  const row = await control
    .prepare(
      `SELECT ?2 AS key_id, accounts.id AS account_id, '[]' AS scopes, NULL AS expires_at,
         NULL AS last_used_at, ${ACCOUNT_COLUMNS}, coalesce(seller_name, name) AS seller
       FROM accounts WHERE id = ?1 AND suspended_at IS NULL`,
    )
    .bind(account_id, acting_as)
    .first<PrincipalRow & { seller: string }>()
  if (row === null) return null
  const { principal } = await foundPrincipal(row)
  return { principal, name: row.seller }
}
