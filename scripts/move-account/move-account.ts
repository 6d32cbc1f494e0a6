import type { BooksDb, ControlDb } from '../../src/database/databases.ts'
/**
 * How the books of an account move. In each database, `accounts.home` says what may be written there: all
 * (`open`), only the outcome of attempts at deliveries that have begun (`closing`), nothing (`away`). In the
 * control database, `accounts.shard` says where requests go, and `account_moves` has the move. Once an
 * account exists, only this file changes them, and `src/shards/delete-old-copies.ts` removes what is left.
 * The states of a move, by old and new home:
 *
 * 1. open, -: the move is recorded, and `started_at` set. After a crash all goes on as before the move.
 * 2. open, away: the new shard gets a home, and the events for all. After a crash the same.
 * 3. closing, away: writes are refused, and the leases of deliveries end, within a minute.
 * 4. away, away: `closed_at` is set. All rows are copied and compared. A crash leaves a part of the copy.
 * 5. away, open: the jobs of the new shard work on the books; requests still go to the old one.
 * 6. away, open, and `accounts.shard` names the new shard: `switched_at` is set in the same batch. A crash
 *    leaves out deliveries of events for all whose fan-out was not finished (`deliverMissed`).
 * 7. -, open: after 65 minutes the old copy, its home and the move are deleted, in slices that can be
 *    repeated. Shard 0 keeps its row of the account, and the rows that belong to keys and profile.
 *
 * A crash in 3 to 5 leaves writes refused and reads unharmed: run the command again. Each step can be
 * repeated, and rows that were copied stay. If a row differs, the copy is deleted and the old home opens
 * again. That also happens after a crash in 5, if a job of the new shard has changed a row since.
 */
import type { Shard } from '../../src/database/shards.ts'
import { type Difference, verifyTotals } from '../verify/totals.ts'
import { insertCopies, readRows } from './copy-store.ts'
import { copySharedEvents, deliverMissed } from './events-store.ts'
import { deleteHome, insertHome, readHome, writeHome } from '../../src/database/home-store.ts'
import { countLeases } from './leases-store.ts'
import { deleteMove, type MoveRow, readShardOf } from '../../src/shards/moves-store.ts'
import { insertMove, readMove, recordClosed, switchShard } from './moves-store.ts'
import { deleteCopy } from '../../src/shards/delete-copy.ts'
import { MOVED_TABLES, type MovedTable } from '../../src/shards/tables.ts'

/** The databases of a move. `wait` waits before the next look at leases. */
export type MoveTools = {
  control: ControlDb
  shardOf: (number: number) => Shard
  clock: () => Date
  wait: () => Promise<void>
}

/** The copied rows, and how long writes were refused. */
export type MoveResult = { rows: number; refused_ms: number; switched_at: string }

/**
 * Moves the books of an account to another shard. Call it again after a crash. Throws an Error if a row or a
 * total differs: then the books stay. Books never move into shard 0, which has rows of its own in some
 * tables.
 */
export async function moveAccount(
  tools: MoveTools,
  account_id: string,
  to_shard: number,
): Promise<MoveResult> {
  const move = await beginMove(tools, account_id, to_shard)
  const [from, to] = [tools.shardOf(move.from_shard).books, tools.shardOf(move.to_shard).books]
  let rows = 0
  if (move.switched_at === null) {
    await to.batch([insertHome(to, account_id, 'away', tools.clock())])
    await copySharedEvents(tools.control, to, tools.clock())
    await closeBooks(tools, from, move)
    rows = await copyBooks(from, to, account_id)
    await verifyOrReopen(tools, from, to, account_id)
    await writeHome(to, account_id, 'open')
    await switchShard(tools.control, move, tools.clock().toISOString())
  }
  const { closed_at, switched_at } = await existingMove(tools.control, account_id)
  if (closed_at === null || switched_at === null) throw new Error(`The move of ${account_id} has no times`)
  await deliverMissed(from, to, account_id, closed_at, tools.clock())
  return { rows, refused_ms: Date.parse(switched_at) - Date.parse(closed_at), switched_at }
}

