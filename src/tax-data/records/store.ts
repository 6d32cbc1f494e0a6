import { type AnyDb, type ControlDb, unchecked } from '../../platform/database/databases.ts'
import type { Facts } from '../../engine/book/facts.ts'
import { late } from '../../platform/kit/late.ts'
import { isLaterFact } from './later-facts.ts'
import { fromStored, type StoredFact } from './stored-facts.ts'

/** Twenty kilobytes, which a book in KV already has. */
const countries = late(() => import('./countries.generated.ts'))

/**
 * All facts of a version; null: of the newest. Returns null if there is no such version, or no data at all.
 */
export async function readFactsOf(db: ControlDb, version: string | null): Promise<Facts | null> {
  const found = await db
    .prepare(
      `SELECT version, recorded_at FROM data_versions WHERE ?1 IS NULL OR version = ?1
       ORDER BY version DESC LIMIT 1`,
    )
    .bind(version)
    .first<{ version: string; recorded_at: string }>()
  if (found === null) return null
  const { results } = await db
    .prepare(
      `SELECT kind, id, content, last_verified_at, verification, 0 AS later, sequence FROM facts
       WHERE recorded_at <= ?1 AND (superseded_at IS NULL OR superseded_at > ?1)
       UNION ALL
       SELECT kind, id, content, last_verified_at, verification, 1 AS later, sequence FROM later_facts
       WHERE recorded_at <= ?1 AND (superseded_at IS NULL OR superseded_at > ?1)
       ORDER BY later, sequence`,
    )
    .bind(found.recorded_at)
    .all<StoredFact>()
  const { COUNTRIES } = await countries.load()
  return fromStored(results, { ...found, countries: COUNTRIES })
}

/** The version recorded last; null if there is no data at all. */
export async function newestVersion(db: ControlDb): Promise<string | null> {
  return db.prepare('SELECT max(version) AS version FROM data_versions').first<string>('version')
}

/** Whether the database contains tax data, and how many bytes it has in all. */
export async function readFill(db: AnyDb): Promise<{ loaded: boolean; bytes: number }> {
  const { results, meta } = await unchecked(db).prepare('SELECT version FROM data_versions LIMIT 1').all()
  return { loaded: results.length > 0, bytes: meta.size_after ?? 0 }
}

/** The current facts, as they are stored. */
export async function readCurrentFacts(db: ControlDb): Promise<StoredFact[]> {
  const { results } = await db
    .prepare(
      `SELECT kind, id, content, last_verified_at, verification FROM facts WHERE superseded_at IS NULL
       UNION ALL
       SELECT kind, id, content, last_verified_at, verification FROM later_facts WHERE superseded_at IS NULL`,
    )
    .all<StoredFact>()
  return results
}

/** Ends the current rows of facts at a time. A place may have come to a later region since its row. */
export function supersedeFacts(
  db: ControlDb,
  rows: readonly StoredFact[],
  at: string,
): D1PreparedStatement[] {
  const end = (table: FactTable, those: readonly StoredFact[]) =>
    db
      .prepare(
        `UPDATE ${table} SET superseded_at = ?1 WHERE superseded_at IS NULL
         AND (kind, id) IN (SELECT value->>'kind', value->>'id' FROM json_each(?2))`,
      )
      .bind(at, JSON.stringify(those.map(({ kind, id }) => ({ kind, id }))))
  const later = rows.filter(isLaterFact)
  return [end('facts', rows), ...(later.length === 0 ? [] : [end('later_facts', later)])]
}

/** Adds rows of facts, each to the table of its region. */
export function insertFacts(db: ControlDb, rows: readonly StoredFact[], at: string): D1PreparedStatement[] {
  const add = (table: FactTable, those: readonly StoredFact[]) =>
    db
      .prepare(
        `INSERT INTO ${table} (kind, id, content, last_verified_at, verification, recorded_at)
         SELECT value->>'kind', value->>'id', value->>'content', value->>'last_verified_at',
           value->>'verification', ?1
         FROM json_each(?2)`,
      )
      .bind(at, JSON.stringify(those))
  const byTable = Map.groupBy(rows, (row): FactTable => (isLaterFact(row) ? 'later_facts' : 'facts'))
  return [...byTable].map(([table, those]) => add(table, those))
}

/** Sets the last verification of current facts. */
export function reverifyFacts(db: ControlDb, rows: readonly StoredFact[]): D1PreparedStatement[] {
  const verify = (table: FactTable, those: readonly StoredFact[]) => {
    const given = those.map(({ kind, id, last_verified_at, verification }) => ({
      kind,
      id,
      last_verified_at,
      verification,
    }))
    return db
      .prepare(
        `UPDATE ${table} SET last_verified_at = given.value->>'last_verified_at',
           verification = given.value->>'verification' FROM json_each(?1) AS given
         WHERE ${table}.superseded_at IS NULL
           AND ${table}.kind = given.value->>'kind' AND ${table}.id = given.value->>'id'`,
      )
      .bind(JSON.stringify(given))
  }
  const byTable = Map.groupBy(rows, (row): FactTable => (isLaterFact(row) ? 'later_facts' : 'facts'))
  return [...byTable].map(([table, those]) => verify(table, those))
}

/** The two tables of facts: see `isLaterFact`. */
type FactTable = 'facts' | 'later_facts'

export function insertVersion(
  db: ControlDb,
  version: string,
  recorded_at: string,
  reason: string,
): D1PreparedStatement {
  return db
    .prepare('INSERT INTO data_versions (version, recorded_at, reason) VALUES (?, ?, ?)')
    .bind(version, recorded_at, reason)
}
