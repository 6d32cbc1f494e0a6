import type { BooksDb } from '../../platform/database/databases.ts'
import { atHome } from '../../platform/database/home.ts'
import { firstIdAt } from '../../platform/database/ids.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { SALE_KEYS } from '../../platform/database/tables/search-keys.ts'

const PAGE = 5_000
/** A sale gets its id before its batch is written. Later, no older sale is missing. */
const SETTLED_MS = 30_000
/** Each tick looks back so far, for sales that were written later than others with a later id. */
const OVERLAP_MS = 10 * 60_000
/** Each night looks back so far, for the sales of an account that has moved here. */
const NIGHT_MS = 2 * 86_400_000

const CURSOR = 'searchable_sales'

/**
 * Adds the sales since the last tick to the indexes of the search box (SALE_KEYS). A job does so and not the
 * write of a sale, because D1 bills each entry, and the caller waits for it. An index is always that of the
 * row as it is, so what is erased from a row, or deleted, needs nothing here. Two runs at once, or one that
 * died, do no harm: the cursor is a moment, and moves when all sales before it are done.
 */
export async function makeSearchable(books: BooksDb, now: Date): Promise<void> {
  const until = earlier(now, SETTLED_MS)
  const cursor = await books
    .prepare('SELECT after FROM job_cursors WHERE name = ?')
    .bind(CURSOR)
    .first<string>('after')
  if (!(await addSales(books, earlier(new Date(cursor ?? 0), OVERLAP_MS), until))) return
  await books
    .prepare(
      `INSERT INTO job_cursors (name, after) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET after = max(after, excluded.after)`,
    )
    .bind(CURSOR, until.toISOString())
    .run()
}

/** Adds the sales of the last two days that the ticks did not see. */
export async function makeStragglersSearchable(books: BooksDb, now: Date): Promise<void> {
  await addSales(books, earlier(now, NIGHT_MS), earlier(now, SETTLED_MS))
}

/** Only a sale that one of the indexes takes is written. */
const HAS_KEY = Object.values(SALE_KEYS)
  .map(({ where }) => `(${where.replace('"searchable" = 1', 'searchable = 0')})`)
  .join(' OR ')

const ADD = `UPDATE transactions SET searchable = 1 WHERE id IN (
  SELECT id FROM transactions WHERE id >= ?1 AND id < ?2 AND searchable = 0
    AND (${HAS_KEY}) AND ${atHome('transactions.account_id')} LIMIT ${PAGE})` as const

/** Returns whether all sales between two moments are added. The accounts that are moving wait. */
async function addSales(books: BooksDb, from: Date, until: Date): Promise<boolean> {
  let added = PAGE
  await inSlices(async () => {
    const { meta } = await books.prepare(ADD).bind(firstIdAt('txn', from), firstIdAt('txn', until)).run()
    added = meta.changes
    return added === PAGE
  })
  return added < PAGE
}

function earlier(moment: Date, ms: number): Date {
  return new Date(Math.max(0, moment.getTime() - ms))
}
