import { newId } from '../../platform/database/ids.ts'
import type { Scope } from '../../platform/database/values/scopes.ts'
import { hashOfKey, newApiKey, shownPrefix } from './api-key.ts'
import type { ApiKeyRow } from './store.ts'

export type WantedKey = Pick<ApiKeyRow, 'name' | 'expires_at' | 'made_by'> & { scopes: readonly Scope[] }

/** A new key of a live account, or of one for tests, with its row. Only this call returns the key. */
export async function newKey(
  sandbox: boolean,
  { name, scopes, expires_at, made_by }: WantedKey,
  now: Date,
): Promise<{ key: string; row: ApiKeyRow }> {
  const key = newApiKey(sandbox)
  const row = {
    id: newId('key'),
    name,
    hash: await hashOfKey(key),
    prefix: shownPrefix(key),
    scopes: JSON.stringify(scopes),
    expires_at,
    revoked_at: null,
    last_used_at: null,
    created_at: now.toISOString(),
    made_by,
  }
  return { key, row }
}
