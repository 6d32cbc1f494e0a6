import type { ControlDb } from '../../platform/database/databases.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { inSlices } from '../../platform/database/slices.ts'
import type { LocalPart } from './local-store.ts'

/**
 * The bytes of the parts in force, without those of these names. Of parts with ZIP+4, the book has the stamp
 * alone.
 */
export async function readBytesOfOthers(db: ControlDb, parts: readonly string[]): Promise<number> {
  const bytes = await db
    .prepare(
      `SELECT sum(length(CAST(iif(part LIKE 'zip4:%', recorded_at, content) AS BLOB))) AS bytes
       FROM local_parts WHERE superseded_at IS NULL AND part NOT IN (SELECT value FROM json_each(?))`,
    )
    .bind(JSON.stringify(parts))
    .first<number>('bytes')
  return bytes ?? 0
}

/** The contents of parts in force, of at most 60 parts. */
export async function readCurrentParts(db: ControlDb, parts: readonly string[]): Promise<LocalPart[]> {
  return rowsOf<LocalPart>(
    await db
      .prepare(
        `SELECT part, content FROM local_parts WHERE superseded_at IS NULL
         AND part IN (SELECT value FROM json_each(?)) ORDER BY part`,
      )
      .bind(JSON.stringify(parts))
      .all(),
  )
}

/** The names of the parts with ZIP+4 of a state that are in force, at most 100. */
export async function readZip4Names(db: ControlDb, state: string): Promise<string[]> {
  const { results } = await db
    .prepare(`SELECT part FROM local_parts WHERE superseded_at IS NULL AND part LIKE ? ORDER BY part`)
    .bind(`zip4:${state}:%`)
    .all<{ part: string }>()
  return results.map(({ part }) => part)
}

/** Replaces parts: the old ones stay, superseded, for replay. A statement takes less than 2 MB of parts. */
export function replaceLocalParts(
  db: ControlDb,
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

const PRUNED_MAX = 100
/** As long as the rate books of earlier versions are kept. */
const KEPT_MS = 400 * 86_400_000

/** Deletes parts that were replaced more than 400 days ago, in slices. */
export async function pruneLocalParts(db: ControlDb, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS).toISOString()
  await inSlices(async () => {
    const { meta } = await db
      .prepare(
        `DELETE FROM local_parts WHERE rowid IN
         (SELECT rowid FROM local_parts WHERE superseded_at < ? LIMIT ${PRUNED_MAX})`,
      )
      .bind(before)
      .run()
    return meta.changes === PRUNED_MAX
  })
}
