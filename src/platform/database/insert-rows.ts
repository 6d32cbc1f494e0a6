import type * as kinds from './tables/kinds.ts'
import { type AnyDb, type TableOf, unchecked } from './databases.ts'

/** D1 accepts at most 2 MB in a bound value, and a character has at most three bytes. */
const TEXT_MAX = 660_000

/** Only types, so that the table definitions are not part of the Worker. */
type Tables = (typeof kinds)['TABLES']

type NewRow<Table extends keyof Tables> = Tables[Table]['$inferInsert']

/** Allows only columns of the table: a misspelt column does not compile. */
type NoOther<Row, Known> = { [Column in Exclude<keyof Row, keyof Known>]: never }

/**
 * Statements that insert any number of rows. Each statement binds one JSON value, so the limit of 100 bound
 * parameters never applies. `OR IGNORE` skips rows that exist. All rows have the columns of the first row.
 * Numbers must be integers. `only_if`: a condition on each row, which is the JSON object `value`.
 */
export function insertRows<Db extends AnyDb, Table extends TableOf<Db>, Row extends NewRow<Table>>(
  db: Db,
  table: Table,
  rows: readonly (Row & NoOther<Row, NewRow<Table>>)[],
  conflict: '' | 'OR IGNORE' = '',
  only_if = 'true',
): D1PreparedStatement[] {
  const [first] = rows
  if (first === undefined) return []
  const names = Object.keys(first)
  const values = names.map((name) => `value ->> '$.${name}'`)
  const sql = `INSERT ${conflict} INTO ${table} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM json_each(?) WHERE ${only_if}`
  return jsonChunks(rows).map((json) => unchecked(db).prepare(sql).bind(json))
}

/** Rows as JSON lists that are short enough for a bound value. */
export function jsonChunks(rows: readonly object[]): string[] {
  const texts: string[] = []
  let pending: string[] = []
  let length = 0
  for (const row of rows) {
    const json = JSON.stringify(row)
    if (length + json.length > TEXT_MAX && pending.length > 0) {
      texts.push(`[${pending.join(',')}]`)
      pending = []
      length = 0
    }
    pending.push(json)
    length += json.length + 1
  }
  return [...texts, `[${pending.join(',')}]`]
}
