import type { Context } from '../../platform/context.ts'
import { endOfDay, startOfDay } from '../../platform/kit/time-zone.ts'
import { type TransactionReportFilter, REPORT_COLUMNS, type ReportRow } from './schemas.ts'
import { requireTypeIfNamed } from '../../tax-data/product-codes/product-of-code.ts'
import { prefixBounds } from '../../sales/transactions/read/list-store.ts'
import { hasStatus, SHOWN_STATUS } from '../../sales/transactions/sums/status-store.ts'
import { rowsOfIds, sealed } from '../../sales/sealed/with-sealed.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { productTypesSoldAs } from '../rows/sold-kind.ts'

type StoredRow = Omit<ReportRow, 'reverse_charge' | 'seller_registered' | 'of_other_seller'> & {
  reverse_charge: number
  seller_registered: number
  of_other_seller: number
}

/**
 * A page of the account's transactions after the cursor, oldest first. Without a status: completed and
 * refunded ones. `ids`: only these, which a search found.
 */
export async function readReportRows(
  context: Context,
  requested: TransactionReportFilter & { ids?: readonly string[] | undefined },
  limit: number,
): Promise<ReportRow[]> {
  const { ids, from_date, to_date, cursor } = requested
  const { time_zone } = context.principal
  const read = async (books: BooksDb) => readOf({ ...context, books }, requested, limit)
  if (context.env.CHESTS === undefined) return read(context.books)
  if (ids !== undefined) {
    const rows = await rowsOfIds(context, ids, read)
    return rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).slice(0, limit)
  }
  const [date = '', id = ''] = cursor?.split('~') ?? []
  const range = {
    from: from_date === undefined ? '' : startOfDay(time_zone, from_date),
    before: to_date === undefined ? '~' : endOfDay(time_zone, to_date),
    past: cursor === undefined ? null : ([date, id] as const),
  }
  const { pageEverywhere } = await sealed.load()
  const placeOf = (row: ReportRow) => [row.transaction_date, row.id] as const
  const page = await pageEverywhere(context, range, { newest: false, limit, placeOf }, async (books) => ({
    rows: await read(books),
    end: null,
  }))
  return page.rows
}

const keyOf = ({ transaction_date, id }: ReportRow) => `${transaction_date} ${id}`

async function readOf(
  { books, principal }: Context,
  requested: TransactionReportFilter & { ids?: readonly string[] | undefined },
  limit: number,
): Promise<ReportRow[]> {
  const filter = { ...requested, product_type: await requireTypeIfNamed(requested.product_type) }
  const conditions = conditionsOf(filter, principal.time_zone)
  // A search has found few sales: without the plus, SQLite would read all of the account in their order.
  const account = filter.ids === undefined ? 'account_id = ?' : '+account_id = ?'
  const where = [account, ...conditions.map(([sql]) => sql)].join(' AND ')
  const { results } = await books
    .prepare(
      `SELECT ${REPORT_COLUMNS.map((name) => COMPUTED.get(name) ?? name).join(', ')}, of_other_seller
     FROM transactions WHERE ${where} ORDER BY transaction_date, id LIMIT ?`,
    )
    .bind(principal.account_id, ...conditions.flatMap(([, ...values]) => values), limit)
    .all<StoredRow>()
  return results.map(({ of_other_seller, ...row }) => ({
    ...row,
    ...(of_other_seller === 1 && { of_other_seller: true as const }),
    tax_rate: row.tax_rate / 1_000_000,
    reverse_charge: row.reverse_charge === 1,
    seller_registered: row.seller_registered === 1,
  }))
}

export function cursorOfTransaction(row: ReportRow): string {
  return `${row.transaction_date}~${row.id}`
}

const TAXABLE = `(SELECT sum(taxable_amount) FROM transaction_lines
  WHERE transaction_id = transactions.id) AS taxable_amount`

const CUSTOMER_NAME = `(SELECT name FROM customers
  WHERE customers.account_id = transactions.account_id AND customers.id = transactions.customer_id)
  AS customer_name`

