import { COUNT_KEY, KEY } from '../transactions/totals-keys.ts'

/**
 * A table of the books. `from` joins it as `row` to the tables that lead to the account without a scan.
 * `levels` are the columns that order its rows, table by table. Parents come before their children.
 */
export type BooksTable = {
  table: string
  from: string
  account: string
  levels: readonly (readonly string[])[]
  /** Rows that are copied; by default all. */
  where?: string
  /** Rows in one page. Large rows have small pages. */
  page: number
  /** Whether the control database has rows of its own in this table, which stay there. */
  shared?: true
}

const PAGE = 500
const LARGE = 20

const own = (table: string, levels: readonly string[], page = PAGE): BooksTable => ({
  table,
  from: `${table} AS row`,
  account: 'row.account_id',
  levels: [levels.map((column) => `row.${column}`)],
  page,
})

const child = (
  table: string,
  parent: { table: string; key: readonly string[]; reference: string },
  key: string,
): BooksTable => ({
  table,
  from: `${parent.table} AS parent JOIN ${table} AS row ON row.${parent.reference} = parent.id`,
  account: 'parent.account_id',
  levels: [parent.key.map((column) => `parent.${column}`), [`row.${key}`]],
  page: PAGE,
})

const CUSTOMER = { table: 'customers', key: ['id'], reference: 'customer_id' }
const SALE = { table: 'transactions', key: ['transaction_date', 'id'], reference: 'transaction_id' }

/** The tables of an account's books, in an order in which rows can be inserted. */
export const BOOKS_TABLES: readonly BooksTable[] = [
  { ...own('account_usage', ['account_id']), shared: true },
  own('customers', ['id']),
  child('exemptions', CUSTOMER, 'id'),
  child('vat_validations', CUSTOMER, 'id'),
  own('transactions', ['transaction_date', 'id']),
  child('transaction_lines', SALE, 'position'),
  own('refunds', ['refunded_at', 'id']),
  own('taxjar_documents', ['kind', 'provider', 'document_id']),
  own('tax_totals', KEY),
  own('transaction_counts', COUNT_KEY),
  own('day_changes', ['account_id']),
  { ...own('returns', ['from_date', 'id'], LARGE), where: "row.status <> 'freezing'" },
  {
    ...own('filed_rows', ['return_id', 'entry_id']),
    where: "EXISTS (SELECT 1 FROM returns WHERE returns.id = row.return_id AND returns.status <> 'freezing')",
  },
  { ...own('audit_events', ['id']), shared: true },
  { ...own('audit_seals', ['chain', 'position']), shared: true },
  { ...own('idempotency_keys', ['key', 'method', 'path'], LARGE), shared: true },
  { ...own('events', ['id']), account: 'row.owner_account_id' },
  own('threshold_states', ['jurisdiction_id']),
  own('webhooks', ['id']),
  child('webhook_deliveries', { table: 'webhooks', key: ['id'], reference: 'webhook_id' }, 'id'),
  {
    table: 'webhook_attempts',
    from: `webhooks AS parent JOIN webhook_deliveries AS delivery ON delivery.webhook_id = parent.id
      JOIN webhook_attempts AS row ON row.delivery_id = delivery.id`,
    account: 'parent.account_id',
    levels: [['parent.id'], ['delivery.id'], ['row.attempt']],
    page: PAGE,
  },
]

/** The tables that only the control database uses. In a shard, `accounts` has a row for each home. */
export const CONTROL_TABLES: ReadonlySet<string> = new Set([
  'accounts',
  'account_moves',
  'api_keys',
  'registrations',
  'facts',
  'data_versions',
  'collector_runs',
  'collector_evidence',
  'collector_states',
  'collector_leases',
  'reviews',
  'local_parts',
  'local_editions',
  'published_rates',
  'calendar_feeds',
])

/** What each database keeps about itself. */
export const DATABASE_TABLES: ReadonlySet<string> = new Set(['audit_progress'])

/** A row of this table opens the door for changes of rows that are otherwise fixed. */
export const DOORS = 'open_doors'
