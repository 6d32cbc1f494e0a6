import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { required } from '../database/guard.ts'

/** Whether the key ?1 of the account ?2 is valid at the moment ?3, and the account is not suspended. */
const VALID = `EXISTS (SELECT 1 FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id
  WHERE api_keys.id = ?1 AND api_keys.account_id = ?2 AND suspended_at IS NULL
    AND (revoked_at IS NULL OR revoked_at > ?3) AND (expires_at IS NULL OR expires_at > ?3))`

/** Whether the person ?1 has access to the account ?2 with the role ?3, and the account is not suspended. */
const HAS_ACCESS = `EXISTS (SELECT 1 FROM people JOIN accounts ON accounts.id = people.account_id
  WHERE people.id = ?1 AND people.account_id = ?2 AND people.role = ?3 AND removed_at IS NULL
    AND suspended_at IS NULL)`

type HoldsKey = Pick<Context, 'env' | 'principal' | 'now'>

/**
 * A statement that fails its batch with invalid_api_key unless the caller's key is valid in the control
 * database; of a person, with not_a_member unless the person still has this access. An isolate may have a
 * revoked key in memory for a minute. Put it first in each batch that writes there, so that a leaked key
 * cannot make another key after its revocation.
 */
export function requireValidKey(asking: HoldsKey): D1PreparedStatement {
  return asking.principal.person === null
    ? required(asking.env.DB, VALID, boundTo(asking), 'invalid_api_key')
    : required(asking.env.DB, HAS_ACCESS, boundTo(asking), 'not_a_member')
}

/**
 * Asks the primary of the control database whether the caller's key is valid. For a write to another database
 * that would outlive the key, such as a webhook. Throws invalid_api_key and not_a_member.
 */
export async function refuseEndedKey(asking: HoldsKey): Promise<void> {
  const { person } = asking.principal
  const { DB } = asking.env
  const question =
    person === null ? DB.prepare(`SELECT ${VALID} AS valid`) : DB.prepare(`SELECT ${HAS_ACCESS} AS valid`)
  const valid = await question.bind(...boundTo(asking)).first<number>('valid')
  if (valid !== 1) throw new ApiError(person === null ? 'invalid_api_key' : 'not_a_member')
}

function boundTo({ principal, now }: HoldsKey): string[] {
  return [principal.key_id, principal.account_id, principal.person?.role ?? now.toISOString()]
}
