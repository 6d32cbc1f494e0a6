import { readOpenReturns } from '../returns/due/open-returns.ts'
import { announceReturns } from '../returns/obligations/announce.ts'
import { sealAuditEvents, sealStragglers } from '../platform/audit/seal.ts'
import type { Bindings } from '../platform/bindings.ts'
import { pruneIdempotencyKeys } from '../platform/writes/idempotency.ts'
import { pruneAuditEvents, pruneHistory } from '../platform/database/history-store.ts'
import { type Shard, shardOf, shardsOf } from '../platform/database/shards.ts'
import {
  eraseDocuments,
  findOwnerlessFiles,
  findOwnerlessInBucket,
} from '../parties/exemptions/erase-documents.ts'
import { pruneRequests } from '../parties/certificate-requests/store.ts'
import { announceExpiring, expireExemptions } from '../parties/exemptions/expire.ts'
import { RELEASE } from '../platform/release.ts'
import { budgetOf, BudgetSpent, withBudget } from '../platform/invocation-budget.ts'
import { late } from '../platform/kit/late.ts'
import { logFault } from '../platform/kit/log-fault.ts'
import { pruneOldReviews } from '../tax-data/reviews/prune.ts'
import { pruneLocalParts } from '../tax-data/records/local-writes-store.ts'
import { readReleases } from '../tax-data/status/read-releases.ts'
import { queueDueSyncs } from '../tax-data/status/sync.ts'
import { watchOperations } from '../tax-data/status/watch.ts'
import { announceThresholds, goOnAnnouncing } from '../sales/nexus/announce-thresholds.ts'
import { compareUnionThreshold } from '../sales/nexus/union-threshold.ts'
import { makeSearchable, makeStragglersSearchable } from '../sales/transactions/read/searchable-store.ts'
import { shareOldWords } from '../sales/transactions/record/share-old-words.ts'
import { moveDays } from '../sales/transactions/sums/move-days.ts'
import { checkReturns } from '../returns/archive/check-sample.ts'
import { dropAbandonedReturns } from '../returns/archive/drop-abandoned-returns.ts'
import { checkVatIdsAgain } from '../parties/customers/check-vat-ids-again.ts'
import { sweepValidations } from '../parties/customers/retry-vat-validation.ts'
import { sweepVatChecks } from '../parties/vat-checks/run-check.ts'
import { eraseAgain, keepErasures } from './erasures/erase-again.ts'
import { backUp, backUpFiles, pruneBackups } from './backups/backup.ts'
import { deleteOldCopies } from './shards/delete-old-copies.ts'
import { endDeadMoves } from './shards/end-dead-moves.ts'
import { tellOperator } from './tell-operator.ts'
import { installationOf } from './shards/installation.ts'
import { pruneMessages, startDailyMessages } from '../notices/messages/daily.ts'
import { resealMessages } from '../notices/messages/reseal.ts'
import { catchUpWithShops } from '../interfaces/saleor/catch-up.ts'
import { dropOrphanedOrders } from '../interfaces/saleor/refused-orders-store.ts'
import { resealInstalls } from '../interfaces/saleor/reseal.ts'
import { resealSecrets } from '../notices/subscriptions/reseal.ts'
import { pruneDeliveries, sweepWebhooks } from '../notices/delivery/sweep.ts'

const sealing = late(() => import('../sales/sealed/seal.ts'))
const puttingAway = late(() => import('../platform/audit/put-away/put-away.ts'))
const sealingReturns = late(() => import('../returns/archive/seal-returns.ts'))

type Job = (env: Bindings, now: Date) => Promise<void>
type ShardJob = (env: Bindings, shard: Shard, now: Date) => Promise<void>

/** The jobs of a tick by the names in the log: those of the installation, and those of each shard. */
type Jobs = { control: Readonly<Record<string, Job>>; shard: Readonly<Record<string, ShardJob>> }

/** A tick with a budget does this once an hour, so that a quiet tick fits into the free plan. */
async function whenRoomy(env: Bindings, now: Date, work: () => Promise<void>): Promise<void> {
  if (budgetOf(env) === null || beginsAt(0, now)) await work()
}

/** Whether a tick is the one of its hour that begins at a minute. Those that seal share no statements. */
function beginsAt(minute: number, now: Date): boolean {
  return Math.floor(now.getUTCMinutes() / 5) * 5 === minute
}

