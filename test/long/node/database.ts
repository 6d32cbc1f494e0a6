import type { WholeDb } from '../../../src/platform/database/databases.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')

/**
 * The database of the service in memory, with the part of D1's interface that the collectors use: a year of
 * runs in workerd would take hours. Values are bound as D1 binds them.
 */
export function openDatabase(): WholeDb {
  const db = new DatabaseSync(':memory:')
  for (const file of readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .toSorted())
    db.exec(readFileSync(join(MIGRATIONS, file), 'utf8'))
  const statement = (sql: string, values: SQLInputValue[] = []) => ({
    bind: (...given: SQLInputValue[]) => statement(sql, given),
    run: async () => resultOf(db, sql, values),
    all: async () => resultOf(db, sql, values),
    first: async (column?: string) => {
      const [row] = resultOf(db, sql, values).results
      return row === undefined ? null : column === undefined ? row : row[column]
    },
    now: () => resultOf(db, sql, values),
  })
  const batch = async (statements: { now: () => object }[]) => {
    db.exec('BEGIN')
    try {
      const results = statements.map((each) => each.now())
      db.exec('COMMIT')
      return results
    } catch (thrown) {
      db.exec('ROLLBACK')
      throw thrown
    }
  }
  // Only these two methods of D1 are called, and the statements have the methods of D1's.
  return { prepare: (sql: string) => statement(sql), batch } as unknown as WholeDb
}

const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

function resultOf(db: DatabaseSync, sql: string, values: SQLInputValue[]) {
  const known = prepared.get(db) ?? new Map<string, StatementSync>()
  prepared.set(db, known)
  const statement = known.get(sql) ?? db.prepare(sql)
  known.set(sql, statement)
  const results = statement.all(...values) as Record<string, unknown>[]
  return { success: true, results, meta: { changes: 0 } }
}

/** A namespace in memory. */
export function openNamespace(): KVNamespace {
  const kept = new Map<string, string>()
  const get = async (key: string, type?: string) => {
    const text = kept.get(key) ?? null
    return text !== null && type === 'json' ? JSON.parse(text) : text
  }
  const put = async (key: string, value: string) => void kept.set(key, value)
  return { get, put } as unknown as KVNamespace
}
