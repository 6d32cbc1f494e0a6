import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
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
    /** Why the catch-up stopped, or which order it could not record, the last time that it was so. */
    orders_fault: text(),
    orders_fault_at: text(),
  },
  (table) => [index('saleor_installs_of_account').on(table.account_id, table.id)],
)
