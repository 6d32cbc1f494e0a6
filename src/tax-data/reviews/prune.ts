import type { ControlDb } from '../../platform/database/databases.ts'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import { KEPT_DAYS, pruneReviews } from './store.ts'

/** Removes, in slices, decided reviews that were last seen more than 400 days ago. */
export async function pruneOldReviews(db: ControlDb, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString()
  for (let slice = 0; slice < SLICES_MAX; slice += 1) {
    const { meta } = await pruneReviews(db, before).run()
    if (meta.changes === 0) return
  }
}

const SLICES_MAX = 20
