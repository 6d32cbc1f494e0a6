import type { Context } from '../../platform/context.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { fieldError } from '../../platform/errors.ts'
import type { StoredExemption } from './exemption.ts'
import type { ExemptionFilter } from './schemas.ts'
import { soonUntil } from './state.ts'

/** How many certificates a page reads if it looks at their first day, for which there is no index. */
const SCANNED_EXEMPTIONS_MAX = 2_000

/** How many rows a page reads from an index: at most 100, and one that says whether more follow. */
const PAGE_ROWS_MAX = 101

/** An exemption with its customer. */
export type ListedExemption = StoredExemption & {
  customer_id: string
  customer_name: string | null
  customer_external_id: string | null
}

/** `today` is the day of the state. `ids`: only these exemptions, which a search found. */
type ListedFilter = Pick<ExemptionFilter, 'status' | 'state' | 'cursor'> & {
  today: string
  ids?: readonly string[] | undefined
}

type ExemptionPlace = Pick<ListedExemption, 'id' | 'valid_to'>

const NO_END = '9999-12-31'

/** The last day in the index `exemptions_by_end`: an exemption without an end comes last. */
export const END = `coalesce("valid_to", '9999-12-31')`

type RowCondition = readonly [sql: string, ...values: string[]]

/** Rows of an index, in its order. `begun` is looked at row by row. */
type Selection = {
  /** The rows of each part are in the order of the index. */
  parts: readonly RowCondition[]
  index: 'exemptions_of_account' | 'exemptions_by_status' | 'exemptions_by_end'
  order: 'newest' | 'soonest_end' | 'latest_end'
  begun: RowCondition | null
}

const ORDERS = {
  newest: { by: (id: string) => `${id} DESC`, after: 'id < ?' },
  soonest_end: { by: (id: string) => `${END}, ${id}`, after: `(${END}, id) > (?, ?)` },
  latest_end: { by: (id: string) => `${END} DESC, ${id} DESC`, after: `(${END}, id) < (?, ?)` },
} as const

/** What `stateOn` says, as rows of indexes. */
function selectionOf({ status, state, today }: ListedFilter): Selection {
  const by_end = { index: 'exemptions_by_end', order: 'soonest_end' } as const
  const has_begun: RowCondition = ['valid_from <= ?', today]
  switch (state) {
    case undefined:
      return status === undefined
        ? { parts: [['true']], index: 'exemptions_of_account', order: 'newest', begun: null }
        : { parts: [['status = ?', status]], index: 'exemptions_by_status', order: 'newest', begun: null }
    case 'pending':
    case 'rejected':
      return { parts: [['status = ?', state]], index: 'exemptions_by_status', order: 'newest', begun: null }
    case 'upcoming':
      return { ...by_end, parts: [[`${VERIFIED} >= ?`, today]], begun: ['valid_from > ?', today] }
    case 'active':
      return { ...by_end, parts: [[`${VERIFIED} > ?`, soonUntil(today)]], begun: has_begun }
    case 'expires_soon':
      return {
        ...by_end,
        parts: [[`${VERIFIED} BETWEEN ? AND ?`, today, soonUntil(today)]],
        begun: has_begun,
      }
    case 'expired':
      return {
        parts: [["status = 'expired'"], [`${VERIFIED} < ?`, today]],
        index: 'exemptions_by_end',
        order: 'latest_end',
        begun: null,
      }
  }
}

const VERIFIED = `status = 'verified' AND ${END}`

/** The cursor after a row of the list. */
export function cursorOfExemption(filter: ListedFilter, { id, valid_to }: ExemptionPlace): string {
  return selectionOf(filter).order === 'newest' ? id : `${valid_to ?? NO_END}~${id}`
}

/**
 * A page of the exemptions of all customers, with one row more than `limit` if more follow. `end` is the last
 * row that was read, if the list may go on after it.
 */
