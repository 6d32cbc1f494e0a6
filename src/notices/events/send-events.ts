import type { Bindings } from '../../platform/bindings.ts'
import type { Shard } from '../../platform/database/shards.ts'
import { sendMessages } from '../../platform/queue/send.ts'

/** Sends a message for each event, which the consumer then fans out to its subscribers. */
export async function sendEventMessages(
  env: Bindings,
  { number: shard }: Shard,
  event_ids: readonly string[],
  now: Date,
): Promise<void> {
  const messages = event_ids.map((id) => ({ message: { kind: 'event', id, shard } as const, at: null }))
  await sendMessages(env.WEBHOOK_EVENTS, messages, now)
}
