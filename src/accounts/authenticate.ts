import type { Bindings } from '../bindings.ts'
import type { Principal } from '../context.ts'
import { ApiError } from '../errors.ts'
import { hashOfKey, isWellFormedKey } from './api-key.ts'
import { dayOf } from '../calendar.ts'
import { logFault } from '../log-fault.ts'
import { type FoundPrincipal, readPrincipal, recordUse } from './principal-store.ts'

/** A revoked key stops within 60 s everywhere: this memory is the only cache in front of D1. */
const CACHED_MS = 45_000
/** A new key must work at once, so a miss is only remembered for a short time. */
const UNKNOWN_MS = 3_000
const CACHED_MAX = 5_000
/** How long a cached principal is accepted while the database is down, for requests that only calculate. */
const OUTAGE_MS = 3_600_000
/** While the database is down, it is asked every 5 s, and each question waits at most 1 s. */
const OUTAGE_RETRY_MS = 5_000
const OUTAGE_WAIT_MS = 1_000

/** `outage_until` is later than `until` only while the database is down. */
type CachedKey = { principal: Principal | null; until: number; outage_until: number }

const cache = new Map<string, CachedKey>()

/**
 * `only_calculates`: the request reads no data of a tenant. `beforeLookUp` is called before a key is looked
 * up that was never valid here; it may throw to refuse. `afterFound` is called if such a key is valid.
 * `later` gets work that the answer does not wait for.
 */
type LookUpOptions = {
  only_calculates: boolean
  beforeLookUp: () => void
  afterFound: () => void
  later: (work: Promise<void>) => void
}

/**
 * The principal of a bearer key if it is in memory; null: call `authenticate`. With `only_calculates`, a
 * principal is also accepted for a time after the database went down, so that checkouts continue. Data of a
 * tenant cannot be read without the database anyway.
 */
export function cachedPrincipal(
  authorization: string | null,
  now: Date,
  only_calculates: boolean,
): Principal | null {
  const principal = cachedKeyOf(authorization, now, only_calculates)?.principal ?? null
  return principal === null || hasExpired(principal, now) ? null : principal
}

function cachedKeyOf(authorization: string | null, now: Date, only_calculates: boolean): CachedKey | null {
  // The whole header is the key of the cache. Every cached header was well-formed when it was looked up.
  const cached = authorization === null ? undefined : cache.get(authorization)
  if (cached === undefined) return null
  return (only_calculates ? cached.outage_until : cached.until) > now.getTime() ? cached : null
}

/** The principal of a bearer key, read from the database if it is not in memory. Throws invalid_api_key. */
export async function authenticate(
  env: Bindings,
  authorization: string | null,
  now: Date,
  options: LookUpOptions,
): Promise<Principal> {
  const cached = cachedKeyOf(authorization, now, options.only_calculates)
  const principal = cached === null ? await lookUpKey(env, authorization, now, options) : cached.principal
  if (principal === null || hasExpired(principal, now)) throw new ApiError('invalid_api_key')
  return principal
}

function hasExpired({ expires_at }: Principal, now: Date): boolean {
  return expires_at !== null && expires_at <= now.toISOString()
}

/**
 * Forgets the keys of an account, after it changed something that the principal contains. The keys of other
 * accounts stay in memory. Without an account, forgets all keys.
 */
export function forgetPrincipals(account_id: string | null = null): void {
  if (account_id === null) return cache.clear()
  for (const [authorization, { principal }] of cache)
    if (principal?.account_id === account_id) cache.delete(authorization)
}

/** A longer header contains no valid key, and would be kept in memory as it is. */
const HEADER_MAX = 100

function bearerOf(authorization: string | null): string | null {
  if (authorization !== null && authorization.length > HEADER_MAX) return null
  const match = /^bearer +([\w-]+) *$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}

async function lookUpKey(
  env: Bindings,
  authorization: string | null,
  now: Date,
  { only_calculates, beforeLookUp, afterFound, later }: LookUpOptions,
): Promise<Principal | null> {
  const key = bearerOf(authorization)
  if (authorization === null || key === null || !isWellFormedKey(key)) return null
  const is_new = !cache.get(authorization)?.principal
  if (is_new) beforeLookUp()
  const read = readPrincipal(env.DB, await hashOfKey(key), now).then((found) => {
    if (found !== null) noteUse(env, found, now, later)
    return found?.principal ?? null
  })
  const cached = only_calculates ? cachedForOutage(authorization, now) : null
  const principal = cached === null ? await read : await orCachedOnOutage(read, cached, now)
  if (principal !== null && principal === cached?.principal) return principal
  if (principal !== null && is_new) afterFound()
  // Only the oldest entry is removed: a flood of invented keys must not empty the cache of valid ones.
  const [oldest] = cache.keys()
  if (cache.size >= CACHED_MAX && oldest !== undefined) cache.delete(oldest)
  const until = now.getTime() + (principal === null ? UNKNOWN_MS : CACHED_MS)
  cache.set(authorization, { principal, until, outage_until: until })
  return principal
}

/**
 * Records the first use of a key on a day behind the answer. If the write fails, the request is answered all
 * the same: a database that only reads must not stop a checkout.
 */
function noteUse(
  env: Bindings,
  { principal, last_used_at }: FoundPrincipal,
  now: Date,
  later: (work: Promise<void>) => void,
): void {
  const today = dayOf(now)
  if (last_used_at === today) return
  const { key_id } = principal
  later(recordUse(env.DB, principal, today).catch((thrown: unknown) => logFault({ key_id }, thrown)))
}

/** The cached entry from when the database last answered, if that was not long ago. */
function cachedForOutage(authorization: string, now: Date): CachedKey | null {
  const cached = cache.get(authorization)
  return cached?.principal && now.getTime() < cached.until + OUTAGE_MS ? cached : null
}

/** The answer of the database, or the cached principal if the read fails or takes too long. */
async function orCachedOnOutage(
  read: Promise<Principal | null>,
  cached: CachedKey,
  now: Date,
): Promise<Principal | null> {
  const timeout = new Promise<Principal | null>((resolve) =>
    setTimeout(resolve, OUTAGE_WAIT_MS, cached.principal),
  )
  const principal = await Promise.race([read.catch(() => cached.principal), timeout])
  if (principal === cached.principal) cached.outage_until = now.getTime() + OUTAGE_RETRY_MS
  return principal
}
