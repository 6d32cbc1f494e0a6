import type { ControlDb } from '../src/platform/database/databases.ts'
import { newId } from '../src/platform/database/ids.ts'
import { type Shard, shardOf } from '../src/platform/database/shards.ts'
import { insertHome } from '../src/platform/database/home-store.ts'
import { hashOfKey, newApiKey, shownPrefix } from '../src/parties/accounts/api-key.ts'
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
 * shard. The account comes first, its home second and the key last. So a crash leaves no home without an
 * account, no key that cannot write, and the same call ends the work.
 */
export async function createAccountAndKey(
  db: ControlDb,
  request: NewAccountAndKey,
  now: Date,
  shard: Shard = shardOf({ DB: db }, 0),
): Promise<{ key: string; key_id: string; account_id: string }> {
  const at = now.toISOString()
  const { account: name, tier, sandbox } = request
  await insertAccount(db, {
    id: newId('acct'),
    name,
    tier,
    sandbox: sandbox ? 1 : 0,
    created_at: at,
    shard: shard.number,
    home: shard.number === 0 ? 'open' : 'away',
  }).run()
  const account = await readAccountNamed(db, name)
  if (account === null) throw new Error('The account was not stored')
  // An account that another command made at the same time is in its own shard, and has its home from there.
  if (shard.number > 0 && account.shard === shard.number)
    await insertHome(shard.books, account.id, 'open', now).run()
  const key = newApiKey(account.sandbox === 1)
  const key_id = newId('key')
  await insertApiKey(db, account.id, {
    made_by: null,
    id: key_id,
    name: null,
    hash: await hashOfKey(key),
    prefix: shownPrefix(key),
    scopes: JSON.stringify(request.scopes),
    expires_at: request.expires_at ?? null,
    created_at: at,
  }).run()
  return { key, key_id, account_id: account.id }
}
