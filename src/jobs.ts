import { announceReturns } from './obligations/announce.ts'
import { sealAuditEvents, sealStragglers } from './audit/seal.ts'
import type { Bindings } from './bindings.ts'
import { pruneIdempotencyKeys } from './database/idempotency.ts'
import { pruneAuditEvents, pruneHistory } from './database/history-store.ts'
import { type Shard, shardOf, shardsOf } from './database/shards.ts'
import { announceExpiring, expireExemptions } from './exemptions/expire.ts'
import { logFault } from './log-fault.ts'
import { pruneOldReviews } from './reviews/prune.ts'
import { pruneLocalParts } from './tax-data/local-store.ts'
import { queueDueSyncs } from './status/sync.ts'
import { watchOperations } from './status/watch.ts'
import { announceThresholds } from './nexus/announce-thresholds.ts'
import { compareUnionThreshold } from './nexus/union-threshold.ts'
import { moveDays } from './transactions/move-days.ts'
import { checkReturns } from './reports/returns/check-sample.ts'
import { dropAbandonedReturns } from './reports/returns/drop-abandoned-returns.ts'
import { checkVatIdsAgain } from './customers/check-vat-ids-again.ts'
import { sweepValidations } from './customers/retry-vat-validation.ts'
import { deleteOldCopies } from './shards/delete-old-copies.ts'
import { endDeadMoves } from './shards/end-dead-moves.ts'
import { installationOf } from './shards/installation.ts'
import { resealSecrets } from './webhooks/reseal.ts'
import { pruneDeliveries, sweepWebhooks } from './webhooks/sweep.ts'

type Job = (env: Bindings, now: Date) => Promise<void>
type ShardJob = (env: Bindings, shard: Shard, now: Date) => Promise<void>

/** The jobs of a tick by the names in the log: those of the installation, and those of each shard. */
type Jobs = { control: Readonly<Record<string, Job>>; shard: Readonly<Record<string, ShardJob>> }

/** The jobs of each cron expression of wrangler.toml. */
const JOBS = new Map<string, Jobs>([
  [
    '*/5 * * * *',
    {
      control: {
        queueDueSyncs,
        watchOperations,
        endDeadMoves: (env, now) => endDeadMoves(installationOf(env), now),
        compareUnionThreshold: (env, now) => compareUnionThreshold(env, now, false),
      },
      shard: {
        sweepWebhooks,
        sweepValidations,
        pruneIdempotencyKeys: (_env, { books }, now) => pruneIdempotencyKeys(books, now),
        pruneDeliveries: (_env, { books }, now) => pruneDeliveries(books, now),
        sealAuditEvents: (_env, shard, now) => sealAuditEvents(shard, now),
        resealSecrets: (env, { books }) => resealSecrets(env, books),
        announceReturns: (env, shard, now) => announceReturns(env.DB, shard, now, false),
        moveDays: (env, { books }, now) => moveDays(env.DB, books, now),
        deleteOldCopies: (env, shard, now) => deleteOldCopies(installationOf(env), shard, now),
      },
    },
  ],
  [
    '17 3 * * *',
    {
      control: {
        pruneReviews: async (env, now) => pruneOldReviews(env.DB, now),
        compareUnionThreshold: (env, now) => compareUnionThreshold(env, now, true),
        pruneLocalParts: (env, now) => pruneLocalParts(env.DB, now),
        pruneHistory: (env, now) => pruneHistory(env.DB, now),
      },
      shard: {
        expireExemptions: (_env, { books }, now) => expireExemptions(books, now),
        announceExpiring: (_env, { books }, now) => announceExpiring(books, now),
        announceThresholds: (env, shard, now) => announceThresholds(env, shard, now),
        checkVatIdsAgain: (_env, { books }, now) => checkVatIdsAgain(books, now),
        announceReturns: (env, shard, now) => announceReturns(env.DB, shard, now, true),
        sealStragglers: (_env, shard, now) => sealStragglers(shard, now),
        pruneAuditEvents: (_env, { books }, now) => pruneAuditEvents(books, now),
        checkReturns: (_env, shard, now) => checkReturns(shard, now),
        dropAbandonedReturns: (_env, { books }, now) => dropAbandonedReturns(books, now),
      },
    },
  ],
])

/**
 * Runs the jobs of a tick in parallel: those of the installation and of shard 0 here, those of each further
 * shard in an invocation of its own. A failed job is logged and does not stop the others.
 */
export async function runJobs(cron: string, env: Bindings, now: Date): Promise<void> {
  const control = Object.entries(JOBS.get(cron)?.control ?? {})
  const others = shardsOf(env).filter(({ number }) => number > 0)
  await Promise.allSettled([
    ...control.map(([name, job]) => runJob({ job: name }, () => job(env, now))),
    runShardJobs(cron, env, shardOf(env, 0), now),
    ...others.map((shard) => passOn(cron, env, shard, now)),
  ])
}

/** Runs the jobs of a tick for one shard. */
export async function runShardJobs(cron: string, env: Bindings, shard: Shard, now: Date): Promise<void> {
  const jobs = Object.entries(JOBS.get(cron)?.shard ?? {})
  const { number } = shard
  await Promise.allSettled(
    jobs.map(([name, job]) => runJob({ job: name, shard: number }, () => job(env, shard, now))),
  )
}

/** Queues the jobs of a shard. If the queue takes nothing, they run here. */
async function passOn(cron: string, env: Bindings, shard: Shard, now: Date): Promise<void> {
  if (!JOBS.has(cron)) return
  try {
    await env.WEBHOOK_EVENTS.sendBatch([{ body: { kind: 'jobs', id: cron, shard: shard.number } }])
  } catch (thrown) {
    logFault({ jobs: cron, shard: shard.number, step: 'queue' }, thrown)
    await runShardJobs(cron, env, shard, now)
  }
}

async function runJob(name: { job: string; shard?: number }, job: () => Promise<void>): Promise<void> {
  const started = Date.now()
  const line = (outcome: string) => ({ ...name, outcome, duration_ms: Date.now() - started })
  try {
    await job()
    console.log(JSON.stringify({ level: 'info', ...line('done') }))
  } catch (thrown) {
    logFault(line('failed'), thrown)
  }
}
