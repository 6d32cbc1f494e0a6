import { REQUESTS_PER_MINUTE } from '../accounts/scopes.ts'
import type { Bindings } from '../bindings.ts'
import type { Principal } from '../context.ts'
import { ApiError } from '../errors.ts'

/** Counts a request of an account against its tier. Throws rate_limited. */
export async function limitAccount(env: Bindings, principal: Principal): Promise<void> {
  if (env.RATE_LIMITS === 'off') return
  if (!(await isAllowed(limiterOf(env, principal), principal.account_id)))
    throw new ApiError('rate_limited', { message: `More than ${REQUESTS_PER_MINUTE[principal.tier]} requests a minute` })
}

/** Counts against the client's address: public pages and failed authentication, 60 a minute each. Throws rate_limited. */
export async function limitAddress(env: Bindings, purpose: string, headers: Headers): Promise<void> {
  if (env.RATE_LIMITS === 'off') return
  const address = headers.get('CF-Connecting-IP') ?? 'unknown'
  if (!(await isAllowed(env.RATE_LIMIT_ADDRESS, `${purpose} ${address}`)))
    throw new ApiError('rate_limited', { message: 'More than 60 such requests a minute from this address' })
}

/** A limiter that fails lets through: it protects the service, and no checkout stands still for it. */
async function isAllowed(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success
  } catch {
    return true
  }
}

/** The quota of a tier as the RateLimit draft writes it. The platform tells no remaining count, so none is invented. */
export function rateLimitPolicy(principal: Principal): string {
  return POLICIES[principal.tier]
}

const POLICIES = { free: '"free";q=10;w=60', pro: '"pro";q=1000;w=60', enterprise: '"enterprise";q=10000;w=60' } as const

function limiterOf(env: Bindings, principal: Principal): RateLimit {
  switch (principal.tier) {
    case 'free':
      return env.RATE_LIMIT_FREE
    case 'pro':
      return env.RATE_LIMIT_PRO
    case 'enterprise':
      return env.RATE_LIMIT_ENTERPRISE
  }
}
