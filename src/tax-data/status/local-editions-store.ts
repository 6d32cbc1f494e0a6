import type { ControlDb } from '../../platform/database/databases.ts'
import type { local_editions } from '../../platform/database/tables/local.ts'
import type { LocalFileKind } from '../../platform/database/values/run-outcomes.ts'

/** What was last read of a kind of file of a state. */
export type LocalEdition = typeof local_editions.$inferSelect

/** All editions, or those of one state: at most some 80 rows. */
export async function readEditions(db: ControlDb, state: string | null = null): Promise<LocalEdition[]> {
  const { results } = await db
    .prepare('SELECT * FROM local_editions WHERE ?1 IS NULL OR state = ?1 ORDER BY state, kind')
    .bind(state)
    .all<LocalEdition>()
  return results
}

/** Notes the newest file names of a directory. */
export function noteListed(
  db: ControlDb,
  listed: readonly { state: string; kind: LocalFileKind; listed_file: string }[],
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO local_editions (state, kind, listed_file)
       SELECT value ->> 'state', value ->> 'kind', value ->> 'listed_file' FROM json_each(?) WHERE true
       ON CONFLICT DO UPDATE SET listed_file = excluded.listed_file`,
    )
    .bind(JSON.stringify(listed))
}

/** Writes what a run found. A file that was not believed leaves the name and the hash of the one before. */
export function recordEditions(
  db: ControlDb,
  editions: readonly Omit<LocalEdition, 'listed_file'>[],
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO local_editions
         (state, kind, file, tried_file, hash, rows, next_change, read_at, outcome, error)
       SELECT value ->> 'state', value ->> 'kind', value ->> 'file', value ->> 'tried_file',
         value ->> 'hash', value ->> 'rows',
         value ->> 'next_change', value ->> 'read_at', value ->> 'outcome', value ->> 'error'
       FROM json_each(?) WHERE true
       ON CONFLICT DO UPDATE SET file = excluded.file, tried_file = excluded.tried_file,
         hash = excluded.hash, rows = excluded.rows,
         next_change = excluded.next_change, read_at = excluded.read_at, outcome = excluded.outcome,
         error = excluded.error`,
    )
    .bind(JSON.stringify(editions))
}
