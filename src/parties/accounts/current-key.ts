import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { allows, SCOPES } from '../../platform/http/scopes.ts'
import type { FurtherMatters } from './attention-store.ts'
import { getAccount } from './profile.ts'
import type { CurrentApiKeyAnswer } from './schemas.ts'

/** The caller's key: what it may do, and whose it is. Any key may ask this of itself. */
export async function getCurrentApiKey(
  context: Context,
  further: FurtherMatters,
): Promise<Answer<typeof CurrentApiKeyAnswer>> {
  const { key_id, scopes, expires_at, sandbox } = context.principal
  return {
    id: key_id,
    scopes: SCOPES.filter((scope) => scopes.has(scope)),
    expires_at,
    sandbox,
    account: allows(scopes, 'registrations:read') ? await getAccount(context, further) : null,
  }
}
