import type { BooksDb } from '../../platform/database/databases.ts'
import { GROUPED } from '../../sales/transactions/sums/sums.ts'
import { HAS_OWN_ID } from '../../platform/database/values/audit-ids.ts'
import type { SealedOf } from '../../sales/sealed/read-sealed.ts'
import { sealed, sealedReturns } from '../../sales/sealed/with-sealed.ts'
import type { TotalsOf } from '../../sales/transactions/sums/sums-store.ts'
import { TAX_KEY } from './jurisdiction-tax.ts'
import type { LineEntry } from './line-entry.ts'
import { wholeFacts } from '../../sales/transactions/sale/words-store.ts'
import {
  REFUNDED_PART,
  REFUNDED_PARTS,
  SOLD_IN,
  SOLD_PART,
  SOLD_PARTS,
} from '../../sales/transactions/sums/line-parts-store.ts'

/** The days and groups of lines that are asked for. All conditions must be met. */
export type LineScope = {
  /** Local days, both included. */
  from: string
  to: string
  /** Keys of groups, as `groupKeyOf` makes them; null: all groups. */
  keys: readonly string[] | null
  /** Leaves out lines that one of these returns declares. */
  not_in: readonly string[]
  /** Only lines with this tax of a jurisdiction, by its key. */
  tax?: string | undefined
}

type LineFilter = {
  transaction_id?: string | undefined
  jurisdiction_id?: string | undefined
  place_of_supply?: string | undefined
  scheme?: string | undefined
  currency?: string | undefined
  entry?: 'sale' | 'refund' | undefined
}

const GROUP_KEY = GROUPED.join(" || ' ' || ")

/** Returns of these places list the tax of each county, city and district. */
const IN_A_STATE = "GLOB 'US-*'"

const OF_SALE = `sale.customer_id, sale.customer_country, sale.customer_region, sale.customer_postal_code,
  sale.customer_vat_id, sale.tax_source, sale.data_version,
  ${wholeFacts('sale.facts')} AS facts, sale.exported_to` as const

/** All sold lines with their parts. Parameters: 1 the account, 4 and 5 the moments between which they are. */
export const SOLD = `SELECT format('%s/%03d/%d', sale.id, line.position, coalesce(part.key, 0)) AS id,
    'sale' AS entry, sale.id AS transaction_id, sale.external_id, line.id AS line_id, NULL AS refund_id,
    sale.transaction_date AS dated_at, sale.day AS day, ${SOLD_IN} AS sold_in,
    coalesce(sale.completed_at, sale.created_at) AS recorded_at, sale.jurisdiction_id,
    ${SOLD_PART.place_of_supply} AS place_of_supply, ${SOLD_PART.scheme} AS scheme, sale.currency,
    ${SOLD_PART.product_type} AS product_type, line.description, line.quantity,
    ${SOLD_PART.tax_rate} AS tax_rate, ${SOLD_PART.reason} AS reason, ${SOLD_PART.exemption} AS exemption,
    ${SOLD_PART.net_amount} AS net_amount, ${SOLD_PART.taxable_amount} AS taxable_amount,
    ${SOLD_PART.uncollected_amount} AS uncollected_amount, ${SOLD_PART.tax_amount} AS tax_amount,
    ${SOLD_PART.provincial_tax_amount} AS provincial_tax_amount,
    iif(${SOLD_PART.place_of_supply} ${IN_A_STATE} AND part.key IS NULL, line.tax_breakdown, NULL)
      AS taxes,
    ${OF_SALE}
  FROM ${SOLD_PARTS}
  WHERE sale.account_id = ?1 AND sale.status IN ('completed', 'refunded')
    AND sale.transaction_date >= ?4 AND sale.transaction_date < ?5` as const

/** All refunded parts, with the columns and parameters of `SOLD`. */
export const REFUNDED = `SELECT format('%s/%03d', refund.id, part.key) AS id, 'refund' AS entry,
    sale.id AS transaction_id, sale.external_id,
    (SELECT id FROM transaction_lines WHERE account_id = sale.account_id AND transaction_id = sale.id
       AND position = part.value ->> 'position') AS line_id,
    refund.id AS refund_id, refund.refunded_at AS dated_at, refund.day AS day, ${SOLD_IN} AS sold_in,
    refund.recorded_at, sale.jurisdiction_id, ${REFUNDED_PART.place_of_supply} AS place_of_supply,
    ${REFUNDED_PART.scheme} AS scheme, sale.currency, ${REFUNDED_PART.product_type} AS product_type,
    refund.reason AS description, part.value ->> 'quantity' AS quantity,
    ${REFUNDED_PART.tax_rate} AS tax_rate,
    ${REFUNDED_PART.reason} AS reason, ${REFUNDED_PART.exemption} AS exemption,
    -(${REFUNDED_PART.refunded_net_amount}) AS net_amount,
    -(${REFUNDED_PART.refunded_taxable_amount}) AS taxable_amount, 0 AS uncollected_amount,
    -(${REFUNDED_PART.refunded_tax_amount}) AS tax_amount,
    -(${REFUNDED_PART.refunded_provincial_tax_amount}) AS provincial_tax_amount,
    iif(${REFUNDED_PART.place_of_supply} ${IN_A_STATE}, coalesce(part.value ->> 'taxes',
      (SELECT nullif(iif(tax_breakdown = '[]', '[]', ''), '') FROM transaction_lines
       WHERE account_id = sale.account_id AND transaction_id = sale.id
         AND position = part.value ->> 'position')), NULL) AS taxes,
    ${OF_SALE}
  FROM ${REFUNDED_PARTS}
  WHERE refund.account_id = ?1 AND refund.refunded_at >= ?4 AND refund.refunded_at < ?5` as const

