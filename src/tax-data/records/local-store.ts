import type { ControlDb } from '../../platform/database/databases.ts'
import { rowsOf } from '../../platform/database/results.ts'

/**
 * A part of the local data: a state (`CA`), the counties of the ZIPs of a ZIP3 (`zip:941`), the boundaries of
 * a state (`zip5:GA`), or the ZIP+4 of a ZIP3 (`zip4:GA:303`).
 */
export type LocalPart = { part: string; content: string }

/** The newest change of the local data; null: there is none. */
export async function readLocalVersion(db: ControlDb): Promise<string | null> {
  const row = await db
    .prepare('SELECT max(recorded_at) AS version FROM local_parts')
    .first<{ version: string | null }>()
  return row?.version ?? null
}

/** The newest change at a time or before; null: there is none. */
export async function readLocalVersionAt(db: ControlDb, at: string): Promise<string | null> {
  return db
    .prepare('SELECT max(recorded_at) AS version FROM local_parts WHERE recorded_at <= ?')
    .bind(at)
    .first<string>('version')
}

/**
 * The parts as they were at a time, at most about 1,500. Those with ZIP+4 are large, so their content is only
 * the stamp of their last change.
 */
export async function readLocalParts(db: ControlDb, at: string): Promise<LocalPart[]> {
  return rowsOf<LocalPart>(
    await db
      .prepare(
        `SELECT part, iif(part LIKE 'zip4:%', recorded_at, content) AS content FROM local_parts
         WHERE recorded_at <= ?1 AND (superseded_at IS NULL OR superseded_at > ?1) ORDER BY part`,
      )
      .bind(at)
      .all(),
  )
}

/** The content that a part got at a time; null: there is none. */
export async function readPartOf(db: ControlDb, part: string, recorded_at: string): Promise<string | null> {
  return db
    .prepare('SELECT content FROM local_parts WHERE part = ? AND recorded_at = ?')
    .bind(part, recorded_at)
    .first<string>('content')
}
