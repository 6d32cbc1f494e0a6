import type { Principal, Reader } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { hashOfKey, isWellFormedKey } from './api-key.ts'
import { dayOf } from '../../platform/kit/calendar.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { fromNearest } from '../../platform/database/sessions.ts'
import { type HeldCopy, stateOf } from '../../platform/kit/held-copy.ts'
import { type FoundPrincipal, type PrincipalAnswer, readPrincipal, recordUse } from './principal-store.ts'
import { heldMap } from '../../platform/kit/memory.ts'

/**
 * A revoked key stops within 60 s everywhere: this memory is the only cache in front of D1. From 20 s on, the
 * key is read again behind an answer. From 55 s on, a request waits for that.
 */
const AGES = { due_ms: 20_000, old_ms: 55_000 }
/** A new key must work at once, so a miss is only remembered for a short time. */
const UNKNOWN_MS = 3_000
const CACHED_MAX = 5_000
/** Requests that began at once may be handled in another order. */
const CLOCK_BACK_MS = 5_000
/** How long a cached principal is accepted while the database is down, for requests that only calculate. */
const OUTAGE_MS = 3_600_000
/** While the database is down, it is asked every 5 s, and each question waits at most 1 s. */
const OUTAGE_RETRY_MS = 5_000
const OUTAGE_WAIT_MS = 1_000

/** `outage_until` is later than `until` only while the database is down. Epoch ms. */
type CachedKey = HeldCopy & { principal: Principal | null; until: number; outage_until: number }

const cache = heldMap<string, CachedKey>()

/**
 * `only_calculates`: the request reads no data of a tenant. `beforeLookUp` is called before a key is looked
 * up that was never valid here; it may throw to refuse. `afterFound` is called if such a key is valid.
 * `later` gets work that the answer does not wait for.
 */
type LookUpOptions = {
  only_calculates: boolean
  beforeLookUp: () => void
  afterFound: () => void
}

/**
 * The principal of a bearer key if it is in memory; null: call `authenticate`. A key that was read some time
 * ago is read again behind the answer. With `only_calculates`, a principal is also accepted for a time after
 * the database went down, so that checkouts continue. Data of a tenant cannot be read without the database
 * anyway.
 */
export function cachedPrincipal(
  reader: Reader,
  authorization: string | null,
  only_calculates: boolean,
): Principal | null {
  const { now, later } = reader
  const cached = cachedKeyOf(authorization, now, only_calculates)
  if (cached === null || cached.principal === null || hasExpired(cached.principal, now)) return null
  if (authorization !== null && stateOf(cached, now, AGES) === 'due')
    later(readAgain(reader, authorization, cached))
  return cached.principal
}

function cachedKeyOf(authorization: string | null, now: Date, only_calculates: boolean): CachedKey | null {
  // The whole header is the key of the cache. Every cached header was well-formed when it was looked up.
  const cached = authorization === null ? undefined : cache.get(authorization)
  if (cached === undefined) return null
  // A clock that goes back must not prolong the life of a revoked key.
  if (now.getTime() < cached.checked_at - CLOCK_BACK_MS) return null
  return (only_calculates ? cached.outage_until : cached.until) > now.getTime() ? cached : null
}

/** The principal of a bearer key, read from the database if it is not in memory. Throws invalid_api_key. */
export async function authenticate(
  reader: Reader,
  authorization: string | null,
  options: LookUpOptions,
): Promise<Principal> {
  const { now } = reader
  const cached = cachedKeyOf(authorization, now, options.only_calculates)
  const principal = cached === null ? await lookUpKey(reader, authorization, options) : cached.principal
  if (principal === null || hasExpired(principal, now)) throw new ApiError('invalid_api_key')
  return principal
}

function hasExpired({ expires_at }: Principal, now: Date): boolean {
  return expires_at !== null && expires_at <= now.toISOString()
}

/**
 * Forgets the keys of an account, after it changed something that the principal contains. The keys of other
 * accounts stay in memory. Each forgotten key stays known as one that was valid here, so that it is read from
 * the primary: a replica may lag behind the change.
 */
export function forgetPrincipals(account_id: string): void {
  for (const [authorization, entry] of cache)
    if (entry.principal?.account_id === account_id)
      cache.set(authorization, { ...entry, until: 0, outage_until: 0 })
}

/** Whether a look-up of a header makes sense: it has the form of a key, and was not unknown a moment ago. */
export function mayBeKey(authorization: string | null, now: Date): boolean {
  const cached = cachedKeyOf(authorization, now, false)
  return isWellFormed(authorization) && (cached === null || cached.principal !== null)
}

