import { allColumnsOf } from '../../platform/database/column-list.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import type { Context } from '../../platform/context.ts'
import type { returns } from '../../platform/database/tables/returns.ts'
import { guarded, required } from '../../platform/database/guard.ts'
import { batchAtHome } from '../../platform/database/home.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { unpack } from '../../platform/database/packed-text.ts'
import { rowsOf, totalOf } from '../../platform/database/results.ts'
import { ApiError } from '../../platform/errors.ts'
import type { FiledLine } from '../../sales/sealed/sealed-returns-store.ts'
import { sealedReturns } from '../../sales/sealed/with-sealed.ts'
import type { TotalsOf } from '../../sales/transactions/sums/sums-store.ts'
import type { RatesOfReturn } from '../forms/exchange.ts'
import type { FilingRow } from '../rows/figures.ts'
import type { FilingSeller } from '../forms/form.ts'
import type { LineEntry } from '../rows/line-entry.ts'

export type ReturnRow = Omit<typeof returns.$inferSelect, 'account_id'>

/** A return that counts: what it is, without its content. */
export type LiveReturn = Pick<
  ReturnRow,
  'id' | 'period' | 'from_date' | 'to_date' | 'version' | 'late' | 'filed_at'
> & {
  corrects: readonly string[]
  /** Who filed it, if it has late entries: they belong to the return by what was true then. */
  seller: FilingSeller | null
}

type PeriodOfReturn = Pick<ReturnRow, 'type' | 'jurisdiction_id' | 'period'>

export const RETURN_ROW = allColumnsOf<ReturnRow>()(
  `id, type, jurisdiction_id, period, from_date, to_date, version, status, late, corrects,
  content, sums, inputs, data_version, row_count, rows_hash, previous_hash, hash, created_at, filed_at,
  filed_by, reopened_at, reopen_reason`,
)

/** The filed returns of a type and jurisdiction, oldest period first. */
export async function readLiveReturns(
  { books, principal }: TotalsOf,
  type: string,
  jurisdiction_id: string,
): Promise<LiveReturn[]> {
  const { results } = await books
    .prepare(
      `SELECT id, period, from_date, to_date, version, late, filed_at, corrects,
       iif(late = 1, inputs ->> '$.seller', NULL) AS seller
     FROM returns
     WHERE account_id = ? AND type = ? AND jurisdiction_id = ? AND status = 'filed' ORDER BY from_date`,
    )
    .bind(principal.account_id, type, jurisdiction_id)
    .all<Omit<LiveReturn, 'corrects' | 'seller'> & { corrects: string; seller: string | null }>()
  return results.map((row) => ({
    ...row,
    corrects: JSON.parse(row.corrects),
    seller: row.seller === null ? null : JSON.parse(row.seller),
  }))
}

/** The declared sums of some returns. */
export async function readDeclared(
  { books, principal }: TotalsOf,
  ids: readonly string[],
): Promise<FilingRow[]> {
  if (ids.length === 0) return []
  const { results } = await books
    .prepare('SELECT sums FROM returns WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))')
    .bind(principal.account_id, JSON.stringify(ids))
    .all<{ sums: string }>()
  const texts = await Promise.all(results.map(({ sums }) => unpack(sums)))
  return texts.flatMap((text): FilingRow[] => JSON.parse(text))
}

/**
 * The rates that the filed returns of some days used, those of the return that was filed first before others.
 */
export async function readKeptRates(
  { books, principal }: TotalsOf,
  { type, jurisdiction_id }: Pick<ReturnRow, 'type' | 'jurisdiction_id'>,
  since: string,
): Promise<RatesOfReturn[]> {
  const { results } = await books
    .prepare(
      `SELECT period, from_date, to_date, inputs ->> '$.rates' AS rates FROM returns
       WHERE account_id = ? AND type = ? AND jurisdiction_id = ? AND status = 'filed' AND to_date >= ?
       ORDER BY filed_at, id`,
    )
    .bind(principal.account_id, type, jurisdiction_id, since)
    .all<Omit<RatesOfReturn, 'rates'> & { rates: string }>()
  return results.map((row) => ({ ...row, rates: JSON.parse(row.rates) }))
}

