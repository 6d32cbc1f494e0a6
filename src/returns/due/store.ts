import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import type { Context } from '../../platform/context.ts'
import type { SUBMISSION_STATES } from '../../platform/database/values/return-statuses.ts'
import { allColumnsOf } from '../../platform/database/column-list.ts'
import { guarded, required } from '../../platform/database/guard.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { rangesOfPeriod } from '../../sales/transactions/sums/totals-ranges.ts'
import type { obligation_marks } from '../../platform/database/tables/returns.ts'
import type { FilingRow } from '../rows/figures.ts'
import type { FilingRegistration } from './due-returns.ts'

type SubmissionState = (typeof SUBMISSION_STATES)[number]

const REGISTRATION = 'id, jurisdiction_id, scheme, filing_frequency, valid_from, valid_to'

/** A filed return: what it is, its days, and its version. */
export type FiledPeriod = {
  account_id: string
  id: string
  type: string
  jurisdiction_id: string
  from_date: string
  to_date: string
  version: number
  /** 1: it has late entries. */
  late: number
  filed_at: string
  /** What became of it at the tax office; null: it was filed, and nothing more is known. */
  submission: SubmissionState | null
  submitted_on: string | null
}

/** The registrations of an account. A quota bounds their number. */
export async function readFilingRegistrations(
  control: ControlDb,
  account_id: string,
): Promise<FilingRegistration[]> {
  const { results } = await control
    .prepare(`SELECT ${REGISTRATION} FROM registrations WHERE account_id = ? ORDER BY id`)
    .bind(account_id)
    .all<FilingRegistration>()
  return results
}

/** Sales of a month that a recapitulative statement may list. */
export type ListedSales = Pick<
  FilingRow,
  'place_of_supply' | 'scheme' | 'product_type' | 'tax_rate' | 'reason' | 'exported_to'
> & { account_id: string; month: string }

/** Sales of accounts to businesses of other member states from a month on, once for each month and kind. */
export async function readListedSales(
  books: BooksDb,
  account_ids: readonly string[],
  since: string,
): Promise<ListedSales[]> {
  const { results } = await books
    .prepare(
      `SELECT DISTINCT account_id, period AS month, place_of_supply, scheme, product_type, tax_rate, reason,
         exported_to
       FROM json_each(?1) AS asked CROSS JOIN tax_totals INDEXED BY tax_totals_to_businesses
         ON account_id = asked.value
       WHERE span = 'month' AND period >= ?2
         AND reason IN ('intra_community_supply', 'reverse_charge') AND transactions + refunds <> 0`,
    )
    .bind(JSON.stringify(account_ids), since)
    .all<ListedSales>()
  return results
}

type FirstDays = {
  made: { id: string; created_at: string }[]
  /** `day`: null if nothing was sold. */
  sold: { account_id: string; day: string | null }[]
}

/** When accounts were made, and the days of their first sales. */
export async function readFirstDays(
  control: ControlDb,
  books: BooksDb,
  account_ids: readonly string[],
): Promise<FirstDays> {
  const ids = JSON.stringify(account_ids)
  const [made, sold] = await Promise.all([
    control
      .prepare('SELECT id, created_at FROM accounts WHERE id IN (SELECT value FROM json_each(?))')
      .bind(ids)
      .all<FirstDays['made'][number]>(),
    books
      .prepare(
        `SELECT value AS account_id, (SELECT min(period) FROM tax_totals
           WHERE account_id = value AND span = 'day') AS day FROM json_each(?)`,
      )
      .bind(ids)
      .all<FirstDays['sold'][number]>(),
  ])
  return { made: made.results, sold: sold.results }
}

/** The filed returns of accounts whose periods end on a day or later. */
export async function readFiledPeriods(
  books: BooksDb,
  account_ids: readonly string[],
  since: string,
): Promise<FiledPeriod[]> {
  const { results } = await books
    .prepare(
      `SELECT returns.account_id, id, type, jurisdiction_id, from_date, to_date, version, late, filed_at,
         state AS submission, day AS submitted_on
       FROM returns LEFT JOIN return_submissions ON return_id = id
       WHERE returns.account_id IN (SELECT value FROM json_each(?1)) AND status = 'filed' AND to_date >= ?2`,
    )
    .bind(JSON.stringify(account_ids), since)
    .all<FiledPeriod>()
  return results
}

/** What a caller decided about an obligation, without whose it is. */
export type MarkRow = Omit<typeof obligation_marks.$inferSelect, 'account_id'>

export type Mark = MarkRow & { account_id: string }

