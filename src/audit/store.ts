import type { Context } from '../context.ts'
import type { FieldValues } from '../database/audit-values.ts'
import type { audit_seals } from '../database/tables/audit.ts'
import type { AuditRow } from './hash-event.ts'

type ShownSeal = Pick<typeof audit_seals.$inferSelect, 'position' | 'hash' | 'sealed_at'>

export type AuditEvent = Omit<AuditRow, 'account_id' | 'changed' | 'field_values'> & {
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

/**
 * A page of an account's audit events before `cursor`, newest first: those of its books, and those of its
 * account, keys and registrations, which are in the control database.
 */
export async function listAuditEvents(context: Context, filter: AuditFilter): Promise<AuditEvent[]> {
  const { account_id } = context.principal
  const pages = await Promise.all(databasesOf(context).map((db) => readPage(db, account_id, filter)))
  // An account that has left shard 0 has some events in both.
  const events = new Map(pages.flat().map((event) => [event.id, event]))
  const newest = [...events.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1))
  return newest.slice(0, filter.limit)
}

function databasesOf({ env, books }: Context): D1Database[] {
  return [...new Set([books, env.DB])]
}

async function readPage(db: D1Database, account_id: string, filter: AuditFilter): Promise<AuditEvent[]> {
  const { results } = await db
    .prepare(
      `SELECT id, key_id, action, resource_id, changed, field_values, request_id, created_at,
         position, hash, sealed_at
       FROM audit_events event LEFT JOIN audit_seals seal
         ON seal.account_id = event.account_id AND seal.audit_id = event.id
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

function presentAuditEvent({ field_values, position, hash, sealed_at, ...row }: ListedRow): AuditEvent {
  return {
    ...row,
    changed: JSON.parse(row.changed),
    values: field_values === null ? null : JSON.parse(field_values),
    seal: position === null || hash === null || sealed_at === null ? null : { position, hash, sealed_at },
  }
}

/** The last seal of each chain of the account. Each database has a chain. */
export async function readLastSeals(context: Context): Promise<ShownSeal[]> {
  const { account_id } = context.principal
  const last = await Promise.all(databasesOf(context).map((db) => readLastSeal(db, account_id)))
  return last.filter((seal) => seal !== null)
}

async function readLastSeal(db: D1Database, account_id: string): Promise<ShownSeal | null> {
  return db
    .prepare(
      `SELECT position, hash, sealed_at FROM audit_seals WHERE account_id = ?
       ORDER BY position DESC LIMIT 1`,
    )
    .bind(account_id)
    .first<ShownSeal>()
}
