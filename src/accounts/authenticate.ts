import type { Bindings } from '../bindings.ts'
import type { HeldRegistration, Principal } from '../context.ts'
import type { accounts, api_keys } from '../database/tables/accounts.ts'
import { ApiError } from '../errors.ts'
import { hashOfKey, isWellFormedKey } from './api-key.ts'

/** A revoked key stops within 60 s everywhere: D1 stands directly behind this memory, no other cache lies between. */
const HELD_MS = 45_000
/** A key made a moment ago must work at once, so a miss is remembered for a short while only. */
const UNKNOWN_MS = 3_000
const HELD_MAX = 5_000

const held = new Map<string, { principal: Principal | null; until: number }>()

/** Who a bearer key belongs to. Warm, it costs a look into memory. Throws invalid_api_key. */
export async function authenticate(env: Bindings, authorization: string | null, now: Date): Promise<Principal> {
  const time = now.getTime()
  // By the whole header: what is held was well formed when it was looked up.
  const known = authorization === null ? undefined : held.get(authorization)
  const principal = known !== undefined && known.until > time ? known.principal : await lookUp(env, authorization, now)
  if (principal === null || (principal.expires_at !== null && principal.expires_at <= now.toISOString()))
    throw new ApiError('invalid_api_key')
  return principal
}

/** Forgets what is held, after an account changed something that the principal carries. */
export function forgetPrincipals(): void {
  held.clear()
}

function bearerOf(authorization: string | null): string | null {
  const match = /^bearer +([\w-]+) *$/i.exec(authorization ?? '')
  return match?.[1] ?? null
}

async function lookUp(env: Bindings, authorization: string | null, now: Date): Promise<Principal | null> {
  const key = bearerOf(authorization)
  if (authorization === null || key === null || !isWellFormedKey(key)) return null
  const principal = await readPrincipal(env.DB, await hashOfKey(key), now)
  // The oldest goes, not all: a flood of invented keys must not make every good one cold at once.
  const [oldest] = held.keys()
  if (held.size >= HELD_MAX && oldest !== undefined) held.delete(oldest)
  held.set(authorization, { principal, until: now.getTime() + (principal === null ? UNKNOWN_MS : HELD_MS) })
  return principal
}

type Row = { key_id: string } & Pick<typeof api_keys.$inferSelect, 'account_id' | 'scopes' | 'expires_at' | 'last_used_at'> &
  Pick<typeof accounts.$inferSelect, 'tier' | 'sandbox' | 'country' | 'region' | 'postal_code' | 'vat_id_policy'>

async function readPrincipal(db: D1Database, hash: string, now: Date): Promise<Principal | null> {
  const row = await db
    .prepare(
      `SELECT api_keys.id AS key_id, account_id, scopes, expires_at, last_used_at, tier, sandbox, country, region, postal_code, vat_id_policy
       FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id
       WHERE hash = ?1 AND (revoked_at IS NULL OR revoked_at > ?2)`,
    )
    .bind(hash, now.toISOString())
    .first<Row>()
  if (row === null) return null
  const registrations = await readRegistrations(db, row.account_id)
  const today = now.toISOString().slice(0, 10)
  if (row.last_used_at !== today) await db.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?').bind(today, row.key_id).run()
  return {
    key_id: row.key_id,
    account_id: row.account_id,
    tier: row.tier,
    sandbox: row.sandbox === 1,
    scopes: new Set<string>(JSON.parse(row.scopes)),
    expires_at: row.expires_at,
    seller: row.country === null ? null : { country: row.country, region: row.region, postal_code: row.postal_code },
    vat_id_policy: row.vat_id_policy,
    registrations,
  }
}

async function readRegistrations(db: D1Database, account_id: string): Promise<HeldRegistration[]> {
  const { results } = await db
    .prepare('SELECT coalesce(jurisdiction_id, scheme) AS id, valid_from, valid_to FROM registrations WHERE account_id = ?')
    .bind(account_id)
    .all<HeldRegistration>()
  return results
}
