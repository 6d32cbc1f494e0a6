import { allColumnsOf } from '../../database/column-list.ts'
import type { BooksDb } from '../../database/databases.ts'
import type { Context } from '../../context.ts'
import type { returns } from '../../database/tables/returns.ts'
import { guarded } from '../../database/guard.ts'
import { batchAtHome } from '../../database/home.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { unpack } from '../../database/packed-text.ts'
import { rowsOf, totalOf } from '../../database/results.ts'
import type { FilingRow } from '../filing/figures.ts'
import type { LineEntry } from '../line-entry.ts'
import type { ReturnsFilter } from './schemas.ts'

export type ReturnRow = Omit<typeof returns.$inferSelect, 'account_id'>

/** A return that counts: what it is, without its content. */
export type LiveReturn = Pick<
  ReturnRow,
  'id' | 'period' | 'from_date' | 'to_date' | 'version' | 'late' | 'filed_at'
> & { corrects: readonly string[] }

const COLUMNS = allColumnsOf<ReturnRow>()(
  `id, type, jurisdiction_id, period, from_date, to_date, version, status, late, corrects,
  content, sums, inputs, data_version, row_count, rows_hash, previous_hash, hash, created_at, filed_at,
  filed_by, reopened_at, reopen_reason`,
)

/** The filed returns of a type and jurisdiction, oldest period first. */
export async function readLiveReturns(
  { books, principal }: Context,
  type: string,
  jurisdiction_id: string,
): Promise<LiveReturn[]> {
  const { results } = await books
    .prepare(
      `SELECT id, period, from_date, to_date, version, late, filed_at, corrects FROM returns
     WHERE account_id = ? AND type = ? AND jurisdiction_id = ? AND status = 'filed' ORDER BY from_date`,
    )
    .bind(principal.account_id, type, jurisdiction_id)
    .all<Omit<LiveReturn, 'corrects'> & { corrects: string }>()
  return results.map((row) => ({ ...row, corrects: JSON.parse(row.corrects) }))
}

/** The declared sums of some returns. */
export async function readDeclared(
  { books, principal }: Context,
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

/** One return that is filed or was; null if there is none. */
export async function readReturn({ books, principal }: Context, id: string): Promise<ReturnRow | null> {
  return books
    .prepare(`SELECT ${COLUMNS} FROM returns WHERE account_id = ? AND id = ? AND status <> 'freezing'`)
    .bind(principal.account_id, id)
    .first<ReturnRow>()
}

/** A version of the period of a return; null if there is none. */
export async function readVersion(
  { books, principal }: Context,
  { type, jurisdiction_id, period }: Pick<ReturnRow, 'type' | 'jurisdiction_id' | 'period'>,
  version: number,
): Promise<ReturnRow | null> {
  return books
    .prepare(
      `SELECT ${COLUMNS} FROM returns
       WHERE account_id = ?1 AND type = ?2 AND jurisdiction_id = ?3 AND period = ?4
         AND version = CAST(?5 AS INTEGER) AND status <> 'freezing'`,
    )
    .bind(principal.account_id, type, jurisdiction_id, period, version)
    .first<ReturnRow>()
}

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
        `SELECT ${COLUMNS} FROM returns WHERE ${where} ORDER BY filed_at DESC, id DESC LIMIT ?6 OFFSET ?7`,
      )
      .bind(...values, limit, offset),
    books.prepare(`SELECT count(*) AS total FROM returns WHERE ${where}`).bind(...values),
  ])
  return { rows: rowsOf(page), total: totalOf(count) }
}

