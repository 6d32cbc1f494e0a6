import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { DOCUMENT_KINDS } from '../values/taxjar-document-kinds.ts'
import { oneOf } from './checks.ts'

/** Orders and refunds that came in the form of TaxJar, as they are answered there. */
export const taxjar_documents = sqliteTable(
  'taxjar_documents',
  {
    account_id: text().notNull(),
    kind: text({ enum: DOCUMENT_KINDS }).notNull(),
    provider: text().notNull(),
    document_id: text().notNull(),
    /** Our sale, or the sale that the refund belongs to. */
    transaction_id: text().notNull(),
    /** Our refund; null: the document is a transaction of its own. */
    refund_id: text(),
    transaction_date: text().notNull(),
    /** Their id of the customer, so that an erasure finds the document. */
    customer_id: text(),
    body: text().notNull(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (table) => [
    oneOf(table.kind),
    primaryKey({ columns: [table.account_id, table.kind, table.provider, table.document_id] }),
    index('taxjar_documents_by_date').on(
      table.account_id,
      table.kind,
      table.provider,
      table.transaction_date,
      table.document_id,
    ),
    index('taxjar_documents_of_customer').on(table.account_id, table.customer_id),
  ],
)
