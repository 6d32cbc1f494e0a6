import { type BooksDb, unchecked } from '../../platform/database/databases.ts'
import { guarded, required } from '../../platform/database/guard.ts'
import { batchAtHome, openHome } from '../../platform/database/home.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { chest_blocks, chests } from '../../platform/database/tables/chests.ts'
import { type Block, CHEST_TABLES, type RowsOfTable } from './chest.ts'
import { refHash } from './ref-hash.ts'

export type ChestRow = typeof chests.$inferSelect
export type BlockRow = typeof chest_blocks.$inferSelect

/** The bytes of a row, but for what all rows have. */
const bytesOf = (columns: readonly string[]) =>
  columns.map((name) => `coalesce(length(CAST(${name} AS BLOB)), 0)`).join(' + ')

/** A statement gets the rows of 64 sales in one value, which may have 2 MB. */
const BYTES_OF_SALE = 18_000

/**
 * A sale that may leave the books: nothing was taken of it, it takes from nothing, no report of its
 * differences or of other sellers names it, and it is not very long. Parameters: 1 the account, 2 the moment
 * before which it was recorded.
 */
const MAY_GO = `sale.account_id = ?1 AND sale.created_at < ?2 AND sale.status = 'completed'
  AND sale.amount_refunded = 0 AND sale.of_other_seller = 0
  AND coalesce(sale.tax_variance, 0) = 0 AND sale.credited_day IS NULL AND sale.credited_sale IS NULL
  AND NOT EXISTS (SELECT 1 FROM refunds WHERE refunds.account_id = ?1 AND refunds.transaction_id = sale.id)
  AND NOT EXISTS (SELECT 1 FROM transactions note WHERE note.account_id = ?1 AND note.credited_sale = sale.id)
  AND NOT EXISTS (SELECT 1 FROM settlements WHERE settlements.transaction_id = sale.id)
  AND NOT EXISTS (SELECT 1 FROM settlements
    WHERE settlements.account_id = ?1 AND settlements.settled_id = sale.id)
  AND NOT EXISTS (SELECT 1 FROM returns WHERE returns.account_id = ?1
    AND returns.status IN ('freezing', 'reopened') AND sale.day BETWEEN from_date AND to_date)
  AND ${bytesOf(['sale.facts', 'sale.reasons'])} + (
    SELECT sum(${bytesOf(['tax_breakdown', 'portions', 'description', 'reason_detail'])} + 700)
    FROM transaction_lines line WHERE line.transaction_id = sale.id) < ${BYTES_OF_SALE}` as const

/**
 * Accounts whose sales rest: no days are moved, and no document in the form of TaxJar may be changed. The
 * parts of a backup are of many moments, and must not have a ref from before and its sale from after.
 */
const RESTS = (column: string) => `${openHome(column)}
  AND NOT EXISTS (SELECT 1 FROM day_changes WHERE day_changes.account_id = ${column})
  AND NOT EXISTS (SELECT 1 FROM taxjar_documents WHERE taxjar_documents.account_id = ${column})
  AND NOT EXISTS (SELECT 1 FROM job_cursors WHERE job_cursors.name = 'backup')`

/** The chest that the job goes on with: the oldest that is not sealed, of other accounts than these. */
export async function readUnderWay(books: BooksDb, others: readonly string[]): Promise<ChestRow | null> {
  return unchecked(books)
    .prepare(
      `SELECT * FROM chests WHERE state <> 'sealed' AND ${RESTS('chests.account_id')}
         AND chests.account_id NOT IN (SELECT value FROM json_each(?))
       ORDER BY planned_at, account_id LIMIT 1`,
    )
    .bind(JSON.stringify(others))
    .first<ChestRow>()
}

/** A chest as it is now. */
export async function readChest(
  books: BooksDb,
  { account_id, number }: Pick<ChestRow, 'account_id' | 'number'>,
): Promise<ChestRow | null> {
  return books
    .prepare('SELECT * FROM chests WHERE account_id = ? AND number = ?')
    .bind(account_id, number)
    .first<ChestRow>()
}

/**
 * Plans the next chest of an account that has so many more sales from before a moment. Null: there is none.
 * Two jobs at once plan the same one.
 */
