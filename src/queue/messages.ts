import { isRegionId, type RegionId } from '../regions.ts'

/** A wake-up that a queue carries. It names a row in D1, where the sweep finds what is due without it. */
export type QueueMessage =
  /** An event to be told to its subscribers. */
  | { kind: 'event'; id: string }
  /** A delivery of an event to one webhook. */
  | { kind: 'delivery'; id: string }
  /** A region whose collector is to run. */
  | { kind: 'sync'; id: RegionId }
  /** A VAT id that its authority is to be asked about again. */
  | { kind: 'validation'; id: string }

/**
 * Reads the body of a message. Null for an unknown shape: another version of the service sent it, before or
 * after this one was deployed.
 */
export function readMessage(body: unknown): QueueMessage | null {
  if (typeof body !== 'object' || body === null || !('kind' in body) || !('id' in body)) return null
  const { kind, id } = body
  if (typeof id !== 'string') return null
  if (kind === 'event' || kind === 'delivery' || kind === 'validation') return { kind, id }
  return kind === 'sync' && isRegionId(id) ? { kind, id } : null
}
