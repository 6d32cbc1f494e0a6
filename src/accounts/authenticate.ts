import type { Bindings } from '../bindings.ts'
import type { Principal } from '../context.ts'
import { ApiError } from '../errors.ts'
import { hashOfKey, isWellFormedKey } from './api-key.ts'
import { readPrincipal } from './principal-store.ts'

/**
 * A revoked key stops within 60 s everywhere: D1 stands directly behind this memory, no other cache lies
 * between.
 */
const HELD_MS = 45_000
/** A key made a moment ago must work at once, so a miss is remembered for a short while only. */
const UNKNOWN_MS = 3_000
const HELD_MAX = 5_000
/**
 * How long a principal is believed while the database cannot be asked, where it can do nothing but calculate.
 */
const BELIEVED_MS = 3_600_000
/** While the database does not answer it is asked anew this often, and waited for no longer than that. */
const ASKED_AGAIN_MS = 5_000
const PATIENCE_MS = 1_000

/** `believed_until` lies behind `until` while the database does not answer. */
type HeldKey = { principal: Principal | null; until: number; believed_until: number }

const held = new Map<string, HeldKey>()

/**
 * `only_calculates`: the caller reads nothing of a tenant. `beforeLookUp` may refuse, by throwing, a key that
 * was never seen here, and `afterFound` is told that one was good.
 */
type Circumstances = { only_calculates: boolean; beforeLookUp: () => void; afterFound: () => void }

/**
 * Who a bearer key belongs to, where that is in memory; else null, and `authenticate` tells. With
 * `only_calculates` one who was known a while ago is believed while the database is down: a checkout goes on,
 * and nothing of a tenant can be read without the database anyway.
 */
export function heldPrincipal(
  authorization: string | null,
  now: Date,
  only_calculates: boolean,
): Principal | null {
  const principal = remembered(authorization, now, only_calculates)?.principal ?? null
  return principal === null || hasExpired(principal, now) ? null : principal
}

function remembered(authorization: string | null, now: Date, only_calculates: boolean): HeldKey | null {
  // By the whole header: what is held was well formed when it was looked up.
  const known = authorization === null ? undefined : held.get(authorization)
  if (known === undefined) return null
  return (only_calculates ? known.believed_until : known.until) > now.getTime() ? known : null
}

/** Who a bearer key belongs to, asked of the database where that is due. Throws invalid_api_key. */
export async function authenticate(
  env: Bindings,
  authorization: string | null,
  now: Date,
  circumstances: Circumstances,
): Promise<Principal> {
  const known = remembered(authorization, now, circumstances.only_calculates)
  const principal = known === null ? await lookUp(env, authorization, now, circumstances) : known.principal
  if (principal === null || hasExpired(principal, now)) throw new ApiError('invalid_api_key')
  return principal
}

function hasExpired({ expires_at }: Principal, now: Date): boolean {
  return expires_at !== null && expires_at <= now.toISOString()
}

/** Forgets what is held, after an account changed something that the principal carries. */
export function forgetPrincipals(): void {
  held.clear()
}

/** Longer is no header that a key could stand in, and would be held in memory as it is. */
const HEADER_MAX = 100

function bearerOf(authorization: string | null): string | null {
  if (authorization !== null && authorization.length > HEADER_MAX) return null
  const match = /^bearer +([\w-]+) *$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}

async function lookUp(
  env: Bindings,
  authorization: string | null,
  now: Date,
  { only_calculates, beforeLookUp, afterFound }: Circumstances,
): Promise<Principal | null> {
  const key = bearerOf(authorization)
  if (authorization === null || key === null || !isWellFormedKey(key)) return null
  const is_new = !held.get(authorization)?.principal
  if (is_new) beforeLookUp()
  const read = readPrincipal(env.DB, await hashOfKey(key), now)
  const known = only_calculates ? believedAt(authorization, now) : null
  const principal = known === null ? await read : await orBelieved(read, known, now)
  if (principal !== null && principal === known?.principal) return principal
  if (principal !== null && is_new) afterFound()
  // The oldest goes, not all: a flood of invented keys must not make every good one cold at once.
  const [oldest] = held.keys()
  if (held.size >= HELD_MAX && oldest !== undefined) held.delete(oldest)
  const until = now.getTime() + (principal === null ? UNKNOWN_MS : HELD_MS)
  held.set(authorization, { principal, until, believed_until: until })
  return principal
}

/** Who it was when the database last answered, if that is not long ago. */
function believedAt(authorization: string, now: Date): HeldKey | null {
  const known = held.get(authorization)
  return known?.principal && now.getTime() < known.until + BELIEVED_MS ? known : null
}

/** What the database says, or who it was where that fails or takes its time. */
async function orBelieved(
  read: Promise<Principal | null>,
  known: HeldKey,
  now: Date,
): Promise<Principal | null> {
  const patience = new Promise<Principal | null>((resolve) =>
    setTimeout(resolve, PATIENCE_MS, known.principal),
  )
  const principal = await Promise.race([read.catch(() => known.principal), patience])
  if (principal === known.principal) known.believed_until = now.getTime() + ASKED_AGAIN_MS
  return principal
}
