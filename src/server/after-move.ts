import { authenticate, forgetPrincipals } from '../accounts/authenticate.ts'
import type { Principal, Reader } from '../context.ts'
import { readHome } from '../database/home-store.ts'
import { shardOf } from '../database/shards.ts'
import { ApiError, type Reason } from '../errors.ts'
import { logFault } from '../log-fault.ts'

/**
 * Errors that rest on what the account has stored. An isolate may have an old shard in memory for a minute,
 * and what it reads there may be older than what another isolate has acknowledged.
 */
const OF_STORED: ReadonlySet<Reason> = new Set<Reason>([
  'not_found',
  'illegal_status_change',
  'exemption_in_use',
  'registration_in_use',
  'transaction_not_pending',
  'transaction_not_refundable',
  'transaction_not_replaceable',
  'refund_not_latest',
  'refund_exceeds_remaining',
  'period_already_filed',
  'return_not_filed',
  'webhook_disabled',
  'delivery_pending',
])

/**
 * The caller after a move of its books to another shard, if that may be why a request failed. Null if
 * `thrown` is another failure, or if the books are still being copied. Throws account_suspended: the books of
 * such an account accept no writes either.
 */
export async function principalAfterMove(
  reader: Reader,
  authorization: string | null,
  principal: Principal,
  thrown: unknown,
): Promise<Principal | null> {
  const { account_id, shard } = principal
  if (!(thrown instanceof ApiError) || !(await mayHaveMoved(reader, principal, thrown.reason))) return null
  forgetPrincipals(account_id)
  const current = await authenticate(reader, authorization, {
    only_calculates: false,
    beforeLookUp: () => undefined,
    afterFound: () => undefined,
  }).catch((failure: unknown) => logFault({ account_id, step: 'read the account again' }, failure))
  if (current?.suspended) throw new ApiError('account_suspended')
  return current === undefined || current.shard === shard ? null : current
}

/** Whether the books may be in another database than the one that was read. */
async function mayHaveMoved(
  { env }: Reader,
  { account_id, shard }: Principal,
  reason: Reason,
): Promise<boolean> {
  if (reason === 'account_moving') return true
  // An installation with one database has nowhere to move to.
  if (!OF_STORED.has(reason) || !hasShards(env)) return false
  return readHome(shardOf(env, shard).books, account_id).then(
    (home) => home !== 'open',
    (failure: unknown) => {
      logFault({ account_id, step: 'look at the home' }, failure)
      return false
    },
  )
}

function hasShards(env: object): boolean {
  return Object.keys(env).some((name) => name.startsWith('BOOKS_'))
}