/** The columns that are not stored as they are shown. */
const COMPUTED = new Map<string, string>([
  ['taxable_amount', TAXABLE],
  ['status', `${SHOWN_STATUS} AS status`],
  ['invoice_number', "facts ->> '$.invoice_number' AS invoice_number"],
  ['customer_name', CUSTOMER_NAME],
])

type ReportCondition = [sql: string, ...values: (string | number)[]]

function conditionsOf(
  filter: TransactionReportFilter & { ids?: readonly string[] | undefined },
  zone: string,
): ReportCondition[] {
  const { status, from_date, to_date, jurisdiction_id, currency, customer_id, external_id_prefix } = filter
  const { refunded_from, refunded_to, cursor } = filter
  const conditions: ReportCondition[] = [
    status === undefined ? ["status IN ('completed', 'refunded')"] : hasStatus(status),
  ]
  if (from_date !== undefined) conditions.push(['transaction_date >= ?', startOfDay(zone, from_date)])
  if (to_date !== undefined) conditions.push(['transaction_date < ?', endOfDay(zone, to_date)])
  if (jurisdiction_id !== undefined) conditions.push(['jurisdiction_id = ?', jurisdiction_id])
  if (currency !== undefined) conditions.push(['currency = ?', currency])
  if (customer_id !== undefined) conditions.push(['customer_id = ?', customer_id])
  if (external_id_prefix !== undefined)
    conditions.push(['external_id >= ? AND external_id < ?', ...prefixBounds(external_id_prefix)])
  if (filter.ids !== undefined)
    conditions.push(['id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.ids)])
  if (filter.of_other_seller !== undefined)
    conditions.push([`of_other_seller = ${filter.of_other_seller === 'true' ? 1 : 0}`])
  if (filter.no_tax !== undefined) conditions.push(['tax_amount = 0'])
  if (filter.variance !== undefined) conditions.push(['tax_variance <> 0'])
  conditions.push(...lineConditions(filter))
  if (refunded_from !== undefined || refunded_to !== undefined)
    conditions.push([
      `EXISTS (SELECT 1 FROM refunds
        WHERE refunds.account_id = transactions.account_id AND transaction_id = transactions.id
          AND refunded_at >= ? AND refunded_at < ?)`,
      startOfDay(zone, refunded_from ?? '0000-01-01'),
      endOfDay(zone, refunded_to ?? '9999-12-31'),
    ])
  if (cursor !== undefined) {
    const [date = '', id = ''] = cursor.split('~')
    conditions.push(['(transaction_date, id) > (?, ?)', date, id])
  }
  return conditions
}

/** One line must meet all of these conditions. */
function lineConditions({
  place_of_supply,
  scheme,
  tax_rate,
  kind,
  product_type,
  reason,
}: TransactionReportFilter): ReportCondition[] {
  const inner: ReportCondition[] = []
  if (place_of_supply !== undefined)
    inner.push(['(place_of_supply = ? OR place_of_supply GLOB ?)', place_of_supply, `${place_of_supply}-*`])
  if (scheme !== undefined) inner.push(['scheme = ?', scheme === 'none' ? '' : scheme])
  if (tax_rate !== undefined) inner.push(['line.tax_rate = ?', Math.round(tax_rate * 1_000_000)])
  if (kind !== undefined)
    inner.push(['product_type IN (SELECT value FROM json_each(?))', JSON.stringify(productTypesSoldAs(kind))])
  if (product_type !== undefined) inner.push(['product_type = ?', product_type])
  if (reason !== undefined) inner.push(['taxability_reason = ?', reason])
  if (inner.length === 0) return []
  return [
    [
      `EXISTS (SELECT 1 FROM transaction_lines line
        WHERE line.transaction_id = transactions.id AND ${inner.map(([sql]) => sql).join(' AND ')})`,
      ...inner.flatMap(([, ...values]) => values),
    ],
  ]
}
