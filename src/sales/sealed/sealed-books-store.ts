import { type BooksDb, unchecked } from '../../platform/database/databases.ts'
import { type Block, CHEST_TABLES, objectsOf, type ValueOfRow } from './chest.ts'

/** The columns of a table today, with the value of those that a row lacks. */
type Columns = Map<string, ValueOfRow>
type TableColumns = Record<keyof Block, Columns>

/** A release has one form of its tables. */
let known: TableColumns | null = null

async function readColumns(books: BooksDb): Promise<TableColumns> {
  if (known !== null) return known
  const { results } = await unchecked(books)
    .prepare(
      `SELECT tables.value AS of_table, info.name, info.dflt_value AS otherwise
       FROM json_each(?) tables, pragma_table_info(tables.value) info ORDER BY tables.key, info.cid`,
    )
    .bind(JSON.stringify(CHEST_TABLES))
    .all<{ of_table: keyof Block; name: string; otherwise: string | null }>()
  const columnsOf = (table: keyof Block): Columns =>
    new Map(
      results
        .filter(({ of_table }) => of_table === table)
        .map(({ name, otherwise }) => [name, valueOfDefault(otherwise)]),
    )
  known = { transactions: columnsOf('transactions'), transaction_lines: columnsOf('transaction_lines') }
  return known
}

function valueOfDefault(sql: string | null): ValueOfRow {
  if (sql === null || sql === 'NULL') return null
  return sql.startsWith("'") ? sql.slice(1, -1) : Number(sql)
}

/**
 * The books as they would be if they had the sales of some blocks alone. Every statement that reads sales and
 * lines can be asked of it: it finds them under the names of their tables, and other tables as they are.
 * Sales that the books have are left out: there they are right.
 */
export async function booksOfBlocks(books: BooksDb, blocks: readonly Block[]): Promise<BooksDb> {
  const columns = await readColumns(books)
  const rowsOf = (table: keyof Block) =>
    blocks.flatMap((block) =>
      objectsOf(block[table]).map((row) =>
        [...columns[table]].map(([name, otherwise]) => (name in row ? (row[name] ?? null) : otherwise)),
      ),
    )
  const given = JSON.stringify(CHEST_TABLES.map(rowsOf))
  const prepare = (sql: string) => {
    const { text, last } = numbered(sql.replaceAll(/INDEXED BY \w+/g, ''))
    const tables = tablesOf(columns, `?${last + 1}`)
    const begun = /^\s*WITH\s+(RECURSIVE\s+)?/.exec(text)
    const whole = begun === null ? `WITH ${tables} ${text}` : `WITH ${tables}, ${text.slice(begun[0].length)}`
    const statement = unchecked(books).prepare(whole)
    return { bind: (...values: unknown[]) => statement.bind(...values, given) }
  }
  const batch = (statements: D1PreparedStatement[]) => books.batch(statements)
  return { prepare, batch } as unknown as BooksDb
}

/** The definitions of the two tables. `given`: the parameter with their rows. */
function tablesOf(columns: TableColumns, given: string): string {
  const selected = (table: keyof Block) =>
    [...columns[table].keys()].map((name, index) => `value ->> '$[${index}]' AS "${name}"`).join(', ')
  const at = (table: keyof Block, name: string) =>
    `value ->> '$[${[...columns[table].keys()].indexOf(name)}]'`
  const id = at('transactions', 'id')
  return `transactions AS MATERIALIZED (SELECT ${selected('transactions')} FROM json_each(${given}, '$[0]')
      WHERE ${id} NOT IN (SELECT kept.id FROM main.transactions kept
        WHERE kept.id IN (SELECT ${id} FROM json_each(${given}, '$[0]')))),
    transaction_lines AS MATERIALIZED (SELECT ${selected('transaction_lines')}
      FROM json_each(${given}, '$[1]')
      WHERE ${at('transaction_lines', 'transaction_id')} IN (SELECT id FROM transactions))`
}

/** A statement with a number at each of its parameters, as SQLite numbers them, and the last number. */
function numbered(sql: string): { text: string; last: number } {
  let last = 0
  const text = sql.replaceAll(/'[^']*'|\?(\d*)/g, (found: string, number?: string) => {
    if (number === undefined) return found
    const own = number === '' ? last + 1 : Number(number)
    last = Math.max(last, own)
    return `?${own}`
  })
  return { text, last }
}
