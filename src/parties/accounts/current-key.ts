import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { allows, SCOPES } from '../../platform/database/values/scopes.ts'
import { readAccountsOfPerson } from '../people/store.ts'
import type { FurtherMatters } from './attention-store.ts'
import { getAccount } from './profile.ts'
import type { CurrentApiKeyAnswer } from './schemas.ts'

/** The caller's key or person: what it may do, and whose it is. Each may ask this of itself. */
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
    person: await whoSignedIn(context),
    account: allows(scopes, 'registrations:read') ? await getAccount(context, further) : null,
  }
}

/** The person of the request, with all accounts to which the person may switch. Null: a key. */
async function whoSignedIn({
  env,
  principal,
}: Context): Promise<Answer<typeof CurrentApiKeyAnswer>['person']> {
  const { person, key_id } = principal
  if (person === null) return null
  const accounts = await readAccountsOfPerson(env.DB, person.email)
  return {
    id: key_id,
    email: person.email,
    name: person.name,
    role: person.role,
    accounts: accounts.map((each) => ({ ...each, sandbox: each.sandbox === 1 })),
  }
}
