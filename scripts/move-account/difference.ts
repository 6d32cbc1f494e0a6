import type { BooksDb } from '../../src/platform/database/databases.ts'
import type { Mover } from '../../src/service/shards/mover.ts'
import { MOVED_TABLES, type MovedTable } from '../../src/service/shards/tables.ts'
import { type Difference, verifyTotals } from '../verify/totals.ts'
import { salesWithoutWords } from '../verify/words.ts'
import { readRows } from './copy-store.ts'

/** The first difference between the books and their copy, in words; null if there is none. */
export async function differenceOf({ move, from, to, beat }: Mover): Promise<string | null> {
  const { account_id } = move
  const faults = await Promise.all(
    MOVED_TABLES.map((table) => differenceIn(table, { from, to, beat }, account_id)),
  )
  const fault = faults.find((each) => each !== null)
  if (fault !== undefined) return fault
  await beat()
  const [worse] = await salesWithoutWords(to, account_id, { left_out: true })
  if (worse !== undefined) return `the copy lacks words of the sale ${worse}`
  await beat()
  const differences = async (books: BooksDb) =>
    JSON.stringify((await verifyTotals(books, account_id, { left_out: true })).map(valuesOfDifference))
  const before = await differences(from)
  await beat()
  const after = await differences(to)
  return before === after ? null : 'the totals differ from the transactions in another way than before'
}

function valuesOfDifference({ table, key, column, kept, recomputed }: Difference): unknown[] {
  return [table, key, column, kept, recomputed]
}

/** The first row of a table that differs, or null. */
async function differenceIn(
  table: MovedTable,
  { from, to, beat }: Pick<Mover, 'from' | 'to' | 'beat'>,
  account_id: string,
): Promise<string | null> {
  const readBoth = (next: Parameters<typeof readRows>[3]) =>
    Promise.all([from, to].map((books: BooksDb) => readRows(books, table, account_id, next)))
  let [old, copied] = await readBoth(null)
  for (;;) {
    if (old === undefined || copied === undefined) throw new Error('Two pages were read')
    if (old.rows.length !== copied.rows.length)
      return `${table.table} has ${old.rows.length} rows in a page, and the copy ${copied.rows.length}`
    for (const [index, row] of old.rows.entries())
      if (JSON.stringify(row) !== JSON.stringify(copied.rows[index]))
        return `a row of ${table.table} is ${JSON.stringify(row).slice(0, 200)}`
    const { next } = old
    if (next === null) return null
    await beat()
    ;[old, copied] = await readBoth(next)
  }
}
