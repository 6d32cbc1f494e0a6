import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import { joinWrites, type PartOfWrite } from '../database/join-writes.ts'
import { ownShard } from '../database/shards.ts'
import { sendPendingEvents } from '../webhooks/sweep.ts'

/** Writes the parts and the answer in one batch. Then sends the events that the parts wrote. */
export async function commitAndSend(
  context: Context,
  parts: readonly PartOfWrite[],
  answer: object,
): Promise<void> {
  const events_written = await commit(context, { ...joinWrites(parts), answer })
  if (events_written) await sendPendingEvents(context.env, ownShard(context), context.now)
}
