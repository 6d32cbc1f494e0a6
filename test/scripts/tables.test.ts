import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateSQLiteDrizzleJson } from 'drizzle-kit/api'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { lastSnapshot, migrationTo, rebuilds } from '../../scripts/generate-migration.ts'
import { oneOf } from '../../src/platform/database/tables/checks.ts'
import { TABLES } from '../../src/platform/database/tables/kinds.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
const NOTHING = await generateSQLiteDrizzleJson({})

function databaseOf(scripts: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const script of scripts) db.exec(script)
  return db
}

function migrated(): DatabaseSync {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  return databaseOf(files.toSorted().map((file) => readFileSync(join(FOLDER, file), 'utf8')))
}

async function described(): Promise<DatabaseSync> {
  return databaseOf((await migrationTo(TABLES, NOTHING)).statements)
}

/** All that a database says of its tables. */
function shapeOf(db: DatabaseSync): Record<string, object> {
  const tables = db
    .prepare(
      `SELECT name, strict FROM pragma_table_list
       WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()
  return Object.fromEntries(
    tables.map(({ name, strict }) => [
      String(name),
      {
        strict,
        columns: db
          .prepare(
            `SELECT name, upper(type) AS type, "notnull" OR pk > 0 AS required, pk, dflt_value
             FROM pragma_table_info(?) ORDER BY cid`,
          )
          .all(String(name)),
        references: db
          .prepare(
            'SELECT "from", "table", "to", on_delete, on_update FROM pragma_foreign_key_list(?) ORDER BY 1',
          )
          .all(String(name)),
        checks: checksOf(db, String(name)),
        indexes: indexesOf(db, String(name)),
      },
    ]),
  )
}

/** A unique column and a unique index on it are the same. */
function indexesOf(db: DatabaseSync, table: string): object[] {
  return db
    .prepare(
      `SELECT
         CASE WHEN list.name LIKE 'sqlite_%' OR list.name LIKE '%_unique' THEN '' ELSE list.name END AS name,
         list."unique",
         (SELECT group_concat(name || iif("desc", ' DESC', ''))
          FROM (SELECT name, "desc" FROM pragma_index_xinfo(list.name) WHERE key ORDER BY seqno)) AS columns,
         (SELECT substr(sql, instr(sql, ' WHERE ')) FROM sqlite_schema
          WHERE sqlite_schema.name = list.name AND partial) AS condition
       FROM pragma_index_list(?) list WHERE origin <> 'pk' ORDER BY 1, 3`,
    )
    .all(table)
}

/** The conditions of a table's CHECKs, wherever in the table they stand. */
function checksOf(db: DatabaseSync, table: string): string[] {
  const row = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table)
  const [, ...checks] = String(row?.['sql']).split(/\bCHECK ?(?=\()/)
  return checks.map(firstParenthesis).toSorted()
}

/** What stands between the first parenthesis, which opens the text, and the one that closes it. */
function firstParenthesis(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')') depth--
    if (depth === 0) return text.slice(1, at)
  }
  return text
}

describe('the tables', () => {
  it('are described as the migrations make them', async () => {
    expect(shapeOf(await described())).toEqual(shapeOf(migrated()))
  })

  it('are exported by their names, and their columns too, as insertRows() takes them', () => {
    for (const [name, table] of Object.entries(TABLES)) {
      expect(getTableName(table)).toBe(name)
      for (const [key, column] of Object.entries(getTableColumns(table))) expect(column.name).toBe(key)
    }
  })

  it('are STRICT, all of them', () => {
    expect(
      migrated()
        .prepare("SELECT name FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite_%'")
        .all(),
    ).toEqual([])
  })
})

describe('a new migration', () => {
  const before = { words: sqliteTable('words', { id: text().primaryKey() }) }

  it('has nothing to do', async () => {
    expect((await migrationTo(TABLES, lastSnapshot())).statements).toEqual([])
  })

  it('adds a column where it was added', async () => {
    const { snapshot } = await migrationTo(before, NOTHING)
    const { statements } = await migrationTo(
      { words: sqliteTable('words', { id: text().primaryKey(), count: integer() }) },
      snapshot,
    )
    expect(statements).toEqual(['ALTER TABLE `words` ADD `count` integer;'])
    expect(rebuilds(statements)).toBe(false)
  })

  it('is known to rebuild a table when a word is added to what a column may hold', async () => {
    const { snapshot } = await migrationTo({ words: wordsOf('noun') }, NOTHING)
    const { statements } = await migrationTo({ words: wordsOf('noun', 'verb') }, snapshot)
    expect(rebuilds(statements)).toBe(true)
    expect(statements.find((statement) => statement.startsWith('CREATE TABLE'))).toMatch(
      /IN \('noun', 'verb'\)\)\n\) STRICT;$/,
    )
  })
})

function wordsOf(...kinds: [string, ...string[]]) {
  return sqliteTable('words', { id: text().primaryKey(), kind: text({ enum: kinds }).notNull() }, (table) => [
    oneOf(table.kind),
  ])
}
