import { tiersOf } from '../../platform/database/held-tiers.ts'
import { TIERS } from '../../platform/tiers.ts'
import type { Bindings } from '../../platform/bindings.ts'

/** A delivery that must wait comes after one to five minutes, so that not all come at once. */
const WAIT_MIN_MS = 60_000
const WAIT_SPREAD_MS = 240_000

/**
 * Counts a POST to the host of a URL, from all accounts of the tier together, and returns whether it is
 * allowed. So free accounts together cannot flood a host that is not theirs. If the limiter or the control
 * database fails, it is allowed: the limit must not stop deliveries.
 */
export async function mayPost(
  env: Bindings,
  { account_id, url }: { account_id: string; url: string },
  now: Date,
): Promise<boolean> {
  if (env.RATE_LIMITS === 'off') return true
  try {
    const tier = (await tiersOf(env.DB, [account_id], now)).get(account_id) ?? 'free'
    return (await env[TIERS[tier].host_limiter].limit({ key: new URL(url).hostname })).success
  } catch {
    return true
  }
}

/** When a delivery that is not allowed now is tried again (ISO 8601). `chance` is from 0 to 1. */
export function afterHostLimit(now: Date, chance: number): string {
  return new Date(now.getTime() + WAIT_MIN_MS + chance * WAIT_SPREAD_MS).toISOString()
}