/** The next version of a period, the end of the chain of hashes, and whether these days are filed. */
export async function readBeforeFiling(
  { books, principal }: Context,
  {
    type,
    jurisdiction_id,
    period,
    from_date,
    to_date,
  }: Pick<ReturnRow, 'type' | 'jurisdiction_id' | 'period' | 'from_date' | 'to_date'>,
): Promise<{ version: number; last_hash: string; overlapping: string | null }> {
  const of = 'account_id = ?1 AND type = ?2 AND jurisdiction_id = ?3'
  const [versions, last, overlap] = await books.batch([
    books
      .prepare(`SELECT max(version) AS version FROM returns WHERE ${of} AND period = ?4`)
      .bind(principal.account_id, type, jurisdiction_id, period),
    books
      .prepare(
        `SELECT hash FROM returns WHERE account_id = ?1 AND hash IS NOT NULL
         AND hash NOT IN (SELECT previous_hash FROM returns
           WHERE account_id = ?1 AND previous_hash IS NOT NULL) LIMIT 1`,
      )
      .bind(principal.account_id),
    books
      .prepare(
        `SELECT period FROM returns
       WHERE ${of} AND status = 'filed' AND from_date <= ?5 AND to_date >= ?4 LIMIT 1`,
      )
      .bind(principal.account_id, type, jurisdiction_id, from_date, to_date),
  ])
  return {
    version: (rowsOf<{ version: number | null }>(versions)[0]?.version ?? 0) + 1,
    last_hash: rowsOf<{ hash: string }>(last)[0]?.hash ?? '',
    overlapping: rowsOf<{ period: string }>(overlap)[0]?.period ?? null,
  }
}

/**
 * Begins to freeze a return: it does not count yet, and has no place in the chain. Throws concurrent_change
 * if another request began it.
 */
export async function insertHalfFrozen({ books, principal }: Context, row: ReturnRow): Promise<void> {
  const begun = { account_id: principal.account_id, ...row, previous_hash: null }
  await batchAtHome(books, principal.account_id, insertRows(books, 'returns', [begun]))
}

/** Copies lines behind a return that is being frozen. */
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
  await batchAtHome(books, principal.account_id, insertRows(books, 'filed_rows', rows))
}

/** A line as it is kept: without its audit event, which a later event of the sale may replace. */
export function contentOf({ audit_id: _audit, ...entry }: LineEntry): string {
  return JSON.stringify(entry)
}

/**
 * The statements that end the freezing: from now on the return counts. Two returns never follow the same one
 * in the chain of hashes: the second fails with concurrent_change.
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
  return guarded(books, update, 'concurrent_change')
}

/** Deletes a return whose freezing failed, with the lines that were copied. */
export async function dropHalfFrozen(books: BooksDb, account_id: string, id: string): Promise<void> {
  await books.batch([
    books.prepare('DELETE FROM filed_rows WHERE account_id = ? AND return_id = ?').bind(account_id, id),
    books
      .prepare("DELETE FROM returns WHERE account_id = ? AND id = ? AND status = 'freezing'")
      .bind(account_id, id),
  ])
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

/** Opens a period again. Its return stays as a version that no longer counts. */
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
  return guarded(books, update, 'return_not_filed')
}

/** Kept lines of a return from a position on. */
export async function readFiledRows(
  books: BooksDb,
  account_id: string,
  return_id: string,
  from: number,
  limit: number,
): Promise<{ position: number; content: string }[]> {
  const { results } = await books
    .prepare(
      `SELECT position, content FROM filed_rows
       WHERE account_id = ?1 AND return_id = ?2 AND position >= CAST(?3 AS INTEGER)
       ORDER BY position LIMIT ${limit}`,
    )
    .bind(account_id, return_id, from)
    .all<{ position: number; content: string }>()
  return results
}

/** All returns of an account that were filed, in the order of their chain as far as times tell. */
export async function readAllFiled(books: BooksDb, account_id: string): Promise<ReturnRow[]> {
  const { results } = await books
    .prepare(
      `SELECT ${COLUMNS} FROM returns WHERE account_id = ? AND status <> 'freezing' ORDER BY filed_at, id`,
    )
    .bind(account_id)
    .all<ReturnRow>()
  return results
}
