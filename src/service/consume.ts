import type { Bindings } from '../platform/bindings.ts'
import { sendDailyMessages } from '../notices/messages/daily.ts'
import { shardOf } from '../platform/database/shards.ts'
import { runShardJobs } from './jobs.ts'
import { readOpenReturns } from '../returns/due/open-returns.ts'
import { logFault } from '../platform/kit/log-fault.ts'
import { announcePage } from '../sales/nexus/announce-thresholds.ts'
import { type Collect, type CollectLocal, runLocal, runSync } from '../tax-data/status/sync.ts'
import { retryValidation } from '../parties/customers/retry-vat-validation.ts'
import { runVatCheck } from '../parties/vat-checks/run-check.ts'
import { beginAttempt } from '../notices/delivery/attempt.ts'
import { fanOut } from '../notices/delivery/fan-out.ts'
import { type QueueMessage, readMessage } from '../platform/queue/messages.ts'

/** Seconds before a message that could not be handled is delivered again. */
const RETRY_AFTER_S = {
  event: 60,
  delivery: 30,
  sync: 60,
  local: 60,
  validation: 60,
  vat_check: 60,
  jobs: 60,
  thresholds: 60,
  daily_messages: 60,
} as const

/** The dependencies of the handlers. `clock` is read again after every wait. */
type Tools = {
  env: Bindings
  ctx: ExecutionContext
  clock: () => Date
  collect: Collect
  collectLocal: CollectLocal
}

/**
 * Handles all messages of a batch at the same time. Never throws: each message is acknowledged or retried.
 */
export async function consumeBatch(batch: MessageBatch<unknown>, tools: Tools): Promise<void> {
  if (batch.queue.endsWith('dead-letters'))
    return setAside(batch, batch.messages, { level: 'error', error: 'dead letter' })
  await Promise.all(batch.messages.map((message) => consumeMessage(batch, message, tools)))
}

async function consumeMessage(
  batch: MessageBatch<unknown>,
  message: Message<unknown>,
  tools: Tools,
): Promise<void> {
  const wanted = readMessage(message.body)
  if (wanted === null) return setAside(batch, [message], { level: 'warn', error: 'unknown message' })
  try {
    await handle(wanted, tools)
    message.ack()
  } catch (thrown) {
    logFault({ queue: batch.queue, message: wanted }, thrown)
    message.retry({ delaySeconds: RETRY_AFTER_S[wanted.kind] })
  }
}

/** Logs and acknowledges messages. Their rows are still due, so the sweep finds them. */
function setAside(
  { queue }: MessageBatch<unknown>,
  messages: readonly Message<unknown>[],
  why: { level: 'warn' | 'error'; error: string },
): void {
  for (const message of messages) {
    const body = JSON.stringify(message.body)?.slice(0, 200)
    console.error(JSON.stringify({ ...why, queue, message_id: message.id, body }))
    message.ack()
  }
}

async function handle(message: QueueMessage, tools: Tools): Promise<void> {
  const { env, clock } = tools
  const { id } = message
  switch (message.kind) {
    case 'event':
      return fanOut(env, shardOf(env, message.shard), id, clock())
    case 'delivery':
      return deliver(id, message.shard, tools)
    case 'sync':
      // A failed run is recorded and due again in an hour, so the message is done in both cases.
      return runSync(env, message.id, clock(), tools.collect)
    case 'local':
      return runLocal(env, id, clock(), tools.collectLocal)
    case 'validation':
      return retryValidation(env, shardOf(env, message.shard), id, clock())
    case 'vat_check':
      return runVatCheck(env, shardOf(env, message.shard), id, clock())
    case 'thresholds':
      return announcePage(env, shardOf(env, message.shard), clock(), id)
    case 'daily_messages':
      return sendDailyMessages(env, shardOf(env, message.shard), clock(), readOpenReturns)
    case 'jobs':
      return runShardJobs(id, env, shardOf(env, message.shard), clock())
  }
}

/**
 * Begins a delivery and does not wait for its end. Its row says that it is under way. A slow receiver delays
 * neither other deliveries nor the next batch.
 */
async function deliver(id: string, shard: number, { env, ctx, clock }: Tools): Promise<void> {
  const begun = await beginAttempt(env, shardOf(env, shard), id, clock)
  if (begun !== null)
    ctx.waitUntil(begun.ended.catch((thrown: unknown) => logFault({ delivery_id: id }, thrown)))
}