/** A filed return of some of the days of another period. */
export type OverlappingReturn = { return_id: string; period: string; jurisdiction_id: string | null }

const OVERLAPPING_MAX = 100

/**
 * The filed returns that contain days of a period, of one jurisdiction or, without one, of all: at most 100,
 * oldest first.
 */
export async function readOverlapping(
  { books, principal }: TotalsOf,
  of: { type: string; jurisdiction_id: string | null; from: string; to: string },
): Promise<OverlappingReturn[]> {
  const { results } = await books
    .prepare(
      `SELECT id AS return_id, period, nullif(jurisdiction_id, '') AS jurisdiction_id FROM returns
       WHERE account_id = ?1 AND type = ?2 AND (?3 IS NULL OR jurisdiction_id = ?3) AND status = 'filed'
         AND from_date <= ?5 AND to_date >= ?4
       ORDER BY from_date, jurisdiction_id LIMIT ${OVERLAPPING_MAX}`,
    )
    .bind(principal.account_id, of.type, of.jurisdiction_id, of.from, of.to)
    .all<OverlappingReturn>()
  return results
}

/** One return that is filed or was; null if there is none. */
export async function readReturn({ books, principal }: TotalsOf, id: string): Promise<ReturnRow | null> {
  return books
    .prepare(`SELECT ${RETURN_ROW} FROM returns WHERE account_id = ? AND id = ? AND status <> 'freezing'`)
    .bind(principal.account_id, id)
    .first<ReturnRow>()
}

/**
 * The version of a period that was kept last before a version of it; null if there is none. Of those alone
 * that the tax office got, if asked.
 */
export async function readEarlier(
  { books, principal }: TotalsOf,
  { type, jurisdiction_id, period, version }: Pick<ReturnRow, keyof PeriodOfReturn | 'version'>,
  of: 'all' | 'submitted',
): Promise<ReturnRow | null> {
  return books
    .prepare(
      `SELECT ${RETURN_ROW} FROM returns
       WHERE account_id = ?1 AND type = ?2 AND jurisdiction_id = ?3 AND period = ?4
         AND version < CAST(?5 AS INTEGER) AND status <> 'freezing'
         AND (?6 = 'all' OR NOT EXISTS (SELECT 1 FROM return_submissions
           WHERE return_id = returns.id AND account_id = ?1 AND state IN ('open', 'reviewed')))
       ORDER BY version DESC LIMIT 1`,
    )
    .bind(principal.account_id, type, jurisdiction_id, period, version, of)
    .first<ReturnRow>()
}

/** A version of the period of a return; null if there is none. */
export async function readVersion(
  { books, principal }: Context,
  { type, jurisdiction_id, period }: PeriodOfReturn,
  version: number,
): Promise<ReturnRow | null> {
  return books
    .prepare(
      `SELECT ${RETURN_ROW} FROM returns
       WHERE account_id = ?1 AND type = ?2 AND jurisdiction_id = ?3 AND period = ?4
         AND version = CAST(?5 AS INTEGER) AND status <> 'freezing'`,
    )
    .bind(principal.account_id, type, jurisdiction_id, period, version)
    .first<ReturnRow>()
}

/** Which returns a list has; left out: all. */
type ReturnsFilter = { [Field in 'type' | 'status' | 'period' | 'jurisdiction_id']?: string | undefined }

