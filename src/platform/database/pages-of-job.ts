import { beginRun, moveCursor, readCursor } from './cursor-store.ts'
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
