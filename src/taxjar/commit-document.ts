import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import { joinWrites, type PartOfWrite } from '../database/join-writes.ts'
import { ownShard } from '../database/shards.ts'
import { ApiError } from '../errors.ts'
import { sendPendingEvents } from '../webhooks/sweep.ts'
import { DUPLICATE, TaxJarError } from './errors.ts'

/**
 * Writes a document with its sale or refund in one batch. Throws 422 if there is a document or a sale with
 * this id, and 400 if a filed return or a refund stands against the change.
 */
export async function commitDocument(context: Context, parts: readonly PartOfWrite[]): Promise<void> {
  try {
    const events_written = await commit(context, { ...joinWrites(parts), answer: {} })
    if (events_written) await sendPendingEvents(context.env, ownShard(context), context.now)
  } catch (thrown) {
    throw inTaxJarsWords(thrown)
  }
}

function inTaxJarsWords(thrown: unknown): unknown {
  if (thrown instanceof Error && thrown.message.includes('UNIQUE constraint failed: taxjar_documents'))
    return new TaxJarError(422, DUPLICATE)
  if (thrown instanceof ApiError && thrown.reason === 'period_already_filed')
    return new TaxJarError(
      400,
      'the transaction is in a filed return: reopen it before you change the transaction',
    )
  return thrown
}

/** A part of a write that changes documents alone. */
export function documentWrite(changes: readonly D1PreparedStatement[]): PartOfWrite {
  return { changes, audit: [], events: [], stores: {} }
}
