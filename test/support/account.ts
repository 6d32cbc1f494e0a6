import { env } from 'cloudflare:workers'
import { createAccountAndKey } from '../../scripts/create-account-and-key.ts'
import type { Scope } from '../../src/platform/database/values/scopes.ts'
import type { Tier } from '../../src/platform/tiers.ts'
import { nextShard } from './shards.ts'

type Wanted = {
  tier?: Tier
  scopes?: readonly Scope[]
  sandbox?: boolean
  expires_at?: string | null
  account?: string
}

/** An account of its own for a test, with a key. */
export async function newAccount({
  tier = 'enterprise',
  scopes = ['*', 'platform:write', 'operator'],
  sandbox = false,
  expires_at = null,
  account,
}: Wanted = {}) {
  return createAccountAndKey(
    env.DB,
    { account: account ?? crypto.randomUUID(), tier, scopes, sandbox, expires_at },
    new Date(),
    nextShard(),
  )
}
