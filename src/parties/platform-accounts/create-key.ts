import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { shardOf } from '../../platform/database/shards.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { commit } from '../../platform/writes/commit.ts'
import { withinAllKeys, withinCount } from '../../platform/writes/usage.ts'
import { creationOf, expiryOf, presentApiKey, refuseOutliving } from '../accounts/keys.ts'
import { openHome } from '../accounts/new-account.ts'
import { newKey } from '../accounts/new-key.ts'
import type { NewApiKeyAnswer } from '../accounts/schemas.ts'
import { insertApiKey } from '../accounts/store.ts'
import { findPlatformAccount } from './read.ts'
import type { PlatformAccountKeyRequest } from './schemas.ts'
import { requireNotSuspended } from './store.ts'

/**
 * Makes a key for an account under the caller's platform. It is shown once, and does not live longer than the
 * caller's key. It has scopes of that account alone, which the caller's key has not. The logs of both
 * accounts get an event. Throws not_found, account_suspended and quota_exceeded.
 */
export async function createPlatformAccountKey(
  context: Context,
  id: string,
  { name = null, scopes, expires_at: wanted }: z.output<typeof PlatformAccountKeyRequest>,
): Promise<Answer<typeof NewApiKeyAnswer>> {
  const { env, now, written } = context
  const account = await findPlatformAccount(context, 'id', id)
  const expires_at = expiryOf(context, wanted)
  refuseOutliving(context, expires_at)
  // Nobody of the platform is one of the people of that account.
  const given = { name, scopes: [...new Set(scopes)], expires_at, made_by: null }
  const { key, row } = await newKey(account.sandbox === 1, given, now)
  const counted = { env, written, principal: { account_id: id, tier: account.tier } }
  // A crash may have left the account without it.
  await openHome(shardOf(env, account.shard), id, now)
  const created = await creationOf(row)
  await commit(context, {
    changes: [
      requireNotSuspended(context, id),
      insertApiKey(env.DB, id, row),
      withinCount(counted, 'api_keys'),
      withinAllKeys(counted),
    ],
    audit: [
      { ...created, account_id: id },
      {
        action: 'account.key_created',
        resource_id: id,
        changed: ['api_keys'],
        values: { key_id: { old: null, new: row.id } },
      },
    ],
    answer: { ...presentApiKey(row), key: null },
  })
  return { ...presentApiKey(row), key }
}
