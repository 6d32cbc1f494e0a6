import { rowsOf } from '../database/results.ts'

/** A part of the local data: a state (`US-CA`) with its jurisdictions, or the ZIPs of a ZIP3 (`zip:941`). */
export type LocalPart = { part: string; content: string }

/** The newest change of the local data; null: there is none. */
export async function readLocalVersion(db: D1Database): Promise<string | null> {
  const row = await db
    .prepare('SELECT max(recorded_at) AS version FROM local_parts')
    .first<{ version: string | null }>()
  return row?.version ?? null
}

/** The parts as they were at a time, at most about 1,000. */
export async function readLocalParts(db: D1Database, at: string): Promise<LocalPart[]> {
  return rowsOf<LocalPart>(
    await db
      .prepare(
        `SELECT part, content FROM local_parts
         WHERE recorded_at <= ?1 AND (superseded_at IS NULL OR superseded_at > ?1) ORDER BY part`,
      )
      .bind(at)
      .all(),
  )
}

/** Replaces parts: the old ones stay, superseded, for replay. */
export function replaceLocalParts(
  db: D1Database,
  parts: readonly LocalPart[],
  recorded_at: string,
): D1PreparedStatement[] {
  const given = JSON.stringify(parts)
  return [
    db
      .prepare(
        `UPDATE local_parts SET superseded_at = ?2 WHERE superseded_at IS NULL
         AND part IN (SELECT value ->> 'part' FROM json_each(?1))`,
      )
      .bind(given, recorded_at),
    db
      .prepare(
        `INSERT INTO local_parts (part, content, recorded_at)
         SELECT value ->> 'part', value ->> 'content', ?2 FROM json_each(?1)`,
      )
      .bind(given, recorded_at),
  ]
}