/** The jobs of each cron expression of wrangler.toml. */
export const JOBS: ReadonlyMap<string, Jobs> = new Map([
  [
    '*/5 * * * *',
    {
      control: {
        queueDueSyncs,
        watchOperations,
        tellOperator,
        resealInstalls,
        resealMessages: (env, now) => whenRoomy(env, now, () => resealMessages(env, now)),
        catchUpWithShops,
        endDeadMoves: (env, now) => endDeadMoves(installationOf(env), now),
        compareUnionThreshold: (env, now) => compareUnionThreshold(env, now, false),
        backUpFiles: (env) => backUpFiles(env, false),
      },
      shard: {
        sweepWebhooks,
        sweepValidations,
        sweepVatChecks: (env, shard, now) => whenRoomy(env, now, () => sweepVatChecks(env, shard, now)),
        pruneIdempotencyKeys: (_env, { books }, now) => pruneIdempotencyKeys(books, now),
        pruneDeliveries: (_env, { books }, now) => pruneDeliveries(books, now),
        sealAuditEvents: (_env, shard, now) => sealAuditEvents(shard, now),
        makeSearchable: (_env, { books }, now) => makeSearchable(books, now),
        shareOldWords: async (env, { books }, now) => {
          if (env.WORDS_WITH_SALES !== 'on') await whenRoomy(env, now, () => shareOldWords(books))
        },
        eraseDocuments: (env, { books }, now) => eraseDocuments(env, books, now),
        backUp: (env, shard, now) => backUp(env, shard, now, null),
        keepErasures: (env, { books }, now) => whenRoomy(env, now, () => keepErasures(env, books, now)),
        eraseAgain: (env, shard, now) => whenRoomy(env, now, () => eraseAgain(env, shard, now)),
        resealSecrets: (env, { books }) => resealSecrets(env, books),
        sealSales: async (env, shard, now) => {
          if (env.CHESTS !== undefined && beginsAt(0, now))
            await (await sealing.load()).sealSales(env, shard, now)
        },
        putAwayEvents: async (env, shard, now) => {
          if (env.AUDIT_EVENTS_IN_ROWS !== 'on' && budgetOf(env) === null && beginsAt(5, now))
            await (await puttingAway.load()).putAwayEvents(env, shard, now)
        },
        sealReturns: async (env, shard, now) => {
          if (env.CHESTS !== undefined && beginsAt(10, now))
            await (await sealingReturns.load()).sealReturns(env, shard, now)
        },
        announceReturns: (env, shard, now) => announceReturns(env.DB, shard, now, false),
        announceThresholds: (env, shard, now) => whenRoomy(env, now, () => goOnAnnouncing(env, shard)),
        checkReturns: (env, shard, now) => whenRoomy(env, now, () => checkReturns(shard, now, false, env)),
        dropAbandonedReturns: (_env, { books }, now) => dropAbandonedReturns(books, now),
        startDailyMessages: (env, shard, now) => startDailyMessages(env, shard, now, readOpenReturns),
        moveDays: (env, { books }, now) => moveDays(env.DB, books, now),
        deleteOldCopies: (env, shard, now) => deleteOldCopies(installationOf(env), shard, now),
      },
    },
  ],
  [
    '17 3 * * *',
    {
      control: {
        pruneMessages: (env, now) => pruneMessages(env.DB, now),
        pruneReviews: async (env, now) => pruneOldReviews(env.DB, now),
        readReleases,
        dropOrphanedOrders: (env) => dropOrphanedOrders(env.DB),
        compareUnionThreshold: (env, now) => compareUnionThreshold(env, now, true),
        backUpFiles: (env) => backUpFiles(env, true),
        pruneBackups,
        pruneLocalParts: (env, now) => pruneLocalParts(env.DB, now),
        pruneHistory: (env, now) => pruneHistory(env.DB, now),
      },
      shard: {
        expireExemptions: (_env, { books }, now) => expireExemptions(books, now),
        pruneCertificateRequests: (_env, { books }, now) => pruneRequests(books, now),
        announceExpiring: (_env, { books }, now) => announceExpiring(books, now),
        announceThresholds,
        checkVatIdsAgain: (_env, { books }, now) => checkVatIdsAgain(books, now),
        announceReturns: (env, shard, now) => announceReturns(env.DB, shard, now, true),
        findOwnerlessFiles: (_env, { books }, now) => findOwnerlessFiles(books, now, true),
        findOwnerlessInBucket: (env, { books }, now) => findOwnerlessInBucket(env, books, now, true),
        backUp: (env, shard, now) => backUp(env, shard, now, now.toISOString().slice(0, 10)),
        sealStragglers: (_env, shard, now) => sealStragglers(shard, now),
        makeStragglersSearchable: (_env, { books }, now) => makeStragglersSearchable(books, now),
        pruneAuditEvents: (_env, { books }, now) => pruneAuditEvents(books, now),
        checkReturns: (env, shard, now) => checkReturns(shard, now, true, env),
      },
    },
  ],
])

