import type { BooksDb } from '../../../platform/database/databases.ts'
import { atHome } from '../../../platform/database/home.ts'
import { firstIdAt, momentOf } from '../../../platform/database/ids.ts'
import { inSlices } from '../../../platform/database/slices.ts'
import { SALE_KEYS, waitsFor } from '../../../platform/database/tables/search-keys.ts'

const PAGE = 5_000
/** A sale gets its id before its batch is written. */
const SETTLED_MS = 30_000
/** Each tick looks back so far, for sales that were written later than others with a later id. */
const OVERLAP_MS = 10 * 60_000
/** Each night looks back so far, for the sales of an account that has moved here. */
const NIGHT_MS = 2 * 86_400_000

const CURSOR = 'searchable_sales'
/** Where the nights are in all sales. */
const NIGHTS = 'searchable_sales_nightly'

/**
 * Adds the sales since the last tick to the indexes of the search box (SALE_KEYS). A job does so and not the
 * write of a sale, because D1 bills each entry, and the caller waits for it. An index is always that of the
 * row as it is, so what is erased from a row, or deleted, needs nothing here. Two runs at once, or one that
 * died, do no harm: the cursor is a moment, and moves to that before which all sales are done. It is never
 * later than the clock of the database, so one tick with a clock ahead skips nothing.
 */
export async function makeSearchable(books: BooksDb, now: Date): Promise<void> {
  const { after, clock } = await readClock(books)
  const until = earlier(earliest(now, clock), SETTLED_MS)
  const from = earlier(earliest(new Date(after ?? 0), clock), OVERLAP_MS)
  const reached = await addSales(books, firstIdAt('txn', from))
  const done = reached === null ? until : earliest(momentOf(reached), until)
  await books
    .prepare(
      `INSERT INTO job_cursors (name, after) VALUES (?1, ?2), ('sales_to_search', ?3)
       ON CONFLICT DO UPDATE SET after = excluded.after`,
    )
    .bind(CURSOR, done.toISOString(), firstIdAt('aud', done))
    .run()
}

/**
 * Adds the sales that the ticks did not see: of the last two days, and of 100,000 others each night, until
 * it has looked at all. Then it begins again.
 */
export async function makeStragglersSearchable(books: BooksDb, now: Date): Promise<void> {
  await addSales(books, firstIdAt('txn', earlier(now, NIGHT_MS)))
  const after = await books
    .prepare('SELECT after FROM job_cursors WHERE name = ?')
    .bind(NIGHTS)
    .first<string>('after')
  await books
    .prepare(
      'INSERT INTO job_cursors (name, after) VALUES (?, ?) ON CONFLICT DO UPDATE SET after = excluded.after',
    )
    .bind(NIGHTS, (await addSales(books, after ?? '')) ?? '')
    .run()
}

/** The cursor of the ticks, null before the first, and the time of the database. */
async function readClock(books: BooksDb): Promise<{ after: string | null; clock: Date }> {
  const row = await books
    .prepare(
      `SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AS clock,
         (SELECT after FROM job_cursors WHERE name = ?) AS after`,
    )
    .bind(CURSOR)
    .first<{ clock: string; after: string | null }>()
  return { after: row?.after ?? null, clock: new Date(row?.clock ?? 0) }
}

/** Only a sale that one of the indexes takes is written. One with damaged facts would stop all others. */
const HAS_KEY = Object.values(SALE_KEYS)
  .map(({ where }) => `(${waitsFor(where)})`)
  .join(' OR ')

const LAST_OF_PAGE = `SELECT max(id) AS last FROM
  (SELECT id FROM transactions WHERE id > ?1 ORDER BY id LIMIT ${PAGE})` as const

const ADD = `UPDATE transactions SET searchable = 1 WHERE id > ?1 AND id <= ?2 AND searchable = 0
  AND json_valid(facts) AND (${HAS_KEY}) AND ${atHome('transactions.account_id')}` as const

/**
 * Adds the sales after an id, page by page. Returns the id up to which it came, null if that is the last one.
 * The accounts that are moving wait for a night.
 */
async function addSales(books: BooksDb, from: string): Promise<string | null> {
  let reached: string | null = from
  await inSlices(async () => {
    const last = await books.prepare(LAST_OF_PAGE).bind(reached).first<string>('last')
    if (last !== null) await books.prepare(ADD).bind(reached, last).run()
    reached = last
    return last !== null
  })
  return reached
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other
}

function earlier(moment: Date, ms: number): Date {
  return new Date(Math.max(0, moment.getTime() - ms))
}
