import { type AnyDb, unchecked } from '../../platform/database/databases.ts'
import type { PartOfTable } from './manifest.ts'

/** Rows, and bytes of them, that one part has at most. A larger row is a part of its own. */
const ROWS_MAX = 3_000
const BYTES_MAX = 1_000_000

/** Of a table: its name, its columns, and the tables that it refers to. */
export type TableOfBackup = { name: string; columns: string[]; parents: string[] }

/** All tables of a database but for those that have rows within a batch alone, by name. */
export async function readTables(db: AnyDb): Promise<TableOfBackup[]> {
  const { results } = await unchecked(db)
    .prepare(
      `SELECT name, sql, (SELECT json_group_array(name) FROM pragma_table_info(tables.name)) AS columns
       FROM sqlite_schema tables WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite_*'
         AND name NOT IN ('d1_migrations', 'open_doors') ORDER BY name`,
    )
    .all<{ name: string; sql: string; columns: string }>()
  return results.map(({ name, sql, columns }) => ({
    name,
    columns: JSON.parse(columns) as string[],
    parents: [...sql.matchAll(/REFERENCES [`"]?(\w+)/g)].flatMap(([, parent]) => parent ?? []),
  }))
}

/** The next rows of a table by rowid, in one statement, and the last rowid; null: there are no more. */
export async function readPart(
  db: AnyDb,
  { name, columns }: TableOfBackup,
  after: number,
): Promise<{ part: PartOfTable; last: number } | null> {
  const quoted = columns.map((column) => `"${column}"`)
  const bytes = quoted.map((column) => `coalesce(octet_length(${column}), 4) + 3`).join(' + ')
  const rows = await unchecked(db)
    .prepare(
      `SELECT ${quoted.join()}, backup_rowid FROM
         (SELECT *, sum(backup_bytes) OVER (ORDER BY backup_rowid) AS backup_sum FROM
           (SELECT *, rowid AS backup_rowid, ${bytes} AS backup_bytes FROM "${name}"
            WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_MAX}))
       WHERE backup_sum <= ${BYTES_MAX} OR backup_sum = backup_bytes ORDER BY backup_rowid`,
    )
    .bind(after)
    .raw<(string | number | null)[]>()
  const last = rows.at(-1)?.at(-1)
  if (typeof last !== 'number') return null
  return { part: { columns, rows: rows.map((row) => row.slice(0, -1)) }, last }
}

const CURSOR = 'backup'

/** Where a backup goes on. */
export type PlaceOfBackup = { run: string; begun_at: string; table: string; after: number; part: number }

export async function readPlace(db: AnyDb): Promise<PlaceOfBackup | null> {
  const text = await db
    .prepare('SELECT after FROM job_cursors WHERE name = ?')
    .bind(CURSOR)
    .first<string>('after')
  return text === null ? null : JSON.parse(text)
}

/** Begins a backup, unless one goes on. */
export async function beginBackup(db: AnyDb, place: PlaceOfBackup): Promise<void> {
  await db
    .prepare('INSERT OR IGNORE INTO job_cursors (name, after) VALUES (?, ?)')
    .bind(CURSOR, JSON.stringify(place))
    .run()
}

/** Null: the backup is done. */
export async function movePlace(db: AnyDb, place: PlaceOfBackup | null): Promise<void> {
  await (
    place === null
      ? db.prepare('DELETE FROM job_cursors WHERE name = ?').bind(CURSOR)
      : db.prepare('UPDATE job_cursors SET after = ?2 WHERE name = ?1').bind(CURSOR, JSON.stringify(place))
  ).run()
}