/** Records the move, or returns the one that has begun. */
async function beginMove(
  { control, clock, shardOf }: MoveTools,
  account_id: string,
  to_shard: number,
): Promise<MoveRow> {
  const from_shard = await readShardOf(control, account_id)
  if (from_shard === null) throw new Error(`There is no account ${account_id}`)
  shardOf(to_shard)
  if (to_shard === 0) throw new Error('Books cannot move to shard 0, which is the control database')
  const begun = await readMove(control, account_id)
  if (begun === null && from_shard === to_shard)
    throw new Error(`The books of ${account_id} are in shard ${to_shard} already`)
  const move = { account_id, from_shard, to_shard, started_at: clock().toISOString() }
  if (begun === null) await insertMove(control, move)
  const stored = await existingMove(control, account_id)
  if (stored.to_shard !== to_shard)
    throw new Error(
      stored.switched_at === null
        ? `A move of ${account_id} to shard ${stored.to_shard} has begun: end it first`
        : `${account_id} moved at ${stored.switched_at} and has an old copy. Try again in two hours`,
    )
  return stored
}

async function existingMove(control: ControlDb, account_id: string): Promise<MoveRow> {
  const move = await readMove(control, account_id)
  if (move === null) throw new Error(`The move of ${account_id} was ended by another process`)
  return move
}

/** Refuses new writes, waits for the attempts at deliveries that have begun, then refuses all writes. */
async function closeBooks(
  { control, clock, wait }: MoveTools,
  from: BooksDb,
  { account_id }: MoveRow,
): Promise<void> {
  if ((await readHome(from, account_id)) === 'open') await writeHome(from, account_id, 'closing')
  while ((await countLeases(from, account_id, clock().toISOString())) > 0) await wait()
  await writeHome(from, account_id, 'away')
  await recordClosed(control, account_id, clock().toISOString())
}

/** Copies all rows. Rows that an interrupted copy has written stay. Returns the number of rows. */
async function copyBooks(from: BooksDb, to: BooksDb, account_id: string): Promise<number> {
  let copied = 0
  // Side by side, because most books have one page in most tables, and writes are refused meanwhile.
  const first = await Promise.all(
    MOVED_TABLES.map(async (table) => ({ table, page: await readRows(from, table, account_id, null) })),
  )
  for (const { table, page: firstPage } of first) {
    let page = firstPage
    for (;;) {
      await insertCopies(to, table.table, account_id, page.rows)
      copied += page.rows.length
      if (page.next === null) break
      page = await readRows(from, table, account_id, page.next)
    }
  }
  return copied
}

/** Compares all rows and the totals. If anything differs, opens the old books again and throws an Error. */
async function verifyOrReopen(
  { control }: MoveTools,
  from: BooksDb,
  to: BooksDb,
  account_id: string,
): Promise<void> {
  const fault = await differenceOf(from, to, account_id)
  if (fault === null) return
  await deleteCopy(to, account_id, () => true)
  await deleteHome(to, account_id)
  await writeHome(from, account_id, 'open')
  await deleteMove(control, account_id)
  throw new Error(`The copy differs, so the books stay where they are: ${fault}`)
}

async function differenceOf(from: BooksDb, to: BooksDb, account_id: string): Promise<string | null> {
  const faults = await Promise.all(MOVED_TABLES.map((table) => differenceIn(table, from, to, account_id)))
  const fault = faults.find((each) => each !== null)
  if (fault !== undefined) return fault
  const before = JSON.stringify((await verifyTotals(from, account_id)).map(valuesOfDifference))
  const after = JSON.stringify((await verifyTotals(to, account_id)).map(valuesOfDifference))
  return before === after ? null : 'the totals differ from the transactions in another way than before'
}

function valuesOfDifference({ table, key, column, kept, recomputed }: Difference): unknown[] {
  return [table, key, column, kept, recomputed]
}

/** The first row of a table that differs, or null. */
async function differenceIn(
  table: MovedTable,
  from: BooksDb,
  to: BooksDb,
  account_id: string,
): Promise<string | null> {
  let [old, copied] = await Promise.all([from, to].map((books) => readRows(books, table, account_id, null)))
  for (;;) {
    if (old === undefined || copied === undefined) throw new Error('Two pages were read')
    if (old.rows.length !== copied.rows.length)
      return `${table.table} has ${old.rows.length} rows in a page, and the copy ${copied.rows.length}`
    for (const [index, row] of old.rows.entries())
      if (JSON.stringify(row) !== JSON.stringify(copied.rows[index]))
        return `a row of ${table.table} is ${JSON.stringify(row).slice(0, 200)}`
    const { next } = old
    if (next === null) return null
    ;[old, copied] = await Promise.all([from, to].map((books) => readRows(books, table, account_id, next)))
  }
}