export async function planChest(books: BooksDb, size: number, before: string, now: Date) {
  const found = await unchecked(books)
    .prepare(
      `SELECT *, last ->> 0 AS last_date, last ->> 1 AS last_id FROM (
         SELECT *, (SELECT json_array(transaction_date, id) FROM transactions
           WHERE transactions.account_id = after.account_id
             AND (transaction_date, id) > (after_date, after_id) AND transaction_date < ?1
           ORDER BY transaction_date, id LIMIT 1 OFFSET ${size - 1}) AS last
         FROM (SELECT accounts.id AS account_id, coalesce(chests.number, 0) + 1 AS number,
             coalesce(chests.sha256, '') AS previous_sha256, coalesce(chests.last_date, '') AS after_date,
             coalesce(chests.last_id, '') AS after_id
           FROM accounts LEFT JOIN chests ON chests.account_id = accounts.id
             AND chests.number = (SELECT max(number) FROM chests last WHERE last.account_id = accounts.id)
           WHERE ${RESTS('accounts.id')} AND EXISTS (SELECT 1 FROM account_usage
               WHERE account_usage.account_id = accounts.id AND transaction_lines >= ${size})
             AND coalesce(chests.state, 'sealed') = 'sealed') after)
       WHERE last IS NOT NULL LIMIT 1`,
    )
    .bind(before)
    .first<ChestRow & { last: string }>()
  if (found === null) return null
  const { last: _, ...planned } = { ...found, state: 'planned' as const, planned_at: now.toISOString() }
  const { account_id } = planned
  await batchAtHome(books, account_id, [
    ...insertRows(books, 'chests', [planned], 'OR IGNORE'),
    ...insertRows(books, 'sealed_accounts', [{ account_id }], 'OR IGNORE'),
  ])
  return readChest(books, planned)
}

/** The next sales of a chest after a place, as a block; null: there are no more. */
export async function readBlock(
  books: BooksDb,
  { account_id, last_date, last_id }: ChestRow,
  after: { date: string; id: string },
  before: string,
  limit: number,
): Promise<Block | null> {
  const sales = (columns: string) => `SELECT ${columns} FROM transactions sale
    WHERE ${MAY_GO} AND (sale.transaction_date, sale.id) > (?3, ?4)
      AND (sale.transaction_date, sale.id) <= (?5, ?6)
    ORDER BY sale.transaction_date, sale.id LIMIT ${limit}`
  const bound = [account_id, before, after.date, after.id, last_date, last_id]
  const [rows, lines] = await books.batch<Record<string, string | number | null>>([
    unchecked(books)
      .prepare(sales('sale.*'))
      .bind(...bound),
    unchecked(books)
      .prepare(
        `SELECT line.* FROM (${sales('sale.id AS of, sale.transaction_date AS at')}) named
         JOIN transaction_lines line ON line.transaction_id = named.of
         ORDER BY named.at, named.of, line.position`,
      )
      .bind(...bound),
  ])
  const read = { transactions: rowsOf(rows), transaction_lines: rowsOf(lines) }
  return read.transactions.length === 0 ? null : tableRows(read)
}

function tableRows(read: Record<keyof Block, Record<string, string | number | null>[]>): Block {
  const of = (rows: Record<string, string | number | null>[]): RowsOfTable => {
    const columns = Object.keys(rows[0] ?? {})
    return { columns, rows: rows.map((row) => columns.map((name) => row[name] ?? null)) }
  }
  return { transactions: of(read.transactions), transaction_lines: of(read.transaction_lines) }
}

/** The rows of these sales as they are now in the books, whatever has become of them. */
export async function readNow(
  books: BooksDb,
  account_id: string,
  ids: readonly string[],
): Promise<Record<keyof Block, Record<string, string | number | null>[]>> {
  const key = { transactions: 'id', transaction_lines: 'transaction_id' } as const
  // Without the plus, SQLite reads all sales of the account.
  const [rows, lines] = await books.batch<Record<string, string | number | null>>(
    CHEST_TABLES.map((table) =>
      unchecked(books)
        .prepare(
          `SELECT * FROM ${table} WHERE +account_id = ? AND ${key[table]} IN (SELECT value FROM json_each(?))
           ORDER BY 1, 2`,
        )
        .bind(account_id, JSON.stringify(ids)),
    ),
  )
  return { transactions: rowsOf(rows), transaction_lines: rowsOf(lines) }
}

