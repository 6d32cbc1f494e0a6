import type { ControlDb } from '../src/platform/database/databases.ts'
import { type Shard, shardOf } from '../src/platform/database/shards.ts'
import { newAccountRow, openHome } from '../src/parties/accounts/new-account.ts'
import { newKey } from '../src/parties/accounts/new-key.ts'
import type { Scope } from '../src/platform/database/values/scopes.ts'
import { insertAccount, insertApiKey, readAccountNamed } from '../src/parties/accounts/store.ts'
import type { Tier } from '../src/platform/tiers.ts'

export type NewAccountAndKey = {
  account: string
  tier: Tier
  scopes: readonly Scope[]
  sandbox: boolean
  expires_at?: string | null
}

/**
 * Creates a key, and its account if no account has that name. Only this call returns the key. For the command
 * line and tests: callers of the API create keys with POST /v1/api-keys. A new account gets its books in the
 * shard. After a crash, the same call ends the work.
 */
export async function createAccountAndKey(
  db: ControlDb,
  request: NewAccountAndKey,
  now: Date,
  shard: Shard = shardOf({ DB: db }, 0),
): Promise<{ key: string; key_id: string; account_id: string }> {
  const { account: name, tier, sandbox, scopes, expires_at = null } = request
  await insertAccount(db, newAccountRow({ name, tier, sandbox: sandbox ? 1 : 0 }, shard, now)).run()
  const account = await readAccountNamed(db, name)
  if (account === null) throw new Error('The account was not stored')
  // An account that another command made at the same time is in its own shard, and has its home from there.
  if (account.shard === shard.number) await openHome(shard, account.id, now)
  const wanted = { name: null, scopes, expires_at, made_by: null }
  const { key, row } = await newKey(account.sandbox === 1, wanted, now)
  await insertApiKey(db, account.id, row).run()
  return { key, key_id: row.id, account_id: account.id }
}
