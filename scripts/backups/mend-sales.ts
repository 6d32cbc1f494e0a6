import { type BooksDb, unchecked } from '../../src/platform/database/databases.ts'
import { refHash } from '../../src/sales/sealed/ref-hash.ts'

const ROWS_OF_SLICE = 5_000

type Slice = { last: number; sales: { account_id: string; id: string; external_id: string | null }[] }

/**
 * Mends sales that came into the books while a backup copied them, table by table. One that was recorded or
 * thawed after the copy of its lines has none: it is left out, and a thawed one is still in its chest. One
 * that was thawed after the copy of `chest_refs` has a ref too: the books are right.
 */
export async function mendSales(books: BooksDb, report: (line: string) => void): Promise<void> {
  let [without_lines, refs] = [0, 0]
  for (let after = 0; ;) {
    const slice = await readSlice(books, after)
    if (slice === null) break
    const { meta } = await unchecked(books)
      .prepare(
        `DELETE FROM transactions WHERE rowid > ? AND rowid <= ? AND NOT EXISTS (
           SELECT 1 FROM transaction_lines WHERE transaction_id = transactions.id)`,
      )
      .bind(after, slice.last)
      .run()
    without_lines += meta.changes
    refs += await deleteRefs(books, slice)
    after = slice.last
  }
  if (without_lines > 0) report(`${without_lines} sales came while they were copied, and are left out`)
  if (refs > 0) report(`${refs} refs to chests are left out, whose sales are in the books`)
}

/** Sales by rowid; null: there are no more. */
async function readSlice(books: BooksDb, after: number): Promise<Slice | null> {
  const { results } = await unchecked(books)
    .prepare(
      `SELECT rowid AS at, account_id, id, external_id FROM transactions WHERE rowid > ?
       ORDER BY rowid LIMIT ${ROWS_OF_SLICE}`,
    )
    .bind(after)
    .all<Slice['sales'][number] & { at: number }>()
  const last = results.at(-1)?.at
  return last === undefined ? null : { last, sales: results }
}

async function deleteRefs(books: BooksDb, { sales }: Slice): Promise<number> {
  const named = sales.map(({ account_id, id, external_id }) => ({
    id,
    hash: refHash(account_id, { id }),
    other: external_id === null ? null : refHash(account_id, { external_id }),
  }))
  // A sale that was left out just now is in its chest.
  const kept = `SELECT value FROM json_each(?) WHERE value ->> 'id' IN (SELECT id FROM transactions)`
  const { meta } = await unchecked(books)
    .prepare(
      `DELETE FROM chest_refs WHERE hash IN (
         WITH kept AS MATERIALIZED (${kept})
         SELECT value ->> 'hash' FROM kept UNION ALL
         SELECT value ->> 'other' FROM kept WHERE value ->> 'other' IS NOT NULL)`,
    )
    .bind(JSON.stringify(named))
    .run()
  return meta.changes
}
