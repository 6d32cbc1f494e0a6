import { keysOf } from './kit/keys-of.ts'

/**
 * The tiers of accounts: requests a minute, questions to authorities a minute, deliveries of webhooks a
 * minute to one host from all accounts of the tier, and the bindings of wrangler.toml that count them.
 */
export const TIERS = {
  free: {
    requests_per_minute: 10,
    limiter: 'RATE_LIMIT_FREE',
    questions_per_minute: 10,
    question_limiter: 'QUESTION_LIMIT_FREE',
    posts_per_minute: 60,
    host_limiter: 'HOST_LIMIT_FREE',
  },
  pro: {
    requests_per_minute: 1_000,
    limiter: 'RATE_LIMIT_PRO',
    questions_per_minute: 60,
    question_limiter: 'QUESTION_LIMIT_PRO',
    posts_per_minute: 3_000,
    host_limiter: 'HOST_LIMIT_PRO',
  },
  enterprise: {
    requests_per_minute: 10_000,
    limiter: 'RATE_LIMIT_ENTERPRISE',
    questions_per_minute: 300,
    question_limiter: 'QUESTION_LIMIT_ENTERPRISE',
    posts_per_minute: 30_000,
    host_limiter: 'HOST_LIMIT_ENTERPRISE',
  },
} as const satisfies Record<string, TierLimits>

type TierLimits = {
  requests_per_minute: number
  limiter: `RATE_LIMIT_${string}`
  questions_per_minute: number
  question_limiter: `QUESTION_LIMIT_${string}`
  posts_per_minute: number
  host_limiter: `HOST_LIMIT_${string}`
}

/** What the refusal of a sale says: all tiers write faster in batches. */
export const HOW_TO_BATCH = 'POST /v1/transactions/batch records up to 50 sales in one request'

export type Tier = keyof typeof TIERS

export const TIER_IDS = keysOf(TIERS)
