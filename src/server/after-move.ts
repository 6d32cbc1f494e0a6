import { authenticate, forgetPrincipals } from '../accounts/authenticate.ts'
import type { Principal, Reader } from '../context.ts'
import { ApiError } from '../errors.ts'
import { logFault } from '../log-fault.ts'

/**
 * The caller after a move of its books to another shard. Null if `thrown` is another failure, or if the books
 * are still being copied. Throws account_suspended: the books of such an account accept no writes either.
 */
export async function principalAfterMove(
  reader: Reader,
  authorization: string | null,
  { account_id, shard }: Principal,
  thrown: unknown,
): Promise<Principal | null> {
  if (!(thrown instanceof ApiError) || thrown.reason !== 'account_moving') return null
  forgetPrincipals(account_id)
  const current = await authenticate(reader, authorization, {
    only_calculates: false,
    beforeLookUp: () => undefined,
    afterFound: () => undefined,
  }).catch((failure: unknown) => logFault({ account_id, step: 'read the account again' }, failure))
  if (current?.suspended) throw new ApiError('account_suspended')
  return current === undefined || current.shard === shard ? null : current
}
