import { COLLECTORS } from '../../collectors/all.ts'
import { runRegion } from '../../collectors/run.ts'
import { collectState } from '../../collectors/us-local/collect-state.ts'
import { queueDueStates } from '../../collectors/us-local/due.ts'
import type { Bindings } from '../platform/bindings.ts'
import { shardsOf } from '../platform/database/shards.ts'
import { logFault } from '../platform/kit/log-fault.ts'
import { consumeBatch } from './consume.ts'
import { keepErasures } from './erasures/erase-again.ts'
import { runJobs } from './jobs.ts'
import type { Collect, CollectLocal } from '../tax-data/status/sync.ts'

/** Only this file of src/ imports the collectors: it passes them to the code that runs them. */
const collect: Collect = async (env, region, options) =>
  region === 'US-LOCAL'
    ? queueDueStates(env, { ...options, boundaries: readsBoundaries(env) })
    : runRegion(env, COLLECTORS[region], options)

const collectLocal: CollectLocal = async (env, state, options) => {
  await collectState(env, state, { ...options, boundaries: readsBoundaries(env) })
}

function readsBoundaries({ LOCAL_BOUNDARIES }: Bindings): boolean {
  return LOCAL_BOUNDARIES === 'on'
}

const RESTING = { reason: 'MAINTENANCE is on: the data is being restored' }

function isResting({ MAINTENANCE }: Bindings): boolean {
  return MAINTENANCE === 'on'
}

/** Runs the jobs of a cron tick. */
export async function onTick({ cron, scheduledTime }: ScheduledController, env: Bindings): Promise<void> {
  if (isResting(env)) {
    console.warn(JSON.stringify({ level: 'warn', skipped_tick: cron, ...RESTING }))
    // Before a restore, because it takes away what only the databases know.
    for (const { number, books } of shardsOf(env))
      await keepErasures(env, books, new Date()).catch((fault: unknown) =>
        logFault({ job: 'keepErasures', shard: number }, fault),
      )
    return
  }
  await runJobs(cron, env, new Date(scheduledTime))
}

/** Handles a batch of queue messages. */
export async function onMessages(
  batch: MessageBatch<unknown>,
  env: Bindings,
  ctx: ExecutionContext,
): Promise<void> {
  // The rows in the database are still due, so the first sweep afterwards sends new messages.
  if (isResting(env)) {
    console.warn(JSON.stringify({ level: 'warn', skipped_messages: batch.messages.length, ...RESTING }))
    return batch.ackAll()
  }
  await consumeBatch(batch, { env, ctx, clock: () => new Date(), collect, collectLocal })
}