/** A job of a tick by its names in the log. `run` gets the bindings, which may have a budget. */
type Task = { name: { job: string; shard?: number }; run: (env: Bindings) => Promise<void> }

/**
 * Runs the jobs of a tick: those of the installation and of shard 0 here, those of each further shard in an
 * invocation of its own. A failed job is logged and does not stop the others.
 */
export async function runJobs(cron: string, env: Bindings, now: Date): Promise<void> {
  const control = Object.entries(JOBS.get(cron)?.control ?? {}).map(([job, run]): Task => ({
    name: { job },
    run: (limited) => run(limited, now),
  }))
  await runTasks(env, now, [...control, ...tasksOfShard(cron, 0, now)], async (limited) => {
    const others = JOBS.has(cron) ? shardsOf(env).filter(({ number }) => number > 0) : []
    await Promise.all(others.map(({ number }) => passOn(cron, limited, number, now)))
  })
}

/** Runs the jobs of a tick for one shard. */
export async function runShardJobs(cron: string, env: Bindings, shard: Shard, now: Date): Promise<void> {
  await runTasks(env, now, tasksOfShard(cron, shard.number, now), () => Promise.resolve())
}

function tasksOfShard(cron: string, number: number, now: Date): Task[] {
  return Object.entries(JOBS.get(cron)?.shard ?? {}).map(([job, run]) => ({
    name: { job, shard: number },
    run: (env) => run(env, shardOf(env, number), now),
  }))
}

/**
 * Runs the tasks at the same time. If the tick has a budget, one after the other: first `pass`, and then the
 * tasks, in each tick from another one on. So each of them gets the whole budget some time, and the last ones
 * never wait for ever.
 */
async function runTasks(
  env: Bindings,
  now: Date,
  tasks: readonly Task[],
  pass: (env: Bindings) => Promise<void>,
): Promise<void> {
  const budget = budgetOf(env)
  if (budget === null) {
    await Promise.allSettled([pass(env), ...tasks.map((task) => runTask(env, task))])
    return
  }
  const limited = withBudget(env, budget)
  // The day too: the nightly tick comes after a number of ticks that may be a multiple of its jobs.
  const ticks = Math.floor(now.getTime() / TICK_MS) + Math.floor(now.getTime() / DAY_MS)
  const turn = ticks % Math.max(1, tasks.length)
  await pass(limited)
  for (const task of [...tasks.slice(turn), ...tasks.slice(0, turn)]) await runTask(limited, task)
}

/** The time between two ticks. */
const TICK_MS = 300_000
const DAY_MS = 86_400_000

/** Queues the jobs of a shard. If the queue takes nothing, they run here. */
async function passOn(cron: string, env: Bindings, shard: number, now: Date): Promise<void> {
  try {
    await env.WEBHOOK_EVENTS.sendBatch([{ body: { kind: 'jobs', id: cron, shard } }])
  } catch (thrown) {
    logFault({ jobs: cron, shard, step: 'queue' }, thrown)
    await Promise.allSettled(tasksOfShard(cron, shard, now).map((task) => runTask(env, task)))
  }
}

/** A task that meets the end of the budget is skipped, or its rest is. The next tick goes on with it. */
async function runTask(env: Bindings, { name, run }: Task): Promise<void> {
  const started = Date.now()
  const line = (outcome: string) => ({ ...name, outcome, duration_ms: Date.now() - started })
  try {
    await run(env)
    console.log(JSON.stringify({ level: 'info', ...line('done'), release: RELEASE }))
  } catch (thrown) {
    if (thrown instanceof BudgetSpent)
      console.log(JSON.stringify({ level: 'warn', ...line('skipped'), release: RELEASE }))
    else logFault(line('failed'), thrown)
  }
}