const MARK_ROW = allColumnsOf<MarkRow>()(
  `obligation_id, state, document, place, type, jurisdiction_id, from_date, to_date, reason, day, number,
  late, marked_at, marked_by`,
)

/** The marks of accounts on obligations whose periods end on a day or later. */
export async function readMarks(
  books: BooksDb,
  account_ids: readonly string[],
  since: string,
): Promise<Mark[]> {
  const { results } = await books
    .prepare(
      `SELECT account_id, ${MARK_ROW} FROM obligation_marks
       WHERE account_id IN (SELECT value FROM json_each(?1)) AND to_date >= ?2`,
    )
    .bind(JSON.stringify(account_ids), since)
    .all<Mark>()
  return results
}

type OfMark = Pick<MarkRow, 'document' | 'place' | 'from_date' | 'to_date'>

/**
 * The sums of the sales and refunds that a mark concerns, as markLateEntries finds them: each new one changes
 * them.
 */
const SALES_OF_MARK = `SELECT json_array(total(transactions), total(refunds), total(net_amount),
    total(refunded_net_amount), total(tax_amount), total(refunded_tax_amount)) AS sums
  FROM json_each(?2) AS days CROSS JOIN tax_totals ON account_id = ?1 AND span = days.value ->> 'span'
    AND period BETWEEN days.value ->> 'from' AND days.value ->> 'to'
  WHERE CASE
    WHEN ?3 = 'ec_sales_list' THEN reason IN ('intra_community_supply', 'reverse_charge')
    WHEN ?4 IN ('oss_union', 'oss_non_union', 'ioss') THEN scheme = ?4
    WHEN ?4 LIKE '__-%' THEN place_of_supply = ?4 OR place_of_supply LIKE ?4 || '-%'
    ELSE TRUE END` as const

function valuesOfSales(account_id: string, { document, place, from_date, to_date }: OfMark): string[] {
  return [account_id, JSON.stringify(rangesOfPeriod(from_date, to_date)), document, place]
}

/** The sums of the sales that each mark concerns, as text. */
export async function readSalesOfMarks(
  { books, principal }: Pick<Context, 'books' | 'principal'>,
  marks: readonly OfMark[],
): Promise<string[]> {
  if (marks.length === 0) return []
  const sums = await books.batch<{ sums: string }>(
    marks.map((of) => books.prepare(SALES_OF_MARK).bind(...valuesOfSales(principal.account_id, of))),
  )
  return sums.map((result) => invariant(rowsOf<{ sums: string }>(result)[0], 'sums are one row').sums)
}

/**
 * Keeps a mark in the place of the one that was read; null: there was none. `sold` is what readSalesOfMarks
 * gave. Fails with concurrent_change if the mark or the sales are no longer as they were read, or if the tax
 * office got a return of its days meanwhile.
 */
export function replaceMark(
  { books, principal }: Pick<Context, 'books' | 'principal'>,
  before: MarkRow | null,
  after: MarkRow,
  sold: string,
): D1PreparedStatement[] {
  const write = books
    .prepare(
      `INSERT INTO obligation_marks (account_id, obligation_id, state, document, place, type, jurisdiction_id,
         from_date, to_date, reason, day, number, late, marked_at, marked_by)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 0, ?13, ?14
       WHERE ?4 <> 'return' OR NOT EXISTS (
         SELECT 1 FROM returns LEFT JOIN return_submissions ON return_id = id
         WHERE returns.account_id = ?1 AND type = ?6 AND jurisdiction_id = ?7 AND status = 'filed'
           AND from_date <= ?8 AND to_date >= ?9 AND coalesce(state, 'filed') IN ('filed', 'paid'))
       ON CONFLICT (account_id, obligation_id) DO UPDATE SET state = excluded.state, reason = excluded.reason,
         day = excluded.day, number = excluded.number, late = 0, marked_at = excluded.marked_at,
         marked_by = excluded.marked_by
       WHERE marked_at = ?15 AND late = CAST(?16 AS INTEGER)`,
    )
    .bind(
      principal.account_id,
      after.obligation_id,
      after.state,
      after.document,
      after.place,
      after.type,
      after.jurisdiction_id,
      after.from_date,
      after.to_date,
      after.reason,
      after.day,
      after.number,
      after.marked_at,
      after.marked_by,
      before?.marked_at ?? '',
      before?.late ?? 0,
    )
  const unchanged = required(
    books,
    `(${SALES_OF_MARK}) = ?5`,
    [...valuesOfSales(principal.account_id, after), sold],
    'concurrent_change',
  )
  return [unchanged, ...guarded(books, write, 'concurrent_change')]
}

