import type { BooksDb } from '../../../platform/database/databases.ts'
import { eachApart } from '../../../platform/each-apart.ts'
import { logFault } from '../../../platform/kit/log-fault.ts'
import { pagesOfJob } from '../../../platform/database/pages-of-job.ts'
import type { KeptReasons } from '../read/kept-reasons.ts'
import { readOldSales, replaceTexts } from './old-words-store.ts'
import { shareWords } from './words-to-share.ts'

const PAGE = 200

/**
 * Shares the words of sales that keep all of theirs, page by page, once. A migration wrote the cursor.
 * Nothing else changes these texts, so a page may be done twice. A sale of an account that is moving keeps
 * its words, and so does one that cannot be read. That costs only space.
 */
export async function shareOldWords(books: BooksDb): Promise<void> {
  await pagesOfJob(books, { name: 'words_of_sales', begin: false }, async (after) => {
    const page = await readOldSales(books, after, PAGE)
    const stored: Parameters<typeof replaceTexts>[1][number][] = []
    const work = async ({ id, facts, reasons }: (typeof page)[number]) => {
      if (reasons !== null)
        stored.push({ id, ...(await shareWords(facts, JSON.parse(reasons) as KeptReasons)) })
    }
    await eachApart(page, work, ({ id }, thrown) =>
      logFault({ job: 'shareOldWords', transaction_id: id }, thrown),
    )
    await replaceTexts(books, stored)
    return page.length < PAGE ? null : (page.at(-1)?.id ?? null)
  })
}
