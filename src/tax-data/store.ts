import type { Facts } from '../tax/book/facts.ts'
import { fromStored, type StoredFact } from './stored-facts.ts'

/**
 * All facts as they were recorded in a version; null: the newest. Null when there is no such version, or no
 * data at all.
 */
export async function readFactsOf(db: D1Database, version: string | null): Promise<Facts | null> {
  const found = await db
    .prepare(
      'SELECT version, recorded_at FROM data_versions WHERE ?1 IS NULL OR version = ?1 ORDER BY version DESC LIMIT 1',
    )
    .bind(version)
    .first<{ version: string; recorded_at: string }>()
  if (found === null) return null
  const { results } = await db
    .prepare(
      `SELECT kind, id, content, last_verified_at FROM facts
       WHERE recorded_at <= ?1 AND (superseded_at IS NULL OR superseded_at > ?1) ORDER BY sequence`,
    )
    .bind(found.recorded_at)
    .all<StoredFact>()
  return fromStored(results, found.version, found.recorded_at)
}

/** The version recorded last; null when there is no data at all. */
export async function newestVersion(db: D1Database): Promise<string | null> {
  return db.prepare('SELECT max(version) AS version FROM data_versions').first<string>('version')
}
