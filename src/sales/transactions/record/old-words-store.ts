import type { BooksDb } from '../../../platform/database/databases.ts'
import { atHome } from '../../../platform/database/home.ts'
import { jsonChunks } from '../../../platform/database/insert-rows.ts'
import { keepWords } from '../sale/words-store.ts'
import type { StoredTexts } from './words-to-share.ts'

/** A sale with its texts as they are stored. `reasons`: null if it keeps no words of its own. */
type OldSale = { id: string; facts: string; reasons: string | null }

/** The next sales by id. */
export async function readOldSales(books: BooksDb, after: string, limit: number): Promise<OldSale[]> {
  const { results } = await books
    .prepare(
      `SELECT id, facts, CASE WHEN NOT (json_valid(facts) AND json_valid(reasons)) THEN NULL
           WHEN reasons -> '$.shared' IS NULL AND facts -> '$.invoice' IS NULL THEN reasons END AS reasons
       FROM transactions WHERE id > ? ORDER BY id LIMIT ?`,
    )
    .bind(after, limit)
    .all<OldSale>()
  return results
}

const REPLACE =
  `UPDATE transactions SET facts = shared.value ->> 'facts', reasons = shared.value ->> 'reasons'
  FROM json_each(?) shared
  WHERE transactions.id = shared.value ->> 'id' AND ${atHome('transactions.account_id')}` as const

/** Stores the texts of sales of accounts that are here, with the words that they name. */
export async function replaceTexts(
  books: BooksDb,
  stored: readonly (StoredTexts & { id: string })[],
): Promise<void> {
  if (stored.length === 0) return
  const texts = stored.map(({ id, facts, reasons }) => ({ id, facts, reasons }))
  await books.batch([
    ...keepWords(
      books,
      stored.flatMap(({ words }) => words),
    ),
    ...jsonChunks(texts).map((json) => books.prepare(REPLACE).bind(json)),
  ])
}
