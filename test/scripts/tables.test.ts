import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import { migrationStatements } from '../../scripts/generate-migration.ts'
import * as tables from '../../src/database/tables.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')

function migrated(): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const file of readdirSync(FOLDER).toSorted()) if (file.endsWith('.sql')) db.exec(readFileSync(join(FOLDER, file), 'utf8'))
  return db
}

async function described(): Promise<DatabaseSync> {
  const db = new DatabaseSync(':memory:')
  const statements = await generateSQLiteMigration(await generateSQLiteDrizzleJson({}), await generateSQLiteDrizzleJson(tables))
  for (const statement of statements) db.exec(statement)
  return db
}

/** Columns, keys, references and indexes of every table; a unique column and a unique index on it are the same. */
function shapeOf(db: DatabaseSync) {
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").all()
  return names.map(({ name }) => ({
    name,
    columns: db
      .prepare(
        `SELECT name, upper(type) AS type, "notnull" OR pk > 0 AS required, pk, dflt_value FROM pragma_table_info('${String(name)}') ORDER BY cid`,
      )
      .all(),
    references: db.prepare(`SELECT "from", "table", "to" FROM pragma_foreign_key_list('${String(name)}') ORDER BY 1`).all(),
    indexes: db
      .prepare(
        `SELECT list."unique", partial, (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(list.name) ORDER BY seqno)) AS columns
         FROM pragma_index_list('${String(name)}') list WHERE origin <> 'pk' ORDER BY 3, 1, 2`,
      )
      .all(),
  }))
}

it('describes in tables.ts what the migrations make', async () => {
  expect(shapeOf(await described())).toEqual(shapeOf(migrated()))
})

it('finds nothing to migrate', async () => {
  expect((await migrationStatements()).statements).toEqual([])
})

it('makes every table STRICT', () => {
  const loose = migrated()
    .prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'")
    .all()
  expect(loose).toEqual([])
})
