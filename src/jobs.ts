import type { Bindings } from './bindings.ts'
import { pruneIdempotencyKeys } from './database/idempotency.ts'
import { expireExemptions } from './exemptions/expire.ts'
import { queueDueSyncs } from './status/sync.ts'
import { sweepValidations } from './vat/retry-validation.ts'
import { pruneDeliveries, sweepWebhooks } from './webhooks/sweep.ts'

type Job = (env: Bindings, now: Date) => Promise<void>

/** What each cron expression of wrangler.toml runs. */
const JOBS = new Map<string, readonly Job[]>([
  ['*/5 * * * *', [queueDueSyncs, sweepWebhooks, sweepValidations]],
  [
    '17 3 * * *',
    [
      (env, now) => pruneIdempotencyKeys(env.DB, now),
      (env, now) => expireExemptions(env.DB, now),
      pruneDeliveries,
    ],
  ],
])

export async function runJobs(cron: string, env: Bindings, now: Date): Promise<void> {
  for (const job of JOBS.get(cron) ?? []) await job(env, now)
}
