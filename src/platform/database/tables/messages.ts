import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { CHANNELS, CHAT_FORMATS, MESSAGE_STATES } from '../values/message-values.ts'
import { accounts } from './accounts.ts'
import { oneOf } from './checks.ts'

/**
 * The daily message of an account: when, of what, and to which chat. It is in the control database with the
 * people and the time zone, so that each write of a message is one batch there.
 */
export const message_settings = sqliteTable(
  'message_settings',
  {
    account_id: text()
      .primaryKey()
      .references(() => accounts.id),
    /** 0 to 23, in the time zone of the account. */
    hour: integer().notNull(),
    /** The kinds that are switched off, as JSON. */
    kinds_off: text().notNull(),
    /** `signed` or `slack`; null: there is no chat. */
    chat_format: text({ enum: CHAT_FORMATS }),
    chat_host: text(),
    /** The address, sealed: those of chats contain a token. */
    chat_url: text(),
    /** The secret that signs, sealed. */
    chat_secret: text(),
    /** When the next one is made; null: nobody gets any. */
    next_at: text(),
    /** Until when a job makes it. */
    leased_until: text(),
    /** Messages have told everything that was recorded until then. */
    read_until: text().notNull(),
    /** The local day of the last one. */
    last_day: text(),
    /** How many tests were sent on a day (UTC). */
    test_day: text(),
    tests: integer().notNull().default(0),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (table) => [
    oneOf(table.chat_format),
    index('message_settings_due')
      .on(table.next_at)
      .where(sql`next_at IS NOT NULL`),
  ],
)

/** The people of an account who get its daily message by mail. */
export const message_recipients = sqliteTable(
  'message_recipients',
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    person_id: text().notNull(),
    /** The token in the link that stops: its hash finds the row, and its sealed text is in each mail. */
    stop_hash: text().notNull().unique(),
    stop_token: text().notNull(),
    stopped_at: text(),
    created_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.person_id] })],
)

/** A message of a day to one recipient, until 90 days after. `person_id` is empty for the chat. */
export const messages = sqliteTable(
  'messages',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    day: text().notNull(),
    channel: text({ enum: CHANNELS }).notNull(),
    person_id: text().notNull(),
    /** Its lines, as JSON. */
    content: text().notNull(),
    /** pending, sent, failed, unknown or stopped. */
    state: text({ enum: MESSAGE_STATES }).notNull(),
    /** How often it was begun, and how many of these ended without an outcome. */
    attempts: integer().notNull().default(0),
    lost: integer().notNull().default(0),
    next_attempt_at: text().notNull(),
    leased_until: text(),
    error: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (table) => [
    oneOf(table.channel),
    oneOf(table.state),
    uniqueIndex('messages_of_day').on(table.account_id, table.day, table.channel, table.person_id),
    index('messages_due')
      .on(table.next_attempt_at)
      .where(sql`state = 'pending'`),
    index('messages_by_age').on(table.created_at),
  ],
)
