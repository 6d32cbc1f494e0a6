import { firstIdAt, momentOf } from '../database/ids.ts'
import type { Shard } from '../database/shards.ts'
import { inSlices } from '../database/slices.ts'
import { at } from '../../engine/ground/invariant.ts'
import { type AuditRow, NO_SEAL, type Seal, sealAfter } from './hash-event.ts'
import { insertSeals, type NewSeal, readLastSeals, readProgress, readUnsealed } from './seal-store.ts'

const PAGE = 2_000
/** An event gets its id before its batch is written. Later, no older event is missing. */
const SETTLED_MS = 30_000
/** Each tick looks back so far, for events that were written later than others with a later id. */
const OVERLAP_MS = 10 * 60_000
/** Each night looks back so far, for the events of an account that has moved here. */
const NIGHT_MS = 2 * 86_400_000

/**
 * Seals the new audit events of all accounts in a shard, in the order of their ids. This is a job and not
 * a part of each write, because a chain in each write would make the writes of an account wait for each
 * other. The events that remain wait for the next tick.
 */
export async function sealAuditEvents(shard: Shard, now: Date): Promise<void> {
  await inSlices(async () => {
    const until = await readProgress(shard.books)
    const from = until === null ? '' : idBefore(momentOf(until), OVERLAP_MS)
    return sealPage(shard, from, now, true)
  })
}

/** Seals the events of the last two days that the ticks did not see. */
export async function sealStragglers(shard: Shard, now: Date): Promise<void> {
  await inSlices(() => sealPage(shard, idBefore(now, NIGHT_MS), now, false))
}

/** Returns whether more events may wait. */
async function sealPage(shard: Shard, from: string, now: Date, progress: boolean): Promise<boolean> {
  const { books } = shard
  const events = await readUnsealed(books, from, idBefore(now, SETTLED_MS), PAGE)
  if (events.length === 0) return false
  const seals = await sealsOf(shard, events, now)
  await insertSeals(books, seals, progress ? at(events, events.length - 1).id : null)
  return events.length === PAGE
}

function idBefore(moment: Date, ms: number): string {
  return firstIdAt('aud', new Date(moment.getTime() - ms))
}

/** The seals of events, each after the last seal of its account in the chain of the shard. */
async function sealsOf(
  { number: chain, books }: Shard,
  events: readonly AuditRow[],
  now: Date,
): Promise<NewSeal[]> {
  const last = new Map<string, Seal>()
  for (const { account_id, ...seal } of await readLastSeals(books, chain, [
    ...new Set(events.map(({ account_id }) => account_id)),
  ]))
    last.set(account_id, seal)
  const seals: NewSeal[] = []
  for (const event of events) {
    const seal = await sealAfter(last.get(event.account_id) ?? NO_SEAL, event)
    last.set(event.account_id, seal)
    seals.push({
      account_id: event.account_id,
      chain,
      audit_id: event.id,
      ...seal,
      sealed_at: now.toISOString(),
      erased_at: null,
    })
  }
  return seals
}