/** A longer header contains no valid key, and would be kept in memory as it is. */
const HEADER_MAX = 100

function bearerOf(authorization: string | null): string | null {
  if (authorization !== null && authorization.length > HEADER_MAX) return null
  const match = /^bearer +([\w-]+) *$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}

/** Whether a header has the form and the checksum of a key. */
function isWellFormed(authorization: string | null): boolean {
  const key = bearerOf(authorization)
  return key !== null && isWellFormedKey(key)
}

async function lookUpKey(
  reader: Reader,
  authorization: string | null,
  options: LookUpOptions,
): Promise<Principal | null> {
  if (authorization === null || !isWellFormed(authorization)) return null
  return cache.get(authorization)?.principal
    ? lookUpAgain(reader, authorization, options)
    : lookUpNew(reader, authorization, options)
}

/**
 * Looks up a key that was never valid here, in the nearest replica. If that does not have the key, the
 * primary is asked, so that a new key works at once. What a replica says is compared with the primary behind
 * the answer, so that a revoked key stops even if the replica lags. A key that was unknown here a moment ago
 * is read from the primary.
 */
async function lookUpNew(
  reader: Reader,
  authorization: string,
  { beforeLookUp, afterFound }: LookUpOptions,
): Promise<Principal | null> {
  const { env, now, later } = reader
  beforeLookUp()
  const hash = await hashOf(authorization)
  const near = cache.has(authorization)
    ? await readFromPrimary(reader, hash)
    : await fromNearest(env.DB, (db) => readPrincipal(db, hash, now))
  const { found, by_replica } =
    near.by_replica && near.found === null ? await readFromPrimary(reader, hash) : near
  const entry = keep(authorization, found?.principal ?? null, now)
  if (found === null) return null
  afterFound()
  noteUse(reader, found)
  if (by_replica) later(readAgain(reader, authorization, entry))
  return found.principal
}

/** Looks up a key that was valid here, in the primary. While that is down, the key may stay in use. */
async function lookUpAgain(
  reader: Reader,
  authorization: string,
  { only_calculates }: LookUpOptions,
): Promise<Principal | null> {
  const { now } = reader
  const hash = await hashOf(authorization)
  const read = readFromPrimary(reader, hash).then(({ found }) => {
    if (found !== null) noteUse(reader, found)
    return found?.principal ?? null
  })
  const cached = only_calculates ? cachedForOutage(authorization, now) : null
  const principal = cached === null ? await read : await orCachedOnOutage(read, cached, now)
  if (principal === null || principal !== cached?.principal) keep(authorization, principal, now)
  return principal
}

/** Without a session, the primary answers. */
function readFromPrimary({ env, now }: Reader, hash: string): Promise<PrincipalAnswer> {
  return readPrincipal(env.DB, hash, now)
}

function hashOf(authorization: string): Promise<string> {
  return hashOfKey(bearerOf(authorization) ?? '')
}

function keep(authorization: string, principal: Principal | null, now: Date): CachedKey {
  // Only the oldest entry is removed: a flood of invented keys must not empty the cache of valid ones.
  const [oldest] = cache.keys()
  const full = cache.size >= CACHED_MAX && !cache.has(authorization)
  if (full && oldest !== undefined) cache.delete(oldest)
  const time = now.getTime()
  const until = time + (principal === null ? UNKNOWN_MS : AGES.old_ms)
  const entry = { principal, checked_at: time, asked_at: time, until, outage_until: until }
  cache.set(authorization, entry)
  return entry
}

/**
 * Reads a key again from the primary, and remembers it as unknown if it is not valid any more. A failure
 * changes nothing: the entry is used until it is too old.
 */
async function readAgain(reader: Reader, authorization: string, entry: CachedKey): Promise<void> {
  const { now } = reader
  try {
    const hash = await hashOf(authorization)
    const { found } = await readFromPrimary(reader, hash)
    // A write of the account has forgotten it in the meantime, and this answer may be older than the write.
    if (cache.get(authorization) !== entry) return
    keep(authorization, found?.principal ?? null, now)
    if (found !== null) noteUse(reader, found)
  } catch (thrown) {
    logFault({ step: 'read a key again' }, thrown)
  }
}

/**
 * Records the first use of a key on a day behind the answer. If the write fails, the request is answered all
 * the same: a database that only reads must not stop a checkout.
 */
function noteUse({ env, now, later }: Reader, { principal, last_used_at }: FoundPrincipal): void {
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