export async function listExemptions(
  { books, principal }: Context,
  filter: ListedFilter,
  limit: number,
): Promise<{ found: ListedExemption[]; end: ExemptionPlace | null }> {
  const { page, end, values, begun } = exemptionsStatements(filter)
  const bound = [principal.account_id, ...values]
  const [rows, last] = await books.batch([
    books.prepare(page).bind(...bound, ...begun, limit + 1),
    ...(begun.length === 0 ? [] : [books.prepare(end).bind(...bound)]),
  ])
  const found = rowsOf<ListedExemption>(rows)
  return { found, end: last === undefined ? null : (rowsOf<ExemptionPlace>(last)[0] ?? null) }
}

type Rows = `${string}FROM exemptions ${string}`

/**
 * The statements of a page, and of the last row that it may read. Bind the account before `values`; then the
 * page takes `begun` and a limit. Exported for the test of their plans.
 */
export function exemptionsStatements(filter: ListedFilter): {
  page: Rows
  end: Rows
  values: string[]
  begun: string[]
} {
  const { parts, index, order, begun } = withBegunInParts(selectionOf(filter), filter)
  const cursor = afterCursor(filter, order)
  const sought: RowCondition = filter.ids === undefined ? ['true'] : [AMONG, JSON.stringify(filter.ids)]
  const { by } = ORDERS[order]
  const read = parts.map(([sql]) => {
    const part = `SELECT id, valid_from, valid_to FROM exemptions
         INDEXED BY ${filter.ids === undefined ? index : 'exemptions_of_account'}
       WHERE account_id = ?1 AND ${[sql, cursor[0], sought[0]].join(' AND ')}`
    // SQLite sorts the union of several parts, so each gives only the rows of a page.
    return parts.length === 1 ? part : `SELECT * FROM (${part} ORDER BY ${by('id')} LIMIT ${PAGE_ROWS_MAX})`
  })
  const rows = `SELECT * FROM (${read.join(' UNION ALL ')}) ORDER BY ${by('id')}`
  const [condition, ...values_of_begun] = begun ?? ['true']
  const scanned = `SELECT * FROM (${rows} LIMIT ${SCANNED_EXEMPTIONS_MAX})`
  const places =
    begun === null ? `${rows} LIMIT ?` : `${scanned} WHERE ${condition} ORDER BY ${by('id')} LIMIT ?`
  return {
    // CROSS JOIN: SQLite would begin with all customers of the account.
    page: `SELECT exemption.id, exemption.jurisdiction_id, exemption_type, certificate_number,
        certificate_url, valid_from, valid_to, exemption.status, verification_notes,
        exemption.created_at, exemption.updated_at, reason_code, document_type, document_bytes,
        document_sha256, ended_on, customer_id, customer.name AS customer_name,
        customer.external_id AS customer_external_id
      FROM exemptions exemption
      CROSS JOIN customers customer
        ON customer.account_id = exemption.account_id AND customer.id = customer_id
      WHERE exemption.account_id = ?1 AND exemption.id IN (SELECT id FROM (${places}))
      ORDER BY ${by('exemption.id')}`,
    end: `SELECT id, valid_to FROM exemptions WHERE account_id = ?1 AND id =
      (SELECT id FROM (${rows} LIMIT 1 OFFSET ${SCANNED_EXEMPTIONS_MAX - 1}))`,
    values: parts.flatMap(([, ...own]) => [...own, ...cursor.slice(1), ...sought.slice(1)]),
    begun: values_of_begun,
  }
}

const AMONG = 'id IN (SELECT value FROM json_each(?))'

/** A search that found fewer exemptions than a page may read needs no bound, which would sort them twice. */
function withBegunInParts(selection: Selection, { ids }: ListedFilter): Selection {
  const { parts, begun } = selection
  if (begun === null || ids === undefined || ids.length >= SCANNED_EXEMPTIONS_MAX) return selection
  const [has_begun, ...days] = begun
  return {
    ...selection,
    parts: parts.map(([sql, ...own]) => [`${sql} AND ${has_begun}`, ...own, ...days]),
    begun: null,
  }
}

/** Throws invalid_request for the cursor of another order. */
function afterCursor({ cursor }: ListedFilter, order: Selection['order']): RowCondition {
  if (cursor === undefined) return ['true']
  const parts = cursor.split('~')
  if (parts.length !== (order === 'newest' ? 1 : 2))
    throw fieldError('invalid_request', 'cursor', 'is of a list in another order')
  return [ORDERS[order].after, ...parts]
}
