import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT, wranglerPackage } from './wrangler.ts'

const FOLDER = join(PROJECT, 'migrations')

/** The names of the migrations that a database lacks, in their order. */
export async function pendingMigrations(db: D1Database): Promise<string[]> {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  const table = await db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'`)
    .first()
  if (table === null) return files
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>()
  const applied = new Set(results.map((row) => row.name))
  return files.filter((name) => !applied.has(name))
}

/**
 * Applies the migrations that a local database lacks, each as a whole or not at all, and notes them as
 * wrangler does.
 * `wrangler d1 migrations apply` would open the database from a second process, which SQLite refuses at
 * times with SQLITE_BUSY, and needs some seconds to start. If a migration fails, throws an Error that names
 * it.
 */
export async function applyMigrations(db: D1Database): Promise<void> {
  const pending = await pendingMigrations(db)
  await db.prepare(NOTES).run()
  for (const name of pending) {
    const statements = wranglerPackage().unstable_splitSqlQuery(readFileSync(join(FOLDER, name), 'utf8'))
    try {
      await db.batch([
        ...statements.map((statement) => db.prepare(statement)),
        db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
      ])
    } catch (error) {
      throw new Error(`The migration ${name} failed`, { cause: error })
    }
  }
}

/** The table of wrangler, word for word. */
const NOTES = `CREATE TABLE IF NOT EXISTS d1_migrations(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`
