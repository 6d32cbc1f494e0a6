import type { ControlDb, ControlSession } from '../../platform/database/databases.ts'
import type { Principal, SignedIn } from '../../platform/context.ts'
import { late } from '../../platform/kit/late.ts'
import { ROLES } from '../../platform/database/values/roles.ts'
import { turnoverOf } from './turnover.ts'
import type { accounts, api_keys, people } from '../../platform/database/tables/accounts.ts'

type KeyRow = { key_id: string } & Pick<
  typeof api_keys.$inferSelect,
  'account_id' | 'scopes' | 'expires_at' | 'last_used_at'
>

/** What an account is as a caller. `registrations`: a list of HeldRegistration as JSON. */
type AccountOfCaller = { registrations: string; suspended: number } & Pick<
  typeof accounts.$inferSelect,
  | 'shard'
  | 'tier'
  | 'sandbox'
  | 'country'
  | 'region'
  | 'city'
  | 'postal_code'
  | 'vat_id'
  | 'vat_id_policy'
  | 'small_business'
  | 'over_eu_threshold'
  | 'time_zone'
  | 'uk_stagger'
  | 'fiscal_year_start'
  | 'taxjar_api'
  | 'taxjar_currency'
  | 'taxjar_state_only'
  | 'refuses_unknown_codes'
  | 'global_turnover'
  | 'global_turnover_currency'
  | 'establishments'
  | 'own_rates'
>

/** The columns of AccountOfCaller. */
export const ACCOUNT_COLUMNS =
  `shard, tier, sandbox, suspended_at IS NOT NULL AS suspended, country, region, city,
  postal_code, vat_id, vat_id_policy, small_business, over_eu_threshold, time_zone, uk_stagger,
  fiscal_year_start, taxjar_api, taxjar_currency, taxjar_state_only, refuses_unknown_codes, global_turnover,
  global_turnover_currency, establishments, own_rates,
  (SELECT json_group_array(json_object('id', coalesce(jurisdiction_id, scheme),
       'valid_from', valid_from, 'valid_to', valid_to, 'number', registration_number))
   FROM registrations WHERE registrations.account_id = accounts.id) AS registrations` as const

/** A principal, and the day of the last recorded use of its key, or sign-in of the person. */
export type FoundPrincipal = { principal: Principal; last_used_at: string | null }

/** `by_replica`: a replica answered, which may lag behind the primary. */
export type PrincipalAnswer = { found: FoundPrincipal | null; by_replica: boolean }

/**
 * The principal of the key with this hash, with the registrations of its account, in one statement; null if
 * there is no such key or it was revoked.
 */
export async function readPrincipal(
  db: ControlDb | ControlSession,
  hash: string,
  now: Date,
): Promise<PrincipalAnswer> {
  const { results, meta } = await db
    .prepare(
      `SELECT api_keys.id AS key_id, account_id, scopes, expires_at, last_used_at, ${ACCOUNT_COLUMNS}
       FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id
       WHERE hash = ?1 AND (revoked_at IS NULL OR revoked_at > ?2)`,
    )
    .bind(hash, now.toISOString())
    .all<PrincipalRow>()
  const [row] = results
  return {
    found: row === undefined ? null : await foundPrincipal(row),
    by_replica: meta.served_by_primary === false,
  }
}

export type PrincipalRow = KeyRow & AccountOfCaller

/** A row as a principal that is no person. */
export async function foundPrincipal(row: PrincipalRow): Promise<FoundPrincipal> {
  return foundPrincipalOf(row, keyOf(row))
}

type SignedInRow = SignedIn &
  Pick<KeyRow, 'key_id' | 'account_id' | 'last_used_at'> &
  Pick<typeof people.$inferSelect, 'signed_out_at'>

/** A person as a principal. Sessions from before `signed_out_at` have ended. */
type FoundPerson = FoundPrincipal & Pick<SignedInRow, 'signed_out_at'>

