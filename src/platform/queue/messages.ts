import { type CollectedId, isCollected } from '../regions.ts'

/**
 * A message of a queue. It names a row in D1, and the shard of the row. The sweep finds due rows without
 * messages too.
 */
export type QueueMessage =
  /** An event for its subscribers of a shard. */
  | { kind: 'event'; id: string; shard: number }
  /** A delivery of an event to one webhook. */
  | { kind: 'delivery'; id: string; shard: number }
  /** The jobs of a shard at a tick. `id` is the cron expression. */
  | { kind: 'jobs'; id: string; shard: number }
  /** The accounts of a shard after a cursor, whose sales must be compared with thresholds. */
  | { kind: 'thresholds'; id: string; shard: number }
  /** The rest of the daily messages of a shard. `id` says nothing. */
  | { kind: 'daily_messages'; id: string; shard: number }
  /** A region whose collector must run. */
  | { kind: 'sync'; id: CollectedId }
  /** A state whose official files of local taxes must be read. */
  | { kind: 'local'; id: string }
  /** A validation of a VAT id that must be tried again. */
  | { kind: 'validation'; id: string; shard: number }
  /** A check of many VAT ids, whose next ids must be asked about. */
  | { kind: 'vat_check'; id: string; shard: number }

/**
 * Reads the body of a message. Null for an unknown shape, which an older or newer version of the service
 * sent.
 */
export function readMessage(body: unknown): QueueMessage | null {
  if (typeof body !== 'object' || body === null || !('kind' in body) || !('id' in body)) return null
  const { kind, id } = body
  if (typeof id !== 'string') return null
  if (kind === 'local') return { kind, id }
  // The release before sent no shard: its rows are in shard 0.
  const shard = 'shard' in body ? body.shard : 0
  if (
    kind === 'event' ||
    kind === 'delivery' ||
    kind === 'validation' ||
    kind === 'vat_check' ||
    kind === 'jobs' ||
    kind === 'thresholds' ||
    kind === 'daily_messages'
  )
    return typeof shard === 'number' ? { kind, id, shard } : null
  return kind === 'sync' && isCollected(id) ? { kind, id } : null
}