/** The audit event that recorded the line, for the rows of a page alone. */
const AUDIT_ID = `coalesce(
    (SELECT "id" FROM audit_events
     WHERE account_id = ?1 AND resource_id = transaction_id AND ${HAS_OWN_ID}
       AND action IN ('transaction.created', 'transaction.completed', 'transaction.refunded')
       AND created_at = recorded_at
     ORDER BY "id" DESC LIMIT 1),
    (SELECT id FROM audit_events
     WHERE id = 'aud_' || substr(transaction_id, 5) AND account_id = ?1 AND created_at = recorded_at))
  AS audit_id` as const

/** If a filter leaves too few lines of a window, the next window has so many times the sales. */
const WIDER = 8

type Cursor = { dated_at: string; id: string } | null

/**
 * A page of lines after a cursor, oldest first. Lines are read in windows of time that begin at the cursor
 * and have a few more sales than the page. So a page costs the same, whatever the number of later lines.
 */
export async function readLineEntries(
  context: TotalsOf,
  scope: LineScope,
  filter: LineFilter,
  cursor: Cursor,
  limit: number,
): Promise<LineEntry[]> {
  const { env } = context
  if (env?.CHESTS === undefined) return readOfBooks(context, scope, filter, cursor, limit)
  const source = { ...context, env }
  if (scope.not_in.length === 0) return readWithChests(source, scope, filter, cursor, limit)
  const { pageBesideSealed } = await sealedReturns.load()
  return pageBesideSealed(source, scope, { cursor, limit }, async (after, size) =>
    readWithChests(source, scope, filter, after, size),
  )
}

/** Lines that are read and added up at once. */
const LINES_OF_STEP = 2_000

/** All lines of some days, in pages of their order. */
export async function* pagesOfLines(context: TotalsOf, scope: LineScope): AsyncGenerator<LineEntry[]> {
  for (let cursor: Cursor = null; ;) {
    const page: LineEntry[] = await readLineEntries(context, scope, {}, cursor, LINES_OF_STEP)
    yield page
    if (page.length < LINES_OF_STEP) return
    cursor = page.at(-1) ?? null
  }
}

async function readWithChests(
  context: SealedOf,
  scope: LineScope,
  filter: LineFilter,
  cursor: Cursor,
  limit: number,
): Promise<LineEntry[]> {
  const { pageEverywhere } = await sealed.load()
  const range = {
    from: dayNear(scope.from, -1),
    before: dayNear(scope.to, 2),
    // All lines of a sale are in one block, so the block of the last line is read again.
    past: cursor === null ? null : ([cursor.dated_at, cursor.id.split('/')[0] ?? ''] as const),
  }
  const placeOf = ({ dated_at, id }: LineEntry) => [dated_at, id] as const
  const page = await pageEverywhere(context, range, { newest: false, limit, placeOf }, async (books) => ({
    rows: await readOfBooks({ ...context, books }, scope, filter, cursor, limit),
    end: null,
  }))
  return page.rows
}

async function readOfBooks(
  context: TotalsOf,
  scope: LineScope,
  filter: LineFilter,
  cursor: Cursor,
  limit: number,
): Promise<LineEntry[]> {
  const conditions = conditionsOf(scope, filter, cursor)
  const near = { from: dayNear(scope.from, -1), to: dayNear(scope.to, 2) }
  const start = cursor?.dated_at ?? (await firstMoment(context, scope.from))
  if (start === null) return []
  const range = { from: start > near.from ? start : near.from, to: near.to }
  for (let sales = limit; ; sales *= WIDER) {
    const end = await endOfWindow(context, range, sales)
    const window = { from: range.from, to: end ?? range.to }
    const lines = await readWindow(context, scope, conditions, window, limit)
    if (end === null || lines.length >= limit) return lines
  }
}

/** Moments from `from` to before `to`, as texts that sort like moments. */
type MomentRange = { from: string; to: string }

/**
 * The first sale or refund on a local day or later. The indexes on dates have the days too, so this reads no
 * rows, and at most the entries of two days: a local day is at most one day from the date in UTC. Parameters:
 * the account, the day.
 */
