import { keysOf } from '../keys-of.ts'

/** The tiers of accounts: requests a minute, and the binding of wrangler.toml that counts them. */
export const TIERS = {
  free: { requests_per_minute: 10, limiter: 'RATE_LIMIT_FREE' },
  pro: { requests_per_minute: 1_000, limiter: 'RATE_LIMIT_PRO' },
  enterprise: { requests_per_minute: 10_000, limiter: 'RATE_LIMIT_ENTERPRISE' },
} as const satisfies Record<string, { requests_per_minute: number; limiter: `RATE_LIMIT_${string}` }>

export type Tier = keyof typeof TIERS

export const TIER_IDS = keysOf(TIERS)
