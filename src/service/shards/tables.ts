import type { BooksTable, SharedTable } from '../../platform/database/databases.ts'
import { keysOf } from '../../platform/kit/keys-of.ts'
import { COUNT_KEY, KEY } from '../../sales/transactions/sums/totals-keys.ts'

/**
 * A table that moves with the books of an account. `from` joins it as `row` to the tables that lead to the
 * account without a scan. `levels` are the columns that order its rows, table by table.
 */
export type MovedTable = {
  table: BooksTable | SharedTable
  from: `${BooksTable | SharedTable} AS ${string}`
  account: string
  levels: readonly (readonly string[])[]
  /** Rows that are copied; by default all. */
  where?: string
  /** Rows in one page. Large rows have small pages. */
  page: number
  /** Whether the control database has rows of its own in this table, which stay there. */
  shared?: true
}

/** `parents` joins the tables above, as a FROM, and `on` is the condition of the row. */
type HowToMove = Omit<MovedTable, 'table' | 'from'> & { parents?: `${BooksTable} AS ${string}`; on?: string }

const PAGE = 500
const LARGE = 20
/** A part of a file has up to a megabyte. */
const PARTS = 4

const own = (levels: readonly string[], page = PAGE): HowToMove => ({
  account: 'row.account_id',
  levels: [levels.map((column) => `row.${column}`)],
  page,
})

const child = (
  parent: { table: BooksTable; key: readonly string[]; reference: string },
  key: string,
): HowToMove => ({
  parents: `${parent.table} AS parent`,
  on: `row.${parent.reference} = parent.id`,
  account: 'parent.account_id',
  levels: [parent.key.map((column) => `parent.${column}`), [`row.${key}`]],
  page: PAGE,
})

const CUSTOMER = { table: 'customers', key: ['id'], reference: 'customer_id' } as const
const SALE = { table: 'transactions', key: ['transaction_date', 'id'], reference: 'transaction_id' } as const
const CHECK = { table: 'vat_checks', key: ['id'], reference: 'check_id' } as const
const WEBHOOK = { table: 'webhooks', key: ['id'], reference: 'webhook_id' } as const

/** Parents come before their children, so that rows can be inserted in this order. */
const HOW_TO_MOVE: Readonly<Record<BooksTable | SharedTable, HowToMove>> = {
  account_usage: { ...own(['account_id']), shared: true },
  customers: own(['id']),
  exemptions: child(CUSTOMER, 'id'),
  certificate_requests: own(['id']),
  document_parts: own(['document_id', 'position'], PARTS),
  document_erasures: own(['document_id']),
  vat_validations: child(CUSTOMER, 'id'),
  vat_checks: own(['id']),
  vat_check_ids: child(CHECK, 'position'),
  transactions: own(['transaction_date', 'id']),
  transaction_lines: child(SALE, 'position'),
  refunds: own(['refunded_at', 'id']),
  settlements: own(['transaction_id', 'settled_id']),
  sealed_accounts: own(['account_id']),
  chests: own(['number']),
  chest_blocks: own(['chest', 'block']),
  chest_refs: {
    parents: 'sealed_accounts AS parent',
    on: 'row.account = parent.number',
    account: 'parent.account_id',
    levels: [['row.hash']],
    page: PAGE,
  },
  taxjar_documents: own(['kind', 'provider', 'document_id']),
  tax_totals: own(KEY),
  transaction_counts: own(COUNT_KEY),
  day_changes: own(['account_id']),
  returns: { ...own(['from_date', 'id'], LARGE), where: "row.status <> 'freezing'" },
  filed_rows: {
    ...own(['return_id', 'entry_id']),
    where: "EXISTS (SELECT 1 FROM returns WHERE returns.id = row.return_id AND returns.status <> 'freezing')",
  },
  sealed_returns: own(['return_id'], LARGE),
  return_checks: own(['return_id']),
  return_submissions: own(['return_id']),
  obligation_marks: own(['obligation_id']),
  audit_events: { ...own(['id']), shared: true },
  audit_seals: { ...own(['chain', 'position']), shared: true },
  audit_chests: { ...own(['first_id'], LARGE), shared: true },
  idempotency_keys: { ...own(['key', 'method', 'path'], LARGE), shared: true },
  events: { ...own(['id']), account: 'row.owner_account_id' },
  threshold_states: own(['jurisdiction_id']),
  unknown_codes: own(['code']),
  webhooks: own(['id']),
  webhook_deliveries: child(WEBHOOK, 'id'),
  webhook_attempts: {
    parents: `webhooks AS parent JOIN webhook_deliveries AS delivery ON delivery.webhook_id = parent.id`,
    on: 'row.delivery_id = delivery.id',
    account: 'parent.account_id',
    levels: [['parent.id'], ['delivery.id'], ['row.attempt']],
    page: PAGE,
  },
}

/** The tables that move with the books of an account, in an order in which rows can be inserted. */
export const MOVED_TABLES: readonly MovedTable[] = keysOf(HOW_TO_MOVE).map((table) => {
  const { parents, on = '', ...how } = HOW_TO_MOVE[table]
  const row: string = `${table} AS row`
  const from =
    parents === undefined ? (`${table} AS row` as const) : (`${parents} JOIN ${row} ON ${on}` as const)
  return { table, from, ...how }
})
