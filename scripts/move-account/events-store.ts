import type { BooksDb, ControlDb } from '../../src/platform/database/databases.ts'
import { firstIdAt } from '../../src/platform/database/ids.ts'
import { insertRows } from '../../src/platform/database/insert-rows.ts'

const PAGE = 500
/** Events live for 30 days, or some days more while they have deliveries. */
const KEPT_MS = 40 * 86_400_000

type FinishedEvent = {
  id: string
  type: string
  data: string
  created_at: string
  fanned_out_at: string | null
}

/** Copies the shared events that every shard has got, so that a new shard has those from before it, too. */
export async function copySharedEvents(control: ControlDb, books: BooksDb, now: Date): Promise<void> {
  let after = firstIdAt('evt', new Date(now.getTime() - KEPT_MS))
  for (;;) {
    const { results } = await control
      .prepare(
        `SELECT id, type, data, created_at, fanned_out_at FROM events
         WHERE owner_account_id IS NULL AND fanned_out_at IS NOT NULL AND id > ? ORDER BY id LIMIT ${PAGE}`,
      )
      .bind(after)
      .all<FinishedEvent>()
    if (results.length > 0) await books.batch(insertRows(books, 'events', results, 'OR IGNORE'))
    const last = results.at(-1)
    if (last === undefined || results.length < PAGE) return
    after = last.id
  }
}
