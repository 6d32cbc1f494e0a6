import type { Bindings } from '../../src/platform/bindings.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
import type { QueueMessage } from '../../src/platform/queue/messages.ts'
import { consumeBatch } from '../../src/service/consume.ts'
import { JOBS } from '../../src/service/jobs.ts'
import { type Cost, countedBindings, noCost } from './cost.ts'

export const TICK = '*/5 * * * *'
export const NIGHT = '17 3 * * *'

/** What a job, or a batch of messages, has cost, and the messages that it sent. `error`: it has failed. */
export type Ran = { cost: Cost; messages: QueueMessage[]; error: string | null }

/** The jobs of a tick in the first database, in the order of their list. */
export function jobsOf(cron: string): string[] {
  const { control = {}, shard = {} } = JOBS.get(cron) ?? {}
  return [...new Set([...Object.keys(control), ...Object.keys(shard)])]
}

/** Runs one job of a tick alone. The first database is also that of the installation. */
export async function runJob(env: Bindings, cron: string, job: string, now: Date): Promise<Ran> {
  return counted(env, async (bindings) => {
    const { control, shard } = JOBS.get(cron) ?? {}
    await control?.[job]?.(bindings, now)
    await shard?.[job]?.(bindings, shardOf(bindings, 0), now)
  })
}

/** Handles a batch of messages, as the consumer of a queue does. One that would be tried again has failed. */
export async function runMessages(env: Bindings, bodies: readonly QueueMessage[], now: Date): Promise<Ran> {
  return counted(env, async (bindings) => {
    let retried = 0
    const messages = bodies.map((body, index) => ({
      id: String(index),
      timestamp: now,
      attempts: 1,
      body,
      ack: () => undefined,
      retry: () => void (retried += 1),
    }))
    const batch = { queue: 'webhook-events', messages } as unknown as MessageBatch<unknown>
    const ctx = { waitUntil: () => undefined } as unknown as ExecutionContext
    const notHere = () => Promise.reject(new Error('No collector runs here'))
    await consumeBatch(batch, {
      env: bindings,
      ctx,
      clock: () => now,
      collect: notHere,
      collectLocal: notHere,
    })
    if (retried > 0) throw new Error(`${retried} messages would be tried again`)
  })
}

async function counted(env: Bindings, work: (bindings: Bindings) => Promise<void>): Promise<Ran> {
  const cost = noCost()
  const messages: QueueMessage[] = []
  const error = await work(countedBindings(env, cost, messages)).then(() => null, String)
  return { cost, messages, error }
}
