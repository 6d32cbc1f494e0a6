import { newId } from '../database/ids.ts'
import { hashOfKey, newApiKey, shownPrefix } from './api-key.ts'
import type { Scope } from './scopes.ts'
import type { Tier } from './tiers.ts'

export type NewAccountAndKey = {
  account: string
  tier: Tier
  scopes: readonly Scope[]
  sandbox: boolean
  expires_at?: string | null
}

/**
 * Makes a key, and its account when there is none of that name. The key is returned here and never again.
 * For the command line and tests: a caller of the API makes keys through POST /v1/api-keys.
 */
export async function createAccountAndKey(
  db: D1Database,
  request: NewAccountAndKey,
  now: Date,
): Promise<{ key: string; key_id: string; account_id: string }> {
  const at = now.toISOString()
  await db
    .prepare(
      'INSERT INTO accounts (id, name, tier, sandbox, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING',
    )
    .bind(newId('acct'), request.account, request.tier, request.sandbox ? 1 : 0, at, at)
    .run()
  const account = await db
    .prepare('SELECT id, sandbox FROM accounts WHERE name = ?')
    .bind(request.account)
    .first<{ id: string; sandbox: number }>()
  if (account === null) throw new Error('The account was not stored')
  const key = newApiKey(account.sandbox === 1)
  const key_id = newId('key')
  await db
    .prepare(
      'INSERT INTO api_keys (id, account_id, name, hash, prefix, scopes, expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .bind(
      key_id,
      account.id,
      null,
      await hashOfKey(key),
      shownPrefix(key),
      JSON.stringify(request.scopes),
      request.expires_at ?? null,
      at,
    )
    .run()
  return { key, key_id, account_id: account.id }
}
