import type { Bindings } from '../../platform/bindings.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { sendMessages } from '../../platform/queue/send.ts'

/** A delivery and the moment of its next attempt. */
export type Waiting = { id: string; next_attempt_at: string }

/** Sends a message for each delivery, to arrive at its time. */
export async function sendDeliveryMessages(
  env: Bindings,
  { number: shard }: Shard,
  waiting: readonly Waiting[],
  now: Date,
): Promise<void> {
  const messages = waiting.map(({ id, next_attempt_at }) => ({
    message: { kind: 'delivery', id, shard } as const,
    at: next_attempt_at,
  }))
  await sendMessages(env.WEBHOOK_DELIVERIES, messages, now)
}
