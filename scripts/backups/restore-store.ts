import { type AnyDb, unchecked } from '../../src/platform/database/databases.ts'
import type { TableOfBackup } from '../../src/service/backups/backup-store.ts'
import type { PartOfTable } from '../../src/service/backups/manifest.ts'

const MARK = 'restore'

/** How far a restore is: its run and the parts that are done; null: none goes on. */
export async function readMark(db: AnyDb): Promise<{ run: string; parts: number } | null> {
  const text = await db
    .prepare('SELECT after FROM job_cursors WHERE name = ?')
    .bind(MARK)
    .first<string>('after')
  return text === null ? null : JSON.parse(text)
}

function setMark(db: AnyDb, run: string, parts: number): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO job_cursors (name, after) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET after = excluded.after`,
    )
    .bind(MARK, JSON.stringify({ run, parts }))
}

/** Forgets the restore, and the backup that was being made when these rows were copied. */
export async function endMark(db: AnyDb): Promise<void> {
  await db.prepare("DELETE FROM job_cursors WHERE name IN ('restore', 'backup')").run()
}

export async function hasAccounts(db: AnyDb): Promise<boolean> {
  return (await unchecked(db).prepare('SELECT 1 FROM accounts LIMIT 1').first()) !== null
}

/** Takes away what the migrations, a load of data and ticks have written, all or nothing. */
export async function clear(db: AnyDb, tables: readonly TableOfBackup[], run: string): Promise<void> {
  await batch(db, [
    unchecked(db).prepare('PRAGMA defer_foreign_keys = on'),
    ...tables.map(({ name }) => unchecked(db).prepare(`DELETE FROM "${name}"`)),
    setMark(db, run, 0),
  ])
}

/** Inserts the rows of a part and says so, in one batch. */
export async function insertPart(
  db: AnyDb,
  table: string,
  { columns, rows }: PartOfTable,
  done: { run: string; parts: number },
): Promise<void> {
  const into = `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join()})`
  const [only] = rows
  const insert =
    rows.length === 1 && only !== undefined && columns.length <= 100
      ? // A large row would be too large as JSON.
        unchecked(db)
          .prepare(`${into} VALUES (${columns.map(() => '?').join()})`)
          .bind(...only)
      : unchecked(db)
          .prepare(
            `${into} SELECT ${columns.map((_, index) => `value ->> ${index}`).join()} FROM json_each(?)`,
          )
          .bind(JSON.stringify(rows))
  await batch(db, [...throughDoors(db, table, { columns, rows }, insert), setMark(db, done.run, done.parts)])
}

/** Rows of a filed return cannot be added, except through a door. */
function throughDoors(
  db: AnyDb,
  table: string,
  { columns, rows }: PartOfTable,
  insert: D1PreparedStatement,
): D1PreparedStatement[] {
  if (table !== 'filed_rows') return [insert]
  const at = columns.indexOf('account_id')
  const accounts = [...new Set(rows.map((row) => row[at]))]
  return [
    db
      .prepare("INSERT INTO open_doors (account_id, reason) SELECT value, 'restore' FROM json_each(?)")
      .bind(JSON.stringify(accounts)),
    insert,
    db.prepare("DELETE FROM open_doors WHERE reason = 'restore'"),
  ]
}

export async function countRows(db: AnyDb, table: string): Promise<number> {
  return (await unchecked(db).prepare(`SELECT count(*) AS n FROM "${table}"`).first<number>('n')) ?? 0
}

async function batch(db: AnyDb, statements: D1PreparedStatement[]): Promise<void> {
  await db.batch(statements)
}
