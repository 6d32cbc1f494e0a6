import type { ControlDb, ControlSession } from '../../platform/database/databases.ts'
import type { Principal } from '../../platform/context.ts'
import { turnoverOf } from './turnover.ts'
import type { accounts, api_keys } from '../../platform/database/tables/accounts.ts'

/** `registrations`: a list of HeldRegistration as JSON. */
type PrincipalRow = { key_id: string; registrations: string; suspended: number } & Pick<
  typeof api_keys.$inferSelect,
  'account_id' | 'scopes' | 'expires_at' | 'last_used_at'
> &
  Pick<
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

/** A principal, and the day of the last recorded use of its key. */
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
      `SELECT api_keys.id AS key_id, account_id, scopes, expires_at, last_used_at, shard, tier,
         sandbox, suspended_at IS NOT NULL AS suspended, country, region, city, postal_code,
         vat_id, vat_id_policy, small_business, over_eu_threshold, time_zone,
         uk_stagger, fiscal_year_start, taxjar_api, taxjar_currency, taxjar_state_only, refuses_unknown_codes,
         global_turnover, global_turnover_currency, establishments, own_rates,
         (SELECT json_group_array(json_object('id', coalesce(jurisdiction_id, scheme),
              'valid_from', valid_from, 'valid_to', valid_to, 'number', registration_number))
          FROM registrations WHERE registrations.account_id = accounts.id) AS registrations
       FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id
       WHERE hash = ?1 AND (revoked_at IS NULL OR revoked_at > ?2)`,
    )
    .bind(hash, now.toISOString())
    .all<PrincipalRow>()
  const [row] = results
  return {
    found: row === undefined ? null : foundPrincipalOf(row, await ownRatesOf(row)),
    by_replica: meta.served_by_primary === false,
  }
}

/** The own rates of the account with the functions that apply them, which no other account evaluates. */
async function ownRatesOf({ own_rates }: PrincipalRow): Promise<Principal['own_rates']> {
  const places = JSON.parse(own_rates)
  return places.length === 0 ? null : { places, rules: await import('../../engine/terms/own-rates.ts') }
}

function foundPrincipalOf(row: PrincipalRow, own_rates: Principal['own_rates']): FoundPrincipal {
  const principal: Principal = {
    key_id: row.key_id,
    account_id: row.account_id,
    shard: row.shard,
    tier: row.tier,
    sandbox: row.sandbox === 1,
    suspended: row.suspended === 1,
    scopes: new Set<string>(JSON.parse(row.scopes)),
    expires_at: row.expires_at,
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
