import type { ControlDb } from '../../platform/database/databases.ts'

type SealedInstall = { id: string; account_id: string; api_key: string; auth_token: string | null }

/** Shops of all accounts after `after` with a secret that is not sealed under the key with this id. */
export async function readSealedInstalls(
  control: ControlDb,
  key_id: string,
  after: string,
  limit: number,
): Promise<SealedInstall[]> {
  const { results } = await control
    .prepare(
      `SELECT id, account_id, api_key, auth_token FROM saleor_installs
       WHERE id > ?1 AND (substr(api_key, -9) <> '.' || ?2 OR substr(auth_token, -9) <> '.' || ?2)
       ORDER BY id LIMIT ?3`,
    )
    .bind(after, key_id, limit)
    .all<SealedInstall>()
  return results
}

/** How many shops have a secret that is not sealed under the key with this id. */
export async function countInstallsSealedOtherwise(control: ControlDb, key_id: string): Promise<number> {
  const count = await control
    .prepare(
      `SELECT count(*) AS n FROM saleor_installs
       WHERE substr(api_key, -9) <> '.' || ?1 OR substr(auth_token, -9) <> '.' || ?1`,
    )
    .bind(key_id)
    .first<number>('n')
  return count ?? 0
}

/** Replaces sealed secrets. A shop that was registered meanwhile stays as it is. */
export function replaceSealedInstall(
  control: ControlDb,
  before: SealedInstall,
  { api_key, auth_token }: Pick<SealedInstall, 'api_key' | 'auth_token'>,
): D1PreparedStatement {
  return control
    .prepare(
      `UPDATE saleor_installs SET api_key = ?3, auth_token = ?4
       WHERE account_id = ?1 AND id = ?2 AND api_key = ?5 AND auth_token IS ?6`,
    )
    .bind(before.account_id, before.id, api_key, auth_token, before.api_key, before.auth_token)
}
