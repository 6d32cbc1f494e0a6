import type { AnyDb } from './databases.ts'

/** After which row a job goes on; null: no run waits for its end. */
export async function readCursor(db: AnyDb, name: string): Promise<string | null> {
  return db.prepare('SELECT after FROM job_cursors WHERE name = ?').bind(name).first<string>('after')
}

/** Begins a run of a job, unless one waits for its end. */
export async function beginRun(db: AnyDb, name: string): Promise<void> {
  await db.prepare("INSERT OR IGNORE INTO job_cursors (name, after) VALUES (?, '')").bind(name).run()
}

/** Moves the cursor, unless another run of the job has moved it. `next` is null at the end. */
export async function moveCursor(db: AnyDb, name: string, after: string, next: string | null): Promise<void> {
  const moved =
    next === null
      ? db.prepare('DELETE FROM job_cursors WHERE name = ? AND after = ?').bind(name, after)
      : db.prepare('UPDATE job_cursors SET after = ?3 WHERE name = ?1 AND after = ?2').bind(name, after, next)
  await moved.run()
}
