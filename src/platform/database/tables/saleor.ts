import { sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

/**
 * Shops on Saleor that an account has connected. A shop is found before its account is known, so they are in
 * the control database.
 */
export const saleor_installs = sqliteTable(
  'saleor_installs',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    /** The address of the GraphQL API. No other shop can register. */
    saleor_api_url: text().notNull(),
    /** The key of the account with which the requests of the shop are answered, and its sealed text. */
    key_id: text().notNull(),
    api_key: text().notNull(),
    /** The hash of the token in the link, until it was used. */
    token_hash: text(),
    token_expires_at: text().notNull(),
    /** What the shop gave at its registration: the token of the app, sealed, and its public keys. */
    auth_token: text(),
    jwks: text(),
    jwks_read_at: text(),
    registered_at: text(),
    created_at: text().notNull(),
    /** Orders that changed before this are in the books. Null: the catch-up starts at the registration. */
    orders_read_until: text(),
    /** The order after which the catch-up goes on, while the shop has more than one reading takes. */
    orders_cursor: text(),
    orders_asked_at: text(),
    /** Why the catch-up stopped the last time that it did. */
    orders_fault: text(),
    orders_fault_at: text(),
  },
  (table) => [index('saleor_installs_of_account').on(table.account_id, table.id)],
)

/**
 * Orders of a shop that were refused, until they are in the books. The reason is a code and a field, without
 * what the buyer typed.
 */
export const saleor_refused_orders = sqliteTable(
  'saleor_refused_orders',
  {
    install_id: text().notNull(),
    /** The order's id in Saleor. */
    order_id: text().notNull(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    /** The number that the shop shows. */
    number: text().notNull(),
    /** A reason of our errors, and the field of the order that it is about. */
    reason: text().notNull(),
    field: text(),
    /** When it was refused first. */
    since: text().notNull(),
    tried_at: text().notNull(),
    /** When somebody said that the books need not have it. */
    dismissed_at: text(),
  },
  (table) => [
    primaryKey({ columns: [table.install_id, table.order_id] }),
    index('saleor_refused_orders_of_account')
      .on(table.account_id, table.install_id)
      .where(sql`dismissed_at IS NULL`),
  ],
)
