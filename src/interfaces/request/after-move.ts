import { authenticate, forgetPrincipals } from '../../parties/accounts/authenticate.ts'
import type { Principal, Reader } from '../../platform/context.ts'
import type { Home } from '../../platform/database/homes.ts'
import { isMoving, readHome } from '../../platform/database/home-store.ts'
import { shardOf } from '../../platform/database/shards.ts'
import { ApiError, type Reason } from '../../platform/errors.ts'
import { late } from '../../platform/kit/late.ts'
import { logFault } from '../../platform/kit/log-fault.ts'

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
  const failed = thrown instanceof ApiError && (await mayHaveMoved(reader, principal, thrown.reason))
  return failed ? readAgain(reader, authorization, principal) : null
}

/**
 * The caller after a move of its books to another shard, if a request has read from a database that they have
 * left. Null if they are at home there, or are still being copied. `home`: see `homeOfRead`.
 */
export async function principalAfterRead(
  reader: Reader,
  authorization: string | null,
  principal: Principal,
  home: Promise<Home | null>,
): Promise<Principal | null> {
  return (await home) === 'open' ? null : readAgain(reader, authorization, principal)
}

/**
 * Looks at the home of the books beside a request that reads them. If it is open, no other database had them
 * when the request came, so the answer is not older than that. `open` if the look fails.
 */
export function homeOfRead({ env }: Reader, { account_id, shard }: Principal): Promise<Home | null> {
  return readHome(shardOf(env, shard).books, account_id).catch((failure: unknown) => {
    logFault({ account_id, step: 'look at the home' }, failure)
    return 'open'
  })
}

/**
 * Whether a request may read books that have moved: an installation with one database has nowhere to move.
 */
export function hasShards(env: object): boolean {
  return Object.keys(env).some((name) => name.startsWith('BOOKS_'))
}

/**
 * Null if the control database still says the same shard. Throws account_suspended, and books_not_here if the
 * books are not there, and are not being copied either: then a database was restored.
 */
async function readAgain(
  reader: Reader,
  authorization: string | null,
  principal: Principal,
): Promise<Principal | null> {
  const { account_id, shard } = principal
  forgetPrincipals(account_id)
  const current = await currentPrincipal(reader, authorization, principal).catch((failure: unknown) =>
    logFault({ account_id, step: 'read the account again' }, failure),
  )
  if (current?.suspended) throw new ApiError('account_suspended')
  if (!current) return null
  if (current.shard !== shard) return current
  const lost = !(await isMoving(reader.env.DB, account_id)) && (await homeOfRead(reader, current)) !== 'open'
  if (lost) throw new ApiError('books_not_here')
  return null
}

const signIn = late(() => import('../../parties/accounts/sign-in.ts'))

/** The caller as the control database says now. Throws invalid_api_key; null: a person without access. */
async function currentPrincipal(
  reader: Reader,
  authorization: string | null,
  principal: Principal,
): Promise<Principal | null> {
  if (principal.person === null)
    return authenticate(reader, authorization, {
      only_calculates: false,
      beforeLookUp: () => undefined,
      afterFound: () => undefined,
    })
  const { readPersonAgain } = await signIn.load()
  return readPersonAgain(reader, principal)
}

/** Whether the books may be in another database than the one that was read. */
async function mayHaveMoved(reader: Reader, principal: Principal, reason: Reason): Promise<boolean> {
  if (reason === 'account_moving') return true
  if (!OF_STORED.has(reason) || !hasShards(reader.env)) return false
  return (await homeOfRead(reader, principal)) !== 'open'
}
