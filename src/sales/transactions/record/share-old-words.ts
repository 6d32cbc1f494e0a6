import type { BooksDb } from '../../../platform/database/databases.ts'
import { pagesOfJob } from '../../../platform/database/pages-of-job.ts'
import type { KeptReasons } from '../read/kept-reasons.ts'
import { readOldSales, replaceTexts } from './old-words-store.ts'
import { shareWords } from './words-to-share.ts'

const PAGE = 200

/**
 * Shares the words of sales that keep all of theirs, page by page, once. A migration wrote the cursor.
 * Nothing else changes these texts, so a page may be done twice. A sale of an account that is moving keeps
 * its words. That costs only space.
 */
export async function shareOldWords(books: BooksDb): Promise<void> {
  await pagesOfJob(books, { name: 'words_of_sales', begin: false }, async (after) => {
    const page = await readOldSales(books, after, PAGE)
    const stored = []
    for (const { id, facts, reasons } of page)
      if (reasons !== null)
        stored.push({ id, ...(await shareWords(facts, JSON.parse(reasons) as KeptReasons)) })
    await replaceTexts(books, stored)
    return page.length < PAGE ? null : (page.at(-1)?.id ?? null)
  })
}
