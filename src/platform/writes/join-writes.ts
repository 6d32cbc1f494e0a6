import { COUNTED_ROWS } from '../quotas.ts'
import type { AuditEntry } from './commit.ts'
import type { EventWrite } from '../database/event-writes.ts'
import type { StoredRows } from './usage.ts'

/** A part of a write: its changes with their audit events, events of the account and counted rows. */
export type PartOfWrite = {
  changes: readonly D1PreparedStatement[]
  audit: readonly AuditEntry[]
  stores: StoredRows
  events: readonly EventWrite[]
}

/** Joins parts into one write for `commit`, which does all of them or none. Their order is kept. */
export function joinWrites(parts: readonly PartOfWrite[]) {
  const stores: Partial<Record<keyof StoredRows, number>> = {}
  for (const part of parts)
    for (const name of COUNTED_ROWS) stores[name] = (stores[name] ?? 0) + (part.stores[name] ?? 0)
  return {
    changes: parts.flatMap(({ changes }) => changes),
    audit: parts.flatMap(({ audit }) => audit),
    events: parts.flatMap(({ events }) => events),
    stores,
  }
}
