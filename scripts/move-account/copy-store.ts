import type { BooksDb } from '../../src/platform/database/databases.ts'
import { throughDoor } from '../../src/platform/database/doors.ts'
import { fencedBatch, type Mover } from '../../src/service/shards/mover.ts'
import type { MovedTable } from '../../src/service/shards/tables.ts'
import { invariant } from '../../src/engine/ground/invariant.ts'

/** A row of any table, by its columns. */
type CopiedRow = Record<string, string | number | null>

/** The values of the columns that order the rows, level by level; null: before the first row. */
type Cursor = readonly (readonly (string | number | null)[])[] | null

/** A page of the account's rows in a table, and the cursor of the next page; null: this is the last one. */
export async function readRows(
  books: BooksDb,
  table: MovedTable,
  account_id: string,
  cursor: Cursor,
): Promise<{ rows: CopiedRow[]; next: Cursor }> {
  const keys = table.levels.flat()
  const conditions = [
    `${table.account} = ?`,
    table.where ?? 'true',
    cursor === null ? 'true' : after(table.levels),
  ]
  const { results } = await books
    .prepare(
      `SELECT row.*, ${keys.map((key, index) => `${key} AS "key ${index}"`).join(', ')} FROM ${table.from}
       WHERE ${conditions.join(' AND ')} ORDER BY ${keys.join(', ')} LIMIT ${table.page}`,
    )
    .bind(account_id, ...(cursor === null ? [] : boundValues(cursor)))
    .all<CopiedRow>()
  const last = results.at(-1)
  const next = last === undefined || results.length < table.page ? null : cursorOf(table, last)
  return { rows: results.map(withoutKeys), next }
}

/** `(a, b) >= (?, ?) AND ((a, b) > (?, ?) OR (c > ?))` for the levels (a, b) and (c). */
function after([level, ...rest]: MovedTable['levels']): string {
  const columns = invariant(level, 'a table has a level').join(', ')
  const marks = invariant(level, 'a table has a level')
    .map(() => '?')
    .join(', ')
  return rest.length === 0
    ? `(${columns}) > (${marks})`
    : `(${columns}) >= (${marks}) AND ((${columns}) > (${marks}) OR (${after(rest)}))`
}

/** The values in the order of the marks of `after`. */
function boundValues([level, ...rest]: NonNullable<Cursor>): (string | number | null)[] {
  if (level === undefined) return []
  return rest.length === 0 ? [...level] : [...level, ...level, ...boundValues(rest)]
}

function cursorOf({ levels }: MovedTable, row: CopiedRow): Cursor {
  let index = 0
  return levels.map((level) => level.map(() => row[`key ${index++}`] ?? null))
}

function withoutKeys(row: CopiedRow): CopiedRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('key ')))
}

/** D1 accepts at most 2 MB in a bound value. */
const TEXT_MAX = 500_000

/** Inserts rows of the account into the closed copy, through its open door. Rows that exist stay. */
export async function insertCopies(
  mover: Mover,
  table: MovedTable['table'],
  rows: readonly CopiedRow[],
): Promise<void> {
  const { to: books, move } = mover
  const [first] = rows
  if (first === undefined) return
  const names = Object.keys(first)
  const statements: D1PreparedStatement[] = []
  let small: string[] = []
  let length = 0
  const flush = () => {
    if (small.length > 0) statements.push(insertMany(books, table, names, small))
    small = []
    length = 0
  }
  for (const row of rows) {
    const json = JSON.stringify(row)
    if (json.length > TEXT_MAX) statements.push(insertOne(books, table, names, row))
    else {
      if (length + json.length > TEXT_MAX) flush()
      small.push(json)
      length += json.length
    }
  }
  flush()
  await fencedBatch(mover, books, 'away', throughDoor(books, move.account_id, 'move', statements))
}

function insertMany(
  books: BooksDb,
  table: MovedTable['table'],
  names: readonly string[],
  rows: readonly string[],
): D1PreparedStatement {
  const values = names.map((name) => `value ->> '$.${name}'`)
  return books
    .prepare(
      `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`,
    )
    .bind(`[${rows.join(',')}]`)
}

function insertOne(
  books: BooksDb,
  table: MovedTable['table'],
  names: readonly string[],
  row: CopiedRow,
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    )
    .bind(...names.map((name) => row[name] ?? null))
}
