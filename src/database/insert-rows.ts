/** D1 takes at most 2 MB in a bound value. */
const TEXT_MAX = 1_000_000

type Cell = string | number | null

/**
 * Statements that insert rows, however many, each as one JSON value: one round trip, and never more than 100
 * bound parameters. `OR IGNORE` leaves out those that stand there already. All rows have the columns of the
 * first. Numbers must be integers. Table and columns come from the code, never from a caller.
 */
export function insertRows(
  db: D1Database,
  table: string,
  rows: readonly Record<string, Cell>[],
  conflict: '' | 'OR IGNORE' = '',
): D1PreparedStatement[] {
  const [first] = rows
  if (first === undefined) return []
  const names = Object.keys(first)
  const sql = `INSERT ${conflict} INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => `value ->> '$.${name}'`).join(', ')} FROM json_each(?)`
  return chunks(rows).map((json) => db.prepare(sql).bind(json))
}

function chunks(rows: readonly object[]): string[] {
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