/** A page of the returns of an account, the newest first, and their number. */
export async function listReturns(
  { books, principal }: Context,
  filter: ReturnsFilter,
  limit: number,
  offset: number,
): Promise<{ rows: ReturnRow[]; total: number }> {
  const where = `account_id = ?1 AND status <> 'freezing' AND (?2 IS NULL OR type = ?2)
    AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR period = ?4)
    AND (?5 IS NULL OR jurisdiction_id = ?5)`
  const { type = null, status = null, period = null, jurisdiction_id = null } = filter
  const values = [principal.account_id, type, status, period, jurisdiction_id]
  const [page, count] = await books.batch<ReturnRow & { total: number }>([
    books
      .prepare(
        `SELECT ${RETURN_ROW} FROM returns WHERE ${where} ORDER BY filed_at DESC, id DESC LIMIT ?6 OFFSET ?7`,
      )
      .bind(...values, limit, offset),
    books.prepare(`SELECT count(*) AS total FROM returns WHERE ${where}`).bind(...values),
  ])
  return { rows: rowsOf(page), total: totalOf(count) }
}

/**
 * The hash of the return that the account filed last; '' if there is none. Read it before the books: a return
 * that is filed in between then takes the place in the chain, and the freeze has to begin again.
 */
export async function readChainEnd({ books, principal }: Context): Promise<string> {
  const last = await books
    .prepare(
      `SELECT hash FROM returns WHERE account_id = ?1 AND hash IS NOT NULL
       AND hash NOT IN (SELECT previous_hash FROM returns
         WHERE account_id = ?1 AND previous_hash IS NOT NULL) LIMIT 1`,
    )
    .bind(principal.account_id)
    .first<string>('hash')
  return last ?? ''
}

type FiledDays = Pick<ReturnRow, 'type' | 'jurisdiction_id' | 'period' | 'from_date' | 'to_date'>

/** A filed return that corrects some days under the name of another period. */
type OtherName = { period: string; corrected: string }

/**
 * The next version of a period, a filed return of these days, and a filed return that corrects some of these
 * days under another name: only a return of that name can leave out what it declared.
 */
export async function readBeforeFiling(
  { books, principal }: Context,
  { type, jurisdiction_id, period, from_date, to_date }: FiledDays,
): Promise<{ version: number; overlapping: string | null; other_name: OtherName | null }> {
  const of = 'account_id = ?1 AND type = ?2 AND jurisdiction_id = ?3'
  const [versions, corrects, overlap] = await books.batch([
    books
      .prepare(
        `SELECT max(version) AS version FROM returns
         WHERE ${of} AND period = ?4 AND status <> 'freezing'`,
      )
      .bind(principal.account_id, type, jurisdiction_id, period),
    books
      .prepare(
        `SELECT live.period AS period, old.period AS corrected
         FROM returns live JOIN json_each(live.corrects) named JOIN returns old
           ON old.account_id = live.account_id AND old.type = live.type
           AND old.jurisdiction_id = live.jurisdiction_id AND old.period = named.value
         WHERE live.account_id = ?1 AND live.type = ?2 AND live.jurisdiction_id = ?3
           AND live.status = 'filed' AND old.status <> 'freezing'
           AND old.from_date <= ?5 AND old.to_date >= ?4
           AND (old.period <> ?6 OR old.from_date <> ?4 OR old.to_date <> ?5) LIMIT 1`,
      )
      .bind(principal.account_id, type, jurisdiction_id, from_date, to_date, period),
    books
      .prepare(
        `SELECT period FROM returns
       WHERE ${of} AND status = 'filed' AND from_date <= ?5 AND to_date >= ?4 LIMIT 1`,
      )
      .bind(principal.account_id, type, jurisdiction_id, from_date, to_date),
  ])
  return {
    version: (rowsOf<{ version: number | null }>(versions)[0]?.version ?? 0) + 1,
    overlapping: rowsOf<{ period: string }>(overlap)[0]?.period ?? null,
    other_name: rowsOf<OtherName>(corrects)[0] ?? null,
  }
}

/**
 * Begins to freeze a return: it does not count yet, and has no place in the chain. Throws days_moving.
 */
export async function insertHalfFrozen({ books, principal }: Context, row: ReturnRow): Promise<void> {
  const begun = { account_id: principal.account_id, ...row, previous_hash: null }
  await batchAtHome(books, principal.account_id, [
    daysRest(books, principal.account_id),
    ...insertRows(books, 'returns', [begun]),
  ])
}

