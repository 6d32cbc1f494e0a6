import { TIERS } from '../accounts/tiers.ts'
import type { Bindings } from '../bindings.ts'
import type { Principal } from '../context.ts'
import { ApiError } from '../errors.ts'

/** Requests without a key that one address may send in a minute: the limit of RATE_LIMIT_ADDRESS. */
export const ADDRESS_REQUESTS_PER_MINUTE = 60

/** Counts a request of an account against its tier. Throws rate_limited. */
export async function limitAccount(env: Bindings, principal: Principal): Promise<void> {
  const { limiter, requests_per_minute } = TIERS[principal.tier]
  if (!(await isAllowed(env[limiter], principal.account_id)))
    throw new ApiError('rate_limited', { message: `More than ${requests_per_minute} requests a minute` })
}

/**
 * Counts a request for a public page against the client's address, 60 a minute for each. Throws rate_limited.
 */
export async function limitAddress(env: Bindings, purpose: string, headers: Headers): Promise<void> {
  if (env.RATE_LIMITS === 'off') return
  if (!(await isAllowed(env.RATE_LIMIT_ADDRESS, `${purpose} ${networkOf(headers)}`))) throw tooMany()
}

/**
 * An address that failed too often gets one unknown key looked up in so long a time: guessing does not reach
 * the database.
 */
const SHUT_MS = 5_000
const SHUT_REMEMBERED_MS = 60_000
const SHUT_MAX = 5_000

/** Until when nothing unknown of an address is looked up, in this isolate. */
const shut = new Map<string, number>()

/**
 * Counts a failed authentication against the client's address, 60 a minute. One that was looked up shuts the
 * address for a while: a key that is only mistyped costs the database nothing. Throws rate_limited.
 */
export async function countFailure(
  env: Bindings,
  headers: Headers,
  now: Date,
  looked_up: boolean,
): Promise<void> {
  if (env.RATE_LIMITS === 'off') return
  const network = networkOf(headers)
  if (await isAllowed(env.RATE_LIMIT_ADDRESS, `authentication ${network}`)) return
  if (looked_up) {
    const [oldest] = shut.keys()
    if (shut.size >= SHUT_MAX && oldest !== undefined) shut.delete(oldest)
    shut.set(network, now.getTime() + SHUT_MS)
  }
  throw tooMany()
}

/**
 * Throws rate_limited before a key is looked up that comes from an address which failed too often. Keys that
 * are known here never ask.
 */
export function refuseGuessing(headers: Headers, now: Date): void {
  if (shut.size === 0) return
  const network = networkOf(headers)
  const until = shut.get(network)
  if (until === undefined) return
  if (until > now.getTime()) throw tooMany()
  if (until + SHUT_REMEMBERED_MS > now.getTime()) shut.set(network, now.getTime() + SHUT_MS)
  else shut.delete(network)
}

/**
 * A key that was new here and good: whoever has good ones shares the address with whoever guessed, and need
 * not wait any longer.
 */
export function endRefusal(headers: Headers): void {
  if (shut.size > 0) shut.delete(networkOf(headers))
}

function tooMany(): ApiError {
  const message = `More than ${ADDRESS_REQUESTS_PER_MINUTE} such requests a minute from this address`
  return new ApiError('rate_limited', { message })
}

/** The client's address; of IPv6 the first 64 bits, since one client has all of the others to itself. */
function networkOf(headers: Headers): string {
  const address = headers.get('CF-Connecting-IP') ?? 'unknown'
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const first = head.split(':')
  const last = tail?.split(':') ?? []
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}

/** A limiter that fails lets through: it protects the service, and no checkout stands still for it. */
async function isAllowed(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success
  } catch {
    return true
  }
}

/**
 * The quota of a tier, or of an address, as the RateLimit draft writes it. The platform tells no remaining
 * count, so none is invented.
 */
export function rateLimitPolicy(principal: Principal | null): string {
  if (principal === null) return `"address";q=${ADDRESS_REQUESTS_PER_MINUTE};w=60`
  return `"${principal.tier}";q=${TIERS[principal.tier].requests_per_minute};w=60`
}
