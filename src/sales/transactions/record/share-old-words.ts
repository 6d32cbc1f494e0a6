import type { BooksDb } from '../../../platform/database/databases.ts'
import { atHome } from '../../../platform/database/home.ts'
import { pagesOfJob } from '../../../platform/database/pages-of-job.ts'
import type { KeptReasons } from '../read/kept-reasons.ts'
import { keepWords } from '../sale/words-store.ts'
import { shareWords } from './words-to-share.ts'

const PAGE = 200

/** A sale of an earlier release, with the texts as they are stored. */
type OldSale = { id: string; facts: string; reasons: string }

/**
 * Shares the words of sales that keep all of theirs, page by page, once. A migration wrote the cursor.
 * Nothing else changes these texts, so a page may be done twice. A sale of an account that is moving keeps
 * its words. That costs only space.
 */
export async function shareOldWords(books: BooksDb): Promise<void> {
  await pagesOfJob(books, { name: 'words_of_sales', begin: false }, async (after) => {
    const page = await readPage(books, after)
    const sales = page.filter(({ reasons }) => reasons !== null) as OldSale[]
    const stored = await Promise.all(
      sales.map(async ({ id, facts, reasons }) => ({
        id,
        ...(await shareWords(facts, JSON.parse(reasons) as KeptReasons)),
      })),
    )
    if (stored.length > 0)
      await books.batch([
        ...keepWords(
          books,
          stored.flatMap(({ words }) => words),
        ),
        books.prepare(SHARE).bind(JSON.stringify(stored.map(({ words: _, ...sale }) => sale))),
      ])
    return page.length < PAGE ? null : (page.at(-1)?.id ?? null)
  })
}

const SHARE = `UPDATE transactions SET facts = shared.value ->> 'facts', reasons = shared.value ->> 'reasons'
  FROM json_each(?) shared
  WHERE transactions.id = shared.value ->> 'id' AND ${atHome('transactions.account_id')}` as const

/** The next sales by id. `reasons` is null for one that has none of its own words. */
async function readPage(books: BooksDb, after: string) {
  const { results } = await books
    .prepare(
      `SELECT id, facts, iif(reasons -> '$.shared' IS NULL AND facts -> '$.invoice' IS NULL, reasons, NULL)
         AS reasons
       FROM transactions WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
    )
    .bind(after)
    .all<Omit<OldSale, 'reasons'> & { reasons: string | null }>()
  return results
}