/**
 * Fails its batch with days_moving while sales of the account are moved to the days of a new zone. Without a
 * sale from before the change, nothing has to move.
 */
function daysRest(books: BooksDb, account_id: string): D1PreparedStatement {
  const condition = `NOT EXISTS (SELECT 1 FROM day_changes changed WHERE account_id = ?
    AND EXISTS (SELECT 1 FROM transactions
      WHERE account_id = changed.account_id AND created_at < changed.requested_at))`
  return required(books, condition, [account_id], 'days_moving')
}

/**
 * Copies lines behind a return that is being frozen. Throws concurrent_change if it was dropped meanwhile:
 * its lines would have no return.
 */
export async function insertFiledRows(
  { books, principal }: Context,
  return_id: string,
  first: number,
  entries: readonly LineEntry[],
): Promise<void> {
  const rows = entries.map((entry, index) => ({
    account_id: principal.account_id,
    return_id,
    position: first + index,
    entry_id: entry.id,
    transaction_id: entry.transaction_id,
    refund_id: entry.refund_id ?? '',
    content: contentOf(entry),
  }))
  const condition = `EXISTS (SELECT 1 FROM returns WHERE account_id = ? AND id = ? AND status = 'freezing')`
  await batchAtHome(books, principal.account_id, [
    required(books, condition, [principal.account_id, return_id], 'concurrent_change'),
    ...insertRows(books, 'filed_rows', rows),
  ])
}

/** A line as it is kept: without its audit event, which a later event of the sale may replace. */
export function contentOf({ audit_id: _audit, ...entry }: LineEntry): string {
  return JSON.stringify(entry)
}

/**
 * The statements that end the freezing: from now on the return counts. That it was set aside counts no more,
 * also if it is reopened. What dead or slower requests have
 * half frozen of the period is dropped: it could only become a second return of it. Two returns never follow
 * the same one in the chain of hashes: the second fails with concurrent_change. They fail with days_moving if
 * the account has changed its time zone meanwhile.
 */
export function completeFrozen({ books, principal }: Context, row: ReturnRow): D1PreparedStatement[] {
  const update = books
    .prepare(
      `UPDATE returns SET status = 'filed', content = ?3, row_count = CAST(?4 AS INTEGER), rows_hash = ?5,
       previous_hash = ?6, hash = ?7, filed_at = ?8
     WHERE account_id = ?1 AND id = ?2 AND status = 'freezing'`,
    )
    .bind(
      principal.account_id,
      row.id,
      row.content,
      row.row_count,
      row.rows_hash,
      row.previous_hash,
      row.hash,
      row.filed_at,
    )
  const others = deleteHalfFrozen(books, 'type = ?2 AND jurisdiction_id = ?3 AND period = ?4 AND id <> ?5', [
    principal.account_id,
    row.type,
    row.jurisdiction_id,
    row.period,
    row.id,
  ])
  const marks = books
    .prepare(
      `DELETE FROM obligation_marks WHERE account_id = ?1 AND document = 'return' AND type = ?2
         AND jurisdiction_id = ?3 AND from_date >= ?4 AND to_date <= ?5`,
    )
    .bind(principal.account_id, row.type, row.jurisdiction_id, row.from_date, row.to_date)
  return [
    daysRest(books, principal.account_id),
    ...guarded(books, update, 'concurrent_change'),
    ...others,
    marks,
  ]
}

/** Deletes a return whose freezing failed, with the lines that were copied. */
export async function dropHalfFrozen(books: BooksDb, account_id: string, id: string): Promise<void> {
  await books.batch(deleteHalfFrozen(books, 'id = ?2', [account_id, id]))
}

