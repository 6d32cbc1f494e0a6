import type { BooksDb } from '../../src/platform/database/databases.ts'
import { ID_LENGTH, readWords } from '../../src/sales/transactions/sale/words-store.ts'
import { readNamedWords } from './words-store.ts'

const PAGE = 1_000

/** The sales of an account of which the database lacks words that they name. */
export async function salesWithoutWords(books: BooksDb, account_id: string): Promise<string[]> {
  const known = await knownWords(books)
  const faults: string[] = []
  for (let after = { transaction_date: '', id: '' }; ;) {
    const page = await readNamedWords(books, account_id, after)
    for (const { id, shared, invoice } of page) {
      const named = [...idsIn(shared), ...(invoice === null ? [] : [invoice])]
      if (!named.every((each) => known.has(each))) faults.push(id)
    }
    const last = page.at(-1)
    if (last === undefined) return faults
    after = last
  }
}

function idsIn(shared: string): string[] {
  return Array.from({ length: Math.ceil(shared.length / ID_LENGTH) }, (_, index) =>
    shared.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH),
  )
}

async function knownWords(books: BooksDb): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (let after = ''; ;) {
    const page = await readWords(books, after, PAGE)
    for (const { id } of page) known.add(id)
    const last = page.at(-1)
    if (last === undefined) return known
    after = last.id
  }
}
