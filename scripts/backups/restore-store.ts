import { type AnyDb, unchecked } from '../../src/platform/database/databases.ts'
import type { TableOfBackup } from '../../src/service/backups/backup-store.ts'
import { beginOfDay } from '../../src/service/erasures/list.ts'
import type { PartOfTable } from '../../src/service/backups/manifest.ts'

const MARK = 'restore'

/** How far a restore is. `changed`: the tables of which rows were written while they were copied. */
type RestoreMark = { run: string; parts: number; changed: readonly string[] }

/** How far a restore is; null: none goes on. */
export async function readMark(db: AnyDb): Promise<RestoreMark | null> {
  const text = await db
    .prepare('SELECT after FROM job_cursors WHERE name = ?')
    .bind(MARK)
    .first<string>('after')
  return text === null ? null : JSON.parse(text)
}

function setMark(db: AnyDb, mark: RestoreMark): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO job_cursors (name, after) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET after = excluded.after`,
    )
    .bind(MARK, JSON.stringify(mark))
}

/**
 * Forgets the restore, and the backup that was being made when these rows were copied. The list of erasures
 * is done again from a day before: a person may have been copied before the cursor of the list was.
 */
export async function endMark(db: AnyDb, begun_at: string | null): Promise<void> {
  await db.prepare("DELETE FROM job_cursors WHERE name IN ('restore', 'backup')").run()
  if (begun_at === null) return
  const day_before = new Date(Date.parse(begun_at) - 86_400_000).toISOString().slice(0, 10)
  await db
    .prepare("UPDATE job_cursors SET after = min(after, ?) WHERE name = 'erasures'")
    .bind(beginOfDay(day_before))
    .run()
}

export async function hasAccounts(db: AnyDb): Promise<boolean> {
  return (await unchecked(db).prepare('SELECT 1 FROM accounts LIMIT 1').first()) !== null
}

/** Takes away what the migrations, a load of data and ticks have written, all or nothing. */
export async function clear(db: AnyDb, tables: readonly TableOfBackup[], run: string): Promise<void> {
  await batch(db, [
    unchecked(db).prepare('PRAGMA defer_foreign_keys = on'),
    ...tables.map(({ name }) => unchecked(db).prepare(`DELETE FROM "${name}"`)),
    setMark(db, { run, parts: 0, changed: [] }),
  ])
}

/**
 * Inserts the rows of a part and says so, in one batch. Tables are not copied at one moment: a row may be in
 * two parts, and its parent in none. Then the later row counts, and one without its parent is left out.
 */
export async function insertPart(
  db: AnyDb,
  table: string,
  part: PartOfTable,
  done: RestoreMark,
): Promise<RestoreMark> {
  const insert = (references: readonly Reference[] | null, mark: RestoreMark) => {
    const statements = slicesOf(part).map((slice) => insertion(db, table, slice, references))
    return batch(db, [...throughDoors(db, table, part, statements), setMark(db, mark)])
  }
  try {
    await insert(null, done)
    return done
  } catch (thrown) {
    if (!(thrown instanceof Error && /(UNIQUE|FOREIGN KEY) constraint failed/.test(thrown.message)))
      throw thrown
  }
  const changed = { ...done, changed: [...new Set([...done.changed, table])] }
  await insert(await readReferences(db, table), changed)
  return changed
}

/** D1 accepts at most 2 MB in a bound value. */
const JSON_MAX = 1_900_000

/** A part in slices whose JSON is short enough for a statement: quotes and controls take more there. */
function slicesOf({ columns, rows }: PartOfTable): PartOfTable[] {
  const bytes = new TextEncoder().encode(JSON.stringify(rows)).length
  if (rows.length <= 1 || bytes <= JSON_MAX) return [{ columns, rows }]
  const half = Math.ceil(rows.length / 2)
  return [rows.slice(0, half), rows.slice(half)].flatMap((some) => slicesOf({ columns, rows: some }))
}

/** A column that refers to a column of another table. */
type Reference = { parent: string; to: string; from: string }

async function readReferences(db: AnyDb, table: string): Promise<Reference[]> {
  const { results } = await unchecked(db)
    .prepare('SELECT "table" AS parent, "to", "from" FROM pragma_foreign_key_list(?1) WHERE "table" <> ?1')
    .bind(table)
    .all<Reference>()
  return results
}

/** With references, a row replaces an older one, and is left out without its parents. */
function insertion(
  db: AnyDb,
  table: string,
  { columns, rows }: PartOfTable,
  references: readonly Reference[] | null,
): D1PreparedStatement {
  const names = columns.map((column) => `"${column}"`).join()
  const into = `INSERT ${references === null ? '' : 'OR REPLACE '}INTO "${table}" (${names})`
  const ofParents = (references ?? []).map(
    ({ parent, to, from }) =>
      `(row."${from}" IS NULL OR EXISTS
        (SELECT 1 FROM "${parent}" parent WHERE parent."${to}" = row."${from}"))`,
  )
  const where = ['true', ...ofParents].join(' AND ')
  const [only] = rows
  if (rows.length === 1 && only !== undefined && columns.length <= 100) {
    // A large row would be too large as JSON.
    const values = columns.map((column, index) => `?${index + 1} AS "${column}"`).join()
    return unchecked(db)
      .prepare(`${into} SELECT * FROM (SELECT ${values}) row WHERE ${where}`)
      .bind(...only)
  }
  const values = columns.map((column, index) => `value ->> ${index} AS "${column}"`).join()
  return unchecked(db)
    .prepare(`${into} SELECT * FROM (SELECT ${values} FROM json_each(?)) row WHERE ${where}`)
    .bind(JSON.stringify(rows))
}
/** Rows of a filed return cannot be added, except through a door. */
function throughDoors(
  db: AnyDb,
  table: string,
  { columns, rows }: PartOfTable,
  inserts: readonly D1PreparedStatement[],
): D1PreparedStatement[] {
  if (table !== 'filed_rows') return [...inserts]
  const at = columns.indexOf('account_id')
  const accounts = [...new Set(rows.map((row) => row[at]))]
  return [
    db
      .prepare("INSERT INTO open_doors (account_id, reason) SELECT value, 'restore' FROM json_each(?)")
      .bind(JSON.stringify(accounts)),
    ...inserts,
    db.prepare("DELETE FROM open_doors WHERE reason = 'restore'"),
  ]
}

export async function countRows(db: AnyDb, table: string): Promise<number> {
  return (await unchecked(db).prepare(`SELECT count(*) AS n FROM "${table}"`).first<number>('n')) ?? 0
}

async function batch(db: AnyDb, statements: D1PreparedStatement[]): Promise<void> {
  await db.batch(statements)
}