/** What a chest becomes, with the blocks of one that was written. Another job may have moved it before. */
export async function moveChest(
  books: BooksDb,
  chest: ChestRow,
  after: Partial<ChestRow> & Pick<ChestRow, 'state'>,
  blocks: readonly BlockRow[] = [],
): Promise<void> {
  const { account_id, number, state, object } = chest
  const names = Object.keys(after)
  const update = unchecked(books)
    .prepare(
      `UPDATE chests SET ${names.map((name) => `${name} = ?`).join(', ')}
       WHERE account_id = ? AND number = ? AND state = ? AND object = ?`,
    )
    .bind(...Object.values(after), account_id, number, state, object)
  const forget = books
    .prepare('DELETE FROM chest_blocks WHERE account_id = ? AND chest = ?')
    .bind(account_id, number)
  await batchAtHome(books, account_id, [
    ...guarded(books, update, 'concurrent_change'),
    ...(after.state === 'verified' || after.sales === undefined ? [] : [forget]),
    ...insertRows(books, 'chest_blocks', blocks),
  ])
}

/** A sale as a chest has it. */
export type SealedSale = {
  id: string
  external_id: string | null
  updated_at: string
  day: string
  block: number
}

/**
 * Takes sales out of the books that a verified chest has, if they are as they are there: from then on, their
 * refs lead to the chest. All others stay. Doing it again changes nothing.
 */
export async function takeOut(
  books: BooksDb,
  { account_id, number }: ChestRow,
  before: string,
  sales: readonly SealedSale[],
): Promise<void> {
  const named = JSON.stringify(
    sales.map(({ external_id, ...sale }) => ({
      ...sale,
      hash: refHash(account_id, sale),
      other: external_id === null ? null : refHash(account_id, { external_id }),
    })),
  )
  const write = (sql: string) => unchecked(books).prepare(sql).bind(account_id, before, named, number)
  const gone = `SELECT value ->> 'id' FROM json_each(?3) JOIN chest_refs ref ON ref.hash = value ->> 'hash'
    WHERE ref.account_id = ?1 AND ref.chest = ?4 AND ?2 <> ''`
  const verified = "(SELECT state FROM chests WHERE account_id = ?1 AND number = ?2) = 'verified'"
  const rests: string = RESTS('?1')
  // Without CROSS and the plus, SQLite reads all sales of the account.
  await batchAtHome(books, account_id, [
    required(books, verified, [account_id, number], 'concurrent_change'),
    required(books, rests, [account_id], 'concurrent_change'),
    write(
      `INSERT INTO chest_refs (hash, account_id, chest, block)
       SELECT value ->> 'hash', ?1, ?4, value ->> 'block' FROM json_each(?3)
       CROSS JOIN transactions sale ON sale.id = value ->> 'id'
       WHERE ${MAY_GO} AND sale.updated_at = value ->> 'updated_at' AND sale.day = value ->> 'day'
         AND NOT EXISTS (SELECT 1 FROM chest_refs other
           WHERE other.hash IN (value ->> 'hash', value ->> 'other'))`,
    ),
    write(
      `INSERT INTO chest_refs (hash, account_id, chest, block)
       SELECT value ->> 'other', ?1, ?4, value ->> 'block' FROM json_each(?3)
       CROSS JOIN transactions sale ON sale.id = value ->> 'id'
       WHERE value ->> 'other' IS NOT NULL AND sale.account_id = ?1 AND sale.id IN (${gone})`,
    ),
    write(
      `UPDATE account_usage SET transaction_lines = max(0, transaction_lines - (
         SELECT count(*) FROM transaction_lines WHERE account_id = ?1 AND transaction_id IN (${gone})))
       WHERE account_id = ?1`,
    ),
    write(`DELETE FROM transaction_lines WHERE account_id = ?1 AND transaction_id IN (${gone})`),
    write(`DELETE FROM transactions WHERE +account_id = ?1 AND id IN (${gone})`),
    books.prepare('UPDATE sealed_accounts SET changes = changes + 1 WHERE account_id = ?').bind(account_id),
  ])
}

/** The rows of a chest's blocks, in their order. */
export async function blocksOfChest(books: BooksDb, account_id: string, chest: number): Promise<BlockRow[]> {
  const { results } = await books
    .prepare('SELECT * FROM chest_blocks WHERE account_id = ? AND chest = ? ORDER BY block')
    .bind(account_id, chest)
    .all<BlockRow>()
  return results
}
