/** D1 takes at most 2 MB in a bound value. */
const TEXT_MAX = 1_000_000

/** All tables by their names. Types alone, so that the tables' definitions stay out of the Worker. */
type Tables = typeof import('./tables/accounts.ts') &
  typeof import('./tables/collectors.ts') &
  typeof import('./tables/customers.ts') &
  typeof import('./tables/events.ts') &
  typeof import('./tables/sales.ts') &
  typeof import('./tables/tax-data.ts') &
  typeof import('./tables/vat.ts') &
  typeof import('./tables/webhooks.ts')

type NewRow<Table extends keyof Tables> = Tables[Table]['$inferInsert']

/** No column besides those of the table: a misspelt one does not compile. */
type NoOther<Row, Known> = { [Column in Exclude<keyof Row, keyof Known>]: never }

/**
 * Statements that insert rows, however many, each as one JSON value: one round trip, and never more than 100
 * bound parameters. `OR IGNORE` leaves out rows that exist already. All rows have the columns of the first.
 * Numbers must be integers.
 */
export function insertRows<Table extends keyof Tables, Row extends NewRow<Table>>(
  db: D1Database,
  table: Table,
  rows: readonly (Row & NoOther<Row, NewRow<Table>>)[],
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