/** The statements that delete the half-frozen returns of a condition, with the lines that were copied. */
function deleteHalfFrozen(books: BooksDb, which: string, values: readonly string[]): D1PreparedStatement[] {
  const half = `account_id = ?1 AND status = 'freezing' AND ${which}`
  return [
    books
      .prepare(
        `DELETE FROM filed_rows
         WHERE account_id = ?1 AND return_id IN (SELECT id FROM returns WHERE ${half})`,
      )
      .bind(...values),
    books.prepare(`DELETE FROM returns WHERE ${half}`).bind(...values),
  ]
}

/** Returns of all accounts that a crash left half frozen. */
export async function readAbandonedReturns(
  books: BooksDb,
  before: string,
): Promise<{ id: string; account_id: string }[]> {
  const { results } = await books
    .prepare("SELECT id, account_id FROM returns WHERE status = 'freezing' AND created_at < ? LIMIT 100")
    .bind(before)
    .all<{ id: string; account_id: string }>()
  return results
}

/**
 * Opens a period again. Its return stays as a version that no longer counts. Returns of the periods that it
 * corrected have late entries again: the next open return has to look for them.
 */
export function reopenFiled(
  { books, principal, now }: Context,
  id: string,
  reason: string,
): D1PreparedStatement[] {
  const update = books
    .prepare(
      `UPDATE returns SET status = 'reopened', reopened_at = ?3, reopen_reason = ?4
     WHERE account_id = ?1 AND id = ?2 AND status = 'filed'`,
    )
    .bind(principal.account_id, id, now.toISOString(), reason)
  const corrected = books
    .prepare(
      `UPDATE returns SET late = 1
       FROM returns AS opened JOIN json_each(opened.corrects) AS named
       WHERE opened.account_id = ?1 AND opened.id = ?2
         AND returns.account_id = ?1 AND returns.type = opened.type
         AND returns.jurisdiction_id = opened.jurisdiction_id AND returns.period = named.value
         AND returns.status <> 'reopened' AND returns.late = 0`,
    )
    .bind(principal.account_id, id)
  return [...guarded(books, update, 'return_not_filed'), corrected]
}

/** Kept lines of a return from a position on. Throws sealed_return_unreadable. */
export async function readFiledRows(
  { env, books, principal }: TotalsOf,
  { id, row_count }: Pick<ReturnRow, 'id' | 'row_count'>,
  from: number,
  limit: number,
): Promise<FiledLine[]> {
  if (env?.CHESTS !== undefined) {
    const { readKeptLines } = await sealedReturns.load()
    return readKeptLines({ env, books, principal }, id, from, limit)
  }
  const { results } = await books
    .prepare(
      `SELECT position, content FROM filed_rows
       WHERE account_id = ?1 AND return_id = ?2 AND position >= CAST(?3 AS INTEGER)
       ORDER BY position LIMIT ${limit}`,
    )
    .bind(principal.account_id, id, from)
    .all<FiledLine>()
  // Without the bucket, only what is absent shows that lines are sealed.
  if (results.length < Math.min(limit, row_count - from)) await refuseSealed(books, id)
  return results
}

async function refuseSealed(books: BooksDb, id: string): Promise<void> {
  const sealed = await books
    .prepare("SELECT 1 FROM sealed_returns WHERE return_id = ? AND state IN ('verified', 'sealed')")
    .bind(id)
    .first()
  if (sealed !== null) throw new ApiError('sealed_return_unreadable')
}

/** The ids of all returns that an account filed. */
export async function readIdsOfFiled({ books, principal }: TotalsOf): Promise<Set<string>> {
  const { results } = await books
    .prepare("SELECT id FROM returns WHERE account_id = ? AND status <> 'freezing'")
    .bind(principal.account_id)
    .all<{ id: string }>()
  return new Set(results.map(({ id }) => id))
}

/** All returns of an account that were filed, in the order of their chain as far as times tell. */
export async function readAllFiled(books: BooksDb, account_id: string): Promise<ReturnRow[]> {
  const { results } = await books
    .prepare(
      `SELECT ${RETURN_ROW} FROM returns WHERE account_id = ? AND status <> 'freezing' ORDER BY filed_at, id`,
    )
    .bind(account_id)
    .all<ReturnRow>()
  return results
}
