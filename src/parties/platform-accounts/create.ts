import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { guarded } from '../../platform/database/guard.ts'
import { emptiestShard } from '../../platform/database/shard-sizes.ts'
import { shardOf, shardsOf } from '../../platform/database/shards.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { commit } from '../../platform/writes/commit.ts'
import { withinCount } from '../../platform/writes/usage.ts'
import { newAccountRow, openHome } from '../accounts/new-account.ts'
import { insertAccount } from '../accounts/store.ts'
import { presentPlatformAccount } from './read.ts'
import type { PlatformAccount, PlatformAccountRequest } from './schemas.ts'
import { type PlatformAccountRow, readPlatformAccount } from './store.ts'

type Wanted = z.output<typeof PlatformAccountRequest>

/**
 * Makes an account under the caller's platform, once for each `external_id`. A second request answers the
 * account that exists, as it is, because its seller may have renamed itself since. The answer for an
 * Idempotency-Key is stored last, after the home of the books. So a second request ends what a crash left.
 * Throws quota_exceeded.
 */
export async function createPlatformAccount(
  context: Context,
  wanted: Wanted,
): Promise<Answer<typeof PlatformAccount>> {
  const account = await findOrMake(context, wanted)
  await openHome(shardOf(context.env, account.shard), account.id, context.now)
  const answer = presentPlatformAccount(account)
  await commit(context, { changes: [], audit: [], answer })
  return answer
}

async function findOrMake(context: Context, wanted: Wanted): Promise<PlatformAccountRow> {
  const find = () => readPlatformAccount(context, 'external_id', wanted.external_id)
  const existing = await find()
  if (existing !== null) return existing
  try {
    return await make(context, wanted)
  } catch (thrown) {
    if (!(thrown instanceof ApiError && thrown.reason === 'concurrent_change')) throw thrown
    // Another request has made it meanwhile.
    const made = await find()
    if (made === null) throw thrown
    return made
  }
}

/** Writes the account, and its event into the logs of both accounts. */
async function make(context: Context, { external_id, name }: Wanted): Promise<PlatformAccountRow> {
  const { env, now, principal } = context
  const { tier, account_id: platform_id } = principal
  const account = {
    // Names are unique in the service, and sellers of two platforms may have one name.
    name: `${platform_id}/${external_id}`,
    seller_name: name,
    tier,
    sandbox: principal.sandbox ? 1 : 0,
    platform_id,
    external_id,
  }
  const row = newAccountRow(account, await emptiestShard(shardsOf(env)), now)
  const event = {
    action: 'account.created',
    resource_id: row.id,
    changed: ['external_id', 'name'],
    values: await valuesOf(null, { external_id, name, tier }),
  }
  await commit(
    { ...context, idempotency: null },
    {
      changes: [
        ...guarded(env.DB, insertAccount(env.DB, row), 'concurrent_change'),
        withinCount(context, 'accounts'),
      ],
      audit: [event, { ...event, account_id: row.id }],
      answer: {},
    },
  )
  return { ...row, external_id, name, suspended_at: null }
}
