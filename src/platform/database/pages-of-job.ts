import type { AnyDb } from './databases.ts'
import { inSlices } from './slices.ts'

/**
 * Does a job over many rows, page by page, as far as one run goes: 20 pages. The cursor in the database says
 * where the next tick goes on. `page` gets the last row before its page ('' at the begin), and returns the
 * last row of its page, or null at the end. A page may be done twice, after a crash or by two runs at once.
 * `begin`: starts a run, unless one waits for its end. Else only such a run goes on.
 */
export async function pagesOfJob(
  db: AnyDb,
  { name, begin }: { name: string; begin: boolean },
  page: (after: string) => Promise<string | null>,
): Promise<void> {
  if (begin) await beginRun(db, name)
  let after = await readCursor(db, name)
  if (after === null) return
  await inSlices(async () => {
    const next = await page(after ?? '')
    await moveCursor(db, name, after ?? '', next)
    after = next
    return next !== null
  })
}

/** After which row a job goes on; null: no run waits for its end. */
export async function readCursor(db: AnyDb, name: string): Promise<string | null> {
  return db.prepare('SELECT after FROM job_cursors WHERE name = ?').bind(name).first<string>('after')
}

/** Sets the cursor of a job, unless it is further already. */
export async function writeCursor(db: AnyDb, name: string, after: string): Promise<void> {
  await db
    .prepare(
      `INSERT INTO job_cursors (name, after) VALUES (?1, ?2)
       ON CONFLICT (name) DO UPDATE SET after = max(after, excluded.after)`,
    )
    .bind(name, after)
    .run()
}

/** Begins a run of a job at a cursor, unless one waits for its end. `anew`: ends that one. */
export async function beginRun(db: AnyDb, name: string, first = '', anew = false): Promise<void> {
  await db
    .prepare(`INSERT OR ${anew ? 'REPLACE' : 'IGNORE'} INTO job_cursors (name, after) VALUES (?, ?)`)
    .bind(name, first)
    .run()
}

/** Moves the cursor. `next` is null at the end. Returns false if another run of the job has moved it. */
export async function moveCursor(
  db: AnyDb,
  name: string,
  after: string,
  next: string | null,
): Promise<boolean> {
  const moved =
    next === null
      ? db.prepare('DELETE FROM job_cursors WHERE name = ? AND after = ?').bind(name, after)
      : db.prepare('UPDATE job_cursors SET after = ?3 WHERE name = ?1 AND after = ?2').bind(name, after, next)
  return (await moved.run()).meta.changes > 0
}
