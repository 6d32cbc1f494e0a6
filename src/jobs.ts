import type { Bindings } from './bindings.ts'
import { pruneIdempotencyKeys } from './database/idempotency.ts'
import { pruneAuditEvents, pruneHistory } from './database/history-store.ts'
import { announceExpiring, expireExemptions } from './exemptions/expire.ts'
import { logFault } from './log-fault.ts'
import { pruneOldReviews } from './reviews/prune.ts'
import { pruneLocalParts } from './tax-data/local-store.ts'
import { queueDueSyncs } from './status/sync.ts'
import { compareUnionThreshold } from './nexus/union-threshold.ts'
import { moveDays } from './transactions/move-days.ts'
import { dropAbandoned } from './reports/returns/drop-abandoned.ts'
import { sweepValidations } from './customers/retry-vat-validation.ts'
import { resealSecrets } from './webhooks/reseal.ts'
import { pruneDeliveries, sweepWebhooks } from './webhooks/sweep.ts'

type Job = (env: Bindings, now: Date) => Promise<void>

/** The jobs of each cron expression of wrangler.toml, by the names in the log. */
const JOBS = new Map<string, Readonly<Record<string, Job>>>([
  [
    '*/5 * * * *',
    {
      queueDueSyncs,
      sweepWebhooks: (env, now) => sweepWebhooks(env, env.DB, now),
      sweepValidations: (env, now) => sweepValidations(env, env.DB, now),
      pruneIdempotencyKeys: (env, now) => pruneIdempotencyKeys(env.DB, now),
      pruneDeliveries: (env, now) => pruneDeliveries(env.DB, now),
      resealSecrets: (env) => resealSecrets(env, env.DB),
      moveDays: (env, now) => moveDays(env.DB, env.DB, now),
    },
  ],
  [
    '17 3 * * *',
    {
      expireExemptions: (env, now) => expireExemptions(env.DB, now),
      pruneReviews: async (env, now) => pruneOldReviews(env.DB, now),
      compareUnionThreshold: (env, now) => compareUnionThreshold(env, env.DB, now),
      announceExpiring: (env, now) => announceExpiring(env.DB, now),
      pruneLocalParts: (env, now) => pruneLocalParts(env.DB, now),
      pruneHistory: (env, now) => pruneHistory(env.DB, now),
      pruneAuditEvents: (env) => pruneAuditEvents(env.DB),
      dropAbandonedReturns: (env, now) => dropAbandoned(env.DB, now),
    },
  ],
])

/** Runs the jobs of a tick in parallel. A failed job is logged and does not stop the others. */
export async function runJobs(cron: string, env: Bindings, now: Date): Promise<void> {
  const jobs = Object.entries(JOBS.get(cron) ?? {})
  await Promise.allSettled(jobs.map(([name, job]) => runJob(name, () => job(env, now))))
}

async function runJob(name: string, job: () => Promise<void>): Promise<void> {
  const started = Date.now()
  const line = (outcome: string) => ({ job: name, outcome, duration_ms: Date.now() - started })
  try {
    await job()
    console.log(JSON.stringify({ level: 'info', ...line('done') }))
  } catch (thrown) {
    logFault(line('failed'), thrown)
  }
}
