import { sql } from 'drizzle-orm'
import { HAS_OWN_ID } from '../values/audit-ids.ts'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const audit_events = sqliteTable(
  'audit_events',
  {
    id: text().primaryKey(),
    account_id: text().notNull(),
    key_id: text().notNull(),
    action: text().notNull(),
    resource_id: text().notNull(),
    changed: text().notNull(),
    request_id: text().notNull(),
    created_at: text().notNull(),
    field_values: text(),
  },
  (table) => [
    index('audit_events_of_account').on(table.account_id, table.id),
    index('audit_events_of_resource')
      .on(table.account_id, table.resource_id, table.id)
      .where(sql.raw(HAS_OWN_ID)),
  ],
)

/**
 * The chains of hashes over the audit events of an account. Each seal covers its event and the seal before.
 * `chain` is the number of the shard that sealed the event: an account that moves takes its chains along.
 * Triggers refuse every change. `erased_at`: the event was deleted at the end of its retention.
 */
export const audit_seals = sqliteTable(
  'audit_seals',
  {
    account_id: text().notNull(),
    chain: integer().notNull(),
    position: integer().notNull(),
    audit_id: text().notNull(),
    hash: text().notNull(),
    sealed_at: text().notNull(),
    erased_at: text(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.chain, table.position] }),
    index('audit_seals_of_event').on(table.audit_id),
  ],
)

/**
 * Chests of old audit events that recorded sales, with their seals: each has those of a range of ids, packed.
 * The next one begins after it. It is an object in the bucket of chests, or `content` if there is no bucket.
 */
export const audit_chests = sqliteTable(
  'audit_chests',
  {
    account_id: text().notNull(),
    /** The first and the last event of the range, also if they stayed. */
    first_id: text().notNull(),
    last_id: text().notNull(),
    events: integer().notNull(),
    /** The key of the object; '': there is none. */
    object: text().notNull(),
    /** What would be in the object; '': no event of the range left, or there is an object. */
    content: text().notNull(),
    sha256: text().notNull(),
    /** The hash of the chest before: each names the one before, so none can be exchanged alone. */
    previous_sha256: text().notNull(),
    sealed_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.first_id] })],
)
