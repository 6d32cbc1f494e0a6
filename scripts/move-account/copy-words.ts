import type { BooksDb } from '../../src/platform/database/databases.ts'
import { keepWords, readWords } from '../../src/sales/transactions/sale/words-store.ts'

const PAGE = 1_000

/** Copies the words that sales share, of all accounts: there are few, and they never change. */
export async function copyWords(from: BooksDb, to: BooksDb, beat: () => Promise<void>): Promise<void> {
  for (let after = ''; ;) {
    const page = await readWords(from, after, PAGE)
    const last = page.at(-1)
    if (last === undefined) return
    await to.batch(keepWords(to, page))
    await beat()
    after = last.id
  }
}