/**
 * The principal of the person with this e-mail in an account; null for the account: the one to which the
 * person was added first, if need be a suspended one. Null if there is no such person. The primary is asked,
 * so that a removed person has no access any more.
 */
export async function readPersonPrincipal(
  db: ControlDb,
  email: string,
  account_id: string | null,
): Promise<FoundPerson | null> {
  const row = await db
    .prepare(
      `SELECT people.id AS key_id, account_id, people.last_seen_at AS last_used_at, people.email, people.name,
         people.role, signed_out_at, ${ACCOUNT_COLUMNS}
       FROM people JOIN accounts ON accounts.id = people.account_id
       WHERE people.email = ?1 AND people.removed_at IS NULL AND (?2 IS NULL OR people.account_id = ?2)
       ORDER BY suspended_at IS NOT NULL, people.id LIMIT 1`,
    )
    .bind(email, account_id)
    .first<SignedInRow & AccountOfCaller>()
  if (row === null) return null
  return { ...(await foundPrincipalOf(row, personOf(row))), signed_out_at: row.signed_out_at }
}

/** Who calls: a key or a person. */
type CallerOfAccount = Pick<Principal, 'key_id' | 'person' | 'account_id' | 'scopes' | 'expires_at'>

function keyOf({ key_id, account_id, scopes, expires_at }: KeyRow): CallerOfAccount {
  return { key_id, person: null, account_id, scopes: new Set<string>(JSON.parse(scopes)), expires_at }
}

function personOf({ key_id, account_id, email, name, role }: SignedInRow): CallerOfAccount {
  const scopes = new Set<string>(ROLES[role])
  return { key_id, person: { email, name, role }, account_id, scopes, expires_at: null }
}

/** Applies own rates. An account without them does not evaluate it. */
const ownRates = late(() => import('../../engine/terms/own-rates.ts'))

/** The own rates of the account with the functions that apply them. */
async function ownRatesOf({ own_rates }: AccountOfCaller): Promise<Principal['own_rates']> {
  const places = JSON.parse(own_rates)
  return places.length === 0 ? null : { places, rules: await ownRates.load() }
}

async function foundPrincipalOf(
  row: AccountOfCaller & Pick<KeyRow, 'last_used_at'>,
  caller: CallerOfAccount,
): Promise<FoundPrincipal> {
  const own_rates = await ownRatesOf(row)
  // Each field by itself: calculations are optimised for one shape.
  const principal: Principal = {
    key_id: caller.key_id,
    person: caller.person,
    account_id: caller.account_id,
    shard: row.shard,
    tier: row.tier,
    sandbox: row.sandbox === 1,
    suspended: row.suspended === 1,
    scopes: caller.scopes,
    expires_at: caller.expires_at,
    seller:
      row.country === null
        ? null
        : { country: row.country, region: row.region, city: row.city, postal_code: row.postal_code },
    vat_id: row.vat_id,
    vat_id_policy: row.vat_id_policy,
    small_business: row.small_business === 1,
    over_eu_threshold: row.over_eu_threshold === 1,
    time_zone: row.time_zone,
    periods: { uk_stagger: row.uk_stagger, fiscal_year_start: row.fiscal_year_start },
    taxjar:
      row.taxjar_api === 0
        ? null
        : { currency: row.taxjar_currency, accept_state_only: row.taxjar_state_only === 1 },
    registrations: JSON.parse(row.registrations),
    establishments: JSON.parse(row.establishments),
    own_rates,
    refuses_unknown_codes: row.refuses_unknown_codes === 1,
    global_turnover: turnoverOf(row),
  }
  return { principal, last_used_at: row.last_used_at }
}

/** Records that a key was used on a day. */
export async function recordUse(
  db: ControlDb,
  { account_id, key_id }: Principal,
  day: string,
): Promise<void> {
  await db
    .prepare('UPDATE api_keys SET last_used_at = ? WHERE account_id = ? AND id = ?')
    .bind(day, account_id, key_id)
    .run()
}
