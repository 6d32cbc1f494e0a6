import { signIn } from '../../parties/accounts/sign-in.ts'
import type { Principal } from '../../platform/context.ts'
import { ApiError, type Reason } from '../../platform/errors.ts'
import type { AskedRequest } from './asked-request.ts'
import { countFailure, endRefusal, networkOf, refuseGuessing } from './rate-limit.ts'

const FAILURES: ReadonlySet<Reason> = new Set<Reason>(['invalid_sign_in', 'not_a_member'])

/**
 * The person who has signed in, by the assertion of Access or by the cookie of a session. Failed attempts
 * count against the address, as those with a key do.
 */
export async function findPerson(asked: AskedRequest, proof: string): Promise<Principal> {
  const { env, now, headers } = asked
  const client = networkOf(headers)
  let looked_up = false
  try {
    const principal = await signIn(asked, proof, () => {
      refuseGuessing(client, now)
      looked_up = true
    })
    endRefusal(client)
    return principal
  } catch (thrown) {
    if (thrown instanceof ApiError && FAILURES.has(thrown.reason))
      await countFailure(env, client, now, looked_up)
    throw thrown
  }
}
