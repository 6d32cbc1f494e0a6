import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/database/commit.ts'
import { joinWrites, type PartOfWrite } from '../../platform/database/join-writes.ts'
import { ownShard } from '../../platform/database/shards.ts'
import { sendEventMessages } from '../../webhooks/delivery/send-messages.ts'

/** Writes the parts and the answer in one batch. Then sends the events that the parts wrote. */
export async function commitAndSend(
  context: Context,
  parts: readonly PartOfWrite[],
  answer: object,
): Promise<void> {
  const event_ids = await commit(context, { ...joinWrites(parts), answer })
  await sendEventMessages(context.env, ownShard(context), event_ids, context.now)
}
