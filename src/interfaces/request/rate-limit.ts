import { HOW_TO_BATCH, TIER_IDS, TIERS } from '../../platform/tiers.ts'
import type { Bindings } from '../../platform/bindings.ts'
import type { Principal } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { heldMap } from '../../platform/kit/memory.ts'
import { readHeader } from '../../platform/kit/header.ts'

/** Requests without a key that one address may send per minute: the limit of RATE_LIMIT_ADDRESS. */
export const ADDRESS_REQUESTS_PER_MINUTE = 60

/** What the console of an account may read per minute, beside its tier: the limit of RATE_LIMIT_CONSOLE. */
export const CONSOLE_READS_PER_MINUTE = 120

/** What of a route decides how its requests are counted. */
export type CountedRoute = { method: string; path: string; sends_file?: false | 'large' | 'small' }

/**
 * Whether a request is a read of the console, which counts apart: people who look at the books must not stop
 * the shop of the account. Other programs may send the header, too; that only gives them these reads. What
 * calculates, writes or sends a large file always counts against the tier.
 */
export function isConsoleRead(
  { headers }: { headers?: Headers },
  { method, sends_file = false }: CountedRoute,
): boolean {
  return method === 'GET' && sends_file !== 'large' && headers?.get('X-Client') === 'console'
}

/** Counts a request of an account against its tier, or its console. Throws rate_limited. */
export async function limitAccount(
  asked: { env: Bindings; headers: Headers },
  route: CountedRoute,
  principal: Principal,
): Promise<void> {
  const tier = TIERS[principal.tier]
  const [limiter, most] = isConsoleRead(asked, route)
    ? [asked.env.RATE_LIMIT_CONSOLE, CONSOLE_READS_PER_MINUTE]
    : [asked.env[tier.limiter], tier.requests_per_minute]
  if (await isAllowed(limiter, principal.account_id)) return
  const more = `More than ${most} requests a minute: wait as long as Retry-After says`
  const is_sale = route.method === 'POST' && route.path === '/v1/transactions'
  const message = is_sale ? `${more}. ${HOW_TO_BATCH}` : more
  throw new ApiError('rate_limited', { message })
}

/**
 * Counts a request for a public page against the client's address, at most 60 a minute per page. Throws
 * rate_limited.
 */
export async function limitAddress(env: Bindings, purpose: string, headers: Headers): Promise<void> {
  if (env.RATE_LIMITS === 'off') return
  if (!(await isAllowed(env.RATE_LIMIT_ADDRESS, `${purpose} ${networkOf(headers)}`))) throw tooMany()
}

/**
 * After too many failures, only one unknown key per 5 s from that address is looked up, so guessing cannot
 * load the database.
 */
const SHUT_MS = 5_000
const SHUT_REMEMBERED_MS = 60_000
const SHUT_MAX = 5_000

/** Until when unknown keys of a client are refused without a look-up, in this isolate. */
const shut = heldMap<string, number>()

/**
 * Counts a failed authentication against a client, such as its address, at most as often a minute as the
 * limiter has it: 60 times. Above that, a failure that was looked up blocks the client for a while. A
 * mistyped key does not, because it costs the database nothing. Throws rate_limited.
 */
export async function countFailure(
  env: Bindings,
  client: string,
  now: Date,
  looked_up: boolean,
  limiter = env.RATE_LIMIT_ADDRESS,
): Promise<void> {
  if (env.RATE_LIMITS === 'off') return
  if (await isAllowed(limiter, `authentication ${client}`)) return
  if (looked_up) {
    const [oldest] = shut.keys()
    if (shut.size >= SHUT_MAX && oldest !== undefined) shut.delete(oldest)
    shut.set(client, now.getTime() + SHUT_MS)
  }
  throw tooMany()
}

/**
 * Throws rate_limited if the key comes from a client that failed too often. Call it before a look-up. Keys
 * that are cached here never get here.
 */
export function refuseGuessing(client: string, now: Date): void {
  const until = shut.get(client)
  if (until === undefined) return
  if (until > now.getTime()) throw tooMany()
  if (until + SHUT_REMEMBERED_MS > now.getTime()) shut.set(client, now.getTime() + SHUT_MS)
  else shut.delete(client)
}

/** Whether keys of this address are refused without a look-up. */
export function isShut(headers: Headers, now: Date): boolean {
  return shut.size > 0 && (shut.get(networkOf(headers)) ?? 0) > now.getTime()
}

/**
 * Unblocks a client after a new key from there was valid: its owner shares the address with the one who
 * guessed, and must not wait.
 */
export function endRefusal(client: string): void {
  shut.delete(client)
}

function tooMany(): ApiError {
  const limit = `More than ${ADDRESS_REQUESTS_PER_MINUTE} such requests a minute from this address`
  return new ApiError('rate_limited', { message: `${limit}: wait as long as Retry-After says` })
}

/**
 * The client's address, or the first 64 bits of an IPv6 address: one client has all addresses of such a
 * network.
 */
export function networkOf(headers: Headers): string {
  const address = readHeader(headers, 'CF-Connecting-IP') ?? 'unknown'
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const first = head.split(':')
  const last = tail?.split(':') ?? []
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}

/**
 * If the limiter fails, the request is allowed: the limiter protects the service, and must not stop
 * checkouts.
 */
async function isAllowed(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success
  } catch {
    return true
  }
}

/** The limit of requests without a valid key, as the RateLimit draft writes it. */
const ADDRESS_POLICY = `"address";q=${ADDRESS_REQUESTS_PER_MINUTE};w=60`

const POLICY_OF_TIER = new Map(
  TIER_IDS.map((tier) => [tier, `"${tier}";q=${TIERS[tier].requests_per_minute};w=60`]),
)

const CONSOLE_POLICY = `"console";q=${CONSOLE_READS_PER_MINUTE};w=60`

/**
 * The value of RateLimit-Policy: the limit of the tier or of the console, or of the address if there is no
 * valid key. The platform's counter returns no remaining count, so no header has one.
 */
export function rateLimitPolicy(principal: Principal | null, is_console = false): string {
  if (principal !== null && is_console) return CONSOLE_POLICY
  return (principal && POLICY_OF_TIER.get(principal.tier)) ?? ADDRESS_POLICY
}