/** Takes a mark back. Fails with concurrent_change if it is no longer as it was read. */
export function deleteMark(
  { books, principal }: Pick<Context, 'books' | 'principal'>,
  { obligation_id, marked_at }: MarkRow,
): D1PreparedStatement[] {
  const write = books
    .prepare('DELETE FROM obligation_marks WHERE account_id = ?1 AND obligation_id = ?2 AND marked_at = ?3')
    .bind(principal.account_id, obligation_id, marked_at)
  return guarded(books, write, 'concurrent_change')
}

/** What a filed return declares, in minor units of its currency; null: it has several currencies. */
export type DeclaredTax = Pick<FiledPeriod, 'type' | 'jurisdiction_id' | 'from_date' | 'to_date'> & {
  /** 1: sales of its days were recorded later, which the next open return corrects. */
  late: number
  currency: string | null
  tax_due: number | null
}

/**
 * The filed returns of the account that end on a day or later, or on the last day of the first one with late
 * entries or later, oldest first.
 */
export async function readDeclaredTax({ books, principal }: Context, since: string): Promise<DeclaredTax[]> {
  const { results } = await books
    .prepare(
      `SELECT type, jurisdiction_id, from_date, to_date, late, content ->> '$.currency' AS currency,
         content ->> '$.totals.tax_due' AS tax_due
       FROM returns WHERE account_id = ?1 AND status = 'filed'
         AND to_date >= min(?2, coalesce(
           (SELECT min(to_date) FROM returns WHERE account_id = ?1 AND status = 'filed' AND late = 1), ?2))
       ORDER BY from_date`,
    )
    .bind(principal.account_id, since)
    .all<DeclaredTax>()
  return results
}

/** A registration of any account, with how its account counts days and periods. */
export type OwnedRegistration = FilingRegistration & {
  account_id: string
  /** That of the seller. */
  country: string | null
  time_zone: string
  uk_stagger: number
  fiscal_year_start: number
}

/** A page of the registrations of all accounts of a shard after one of them, by accounts and ids. */
export async function readAllRegistrations(
  control: ControlDb,
  shard: number,
  after: { account_id: string; id: string },
  limit: number,
): Promise<OwnedRegistration[]> {
  const { results } = await control
    .prepare(
      `SELECT account_id, registrations.id, jurisdiction_id, scheme, filing_frequency, valid_from, valid_to,
         country, time_zone, uk_stagger, fiscal_year_start
       FROM registrations JOIN accounts ON accounts.id = account_id
       WHERE (account_id, registrations.id) > (?1, ?2) AND accounts.shard = CAST(?3 AS INTEGER)
         AND accounts.suspended_at IS NULL
       ORDER BY account_id, registrations.id LIMIT ${limit}`,
    )
    .bind(after.account_id, after.id, shard)
    .all<OwnedRegistration>()
  return results
}

/** Replaces the account's secret address; the old one stops at once. */
export function replaceFeed({ env, principal, now }: Context, token_hash: string): D1PreparedStatement {
  return env.DB.prepare(
    `INSERT INTO calendar_feeds (account_id, token_hash, created_at) VALUES (?1, ?2, ?3)
     ON CONFLICT (account_id) DO UPDATE SET token_hash = excluded.token_hash,
       created_at = excluded.created_at`,
  ).bind(principal.account_id, token_hash, now.toISOString())
}

/** Deletes the account's address: one row, or no row if there is none. */
export function removeFeed({ env, principal }: Context): D1PreparedStatement {
  return env.DB.prepare('DELETE FROM calendar_feeds WHERE account_id = ?').bind(principal.account_id)
}

/** When the account's address was made; null: it has none. */
export async function readFeed({ env, principal }: Context): Promise<{ created_at: string } | null> {
  return env.DB.prepare('SELECT created_at FROM calendar_feeds WHERE account_id = ?')
    .bind(principal.account_id)
    .first<{ created_at: string }>()
}

/** The account of a feed, with how it counts days and periods. */
type FeedAccount = {
  account_id: string
  name: string
  country: string | null
  time_zone: string
  uk_stagger: number
  fiscal_year_start: number
  /** The shard of its books. */
  shard: number
}

/** The account whose address has this hash; null: no account has it. */
export async function readFeedAccount(control: ControlDb, token_hash: string): Promise<FeedAccount | null> {
  return control
    .prepare(
      `SELECT account_id, coalesce(seller_name, name) AS name, country, time_zone, uk_stagger,
         fiscal_year_start, shard
       FROM calendar_feeds JOIN accounts ON accounts.id = account_id
       WHERE token_hash = ? AND suspended_at IS NULL`,
    )
    .bind(token_hash)
    .first<FeedAccount>()
}
