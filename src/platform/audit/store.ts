import type { AnyDb } from '../database/databases.ts'
import type { Context } from '../context.ts'
import type { FieldValues } from '../database/audit-values.ts'
import type { audit_seals } from '../database/tables/audit.ts'
import { late } from '../kit/late.ts'
import type { AuditRow } from './hash-event.ts'

type ShownSeal = Pick<typeof audit_seals.$inferSelect, 'chain' | 'position' | 'hash' | 'sealed_at'>

type AuditEvent = Omit<AuditRow, 'account_id' | 'changed' | 'field_values'> & {
  changed: string[]
  values: FieldValues | null
  seal: ShownSeal | null
}

type AuditFilter = {
  resource_id?: string | undefined
  from_date?: string | undefined
  to_date?: string | undefined
  cursor?: string | undefined
  limit: number
}

type ListedRow = Omit<AuditRow, 'account_id'> & { [Name in keyof ShownSeal]: ShownSeal[Name] | null }

/** Few requests read the log. */
const putAway = late(() => import('./put-away/read-put-away.ts'))

/**
 * A page of an account's audit events before `cursor`, newest first: those of its books, and those of its
 * account, keys and registrations, which are in the control database. Old ones are in chests.
 */
export async function listAuditEvents(context: Context, filter: AuditFilter): Promise<AuditEvent[]> {
  const { account_id } = context.principal
  const pages = await Promise.all(databasesOf(context).map((db) => readPage(db, account_id, filter)))
  // An account that has left shard 0 has some events in both.
  const events = new Map(pages.flat().map((event) => [event.id, event]))
  const newest = newestOf(events, filter)
  // The tables were read first, so events that leave them meanwhile are found there or in their chest.
  const { listPutAway } = await putAway.load()
  const least = newest.length < filter.limit ? '' : (newest.at(-1)?.id ?? '')
  for (const { event, seal } of await listPutAway(context, filter, least)) {
    const { account_id: _, ...row } = event
    events.set(row.id, presentAuditEvent({ ...row, ...shownOf(seal) }))
  }
  return newestOf(events, filter)
}

function shownOf(seal: ShownSeal | null): Pick<ListedRow, keyof ShownSeal> {
  const { chain = null, position = null, hash = null, sealed_at = null } = seal ?? {}
  return { chain, position, hash, sealed_at }
}

function newestOf(events: ReadonlyMap<string, AuditEvent>, { limit }: AuditFilter): AuditEvent[] {
  return [...events.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit)
}

function databasesOf({ env, books }: Context): AnyDb[] {
  return [...new Set([books, env.DB])]
}

async function readPage(db: AnyDb, account_id: string, filter: AuditFilter): Promise<AuditEvent[]> {
  const { results } = await db
    .prepare(
      `SELECT id, key_id, action, resource_id, changed, field_values, request_id, created_at,
         chain, position, hash, sealed_at
       FROM audit_events event LEFT JOIN audit_seals seal ON seal.rowid =
         (SELECT rowid FROM audit_seals WHERE audit_id = event.id AND account_id = ?1 ORDER BY chain LIMIT 1)
       WHERE event.account_id = ?1 AND (?2 IS NULL OR resource_id = ?2) AND (?3 IS NULL OR created_at >= ?3)
         AND (?4 IS NULL OR substr(created_at, 1, 10) <= ?4) AND (?5 IS NULL OR id < ?5)
       ORDER BY id DESC LIMIT ?6`,
    )
    .bind(
      account_id,
      filter.resource_id ?? null,
      filter.from_date ?? null,
      filter.to_date ?? null,
      filter.cursor ?? null,
      filter.limit,
    )
    .all<ListedRow>()
  return results.map(presentAuditEvent)
}

function presentAuditEvent(listed: ListedRow): AuditEvent {
  const { field_values, chain, position, hash, sealed_at, ...row } = listed
  const sealed = chain !== null && position !== null && hash !== null && sealed_at !== null
  return {
    ...row,
    changed: JSON.parse(row.changed),
    values: field_values === null ? null : JSON.parse(field_values),
    seal: sealed ? { chain, position, hash, sealed_at } : null,
  }
}

/** The last seal of each chain of the account. A chain that two databases have ends where it is longer. */
export async function readLastSeals(context: Context): Promise<ShownSeal[]> {
  const { account_id } = context.principal
  const found = await Promise.all(databasesOf(context).map((db) => readHeads(db, account_id)))
  const heads = new Map<number, ShownSeal>()
  for (const seal of found.flat())
    if (seal.position > (heads.get(seal.chain)?.position ?? 0)) heads.set(seal.chain, seal)
  return [...heads.values()].toSorted((one, other) => one.chain - other.chain)
}

async function readHeads(db: AnyDb, account_id: string): Promise<ShownSeal[]> {
  const { results } = await db
    .prepare(
      `SELECT chain, position, hash, sealed_at FROM audit_seals head WHERE account_id = ?1
         AND position = (SELECT max(position) FROM audit_seals
           WHERE account_id = ?1 AND chain = head.chain)`,
    )
    .bind(account_id)
    .all<ShownSeal>()
  return results
}
