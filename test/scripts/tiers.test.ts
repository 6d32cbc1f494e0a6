import { expect, it } from 'vitest'
import { readConfig } from '../../scripts/wrangler.ts'
import { TIERS } from '../../src/platform/tiers.ts'
import {
  ADDRESS_REQUESTS_PER_MINUTE,
  CONSOLE_READS_PER_MINUTE,
} from '../../src/interfaces/request/rate-limit.ts'

it.each(['', 'staging'])('the limiters of wrangler.toml %s are those of the tiers', (environment) => {
  const limits = Object.fromEntries(
    readConfig(environment).ratelimits.map(({ name, simple }) => [name, simple.limit]),
  )
  expect(limits).toEqual({
    RATE_LIMIT_ADDRESS: ADDRESS_REQUESTS_PER_MINUTE,
    RATE_LIMIT_CONSOLE: CONSOLE_READS_PER_MINUTE,
    ...Object.fromEntries(
      Object.values(TIERS).flatMap((tier) => [
        [tier.limiter, tier.requests_per_minute],
        [tier.question_limiter, tier.questions_per_minute],
        [tier.host_limiter, tier.posts_per_minute],
      ]),
    ),
  })
})