export const FIRST_MOMENT = `SELECT min(at) AS at FROM (
    SELECT (SELECT transaction_date FROM transactions
      WHERE account_id = ?1 AND transaction_date >= date(?2, '-1 day') AND day >= ?2
      ORDER BY transaction_date LIMIT 1) AS at
    UNION ALL SELECT (SELECT refunded_at FROM refunds
      WHERE account_id = ?1 AND refunded_at >= date(?2, '-1 day') AND day >= ?2
      ORDER BY refunded_at LIMIT 1))`

async function firstMoment({ books, principal }: TotalsOf, day: string): Promise<string | null> {
  return books.prepare(FIRST_MOMENT).bind(principal.account_id, day).first<string>('at')
}

/** The moment after so many sales; null: fewer sales are left. Their equal moments stay together. */
async function endOfWindow(
  { books, principal }: TotalsOf,
  { from, to }: MomentRange,
  sales: number,
): Promise<string | null> {
  const last = await books
    .prepare(
      `SELECT transaction_date FROM transactions
       WHERE account_id = ? AND transaction_date >= ? AND transaction_date < ?
       ORDER BY transaction_date LIMIT 1 OFFSET ${sales}`,
    )
    .bind(principal.account_id, from, to)
    .first<string>('transaction_date')
  return last === null ? null : `${last}~`
}

/**
 * The first lines of a window. One statement reads sales and refunds by the index on their dates. The local
 * day is at most one day from the date in UTC.
 */
async function readWindow(
  { books, principal }: TotalsOf,
  scope: LineScope,
  conditions: readonly LineCondition[],
  window: MomentRange,
  limit: number,
): Promise<LineEntry[]> {
  const { results } = await books
    .prepare(
      `SELECT page.*, ${AUDIT_ID} FROM (
       SELECT * FROM (${SOLD} UNION ALL ${REFUNDED}) found
       WHERE day BETWEEN ?2 AND ?3 ${conditions.map(([sql]) => `AND ${sql}`).join(' ')}
       ORDER BY dated_at, id LIMIT ${limit}) page
     ORDER BY dated_at, id`,
    )
    .bind(
      principal.account_id,
      scope.from,
      scope.to,
      window.from,
      window.to,
      ...conditions.flatMap(([, ...values]) => values),
    )
    .all<LineEntry>()
  return results
}

/** All lines of some transactions and their refunds, for checks across time. */
export async function readEntries(
  books: BooksDb,
  account_id: string,
  transaction_ids: readonly string[],
): Promise<LineEntry[]> {
  const among = 'sale.id IN (SELECT value FROM json_each(?2))'
  const { results } = await books
    .prepare(`${SOLD} AND ${among} UNION ALL ${REFUNDED} AND ${among}`)
    .bind(account_id, JSON.stringify(transaction_ids), '', '', '~')
    .all<LineEntry>()
  return results
}

/** A day some days away, as a text that sorts like one. */
export function dayNear(day: string, days: number): string {
  if (day <= '0001-01-01') return ''
  if (day >= '9999-01-01') return '~'
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

type LineCondition = [sql: string, ...values: string[]]

/** The conditions on the lines of `SOLD` and `REFUNDED`, as `found`. */
export function conditionsOf(
  { keys, not_in, tax }: LineScope,
  filter: LineFilter,
  cursor: Cursor,
): LineCondition[] {
  const conditions: LineCondition[] = []
  if (keys !== null)
    conditions.push([`${GROUP_KEY} IN (SELECT value FROM json_each(?))`, JSON.stringify(keys)])
  if (not_in.length > 0)
    conditions.push([
      `id NOT IN (SELECT entry_id FROM filed_rows
        WHERE account_id = ?1 AND return_id IN (SELECT value FROM json_each(?)))`,
      JSON.stringify(not_in),
    ])
  if (tax !== undefined)
    conditions.push([
      `EXISTS (SELECT 1 FROM (SELECT 1) LEFT JOIN json_each(found.taxes) tax WHERE ${TAX_KEY} = ?)`,
      tax,
    ])
  if (filter.transaction_id !== undefined) conditions.push(['transaction_id = ?', filter.transaction_id])
  if (filter.jurisdiction_id !== undefined) conditions.push(['jurisdiction_id = ?', filter.jurisdiction_id])
  if (filter.currency !== undefined) conditions.push(['currency = ?', filter.currency])
  if (filter.entry !== undefined) conditions.push(['entry = ?', filter.entry])
  if (filter.scheme !== undefined)
    conditions.push(['scheme = ?', filter.scheme === 'none' ? '' : filter.scheme])
  const place = filter.place_of_supply
  if (place !== undefined)
    conditions.push(['(place_of_supply = ? OR place_of_supply GLOB ?)', place, `${place}-*`])
  if (cursor !== null) conditions.push(['(dated_at, id) > (?, ?)', cursor.dated_at, cursor.id])
  return conditions
}
